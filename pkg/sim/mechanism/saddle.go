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

// leaveSaddle moves from an equilibrium, at which the energy falls in some direction, along that direction.
// A straight rod that a joint compresses is such an equilibrium.
func (w *World) leaveSaddle() {
	w.softestMotion()
	turn, length := w.incrementSize()
	w.move(saddleStep / max(turn, length/w.size))
}

// softestMotion sets increment to the motion of least stiffness, by inverse iteration with the last factors.
// It returns what the last iteration multiplied it by: 1 over stiffness and shift, rad/(N m).
func (w *World) softestMotion() (growth float64) {
	clear(w.right)
	for i := range w.pose { // no symmetric mechanism has this load
		for k := range w.right[i] {
			w.right[i][k] = math.Sin(float64(1 + 6*i + k))
		}
	}
	for range 5 {
		w.solveAgain()
		for i := range w.pose {
			x := &w.increment[i]
			w.right[i] = spatial.Vec6Of(x.Linear().Scale(1/(w.size*w.size)), x.Angular())
		}
		growth = w.normalise(w.right)
	}
	return growth
}

// normalise makes the largest entry of the nodes 1, and returns what it was.
func (w *World) normalise(x []spatial.Vec6) (most float64) {
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
	return most
}
