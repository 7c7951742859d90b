package mechanism

import "sinew/pkg/sim/spatial"

// MoveBody moves body i, which is fixed, to a pose in the next step, linearly in time. Its velocity and acceleration are used only in
// a step that computes accelerations at its start, as at t = 0 and at a load that ends: those of a constant acceleration over this step
// and the one before, or from rest.
func (w *World) MoveBody(i int, to spatial.Pose) {
	if b := w.bodies[i]; b.IsFixed {
		b.target = to
	}
}

// moveBodies moves fixed bodies by a share of the displacement to their targets, in h seconds.
func (w *World) moveBodies(share, h float64) {
	for _, b := range w.bodies {
		if !b.IsFixed {
			continue
		}
		if b.pose == b.target && b.velocity == (spatial.Vec{}) && b.omega == (spatial.Vec{}) {
			continue
		}
		to := b.target
		if share < 1 {
			to = b.pose.Toward(b.target, share, spatial.Vec{})
		}
		last := spatial.Twist{Linear: b.velocity, Angular: b.omega}
		before, turn := b.center(), b.pose.R.TMul(to.R).Log()
		b.pose = to
		b.velocity, b.omega = b.center().Sub(before).Scale(1/h), turn.Scale(1/h)
		start := &b.before
		start.velocity, start.omega = last.Linear.Add(b.velocity).Scale(0.5), last.Angular.Add(b.omega).Scale(0.5)
		start.position, start.turn = b.velocity.Sub(last.Linear).Scale(1/h), b.omega.Sub(last.Angular).Scale(1/h)
		if last == (spatial.Twist{}) {
			*start = level{position: b.velocity.Scale(2 / h), turn: b.omega.Scale(2 / h)}
		}
		w.placeSides(b)
	}
}

// placeSides moves the frames of joints and the holes of tendons with a fixed body.
func (w *World) placeSides(b *body) {
	if !b.IsFixed {
		return
	}
	mean := [...]spatial.Vec{b.velocity, b.omega}
	b.velocity, b.omega = b.before.velocity, b.before.omega
	v := b.nodeVelocity(0)
	alpha := b.before.turn
	linear := b.pose.R.ApplyT(b.before.position).Sub(alpha.Cross(b.CenterOfMass)).Sub(b.omega.Cross(b.pose.R.ApplyT(b.velocity)))
	acceleration := spatial.Vec6Of(linear, alpha)
	b.velocity, b.omega = mean[0], mean[1]
	place := func(s *side, frame spatial.Pose) {
		onBody := newSide(-1, frame)
		*s = newSide(-1, b.pose.Mul(frame))
		s.velocity, s.acceleration = onBody.adjoint.Apply(&v), onBody.adjoint.Apply(&acceleration)
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

// MoveWall moves wall i to a pose in the next step, as MoveBody does; the identity is where its shape was made.
func (w *World) MoveWall(i int, to spatial.Pose) { w.walls[i].target = to }

// WallPose returns the pose of wall i in the world.
func (w *World) WallPose(i int) spatial.Pose { return w.walls[i].pose }

// TakeCommands takes the commands of motors and tendons, wrenches from outside, and the places of fixed bodies and walls from another
// world of the same parameters.
func (w *World) TakeCommands(other *World) {
	for i, c := range other.connections {
		for k, command := range c.command {
			w.Command(i, k, command)
		}
	}
	for i, t := range other.tendons {
		if t.pulls {
			w.SetPull(i, t.pull)
		} else {
			w.SetTension(i, t.Tension)
		}
	}
	for i, l := range other.rods {
		w.rods[i].external = l.external
	}
	for i, b := range other.bodies { // walls among them
		w.bodies[i].external = b.external
		w.PlaceBody(i, b.pose)
	}
}
