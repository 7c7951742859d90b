package mechanism

import "sinew/pkg/sim/spatial"

// MoveBody moves body i, which is fixed, evenly to a pose in the next step. The velocity of that counts where a step needs a new level
// before: at a load that ends.
func (w *World) MoveBody(i int, to spatial.Pose) {
	if b := w.bodies[i]; b.IsFixed {
		b.target = to
	}
}

// moveBodies moves fixed bodies a share of the way to their targets, in h seconds.
func (w *World) moveBodies(share, h float64) {
	for _, b := range w.bodies {
		if !b.IsFixed {
			continue
		}
		b.start = b.pose
		if b.pose == b.target && b.velocity == (spatial.Vec{}) && b.omega == (spatial.Vec{}) {
			continue
		}
		to := b.target
		if share < 1 {
			to = b.pose.Toward(b.target, share, spatial.Vec{})
		}
		before, turn := b.center(), b.pose.R.TMul(to.R).Log()
		b.pose = to
		b.velocity, b.omega = b.center().Sub(before).Scale(1/h), turn.Scale(1/h)
		w.placeSides(b)
	}
}

// revertBodies puts fixed bodies back to where they were before the step.
func (w *World) revertBodies() {
	for _, b := range w.bodies {
		if b.IsFixed && b.pose != b.start {
			b.pose = b.start
			w.placeSides(b)
		}
	}
}

// placeSides puts the frames of joints and the holes of tendons on a fixed body where it is.
func (w *World) placeSides(b *body) {
	if !b.IsFixed {
		return
	}
	v := b.nodeVelocity(0)
	place := func(s *side, frame spatial.Pose) {
		onBody := newSide(-1, frame)
		*s = newSide(-1, b.pose.Mul(frame))
		s.velocity = onBody.adjoint.Apply(&v)
	}
	for _, c := range w.connections {
		if c.Parent.Link == b.Name {
			place(&c.parent, c.Parent.Frame)
			c.parentFrame = c.parent.frame
		}
		if c.Child.Link == b.Name {
			place(&c.child, c.Child.Frame)
		}
	}
	for _, t := range w.tendons {
		for k := range t.Route {
			if h := &t.Route[k]; h.Link == b.Name {
				place(&t.hole[k], spatial.Pose{R: spatial.Identity3(), P: h.Position})
			}
		}
	}
}
