package mechanism

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// given is how much more the velocity of a link counts that the parameters give, in startVelocities.
const given = 1e8

// massScale multiplies the masses in assembleMass, 1/s². A large one keeps the stiffness of wrenches of rods
// out of the matrix; see strain.BeginAccelerations.
const massScale = 1e8

// startVelocities makes the velocities consistent with the joints. Links without a velocity move with the links that have
// one and joints connect them to, the nearest along joints. What is left is the projection with the least change in the
// metric of the masses.
func (w *World) startVelocities() error {
	known, moves := map[link]bool{}, false
	for _, b := range w.bodies {
		if v := b.Velocity; v != nil && !b.IsFixed {
			known[b], moves = true, true
			b.omega = v.Angular
			b.velocity = v.Linear.Add(b.pose.R.Apply(b.omega.Cross(b.CenterOfMass)))
		}
	}
	for _, r := range w.rods {
		if v := r.Velocity; v != nil {
			known[r], moves = true, true
			r.setRigidVelocity(r.state.Base.P, v.Linear, v.Angular)
		}
	}
	if !moves {
		return nil
	}
	for w.spreadVelocity(known) {
	}
	before := make([]spatial.Vec6, len(w.right))
	w.assembleMass()
	for _, l := range w.links {
		_, isGiven := l.label()
		was := w.of(l, before)
		for i := range was {
			was[i] = l.nodeVelocity(i)
		}
		if isGiven {
			l.assembleMass(w, massScale*given)
		}
	}
	w.rowCompliance = staticCompliance // nothing needs the multipliers
	defer func() { w.rowCompliance = compliance }()
	w.matrix.Multiply(before, w.right)
	for _, c := range w.connections {
		w.right[c.unknown] = spatial.Vec6{}
	}
	if !w.solve(0) {
		return fmt.Errorf("mechanism: no velocities at t = 0: the equations of masses and joints are singular; masses and inertias may differ by too many orders of magnitude")
	}
	size := 0.0
	for i := range w.pose {
		size = max(size, before[i].Linear().Norm(), w.size*before[i].Angular().Norm())
	}
	for _, l := range w.links {
		name, isGiven := l.label()
		change := 0.0
		for i, v := range w.of(l, w.increment) {
			was := l.nodeVelocity(i)
			change = max(change, v.Linear().Sub(was.Linear()).Norm(), w.size*v.Angular().Sub(was.Angular()).Norm())
			l.setNodeVelocity(i, &v)
		}
		if most := 1e-6 * size; isGiven && change > most {
			return fmt.Errorf("mechanism: the velocity of %q at t = 0 contradicts its joints: the nearest one that they allow differs by %.3g m/s, allowed %.3g m/s; remove or correct it", name, change, most)
		}
	}
	return nil
}

// spreadVelocity lets the links beside those whose velocity is known move with them, with the mean where there are several, so
// that the order of joints does not matter. It reports whether there was one.
func (w *World) spreadVelocity(known map[link]bool) bool {
	type sum struct {
		v, omega spatial.Vec
		count    float64
	}
	next := map[link]*sum{}
	for _, c := range w.connections {
		from, to := w.link(c.Parent.Link), w.link(c.Child.Link)
		if from == nil || to == nil || known[from] == known[to] {
			continue
		}
		if !known[from] {
			from, to = to, from
		}
		if to.nodeCount() == 0 {
			continue
		}
		s := next[to]
		if s == nil {
			s = &sum{}
			next[to] = s
		}
		x, v, omega := from.rigidVelocity()
		at, _, _ := to.rigidVelocity()
		s.v, s.omega, s.count = s.v.Add(v.Add(omega.Cross(at.Sub(x)))), s.omega.Add(omega), s.count+1
	}
	for to, s := range next {
		at, _, _ := to.rigidVelocity()
		to.setRigidVelocity(at, s.v.Scale(1/s.count), s.omega.Scale(1/s.count))
		known[to] = true
	}
	return len(next) > 0
}

// setLevelBefore makes the level h seconds before the present one that of constant accelerations,
// which follow with the multipliers from
//
//	[M Gᵀ; G 0] [a; λ] = [f; −Ġ v],
//
// here with β M and a/β.
func (w *World) setLevelBefore(h float64) error {
	if err := w.accelerations(h); err != nil {
		return err
	}
	for _, l := range w.links {
		l.setLevelBefore(h, w.of(l, w.increment))
	}
	for _, c := range w.connections {
		copy(c.lambda[:], w.increment[c.unknown][:])
		for k := range c.laws.list {
			c.laws.list[k].multiplier += w.increment[c.laws.unknown][k]
		}
		for i, q := range c.coordinate {
			rate, second := w.coordinateRate(c, i)
			c.past[i] = q - h*rate + h*h/2*second
		}
	}
	return nil
}

// Begin makes the reactions of joints at t = 0 those of a motion whose first step takes h seconds. Step does the same.
func (w *World) Begin(h float64) error {
	if w.isOpen || w.lastStep != 0 {
		return nil
	}
	w.commandShare = 1
	return w.setLevelBefore(h)
}

