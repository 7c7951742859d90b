package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// maxActiveContacts bounds the active contacts of an increment.
const maxActiveContacts = 24

// smallErrorFactor is up to how many times what is allowed a linearisation error is small: a tenth of the largest force.
const smallErrorFactor = 100

// ActiveContact is a contact whose force an increment mistakes by its tangent: a row of a reduced system, whose multiplier is by how
// much the force of the law exceeds that of the tangent.
type ActiveContact struct {
	*normalContact
	law      *NormalLaw
	contacts *Contacts
	point    int          // in Contacts.Points, unless
	pair     *elementPair // it is one of the rod with itself
}

// BeginCorrection forgets the active contacts, and looks at what comes near to a wall with eta, increments of the nodes from node 1 on
// by the tangent.
func (c *Contacts) BeginCorrection(rod *strain.State, eta []spatial.Vec6) {
	c.activatePatches(rod, eta)
	if c.self != nil {
		c.self.listApproaching(rod, eta, c.prevNodes)
	}
	c.discardCorrection()
	c.rod = rod
}

// discardCorrection makes increments those by the tangent.
func (c *Contacts) discardCorrection() {
	for _, m := range c.active {
		m.correctionForce = 0
	}
	c.active = c.active[:0]
}

// SelectActive adds contacts whose force the increments eta mistake, and returns all active ones, the earlier first: of contact points side
// by side the one of which it does most. Where an increment goes deep into a wall, it meets that first at one of them, and with the force
// there it comes near to few of the others, which would only be in the way of the solution. Once all errors are small it adds all.
func (c *Contacts) SelectActive(rod *strain.State, eta []spatial.Vec6) []ActiveContact {
	allowed := c.updateLinearisationErrors(rod, eta)
	known := len(c.active)
	for w := range c.Walls {
		c.selectWorst(w, smallErrorFactor*allowed)
	}
	if len(c.active) == known {
		c.selectAll(allowed)
	}
	if c.self == nil {
		return c.active
	}
	for _, q := range c.self.listed {
		if len(c.active) < cap(c.active) && q.correctionForce == 0 && math.Abs(q.linearisationError) > allowed {
			c.active = append(c.active, ActiveContact{normalContact: &q.normalContact, law: &q.law, contacts: c, pair: q})
		}
	}
	return c.active
}

// selectAll adds the contact points whose force the increment mistakes by more than is allowed, as many as
// there is room for, the worst first.
func (c *Contacts) selectAll(allowed float64) {
	for len(c.active) < cap(c.active) {
		worst, most := -1, allowed
		for i := range c.patches {
			for k, last := c.patches[i].nearPoints(); k < last; k++ {
				if p := &c.wallContacts[k]; math.Abs(p.linearisationError) > most && p.correctionForce == 0 {
					worst, most = k, math.Abs(p.linearisationError)
				}
			}
		}
		if worst < 0 {
			return
		}
		c.activate(worst)
		c.wallContacts[worst].linearisationError = 0
	}
}

// selectWorst adds of the contact points of a wall that are side by side, and whose force the increment
// mistakes to the same side by more than is allowed, the one of which it does most.
func (c *Contacts) selectWorst(wall int, allowed float64) {
	worst, most := 0, 0.0
	end := func() {
		if most != 0 {
			c.activate(worst)
		}
		most = 0
	}
	for i := wall; i < len(c.patches); i += len(c.Walls) {
		if !c.patches[i].near {
			end()
		}
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			m := c.wallContacts[k].linearisationError
			wrong := math.Abs(m) > allowed
			if !wrong || m*most < 0 {
				end()
			}
			if wrong && math.Abs(m) > math.Abs(most) {
				worst, most = k, m
			}
		}
	}
	end()
}

// activate makes contact point k active, if there is room and it is not.
func (c *Contacts) activate(k int) {
	if p := &c.wallContacts[k]; len(c.active) < cap(c.active) && p.correctionForce == 0 {
		c.active = append(c.active, ActiveContact{normalContact: &p.normalContact, law: &c.Points[k].NormalLaw, contacts: c, point: k})
	}
}

// AddUnitWrench enters what a unit force of the contact is on the nodes, and returns before which of them
// there is none.
func (m *ActiveContact) AddUnitWrench(column []spatial.Vec6) (first int) {
	rod := m.contacts.rod
	if q := m.pair; q != nil {
		q.addPositionGradient(rod, q.normal, spatial.Vec{}, spatial.Vec{}, column)
		return 0
	}
	s, p := &m.contacts.Points[m.point], &m.contacts.wallContacts[m.point]
	column[s.Element] = p.unitWrench(&rod.Pose[s.Element+1].R, p.to)
	if s.Element > 0 {
		column[s.Element-1] = p.unitWrench(&rod.Pose[s.Element].R, p.from)
	}
	return max(0, s.Element-1)
}

// GapChange returns the change of the gap with increments eta of the nodes, m.
func (m *ActiveContact) GapChange(eta []spatial.Vec6) float64 {
	rod := m.contacts.rod
	if m.pair != nil {
		return m.pair.gapChange(rod, eta)
	}
	s, p := &m.contacts.Points[m.point], &m.contacts.wallContacts[m.point]
	return p.normal.Dot(pointDisplacement(rod, s.Element, p.from, p.to, eta))
}

// unitWrench returns what a unit force of the wall is on the node that has those weights.
func (p *wallContact) unitWrench(r *spatial.Mat3, w weights) spatial.Vec6 {
	n := r.ApplyT(p.normal)
	return spatial.Vec6Of(n.Scale(w.position), tangent.Cross(n).Scale(w.tangent))
}

// ResidualForce is what the force of the law at a change of the gap (m) is more than that of the tangent, N.
func (m *ActiveContact) ResidualForce(change float64) float64 {
	f, _ := m.forceAt(m.law, m.gap)
	then, _ := m.forceAt(m.law, m.gap+change)
	return then - (f - m.tangentStiffness*change)
}

// ResidualStiffness is the derivative of ResidualForce, N/m.
func (m *ActiveContact) ResidualStiffness(change float64) float64 {
	_, then := m.forceAt(m.law, m.gap+change)
	return m.tangentStiffness - then
}

// Energy is what the law stores at a change of the gap (m), and what the tangent has taken, J.
func (m *ActiveContact) Energy(change float64) (stored, taken float64) {
	f, _ := m.forceAt(m.law, m.gap)
	return m.potentialAt(m.law, m.gap+change), (f - 0.5*m.tangentStiffness*change) * change
}

// GapScale is the gap at which the force begins, m.
func (m *ActiveContact) GapScale() float64 { return m.law.ActivationGap }

// CorrectionForce is by how much the increment counts on more force than that of the tangent, N.
func (m *ActiveContact) CorrectionForce() float64 { return m.correctionForce }

// SetCorrectionForce sets CorrectionForce.
func (m *ActiveContact) SetCorrectionForce(f float64) { m.correctionForce = f }
