package continuum

import (
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/spatial"
)

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