// accelerations sets increment to accelerations at the start of a step of h seconds, as rates of the body velocities, and
// multipliers. What stops would have to pull leaves them, and what friction does not hold slides, beginning with what is furthest
// beyond its friction.
func (w *World) accelerations(h float64) error {
	for _, c := range w.connections {
		w.startRates(c, h)
	}
	for {
		w.assembleMass()
		for _, c := range w.connections {
			for k := range c.geometry.Size() {
				var lambda [6]float64
				lambda[k] = 1
				var o joint.Curvature
				c.geometry.AddCurvature(&c.relative, &lambda, &o)
				second := w.quadraticRate(c, &o) + dot(&c.rows.OnParent[k], &c.parent.acceleration) + dot(&c.rows.OnChild[k], &c.child.acceleration)
				w.right[c.unknown][k] = -second / massScale
			}
			w.addSpringForces(c)
			w.startLaws(c, h)
		}
		if !w.solve(0) {
			return fmt.Errorf("mechanism: no accelerations at t = 0: the equations of masses and joints are singular; masses and inertias may differ by too many orders of magnitude")
		}
		if !w.leave() && !w.slide() {
			break
		}
	}
	for i := range w.pose {
		for k := range w.increment[i] {
			w.increment[i][k] *= massScale
		}
	}
	return nil
}

// accelerationsPass reports whether the accelerations in increment pass within a step of h seconds: stiffness and damping
// resist the motion of some node more than its inertia does. The level before that constant accelerations
// give then has nothing to do with the motion, as where a moment begins to act on the small inertia of a section of a
// rod, and the step is of order 1, which needs none.
func (w *World) accelerationsPass(h float64) bool {
	if len(w.rods) == 0 && !w.hasSprings() {
		return false
	}
	f := integrate.NewBDF(1, h, h)
	w.matrix.Zero()
	clear(w.right)
	clear(w.skew)
	for _, l := range w.links {
		l.begin(&f)
		l.assemble(w)
	}
	for _, c := range w.connections {
		var curvature joint.Curvature
		c.begin(&f, w.commandShare)
		c.assembleSprings(w, &curvature)
		c.addCurvature(w, &curvature)
	}
	w.matrix.MultiplyFirst(w.increment, w.residual, len(w.pose))
	w.matrix.Zero()
	for _, l := range w.links {
		l.assembleMass(w, f.Beta)
	}
	inertia := w.right
	w.matrix.MultiplyFirst(w.increment, inertia, len(w.pose))
	for i := range w.pose {
		a := &w.increment[i]
		inert := dot(a, &inertia[i])
		isVisible := h*h/2*max(a.Angular().Norm(), a.Linear().Norm()/w.size) > converged
		if isVisible && math.Abs(dot(a, &w.residual[i])-inert) > inert {
			return true
		}
	}
	return false
}

// hasSprings reports whether some joint has a spring, a damper or a position motor.
func (w *World) hasSprings() bool {
	for _, c := range w.connections {
		if c.Spring != nil || slices.ContainsFunc(c.Motor, func(m Motor) bool { return m.Kind == PositionMotor }) {
			return true
		}
	}
	return false
}

// addSpringForces adds springs, dampers and motors at the present velocities.
func (w *World) addSpringForces(c *connection) {
	c.gamma = 1
	for i := range c.coordinate {
		parent, child := c.geometry.Gradient(i, &c.relative)
		a, b := w.frameVelocity(&c.parent), w.frameVelocity(&c.child)
		c.hat[i] = c.coordinate[i] - dot(&parent, &a) - dot(&child, &b)
	}
	var unused joint.Curvature
	c.assembleSprings(w, &unused)
}

// coordinateRate returns the first and second derivative in time of coordinate i, with the
// accelerations in increment.
func (w *World) coordinateRate(c *connection, i int) (rate, second float64) {
	parent, child := c.geometry.Gradient(i, &c.relative)
	a, b := w.frameVelocity(&c.parent), w.frameVelocity(&c.child)
	rate = dot(&parent, &a) + dot(&child, &b)
	var o joint.Curvature
	c.geometry.AddCoordinateCurvature(i, &c.relative, 1, &o)
	second = w.quadraticRate(c, &o) + dot(&parent, &c.parent.acceleration) + dot(&child, &c.child.acceleration)
	onParent, onChild := c.parent.onNode(&parent), c.child.onNode(&child)
	if c.parent.node >= 0 {
		second += dot(&onParent, &w.increment[c.parent.node])
	}
	if c.child.node >= 0 {
		second += dot(&onChild, &w.increment[c.child.node])
	}
	return rate, second
}

// quadraticRate returns vᵀ H v for the velocities v of the joint's frames.
func (w *World) quadraticRate(c *connection, o *joint.Curvature) float64 {
	a, b := w.frameVelocity(&c.parent), w.frameVelocity(&c.child)
	aa, ab, bb := o.Parent.Apply(&a), o.ParentChild.Apply(&b), o.Child.Apply(&b)
	return dot(&a, &aa) + 2*dot(&a, &ab) + dot(&b, &bb)
}

// frameVelocity returns the body velocity of a joint's frame.
func (w *World) frameVelocity(s *side) spatial.Vec6 {
	if s.node < 0 {
		return s.velocity
	}
	l := w.owner[s.node]
	v := l.nodeVelocity(s.node - l.firstNode())
	return s.adjoint.Apply(&v)
}

func dot(a, b *spatial.Vec6) (sum float64) {
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}
