package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// maxActiveContacts bounds the active contacts of an increment.
const maxActiveContacts = 24

// smallErrorFactor is the linearisation error, over the allowed one, below which SelectActive takes
// all contacts: a tenth of the largest force.
const smallErrorFactor = 100

// ActiveContact is a contact in the active set of an increment, with a linearisation error. It is
// one row of the reduced contact correction, whose multiplier is the residual force: the force of
// the law minus its linearisation.
type ActiveContact struct {
	*NormalContact
	law      *NormalLaw
	contacts *Contacts
	point    int          // index in Contacts.Points, if pair is nil
	pair     *ElementPair // not nil: a self-contact
}

// BeginCorrection empties the active set. It activates the patches and lists the element pairs that
// eta, the body increments of the nodes (node 1 first) from the linearised equations, bring near
// contact.
func (c *Contacts) BeginCorrection(rod *strain.State, eta []spatial.Vec6) {
	c.activateApproaching(rod, eta)
	if c.self != nil {
		c.self.listApproaching(rod, eta, c.prevNodes)
	}
	c.discardCorrection()
	c.rod = rod
}

// discardCorrection empties the active set and removes its forces.
func (c *Contacts) discardCorrection() {
	for _, m := range c.active {
		m.correctionForce = 0
	}
	c.active = c.active[:0]
}

// SelectActive adds the contacts with the largest linearisation errors of the increments eta to the
// active set and returns it, the earlier ones first. Of neighbouring contact points it adds the one
// with the largest error: an increment that penetrates deeply touches the wall at one of them
// first, and with the force there few of the others come near; in the active set they would only
// hinder the solution. Once all errors are small, it adds all.
func (c *Contacts) SelectActive(rod *strain.State, eta []spatial.Vec6) []ActiveContact {
	allowed := c.updateLinearisationErrors(rod, eta)
	known := len(c.active)
	for i := range c.surfaces {
		c.selectWorst(i, smallErrorFactor*allowed)
	}
	if len(c.active) == known {
		c.selectAll(allowed)
	}
	if c.self == nil {
		return c.active
	}
	for _, q := range c.self.listed {
		if len(c.active) < cap(c.active) && q.correctionForce == 0 && math.Abs(q.linearisationError) > allowed {
			c.active = append(c.active, ActiveContact{NormalContact: &q.NormalContact, law: &q.law, contacts: c, pair: q})
		}
	}
	return c.active
}

// selectAll adds the contact points whose linearisation error exceeds the allowed one, by
// decreasing error, while there is room.
func (c *Contacts) selectAll(allowed float64) {
	for len(c.active) < cap(c.active) {
		worst, most := -1, allowed
		for _, i := range c.near {
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

// selectWorst adds, of each run of neighbouring contact points of a surface whose linearisation errors
// exceed the allowed one with the same sign, the one with the largest error.
func (c *Contacts) selectWorst(surface int, allowed float64) {
	worst, most := 0, 0.0
	end := func() {
		if most != 0 {
			c.activate(worst)
		}
		most = 0
	}
	element := -1
	for _, i := range c.near {
		if c.patches[i].surface != surface {
			continue
		}
		if c.patches[i].element != element+1 { // that of the last one was not near
			end()
		}
		element = c.patches[i].element
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

// activate adds contact point k to the active set, if there is room and it is not in it.
func (c *Contacts) activate(k int) {
	if p := &c.wallContacts[k]; len(c.active) < cap(c.active) && p.correctionForce == 0 {
		c.active = append(c.active, ActiveContact{NormalContact: &p.NormalContact, law: &c.Points[k].NormalLaw, contacts: c, point: k})
	}
}

// AddUnitWrench adds the wrenches of a unit force on the nodes (body axes, node 1 first) to column.
// Entries before first stay unchanged.
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

// GapChange returns, to first order, the change of the gap under the body increments eta, m.
func (m *ActiveContact) GapChange(eta []spatial.Vec6) float64 {
	rod := m.contacts.rod
	if m.pair != nil {
		return m.pair.gapChange(rod, eta)
	}
	s, p := &m.contacts.Points[m.point], &m.contacts.wallContacts[m.point]
	return p.normal.Dot(pointDisplacement(rod, s.Element, p.from, p.to, eta))
}

// unitWrench returns the wrench (body axes) of a unit normal force on a node with the rotation r
// and the weights w.
func (p *wallContact) unitWrench(r *spatial.Mat3, w weights) spatial.Vec6 {
	n := r.ApplyT(p.normal)
	return spatial.Vec6Of(n.Scale(w.position), tangent.Cross(n).Scale(w.tangent))
}

// ResidualForce returns the force of the law minus its linearisation, N, for a change of the gap
// (m).
func (m *ActiveContact) ResidualForce(change float64) float64 {
	f, _ := m.ForceAt(m.law, m.gap)
	then, _ := m.ForceAt(m.law, m.gap+change)
	return then - (f - m.tangentStiffness*change)
}

// ResidualStiffness returns the derivative of ResidualForce with respect to the change of the gap,
// N/m.
func (m *ActiveContact) ResidualStiffness(change float64) float64 {
	_, then := m.ForceAt(m.law, m.gap+change)
	return m.tangentStiffness - then
}

// Energy returns the energy of the law at a change of the gap (m), and the work of its
// linearisation, J.
func (m *ActiveContact) Energy(change float64) (stored, taken float64) {
	f, _ := m.ForceAt(m.law, m.gap)
	return m.potentialAt(m.law, m.gap+change), (f - 0.5*m.tangentStiffness*change) * change
}

// GapScale returns the activation gap, the length scale of gap changes, m.
func (m *ActiveContact) GapScale() float64 { return m.law.ActivationGap }

// CorrectionForce returns the residual force that the present increment includes, N.
func (m *ActiveContact) CorrectionForce() float64 { return m.correctionForce }

// SetCorrectionForce sets CorrectionForce, N.
func (m *ActiveContact) SetCorrectionForce(f float64) { m.correctionForce = f }
