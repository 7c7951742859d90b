package continuum

import (
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// history is what a step needs to know of the steps before.
type history struct {
	last   float64 // length of the last step, s; 0: none yet
	before float64 // length of the step before, s
	steps  int     // since rest, at most 3: enough to extrapolate
	even   int     // how many of the last steps had the length of the last one, at most as many as an extrapolation looks back on
	// contraction is how Newton's method has contracted in the regular steps before.
	contraction integrate.Contraction
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

// ahead is an extrapolation: the weights of the last changes, the last one first.
type ahead [strain.Levels - 1]float64

// weights are those that are not zero.
func (a *ahead) weights() []float64 {
	n := len(a)
	for n > 0 && a[n-1] == 0 {
		n--
	}
	return a[:n]
}

// polynomial are the extrapolations of even steps, by degree: binomial coefficients of alternating sign.
var polynomial = [strain.Levels]ahead{{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}, {6, -15, 20, -15, 6, -1}}

// smooth is how much of the term before it the next term of an extrapolation is at the most, where it is
// of the motion: after a jump of the loads, the differences of all orders are of one size.
const smooth = 0.9

// isEven reports whether a step of dt seconds and those that an extrapolation looks back on have one length.
func (h *history) isEven(dt float64) bool { return dt == h.last && h.even == strain.Levels-1 }

// longest returns the extrapolation of even steps by as many terms as become smaller, at least
// those of the parabola.
func longest(term *[strain.Levels]float64) ahead {
	degree := 2
	for degree+1 < strain.Levels && term[degree+1] < smooth*term[degree] {
		degree++
	}
	return polynomial[degree]
}

// ahead returns how the strains may be extrapolated by dt seconds, the most exact way first:
// on the parabola through the last three levels, which a jump of the loads in the last two
// steps spoils, and on the line through the last two.
func (h *history) ahead(dt float64) (ways [2]ahead, count int) {
	if h.steps >= 3 {
		curved := dt * (dt + h.last) / (h.last + h.before)
		ways[0], count = ahead{(dt + curved) / h.last, -curved / h.before}, 1
	}
	if h.steps >= 2 {
		ways[count] = ahead{dt / h.last}
		count++
	}
	return ways, count
}

// add takes note of an accepted step.
func (h *history) add(dt float64) {
	if dt != h.last {
		h.even = 0
	}
	h.even = min(h.even+1, strain.Levels-1)
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

// parts is into how many parts a step is divided at the most.
const parts = 64

// Step implements engine. A step that does not converge is divided.
func (e *implicit) Step(dt float64, in *inputs) error {
	target := e.rod.Target // which a step that fails forgets
	divided := e.advance(e.history.plan(dt), in) != nil
	if divided {
		if err := e.divide(dt, in, target); err != nil {
			e.tally.failed++
			return err
		}
	}
	e.tally.add(e.report.Iterations, divided)
	e.tell()
	return nil
}

// divide makes a step that failed in parts, halving those that fail too, up to parts
// of them, and doubling those that follow a success. The base moves evenly to the pose
// to. What fails even so leaves the state of before the step, and is the error.
func (e *implicit) divide(dt float64, in *inputs, to spatial.Pose) error {
	e.Save(e.before)
	from := e.rod.Base
	e.places.whole(e.at.contacts)
	part := *in
	iterations := e.report.Iterations
	e.at.byNodes = true
	defer func() { e.at.byNodes = false }()
	for done, size := 0, parts/2; done < parts; {
		part.Time = in.Time + dt*float64(done)/parts
		e.rod.Target = from.Toward(to, float64(done+size)/parts, spatial.Vec{})
		e.places.part(e.at.contacts, float64(done+size)/parts)
		err := e.advance(e.history.plan(dt*float64(size)/parts), &part)
		iterations += e.report.Iterations
		switch {
		case err == nil:
			if done += size; done%(2*size) == 0 {
				size *= 2
			}
		case size > 1:
			size /= 2
		default:
			failed := e.report // which the gauges tell of
			e.Restore(e.before)
			e.report = failed
			return err
		}
	}
	e.rod.Target = to
	e.report.Iterations = iterations
	return nil
}

// places are where the walls are at the beginning and at the end of a step that is divided.
type places struct{ from, to []spatial.Pose }

// whole takes them from a step that is not divided.
func (p *places) whole(c *contact.Contacts) {
	if c == nil {
		return
	}
	p.from, p.to = p.from[:0], p.to[:0]
	for w := range c.Walls {
		p.from, p.to = append(p.from, c.WallPose(w)), append(p.to, c.WallTarget(w))
	}
}

// part sends the walls a share of the way, on which they turn about their centres.
func (p *places) part(c *contact.Contacts, share float64) {
	for w := range p.to {
		c.MoveWall(w, p.from[w].Toward(p.to[w], share, c.Walls[w].Shape.Center()))
	}
}
