package contact

import (
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Assemble adds the wrenches and tangents of all contacts at the present gaps to the equations of
// the nodes, after those of the elements. For self-contact it adds the parts of one node alone; the
// rest of the tangent is in the columns of AddColumns.
func (c *Contacts) Assemble(rod *strain.State, q *strain.Equations) {
	if c.self != nil {
		c.self.assemble(rod, q)
	}
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if p.tangentForce, p.tangentStiffness = 0, 0; p.gap < p.zeroForceGap {
				f, slope := p.ForceAt(&s.NormalLaw, p.gap)
				p.tangentForce, p.tangentStiffness = f, slope
				m := spatial.Outer(p.normal.Scale(slope), p.normal).Sub(p.gapHessian.Scale(f))
				s.addForceAndTangent(rod, q, p.from, p.to, p.normal.Scale(f), &m, spatial.Vec{})
				if p.shareCompliance > 0 {
					p.addClosestPointMotion(rod, s, f, q)
				}
			}
			if p.frictionStiffness = (spatial.Mat3{}); p.friction.Limit > 0 {
				p.frictionStiffness = p.friction.Stiffness(p.trialDeflection, p.frictionNormal)
				s.addForceAndTangent(rod, q, s.from, s.to, p.friction.Force(p.trialDeflection), &p.frictionStiffness, p.frictionNormal.Scale(-s.Radius))
			}
		}
	}
}

// AddWrenches adds the wrenches (body axes of the nodes) of the contacts with walls, as Assemble
// does. It keeps the tangent of the last Assemble.
func (c *Contacts) AddWrenches(rod *strain.State, to []spatial.Wrench) {
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if f, _ := p.ForceAt(&s.NormalLaw, p.gap); f > 0 {
				s.addForce(rod, to, p.from, p.to, p.normal.Scale(f), spatial.Vec{})
			}
			if p.friction.Limit > 0 {
				s.addForce(rod, to, s.from, s.to, p.friction.Force(p.trialDeflection), p.frictionNormal.Scale(-s.Radius))
			}
		}
	}
}

// AddRigidMotionChange adds the change of the wrenches of contacts with walls, friction excepted,
// under a rigid motion of the whole rod by a twist (world axes) about its base. The wrenches are in
// the axes of the nodes, which move with the rod.
func (c *Contacts) AddRigidMotionChange(rod *strain.State, by spatial.Twist, to []spatial.Wrench) {
	for _, i := range c.near {
		wall := c.patchWall(&c.patches[i])
		lowering := c.staticOffsetChange(wall, rod, by)
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			f, slope := p.ForceAt(&s.NormalLaw, p.gap)
			if f == 0 {
				continue
			}
			d := by.Linear.Add(by.Angular.Cross(p.point.Sub(rod.Base.P)))
			turned := p.gapHessian.Apply(d)
			if p.shareCompliance > 0 {
				from, end := hermiteNodeOf(rod, s.Element), hermiteNodeOf(rod, s.Element+1)
				d1, _ := s.derivatives(p.share, &from, &end)
				on := -p.shareCompliance * (turned.Dot(d1) + p.normal.Dot(by.Angular.Cross(d1)))
				turned = turned.AddScaled(on, p.slopeGradient)
				s.addForce(rod, to, p.derivFrom.scaled(on), p.derivTo.scaled(on), p.normal.Scale(f), spatial.Vec{})
			}
			change := turned.Sub(by.Angular.Cross(p.normal)).Scale(f)
			s.addForce(rod, to, p.from, p.to, change.AddScaled(-slope*(p.normal.Dot(d)+lowering), p.normal), spatial.Vec{})
		}
	}
}

// scaled returns x w.
func (w weights) scaled(x float64) weights { return weights{x * w.position, x * w.tangent} }

// addForce adds a force (N, world axes) to the wrenches of the nodes. It acts at arm (world, m)
// from the point of the element that has the weights from and to. With an arm that point is the
// contact point.
func (s *ContactPoint) addForce(rod *strain.State, wrench []spatial.Wrench, from, to weights, force, arm spatial.Vec) {
	moment := arm.Cross(force)
	to.addForce(&rod.Pose[s.Element+1].R, force, moment.Scale(s.share), &wrench[s.Element+1], nil)
	if from != (weights{}) {
		from.addForce(&rod.Pose[s.Element].R, force, moment.Scale(1-s.share), &wrench[s.Element], nil)
	}
}

// Potential returns the potential of all contact forces within the step at the present gaps, impact
// damping included, J.
func (c *Contacts) Potential() float64 {
	sum := 0.0
	if c.self != nil {
		sum = c.self.potential()
	}
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			sum += p.potentialAt(&s.NormalLaw, p.gap)
			if p.friction.Limit > 0 {
				sum += p.friction.potential(p.trialDeflection)
			}
		}
	}
	return sum
}

