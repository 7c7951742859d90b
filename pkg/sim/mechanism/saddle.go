package mechanism

import (
	"math"

	"sinew/pkg/sim/spatial"
)

const (
	// mostSaddles is how often a step of the path to an equilibrium leaves a saddle of the energy.
	mostSaddles = 8
	// saddleStep is the largest rotation by which it does so, rad.
	saddleStep = 0.01
)

// leaveSaddle moves away from a saddle, an equilibrium at which the energy has a direction of descent, along the steepest one.
// A straight rod that a joint compresses by more than its buckling load is such an equilibrium. It reports whether there is one.
func (w *World) leaveSaddle() bool {
	if !w.unstableMotion() {
		return false
	}
	w.leftSaddle = w.describeMotion()
	turn, length := w.incrementSize()
	w.move(saddleStep / max(turn, length/w.size))
	return true
}

// unstableMotion sets increment to the motion of most negative stiffness, in parts of that of its nodes, at the present state: the softest
// one with a shift just above that stiffness. It reports whether there is one.
func (w *World) unstableMotion() bool {
	least, most := leastShift, leastShift // the stiffness is between −most and −least
	for !w.factorShifted(most) {
		if least, most = most, 4*most; most > largestShift {
			return false
		}
	}
	if most == leastShift {
		return false
	}
	for most > 1.1*least {
		if middle := math.Sqrt(least * most); w.factorShifted(middle) {
			most = middle
		} else {
			least = middle
		}
	}
	w.factorShifted(most)
	w.softestMotion()
	return true
}

// softestMotion sets increment to the motion of least stiffness in parts of that of its nodes, by inverse iteration with the
// last factors. It returns what the last iteration multiplied it by: 1 over that stiffness and the shift.
func (w *World) softestMotion() (growth float64) {
	for i := range w.pose { // no symmetric mechanism has this motion
		for k := range w.increment[i] {
			w.increment[i][k] = math.Sin(float64(1 + 6*i + k))
		}
	}
	for range 5 {
		w.normalise()
		clear(w.right)
		for i, k := range w.scale {
			x := &w.increment[i]
			w.right[i] = spatial.Vec6Of(x.Linear().Scale(k.linear), x.Angular().Scale(k.angular))
		}
		w.solveAgain()
	}
	return w.normalise()
}

// normalise makes the largest entry of the increment, a rotation or a displacement over the length of the mechanism, 1,
// and returns what it was.
func (w *World) normalise() float64 {
	most := 0.0
	for i := range w.pose {
		x := &w.increment[i]
		most = max(most, x.Angular().Norm(), x.Linear().Norm()/w.size)
	}
	for i := range w.increment {
		for k := range w.increment[i] {
			w.increment[i][k] /= most
		}
	}
	return most
}
