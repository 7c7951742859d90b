package contact

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Inverse is the factored tangent of an iterate.
type FactoredTangent interface {
	// SolveFrom replaces the right-hand side x, which is 0 before block first, by the solution, and
	// reports whether there is one.
	SolveFrom(first int, x []spatial.Vec6) bool
}

const (
	// mostAmended bounds the number of contacts in an amendment, amendRounds how often more are
	// looked for.
	maxActiveContacts, maxRounds = 24, 12
	// slight is up to how many times what is allowed a mistake is slight: a tenth of the largest force.
	smallErrorFactor = 100
)

// amendment makes an increment by the tangent one by the law of contact. By the tangent, a
// rod that comes to a wall goes deep into it, where there was no force, and takes many
// iterations to creep out of it again. With b the derivative of a gap by the increments of the
// nodes, y the changes of the gaps, A = K⁻¹ b, and e what the force of the law is more than
// that of the tangent,
//
//	y = y₀ + G e(y),  G = bᵀ A,  x = x₀ + A e.
//
// The law is monotonous, so that there is one solution.
type reducedCorrection struct {
	active     []activeContact
	responses  [][]spatial.Vec6
	delassus   []float64 // G, in rows of mostAmended
	freeChange []float64 // y₀, m
	gapChange  []float64 // y, m
	force      []float64 // e, N

	// scratch of meet
	trialForce, trialChange, forceStep, changeStep []float64
	newtonMatrix                                   []float64
}

// member is a contact of an amendment.
type activeContact struct {
	*normalContact
	law   *NormalLaw
	point int          // in Contacts.Stations, unless
	pair  *elementPair // it is one of the rod with itself
}

func newReducedCorrection(nodes int) (a reducedCorrection) {
	const n = maxActiveContacts
	a.active = make([]activeContact, 0, n)
	for range n {
		a.responses = append(a.responses, make([]spatial.Vec6, nodes))
	}
	a.delassus, a.newtonMatrix = make([]float64, n*n), make([]float64, n*n)
	for _, v := range []*[]float64{&a.freeChange, &a.gapChange, &a.force, &a.trialForce, &a.trialChange, &a.forceStep, &a.changeStep} {
		*v = make([]float64, n)
	}
	return a
}

// Amend makes eta, the increments of the nodes from node 1 on by the tangent, those by the law
// of contact, as far as gaps change as their derivatives say. It looks at what comes near to a
// wall on the way.
func (c *Contacts) CorrectIncrement(rod *strain.State, eta []spatial.Vec6, k FactoredTangent) {
	c.activatePatches(rod, eta)
	if c.self != nil {
		c.self.listApproaching(rod, eta, c.prevNodes)
	}
	c.discardCorrection()
	a := &c.correction
	for range maxRounds {
		known := len(a.active)
		c.selectActive(rod, eta)
		if len(a.active) == known {
			return
		}
		if !c.extendReducedSystem(rod, eta, known, k) || !a.solve() {
			a.active = a.active[:known]
			return
		}
		for i := range a.active {
			change := a.force[i] - a.active[i].normalContact.correctionForce
			a.active[i].normalContact.correctionForce = a.force[i]
			for n, column := 0, a.responses[i]; n < len(eta); n++ {
				for j := range 6 {
					eta[n][j] += change * column[n][j]
				}
			}
		}
	}
}

// unamend makes increments those by the tangent.
func (c *Contacts) discardCorrection() {
	for _, m := range c.correction.active {
		m.normalContact.correctionForce = 0
	}
	c.correction.active = c.correction.active[:0]
}

