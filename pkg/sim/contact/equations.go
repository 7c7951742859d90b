package contact

import (
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Add adds the wrenches and tangents of all contacts at the measured gaps to the equations of
// the nodes, after those of the elements. Of the tangents of contacts of the rod with itself
// most is left to Columns.
func (c *Contacts) Assemble(rod *strain.State, q *strain.Equations) {
	if c.self != nil {
		c.self.assemble(rod, q)
	}
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if p.tangentForce, p.tangentStiffness = 0, 0; p.gap < p.zeroForceGap {
				f, slope := p.forceAt(&s.NormalLaw, p.gap)
				p.tangentForce, p.tangentStiffness = f, slope
				m := spatial.Outer(p.normal.Scale(slope), p.normal).Sub(p.gapHessian.Scale(f))
				s.addForceAndTangent(rod, q, p.from, p.to, p.normal.Scale(f), &m, spatial.Vec{})
				if p.shareCompliance > 0 {
					p.addClosestPointMotion(rod, s, f, q)
				}
			}
			if p.frictionStiffness = (spatial.Mat3{}); p.friction.limit > 0 {
				p.frictionStiffness = p.friction.stiffness(p.trialDeflection, p.frictionNormal)
				s.addForceAndTangent(rod, q, s.from, s.to, p.friction.force(p.trialDeflection), &p.frictionStiffness, p.frictionNormal.Scale(-s.Radius))
			}
		}
	}
}

// AddWrenches adds the wrenches alone that Add adds, of contacts with walls, and leaves the tangent
// as what the next increments are by.
func (c *Contacts) AddWrenches(rod *strain.State, to []spatial.Wrench) {
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if f, _ := p.forceAt(&s.NormalLaw, p.gap); f > 0 {
				s.addForce(rod, to, p.from, p.to, p.normal.Scale(f), spatial.Vec{})
			}
			if p.friction.limit > 0 {
				s.addForce(rod, to, s.from, s.to, p.friction.force(p.trialDeflection), p.frictionNormal.Scale(-s.Radius))
			}
		}
	}
}

// AddMoved adds by how much the wrenches of contacts with walls without friction change as the rod moves as a whole, by a
// twist (world axes) about its base: in the axes of the nodes, which go along.
func (c *Contacts) AddRigidMotionChange(rod *strain.State, by spatial.Twist, to []spatial.Wrench) {
	for i := range c.patches {
		wall := c.patchWall(&c.patches[i])
		lowering := c.staticOffsetChange(wall, rod, by)
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			f, slope := p.forceAt(&s.NormalLaw, p.gap)
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

// times scales weights.
func (w weights) scaled(x float64) weights { return weights{x * w.position, x * w.tangent} }

// load adds a force (N, world axes) on the point of the surface at arm from the place of the
// element that has those weights to the wrenches on the nodes. With an arm the place is the station.
func (s *ContactPoint) addForce(rod *strain.State, wrench []spatial.Wrench, from, to weights, force, arm spatial.Vec) {
	moment := arm.Cross(force)
	to.addForce(&rod.Pose[s.Element+1].R, force, moment.Scale(s.share), &wrench[s.Element+1], nil)
	if from != (weights{}) {
		from.addForce(&rod.Pose[s.Element].R, force, moment.Scale(1-s.share), &wrench[s.Element], nil)
	}
}

// Potential is that of the forces of all contacts within the step at the measured gaps, with
// what damping takes, J.
func (c *Contacts) Potential() float64 {
	sum := 0.0
	if c.self != nil {
		sum = c.self.potential()
	}
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			sum += p.potentialAt(&s.NormalLaw, p.gap)
			if p.friction.limit > 0 {
				sum += p.friction.potential(p.trialDeflection)
			}
		}
	}
	return sum
}

// Energy is what walls, the rod where it touches itself, and friction have stored at the measured gaps, J.
func (c *Contacts) Energy() float64 {
	sum := 0.0
	if c.self != nil {
		sum = c.self.energy()
	}
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			p := &c.wallContacts[k]
			sum += c.Points[k].Potential(p.gap)
			if p.friction.limit > 0 {
				sum += p.friction.potential(p.trialDeflection)
			}
		}
	}
	return sum
}

// lever is the derivative of the position of a point that turns with a station, with respect
// to the body increment of a node: world axes.
type pointJacobian struct{ linear, angular spatial.Mat3 }

// leverOf returns that of the point at arm (world axes, m) from the station; turn is the
// share of the rotation of the node.
func newPointJacobian(r *spatial.Mat3, w weights, turn float64, arm spatial.Vec) (l pointJacobian) {
	l.linear = r.Scale(w.position)
	// R (w × e₃) = −R [e₃] w
	l.angular = spatial.FromColumns(r.Col2().Scale(-w.tangent), r.Col1().Scale(w.tangent), spatial.Vec{})
	if arm != (spatial.Vec{}) {
		a := spatial.Skew(arm.Scale(-turn))
		l.angular = l.angular.Add(a.Mul(*r))
	}
	return l
}

// push adds a force (N, world axes) on the point of the surface at arm from the place of the
// element that has those weights, and its tangent m = −∂force/∂position, to the equations. With
// an arm the place is the station.
func (s *ContactPoint) addForceAndTangent(rod *strain.State, q *strain.Equations, from, to weights, force spatial.Vec, m *spatial.Mat3, arm spatial.Vec) {
	b := &rod.Pose[s.Element+1]
	moment := arm.Cross(force)
	lb := newPointJacobian(&b.R, to, s.share, arm)
	mb := pointJacobian{m.Mul(lb.linear), m.Mul(lb.angular)}
	to.addForce(&b.R, force, moment.Scale(s.share), &q.Wrench[s.Element+1], q.Diag[s.Element+1])
	addDiagonal(q.Diag[s.Element+1], &lb, &mb)
	if from == (weights{}) {
		return
	}
	a := &rod.Pose[s.Element]
	from.addForce(&a.R, force, moment.Scale(1-s.share), &q.Wrench[s.Element], q.Diag[s.Element])
	if s.Element == 0 {
		return
	}
	la := newPointJacobian(&a.R, from, 1-s.share, arm)
	next := q.Next[s.Element]
	next.LinLin().Add(la.linear.TMul(mb.linear))
	next.LinRot().Add(la.linear.TMul(mb.angular))
	next.RotLin().Add(la.angular.TMul(mb.linear))
	next.RotRot().Add(la.angular.TMul(mb.angular))
	ma := pointJacobian{m.Mul(la.linear), m.Mul(la.angular)}
	addDiagonal(q.Diag[s.Element], &la, &ma)
}

// addDiagonal adds lᵀ m to the lower triangle of k.
func addDiagonal(k *spatial.Mat6, l, m *pointJacobian) {
	k.LinLin().Add(l.linear.TMul(m.linear))
	k.RotLin().Add(l.angular.TMul(m.linear))
	k.RotRot().Add(l.angular.TMul(m.angular))
}

// load adds to the wrench on a node what a force and a moment (world axes) at a station are
// there, and to its block, if it has one, how that changes as the node turns under them: the
// symmetric part.
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

// BaseWrench is what the contacts of the state do to the base, in its axes about it: those
// between it and the next node.
func (c *Contacts) BaseWrench(rod *strain.State) (sum spatial.Wrench) {
	if c.self != nil {
		c.self.addBaseWrench(rod, &sum)
	}
	for i := range c.patches {
		if c.patches[i].element > 0 {
			break
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
