package motion

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
)

// history is what a step needs to know of the steps before.
type history struct {
	last   float64 // length of the last step, s; 0: none yet
	before float64 // length of the step before, s
	steps  int     // since rest, at most 3: enough to extrapolate
	even   int     // how many of the last steps had the length of the last one, at most as many as an extrapolation looks back on
	// contraction is how Newton's method has contracted in the regular steps before.
	contraction integrate.ContractionEstimate
	// damped is how many more steps have order 1 since something has hit a wall: order 2
	// would continue the free flight and lift the rod off.
	damped int
}

// stepsAfterImpact is how many steps have order 1 after an impact.
const stepsAfterImpact = 2

// plan is the time discretisation of one step.
type plan struct {
	dt      float64 // s
	order   int     // order of the formula
	formula integrate.BDF
	spin    float64 // the angular velocity in the gyroscopic moment is extrapolated by spin times its last change
}

// plan returns the discretisation of a step of dt seconds.
func (h *history) plan(dt float64) plan {
	p := plan{dt: dt, order: 2}
	if h.steps == 0 || h.damped > 0 || dt > integrate.MaxBDF2Ratio*h.last {
		p.order = 1
	}
	p.formula = integrate.NewBDF(p.order, dt, h.last)
	if h.steps > 0 {
		p.spin = min(dt/h.last, integrate.MaxBDF2Ratio) // far ahead of a part of a divided step it would magnify noise
	}
	return p
}

// extrapolation is the weights of the last changes, the last one first.
type extrapolation [strain.HistoryLevels - 1]float64

// weights are those that are not zero.
func (a *extrapolation) weights() []float64 {
	n := len(a)
	for n > 0 && a[n-1] == 0 {
		n--
	}
	return a[:n]
}

// polynomial are the extrapolations of even steps, by degree: binomial coefficients of alternating sign.
var polynomial = [strain.HistoryLevels]extrapolation{{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}, {6, -15, 20, -15, 6, -1}}

// smooth is how much of the term before it the next term of an extrapolation is at the most, where it is
// of the motion: after a jump of the loads, the differences of all orders are of one size.
const smooth = 0.9

// isEven reports whether a step of dt seconds and those that an extrapolation looks back on have one length.
func (h *history) isEven(dt float64) bool { return dt == h.last && h.even == strain.HistoryLevels-1 }

// longest returns the extrapolation of even steps by as many terms as become smaller, at least
// those of the parabola.
func longest(term *[strain.HistoryLevels]float64) extrapolation {
	degree := 2
	for degree+1 < strain.HistoryLevels && term[degree+1] < smooth*term[degree] {
		degree++
	}
	return polynomial[degree]
}

// extrapolations returns how the strains may be extrapolated by dt seconds, the most exact way first:
// on the parabola through the last three levels, which a jump of the loads in the last two
// steps spoils, and on the line through the last two.
func (h *history) extrapolations(dt float64) (ways [2]extrapolation, count int) {
	if h.steps >= 3 {
		curved := dt * (dt + h.last) / (h.last + h.before)
		ways[0], count = extrapolation{(dt + curved) / h.last, -curved / h.before}, 1
	}
	if h.steps >= 2 {
		ways[count] = extrapolation{dt / h.last}
		count++
	}
	return ways, count
}

// add records a step that is committed.
func (h *history) add(dt float64) {
	if dt != h.last {
		h.even = 0
	}
	h.even = min(h.even+1, strain.HistoryLevels-1)
	h.last, h.before, h.steps, h.damped = dt, h.last, min(h.steps+1, 3), max(h.damped-1, 0)
}