// gather adds to the amendment contacts whose force the increment mistakes: of stations side by
// side that one of which it does most. Where an increment goes deep into a wall, it meets that
// first at one of them, and with the force there it comes near to few of the others, which would
// only be in the way of the solution. Once all mistakes are slight it adds all.
func (c *Contacts) selectActive(rod *strain.State, eta []spatial.Vec6) {
	a := &c.correction
	allowed := c.updateLinearisationErrors(rod, eta)
	known := len(a.active)
	for w := range c.Walls {
		c.selectWorst(w, smallErrorFactor*allowed)
	}
	if len(a.active) == known {
		c.selectAll(allowed)
	}
	if c.self == nil {
		return
	}
	for _, q := range c.self.listed {
		if len(a.active) < maxActiveContacts && q.correctionForce == 0 && math.Abs(q.linearisationError) > allowed {
			a.active = append(a.active, activeContact{normalContact: &q.normalContact, law: &q.law, pair: q})
		}
	}
}

// gatherAll adds the stations whose force the increment mistakes by more than is allowed, as many as
// there is room for, the worst first.
func (c *Contacts) selectAll(allowed float64) {
	a := &c.correction
	for len(a.active) < maxActiveContacts {
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
		a.add(c, worst)
		c.wallContacts[worst].linearisationError = 0
	}
}

