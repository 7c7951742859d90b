package continuum

import "sinew/pkg/sim/integrate"

// history is what a step needs to know of the steps before.
type history struct {
	last   float64 // length of the last step, s; 0: none yet
	before float64 // length of the step before, s
	steps  int     // since rest, at most 3: enough to extrapolate
	// damped is how many more steps have order 1 since something has hit a wall: order 2,
	// which remembers the free flight, would throw it back.
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

// ahead is an extrapolation: by first times the last change, less second times the one before.
type ahead struct{ first, second float64 }

// ahead returns how the strains may be extrapolated by dt seconds, the most exact way first:
// on the parabola through the last three levels, which a jump of the loads in the last two
// steps spoils, and on the line through the last two.
func (h *history) ahead(dt float64) (ways [2]ahead, count int) {
	if h.steps >= 3 {
		curved := dt * (dt + h.last) / (h.last + h.before)
		ways[0], count = ahead{(dt + curved) / h.last, curved / h.before}, 1
	}
	if h.steps >= 2 {
		ways[count] = ahead{first: dt / h.last}
		count++
	}
	return ways, count
}

// add takes note of an accepted step.
func (h *history) add(dt float64) {
	h.last, h.before, h.steps, h.damped = dt, h.last, min(h.steps+1, 3), max(h.damped-1, 0)
}

// tally counts the steps since the start; failed are those that left the robot as it was.
type tally struct {
	steps, iterations, maxIterations, divided, failed uint64
	repeats, mostContacts                             uint64
}

// add takes note of a step, with the iterations of all its parts.
func (t *tally) add(iterations int, divided bool) {
	n := uint64(iterations)
	t.steps, t.iterations, t.maxIterations = t.steps+1, t.iterations+n, max(t.maxIterations, n)
	if divided {
		t.divided++
	}
}

// report tells how the last step or equilibrium went.
type report struct {
	integrate.Report
	order int // order of the step's formula, 0 in an equilibrium
}

// told is the report of the last step that did not fail, and how many tendons were slack and
// yielded.
type told struct {
	report
	slack, yields int
}
