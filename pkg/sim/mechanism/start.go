package mechanism

import (
	"fmt"

	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// given is how much more the velocity of a link counts that the parameters give, in startVelocities.
const given = 1e8

// startVelocities makes the velocities consistent with the joints. Links without a velocity move with
// the link that a joint connects them to, in the order of the tree. What is left is the projection
// with the least change in the metric of the masses.
func (w *World) startVelocities() error {
	known := map[string]bool{"": true}
	moves := false
	for _, b := range w.bodies {
		known[b.Name] = b.IsFixed || b.Velocity != nil
		if b.Velocity != nil && !b.IsFixed {
			moves = true
			b.isVelocitySet = true
			b.omega = b.Velocity.Angular
			b.velocity = b.Velocity.Linear.Add(b.pose.R.Apply(b.omega.Cross(b.CenterOfMass)))
		}
	}
	if !moves {
		return nil
	}
	for w.spreadVelocity(known) {
	}
	w.assembleMass()
	before := make([]spatial.Vec6, len(w.pose))
	for _, b := range w.bodies {
		if b.node < 0 {
			continue
		}
		before[b.node] = b.bodyVelocity()
		m := w.matrix.Diagonal(b.node)
		if b.isVelocitySet {
			for k := range m {
				m[k] *= given
			}
		}
		full := *m
		full.Mirror()
		w.right[b.node] = full.Apply(&before[b.node])
	}
	if !w.solve(0) {
		return fmt.Errorf("mechanism: the masses and joints have no velocities: the equations are singular")
	}
	for _, b := range w.bodies {
		if b.node < 0 {
			continue
		}
		v, was := &w.increment[b.node], &before[b.node]
		b.setBodyVelocity(v)
		if !b.isVelocitySet {
			continue
		}
		size := max(was.Linear().Norm(), w.size*was.Angular().Norm())
		change := max(v.Linear().Sub(was.Linear()).Norm(), w.size*v.Angular().Sub(was.Angular()).Norm())
		if change > 1e-6*size {
			return fmt.Errorf("mechanism: the velocity of %q does not agree with its joints: it would change by %.3g of %.3g m/s", b.Name, change, size)
		}
	}
	return nil
}

// spreadVelocity lets one more link move with one whose velocity is known, and reports whether there
// was one.
func (w *World) spreadVelocity(known map[string]bool) bool {
	for _, c := range w.connections {
		if known[c.Parent.Link] == known[c.Child.Link] {
			continue
		}
		from, to := c.Parent.Link, c.Child.Link
		if !known[from] {
			from, to = to, from
		}
		known[to] = true
		a, b := w.body(from), w.body(to)
		if a != nil && !a.IsFixed {
			omega := a.pose.R.Apply(a.omega)
			b.omega = b.pose.R.ApplyT(omega)
			b.velocity = a.velocity.Add(omega.Cross(b.center().Sub(a.center())))
		}
		return true
	}
	return false
}

// setLevelBefore makes the level h seconds before the present one that of constant accelerations,
// which follow with the multipliers from
//
//	[M Gᵀ; G 0] [a; λ] = [f; −Ġ v].
func (w *World) setLevelBefore(h float64) error {
	if err := w.accelerations(); err != nil {
		return err
	}
	for _, b := range w.bodies {
		if b.node >= 0 {
			b.setLevelBefore(h, &w.increment[b.node])
		}
	}
	for _, c := range w.connections {
		copy(c.lambda[:], w.increment[c.unknown][:])
		for i, q := range c.coordinate {
			rate, second := w.coordinateRate(c, i)
			c.past[i] = q - h*rate + h*h/2*second
		}
	}
	return nil
}

// accelerations sets increment to accelerations, as rates of the body velocities, and multipliers.
func (w *World) accelerations() error {
	w.assembleMass()
	for _, b := range w.bodies {
		if b.node < 0 {
			continue
		}
		b.step = bodyStep{}
		var tangent spatial.Mat6
		var skew spatial.Vec
		b.assemble(w.gravity, &w.right[b.node], &tangent, &skew)
		f := b.velocityWrench()
		addWrench(&w.right[b.node], f.Linear(), f.Angular())
	}
	for _, c := range w.connections {
		for k := range c.geometry.Size() {
			var lambda [6]float64
			lambda[k] = 1
			var o joint.Curvature
			c.geometry.AddCurvature(&c.relative, &lambda, &o)
			w.right[c.unknown][k] = -w.quadraticRate(c, &o)
		}
		w.addSpringForces(c)
	}
	if !w.solve(0) {
		return fmt.Errorf("mechanism: the masses and joints have no accelerations: the equations are singular")
	}
	return nil
}

// addSpringForces adds springs and dampers at the present velocities.
func (w *World) addSpringForces(c *connection) {
	c.gamma = 1
	for i := range c.Spring {
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
	second = w.quadraticRate(c, &o)
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
	for _, b := range w.bodies {
		if s.node >= 0 && b.node == s.node {
			v := b.bodyVelocity()
			return s.adjoint.Apply(&v)
		}
	}
	return spatial.Vec6{}
}

func dot(a, b *spatial.Vec6) (sum float64) {
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}