// gatherWorst adds of the stations of a wall that are side by side, and whose force the increment
// mistakes to the same side by more than is allowed, the one of which it does most.
func (c *Contacts) selectWorst(wall int, allowed float64) {
	worst, most := 0, 0.0
	end := func() {
		if most != 0 {
			c.correction.add(c, worst)
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

// add makes station k a member, if there is room and it is none.
func (a *reducedCorrection) add(c *Contacts, k int) {
	if p := &c.wallContacts[k]; len(a.active) < maxActiveContacts && p.correctionForce == 0 {
		a.active = append(a.active, activeContact{normalContact: &p.normalContact, law: &c.Points[k].NormalLaw, point: k})
	}
}

// extend computes columns, G and changes of gaps of the contacts from the given one on.
func (c *Contacts) extendReducedSystem(rod *strain.State, eta []spatial.Vec6, from int, inverse FactoredTangent) bool {
	a := &c.correction
	for i := from; i < len(a.active); i++ {
		m, column := &a.active[i], a.responses[i]
		clear(column)
		if !inverse.SolveFrom(c.unitForceWrenches(rod, m, column), column) {
			return false
		}
		a.freeChange[i], a.force[i] = c.gapChange(rod, m, eta), 0
		for j := range i {
			a.delassus[i*maxActiveContacts+j] = c.gapChange(rod, m, a.responses[j])
			a.delassus[j*maxActiveContacts+i] = a.delassus[i*maxActiveContacts+j]
		}
		a.delassus[i*maxActiveContacts+i] = c.gapChange(rod, m, column)
		for j := range from {
			a.freeChange[i] -= a.delassus[i*maxActiveContacts+j] * a.force[j]
		}
	}
	return true
}

// unitPush enters what a unit force of a contact is on the nodes, and returns before which of them
// there is none.
func (c *Contacts) unitForceWrenches(rod *strain.State, m *activeContact, column []spatial.Vec6) (first int) {
	if q := m.pair; q != nil {
		q.addPositionGradient(rod, q.normal, spatial.Vec{}, spatial.Vec{}, column)
		return 0
	}
	s, p := &c.Points[m.point], &c.wallContacts[m.point]
	column[s.Element] = p.unitWrench(&rod.Pose[s.Element+1].R, p.to)
	if s.Element > 0 {
		column[s.Element-1] = p.unitWrench(&rod.Pose[s.Element].R, p.from)
	}
	return max(0, s.Element-1)
}

// answer returns the change of the gap of a contact with an increment.
func (c *Contacts) gapChange(rod *strain.State, m *activeContact, eta []spatial.Vec6) float64 {
	if m.pair != nil {
		return m.pair.gapChange(rod, eta)
	}
	s, p := &c.Points[m.point], &c.wallContacts[m.point]
	return p.normal.Dot(pointDisplacement(rod, s.Element, p.from, p.to, eta))
}

// push returns what a unit force of the wall is on the node that has those weights.
func (p *wallContact) unitWrench(r *spatial.Mat3, w weights) spatial.Vec6 {
	n := r.ApplyT(p.normal)
	return spatial.Vec6Of(n.Scale(w.position), tangent.Cross(n).Scale(w.tangent))
}

// meet solves for the changes of the gaps, by Newton's method on the extra forces λ, which with
// y = y₀ + G λ are those of least energy. It reports whether it has found them.
func (a *reducedCorrection) solve() bool {
	const iterations, halvings = 40, 30
	n := len(a.active)
	for i := range n {
		a.gapChange[i] = a.freeChange[i] + a.rowProduct(i, a.force)
	}
	energy, scale := a.energy(a.gapChange, a.force)
	for range iterations {
		matrix := a.newtonMatrix[:n*n]
		for i := range n {
			a.forceStep[i] = a.residualForce(i, a.gapChange[i])
		}
		for i := range n {
			a.changeStep[i] = a.freeChange[i] + a.rowProduct(i, a.forceStep) - a.gapChange[i]
			for j := range n {
				matrix[i*n+j] = -a.delassus[i*maxActiveContacts+j] * a.residualStiffness(j, a.gapChange[j])
			}
			matrix[i*n+i]++
		}
		if !integrate.SolveDense(matrix, a.changeStep[:n]) {
			return false
		}
		settled := true
		for i := range n {
			settled = settled && math.Abs(a.changeStep[i]) < 1e-6*a.active[i].law.ActivationGap
			a.forceStep[i] += a.residualStiffness(i, a.gapChange[i])*a.changeStep[i] - a.force[i] // step of the extra forces
		}
		before := energy
		for k, share := 0, 1.0; ; k, share = k+1, share/2 {
			if k == halvings {
				return false
			}
			for i := range n {
				a.trialForce[i] = a.force[i] + share*a.forceStep[i]
				a.trialChange[i] = a.gapChange[i] + share*a.changeStep[i]
			}
			if energy, scale = a.energy(a.trialChange, a.trialForce); settled || energy <= before+1e-13*scale {
				break
			}
		}
		copy(a.force, a.trialForce[:n])
		copy(a.gapChange, a.trialChange[:n])
		if settled {
			for i := range n {
				a.force[i] = a.residualForce(i, a.gapChange[i])
			}
			return true
		}
	}
	return false
}

// row is that of contact i in G times forces.
func (a *reducedCorrection) rowProduct(i int, forces []float64) (sum float64) {
	for j := range a.active {
		sum += a.delassus[i*maxActiveContacts+j] * forces[j]
	}
	return sum
}

// excess returns what the force of the law of contact i is more than that of the tangent.
func (a *reducedCorrection) residualForce(i int, way float64) float64 {
	m := &a.active[i]
	f, _ := m.forceAt(m.law, m.gap)
	then, _ := m.forceAt(m.law, m.gap+way)
	return then - (f - m.tangentStiffness*way)
}

// give returns the derivative of the extra force of contact i by the change of its gap.
func (a *reducedCorrection) residualStiffness(i int, way float64) float64 {
	m := &a.active[i]
	_, then := m.forceAt(m.law, m.gap+way)
	return m.tangentStiffness - then
}

// energy is that of which the extra forces are least, ½ λᵀ G λ and what contact takes beyond what
// the tangent does, and the sum of the sizes of what it is made of.
func (a *reducedCorrection) energy(way, extra []float64) (sum, scale float64) {
	for i := range a.active {
		m, y := &a.active[i], way[i]
		f, _ := m.forceAt(m.law, m.gap)
		bent, work, taken := 0.5*extra[i]*(y-a.freeChange[i]), m.potentialAt(m.law, m.gap+y), (f-0.5*m.tangentStiffness*y)*y
		sum += bent + work + taken
		scale += math.Abs(bent) + work + math.Abs(taken)
	}
	return sum, scale
}