// Energy returns the elastic energy of all contacts and of friction at the present gaps, without
// impact damping, J.
func (c *Contacts) Energy() float64 {
	sum := 0.0
	if c.self != nil {
		sum = c.self.energy()
	}
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			p := &c.wallContacts[k]
			sum += c.Points[k].Potential(p.gap)
			if p.friction.Limit > 0 {
				sum += p.friction.potential(p.trialDeflection)
			}
		}
	}
	return sum
}

// pointJacobian is the derivative of the position of a point (world axes) with respect to the body
// increment of a node.
type pointJacobian struct{ linear, angular spatial.Mat3 }

// newPointJacobian returns that of the point at arm (world, m) from a contact point, which takes
// the share turn of the node's rotation.
func newPointJacobian(r *spatial.Mat3, w weights, turn float64, arm spatial.Vec) (l pointJacobian) {
	l.linear = r.Scale(w.position)
	// R (w × e₃) = −R [e₃]× w
	l.angular = spatial.FromColumns(r.Col2().Scale(-w.tangent), r.Col1().Scale(w.tangent), spatial.Vec{})
	if arm != (spatial.Vec{}) {
		a := spatial.Skew(arm.Scale(-turn))
		l.angular = l.angular.Add(a.Mul(*r))
	}
	return l
}

// addForceAndTangent adds a force as addForce does, and its tangent m = −∂force/∂position, to the
// equations.
func (s *ContactPoint) addForceAndTangent(rod *strain.State, q *strain.Equations, from, to weights, force spatial.Vec, m *spatial.Mat3, arm spatial.Vec) {
	b := &rod.Pose[s.Element+1]
	moment := arm.Cross(force)
	jacobianB := newPointJacobian(&b.R, to, s.share, arm)
	mb := pointJacobian{m.Mul(jacobianB.linear), m.Mul(jacobianB.angular)}
	to.addForce(&b.R, force, moment.Scale(s.share), &q.Wrench[s.Element+1], q.Diag[s.Element+1])
	addDiagonal(q.Diag[s.Element+1], &jacobianB, &mb)
	if from == (weights{}) {
		return
	}
	a := &rod.Pose[s.Element]
	from.addForce(&a.R, force, moment.Scale(1-s.share), &q.Wrench[s.Element], q.Diag[s.Element])
	if s.Element == 0 {
		return
	}
	jacobianA := newPointJacobian(&a.R, from, 1-s.share, arm)
	next := q.Next[s.Element]
	next.LinLin().Add(jacobianA.linear.TMul(mb.linear))
	next.LinRot().Add(jacobianA.linear.TMul(mb.angular))
	next.RotLin().Add(jacobianA.angular.TMul(mb.linear))
	next.RotRot().Add(jacobianA.angular.TMul(mb.angular))
	ma := pointJacobian{m.Mul(jacobianA.linear), m.Mul(jacobianA.angular)}
	addDiagonal(q.Diag[s.Element], &jacobianA, &ma)
}

// addDiagonal adds lᵀ m to the lower triangle of k.
func addDiagonal(k *spatial.Mat6, l, m *pointJacobian) {
	k.LinLin().Add(l.linear.TMul(m.linear))
	k.RotLin().Add(l.angular.TMul(m.linear))
	k.RotRot().Add(l.angular.TMul(m.angular))
}

// addForce adds to the wrench on a node its part of a force and a moment (world axes) that act at a
// point with the weights w. To the diagonal block k, if not nil, it adds the symmetric part of the
// change of that wrench as the node rotates under a dead load.
func (w weights) addForce(r *spatial.Mat3, force, moment spatial.Vec, to *spatial.Wrench, k *spatial.Mat6) {
	f := r.ApplyT(force)
	to.Force = to.Force.AddScaled(w.position, f)
	to.Moment = to.Moment.AddScaled(w.tangent, tangent.Cross(f)).Add(r.ApplyT(moment))
	if k == nil {
		return
	}
	k.RotLin().AddSkew(f.Scale(0.5 * w.position))
	// w (e₃·f − ½ (f e₃ᵀ + e₃ fᵀ))
	k.RotRot().AddLower(spatial.Lower3{
		XX: w.tangent * f.Z, YY: w.tangent * f.Z,
		ZX: -0.5 * w.tangent * f.X, ZY: -0.5 * w.tangent * f.Y,
	})
}

// BaseWrench returns the wrench of the contacts of the state on node 0, in base axes about its
// origin. Contacts of the first element have such a part.
func (c *Contacts) BaseWrench(rod *strain.State) (sum spatial.Wrench) {
	if c.self != nil {
		c.self.addBaseWrench(rod, &sum)
	}
	for _, i := range c.near {
		if c.patches[i].element > 0 {
			continue
		}
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if p.normalForce == 0 {
				continue
			}
			p.from.addForce(&rod.Pose[0].R, p.prevNormal.Scale(p.normalForce), spatial.Vec{}, &sum, nil)
			if s.isBetweenNodes() {
				moment := p.prevNormal.Scale(-s.Radius).Cross(p.frictionForce)
				s.from.addForce(&rod.Pose[0].R, p.frictionForce, moment.Scale(1-s.share), &sum, nil)
			}
		}
	}
	return sum
}
