package mechanism

import (
	"math"

	"sinew/pkg/sim/spatial"
)

const (
	// mostSaddles is how often a step of the way to an equilibrium leaves one that is no minimum of energy.
	mostSaddles = 8
	// saddleStep is the largest rotation by which it does so, rad.
	saddleStep = 0.01
)

// leaveSaddle moves from an equilibrium, at which the energy falls in some direction, along that direction:
// inverse iteration with the last factors, whose shift is just above what makes the Hessian positive
// definite. A straight rod that a joint compresses is such an equilibrium.
func (w *World) leaveSaddle() {
	for i := range w.right {
		w.right[i] = spatial.Vec6{}
		if i < len(w.pose) { // no symmetric mechanism has this load
			for k := range w.right[i] {
				w.right[i][k] = math.Sin(float64(1 + 6*i + k))
			}
		}
	}
	for range 4 {
		w.solveAgain()
		for i := range w.pose {
			x := w.increment[i]
			w.right[i] = spatial.Vec6Of(x.Linear().Scale(1/(w.size*w.size)), x.Angular())
		}
		w.normalise(w.right)
	}
	w.solveAgain()
	turn, length := w.incrementSize()
	w.move(saddleStep / max(turn, length/w.size))
}

// normalise makes the largest entry of the nodes 1.
func (w *World) normalise(x []spatial.Vec6) {
	most := 0.0
	for i := range w.pose {
		for _, v := range x[i] {
			most = max(most, math.Abs(v))
		}
	}
	for i := range w.pose {
		for k := range x[i] {
			x[i][k] /= most
		}
	}
}
