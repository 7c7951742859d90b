package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// leastSlip is the least displacement at which friction slips, m.
const leastSlip = 1e-6

// setGrip makes friction at station k slip at a limit (N). Its spring is as stiff as the wall
// is at the gap.
func (c *Contacts) setGrip(k int, limit, gap float64, normal spatial.Vec) {
	s, p := &c.Points[k], &c.pairs[k]
	_, slope := s.Force(gap)
	p.grip = friction{limit: limit, slip: max(limit/max(s.Stiffness, slope), leastSlip, reach*s.Radius)}
	p.plane, p.origin = normal, turnInto(c.turnedAlong(s.Wall, p.displaced), normal)
	p.strain = p.origin
}

// held is the friction on a station before it was corrected.
type held struct {
	is    bool // it was corrected
	force spatial.Vec
}

// Correct makes the normal forces in friction those of the present iterate where that changes
// one by more than a fifth. It reports whether it did: then the step has to be solved again.
func (c *Contacts) UpdateFriction(rod *strain.State) bool {
	const change, negligible = 0.2, 1e-6 // share, N
	changed := false
	for i := range c.patches {
		for k, last := c.patches[i].span(); k < last; k++ {
			s, p := &c.Points[k], &c.pairs[k]
			mu := c.Walls[s.Wall].Friction
			f, _ := p.press(&s.NormalLaw, p.gap)
			p.former.is = mu > 0 && f > negligible && math.Abs(mu*f-p.grip.limit) > change*p.grip.limit
			if !p.former.is {
				continue
			}
			changed = true
			p.former.force = spatial.Vec{}
			if p.grip.limit > 0 {
				p.former.force = p.grip.force(p.strain)
			}
			c.setGrip(k, mu*f, p.gap, p.normal)
		}
	}
	if changed {
		c.frictional = true
		c.displace(rod)
	}
	return changed
}

// AddCorrection adds what Correct has changed in the wrenches on the nodes from node 1 on.
func (c *Contacts) AddFrictionUpdate(rod *strain.State, x []spatial.Vec6) {
	for i := range c.patches {
		for k, last := c.patches[i].span(); k < last; k++ {
			s, p := &c.Points[k], &c.pairs[k]
			if !p.former.is {
				continue
			}
			force := p.grip.force(p.strain).Sub(p.former.force)
			moment := p.plane.Scale(-s.Radius).Cross(force)
			var from, to spatial.Wrench
			s.to.load(&rod.Pose[s.Element+1].R, force, moment.Scale(s.share), &to, nil)
			add(&x[s.Element], &to)
			if s.Element > 0 && s.inside() {
				s.from.load(&rod.Pose[s.Element].R, force, moment.Scale(1-s.share), &from, nil)
				add(&x[s.Element-1], &from)
			}
		}
	}
}

func add(x *spatial.Vec6, w *spatial.Wrench) {
	*x = spatial.Vec6Of(x.Linear().Add(w.Force), x.Angular().Add(w.Moment))
}

// IsGripRough reports whether the increments of the nodes, which begin with node 1, from the
// last tangent, change a friction otherwise than that takes into account, by more than a
// hundredth of the largest force.
func (c *Contacts) HasStickSlipChange(rod *strain.State, eta []spatial.Vec6) bool {
	const share, negligible = 1e-2, 1e-9 // N
	largest, worst := 0.0, 0.0
	for i := range c.patches {
		for k, last := c.patches[i].span(); k < last; k++ {
			s, p := &c.Points[k], &c.pairs[k]
			if p.grip.limit == 0 {
				continue
			}
			d := wayOf(rod, s.Element, s.from, s.to, eta).Add(p.plane.Scale(s.Radius).Cross(s.turnOf(rod, eta)))
			d = d.AddScaled(-d.Dot(p.plane), p.plane)
			miss := p.grip.force(p.strain.Add(d)).Sub(p.grip.force(p.strain)).Add(p.hold.Apply(d))
			largest = max(largest, p.grip.limit)
			worst = max(worst, miss.Norm())
		}
	}
	return worst > share*largest+negligible
}

// turnOf returns, to first order, the rotation of the station with increments of the nodes.
func (s *ContactPoint) turnOf(rod *strain.State, eta []spatial.Vec6) spatial.Vec {
	b := rod.Pose[s.Element+1].R.Apply(eta[s.Element].Angular())
	if !s.inside() || s.Element == 0 {
		return b.Scale(s.share)
	}
	return rod.Pose[s.Element].R.Apply(eta[s.Element-1].Angular()).Scale(1-s.share).AddScaled(s.share, b)
}
