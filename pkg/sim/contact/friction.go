package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Friction returns friction with the given limit (N). Its spring is as stiff as the law where it has the given slope
// (N/m), and slips at a deflection of the given share of the activation gap at least.
func (l *NormalLaw) Friction(limit, slope, share float64) Friction {
	return Friction{Limit: limit, Slip: max(limit/max(l.Stiffness, slope), share*l.ActivationGap)}
}

// setFriction sets the friction of contact point k to the given limit (N) at the given gap, in the plane with a unit normal.
func (c *Contacts) setFriction(k int, limit, gap float64, normal spatial.Vec) {
	s, p := &c.Points[k], &c.wallContacts[k]
	_, slope := s.Force(gap)
	p.friction = s.Friction(limit, slope, 1)
	p.frictionNormal, p.startDeflection = normal, ProjectKeepingLength(c.rotateWithWall(s.Wall, p.deflection), normal)
	p.trialDeflection = p.startDeflection
}

// frictionChange is the change of the friction at a contact point by UpdateFriction.
type frictionChange struct {
	changed  bool // UpdateFriction changed it
	previous spatial.Vec
}

// UpdateFriction sets the friction limits from the normal forces of the present iterate, wherever
// that changes a limit by more than a fifth. It reports whether it changed any; then the step has
// to be solved again.
func (c *Contacts) UpdateFriction(rod *strain.State) bool {
	const change = 0.2 // share of the limit
	changed := false
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			mu := c.Walls[s.Wall].Friction
			f, normal := p.push(&s.NormalLaw)
			p.frictionChange.changed = mu > 0 && f > frictionForce*c.bendingForce && math.Abs(mu*f-p.friction.Limit) > change*p.friction.Limit
			if !p.frictionChange.changed {
				continue
			}
			changed = true
			p.frictionChange.previous = spatial.Vec{}
			if p.friction.Limit > 0 {
				p.frictionChange.previous = p.friction.Force(p.trialDeflection)
			}
			c.setFriction(k, mu*f, p.gap, normal)
		}
	}
	if changed {
		c.hasFriction = true
		c.updateDeflections(rod)
	}
	return changed
}

// AddFrictionUpdate adds the change of the wrenches by the last UpdateFriction to x, node 1 first.
func (c *Contacts) AddFrictionUpdate(rod *strain.State, x []spatial.Vec6) {
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if !p.frictionChange.changed {
				continue
			}
			force := p.friction.Force(p.trialDeflection).Sub(p.frictionChange.previous)
			moment := p.frictionNormal.Scale(-s.Radius).Cross(force)
			var from, to spatial.Wrench
			s.to.addForce(&rod.Pose[s.Element+1].R, force, moment.Scale(s.share), &to, nil)
			addWrench(&x[s.Element], &to)
			if s.Element > 0 && s.isBetweenNodes() {
				s.from.addForce(&rod.Pose[s.Element].R, force, moment.Scale(1-s.share), &from, nil)
				addWrench(&x[s.Element-1], &from)
			}
		}
	}
}

func addWrench(x *spatial.Vec6, w *spatial.Wrench) {
	*x = spatial.Vec6Of(x.Linear().Add(w.Force), x.Angular().Add(w.Moment))
}

// HasStickSlipChange reports whether the body increments eta of the nodes, node 1 first, change a
// friction force by something else than the last tangent predicts, by more than a hundredth of the
// largest limit. That happens where a contact point changes between sticking and slipping.
func (c *Contacts) HasStickSlipChange(rod *strain.State, eta []spatial.Vec6) bool {
	const share = 1e-2
	largest, worst := 0.0, 0.0
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if p.friction.Limit == 0 {
				continue
			}
			d := pointDisplacement(rod, s.Element, s.from, s.to, eta).Add(p.frictionNormal.Scale(s.Radius).Cross(s.rotationIncrement(rod, eta)))
			d = d.AddScaled(-d.Dot(p.frictionNormal), p.frictionNormal)
			miss := p.friction.Force(p.trialDeflection.Add(d)).Sub(p.friction.Force(p.trialDeflection)).Add(p.frictionStiffness.Apply(d))
			largest = max(largest, p.friction.Limit)
			worst = max(worst, miss.Norm())
		}
	}
	return worst > share*largest+roundoffForce*c.bendingForce
}

// rotationIncrement returns, to first order, the rotation of the contact point under the body
// increments eta of the nodes, world axes, rad.
func (s *ContactPoint) rotationIncrement(rod *strain.State, eta []spatial.Vec6) spatial.Vec {
	b := rod.Pose[s.Element+1].R.Apply(eta[s.Element].Angular())
	if !s.isBetweenNodes() || s.Element == 0 {
		return b.Scale(s.share)
	}
	return rod.Pose[s.Element].R.Apply(eta[s.Element-1].Angular()).Scale(1-s.share).AddScaled(s.share, b)
}
