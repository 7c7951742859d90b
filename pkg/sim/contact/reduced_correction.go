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
	mostAmended, amendRounds = 24, 12
	// slight is up to how many times what is allowed a mistake is slight: a tenth of the largest force.
	slight = 100
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
type amendment struct {
	members []member
	columns [][]spatial.Vec6
	g       []float64 // G, in rows of mostAmended
	start   []float64 // y₀, m
	way     []float64 // y, m
	extra   []float64 // e, N

	// scratch of meet
	trial, went, off, step []float64
	matrix                 []float64
}

// member is a contact of an amendment.
type member struct {
	*closing
	law     *NormalLaw
	station int     // in Contacts.Stations, unless
	couple  *couple // it is one of the rod with itself
}

func newAmendment(nodes int) (a amendment) {
	const n = mostAmended
	a.members = make([]member, 0, n)
	for range n {
		a.columns = append(a.columns, make([]spatial.Vec6, nodes))
	}
	a.g, a.matrix = make([]float64, n*n), make([]float64, n*n)
	for _, v := range []*[]float64{&a.start, &a.way, &a.extra, &a.trial, &a.went, &a.off, &a.step} {
		*v = make([]float64, n)
	}
	return a
}

// Amend makes eta, the increments of the nodes from node 1 on by the tangent, those by the law
// of contact, as far as gaps change as their derivatives say. It looks at what comes near to a
// wall on the way.
func (c *Contacts) CorrectIncrement(rod *strain.State, eta []spatial.Vec6, k FactoredTangent) {
	c.approachAll(rod, eta)
	if c.self != nil {
		c.self.expect(rod, eta, c.nodes)
	}
	c.unamend()
	a := &c.amended
	for range amendRounds {
		known := len(a.members)
		c.gather(rod, eta)
		if len(a.members) == known {
			return
		}
		if !c.extend(rod, eta, known, k) || !a.meet() {
			a.members = a.members[:known]
			return
		}
		for i := range a.members {
			change := a.extra[i] - a.members[i].closing.extra
			a.members[i].closing.extra = a.extra[i]
			for n, column := 0, a.columns[i]; n < len(eta); n++ {
				for j := range 6 {
					eta[n][j] += change * column[n][j]
				}
			}
		}
	}
}

// unamend makes increments those by the tangent.
func (c *Contacts) unamend() {
	for _, m := range c.amended.members {
		m.closing.extra = 0
	}
	c.amended.members = c.amended.members[:0]
}

// gather adds to the amendment contacts whose force the increment mistakes: of stations side by
// side that one of which it does most. Where an increment goes deep into a wall, it meets that
// first at one of them, and with the force there it comes near to few of the others, which would
// only be in the way of the solution. Once all mistakes are slight it adds all.
func (c *Contacts) gather(rod *strain.State, eta []spatial.Vec6) {
	a := &c.amended
	allowed := c.mistakable(rod, eta)
	known := len(a.members)
	for w := range c.Walls {
		c.gatherWorst(w, slight*allowed)
	}
	if len(a.members) == known {
		c.gatherAll(allowed)
	}
	if c.self == nil {
		return
	}
	for _, q := range c.self.listed {
		if len(a.members) < mostAmended && q.extra == 0 && math.Abs(q.mistake) > allowed {
			a.members = append(a.members, member{closing: &q.closing, law: &q.law, couple: q})
		}
	}
}

// gatherAll adds the stations whose force the increment mistakes by more than is allowed, as many as
// there is room for, the worst first.
func (c *Contacts) gatherAll(allowed float64) {
	a := &c.amended
	for len(a.members) < mostAmended {
		worst, most := -1, allowed
		for i := range c.patches {
			for k, last := c.patches[i].span(); k < last; k++ {
				if p := &c.pairs[k]; math.Abs(p.mistake) > most && p.extra == 0 {
					worst, most = k, math.Abs(p.mistake)
				}
			}
		}
		if worst < 0 {
			return
		}
		a.add(c, worst)
		c.pairs[worst].mistake = 0
	}
}

// gatherWorst adds of the stations of a wall that are side by side, and whose force the increment
// mistakes to the same side by more than is allowed, the one of which it does most.
func (c *Contacts) gatherWorst(wall int, allowed float64) {
	worst, most := 0, 0.0
	end := func() {
		if most != 0 {
			c.amended.add(c, worst)
		}
		most = 0
	}
	for i := wall; i < len(c.patches); i += len(c.Walls) {
		if !c.patches[i].near {
			end()
		}
		for k, last := c.patches[i].span(); k < last; k++ {
			m := c.pairs[k].mistake
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
func (a *amendment) add(c *Contacts, k int) {
	if p := &c.pairs[k]; len(a.members) < mostAmended && p.extra == 0 {
		a.members = append(a.members, member{closing: &p.closing, law: &c.Points[k].NormalLaw, station: k})
	}
}

// extend computes columns, G and changes of gaps of the contacts from the given one on.
func (c *Contacts) extend(rod *strain.State, eta []spatial.Vec6, from int, inverse FactoredTangent) bool {
	a := &c.amended
	for i := from; i < len(a.members); i++ {
		m, column := &a.members[i], a.columns[i]
		clear(column)
		if !inverse.SolveFrom(c.unitPush(rod, m, column), column) {
			return false
		}
		a.start[i], a.extra[i] = c.answer(rod, m, eta), 0
		for j := range i {
			a.g[i*mostAmended+j] = c.answer(rod, m, a.columns[j])
			a.g[j*mostAmended+i] = a.g[i*mostAmended+j]
		}
		a.g[i*mostAmended+i] = c.answer(rod, m, column)
		for j := range from {
			a.start[i] -= a.g[i*mostAmended+j] * a.extra[j]
		}
	}
	return true
}

// unitPush enters what a unit force of a contact is on the nodes, and returns before which of them
// there is none.
func (c *Contacts) unitPush(rod *strain.State, m *member, column []spatial.Vec6) (first int) {
	if q := m.couple; q != nil {
		q.column(rod, q.normal, spatial.Vec{}, spatial.Vec{}, column)
		return 0
	}
	s, p := &c.Points[m.station], &c.pairs[m.station]
	column[s.Element] = p.push(&rod.Pose[s.Element+1].R, p.to)
	if s.Element > 0 {
		column[s.Element-1] = p.push(&rod.Pose[s.Element].R, p.from)
	}
	return max(0, s.Element-1)
}

// answer returns the change of the gap of a contact with an increment.
func (c *Contacts) answer(rod *strain.State, m *member, eta []spatial.Vec6) float64 {
	if m.couple != nil {
		return m.couple.change(rod, eta)
	}
	s, p := &c.Points[m.station], &c.pairs[m.station]
	return p.normal.Dot(wayOf(rod, s.Element, p.from, p.to, eta))
}

// push returns what a unit force of the wall is on the node that has those weights.
func (p *pair) push(r *spatial.Mat3, w weights) spatial.Vec6 {
	n := r.ApplyT(p.normal)
	return spatial.Vec6Of(n.Scale(w.position), tangent.Cross(n).Scale(w.tangent))
}

// meet solves for the changes of the gaps, by Newton's method on the extra forces λ, which with
// y = y₀ + G λ are those of least energy. It reports whether it has found them.
func (a *amendment) meet() bool {
	const iterations, halvings = 40, 30
	n := len(a.members)
	for i := range n {
		a.way[i] = a.start[i] + a.row(i, a.extra)
	}
	energy, scale := a.energy(a.way, a.extra)
	for range iterations {
		matrix := a.matrix[:n*n]
		for i := range n {
			a.off[i] = a.excess(i, a.way[i])
		}
		for i := range n {
			a.step[i] = a.start[i] + a.row(i, a.off) - a.way[i]
			for j := range n {
				matrix[i*n+j] = -a.g[i*mostAmended+j] * a.give(j, a.way[j])
			}
			matrix[i*n+i]++
		}
		if !integrate.SolveDense(matrix, a.step[:n]) {
			return false
		}
		settled := true
		for i := range n {
			settled = settled && math.Abs(a.step[i]) < 1e-6*a.members[i].law.ActivationGap
			a.off[i] += a.give(i, a.way[i])*a.step[i] - a.extra[i] // step of the extra forces
		}
		before := energy
		for k, share := 0, 1.0; ; k, share = k+1, share/2 {
			if k == halvings {
				return false
			}
			for i := range n {
				a.trial[i] = a.extra[i] + share*a.off[i]
				a.went[i] = a.way[i] + share*a.step[i]
			}
			if energy, scale = a.energy(a.went, a.trial); settled || energy <= before+1e-13*scale {
				break
			}
		}
		copy(a.extra, a.trial[:n])
		copy(a.way, a.went[:n])
		if settled {
			for i := range n {
				a.extra[i] = a.excess(i, a.way[i])
			}
			return true
		}
	}
	return false
}

// row is that of contact i in G times forces.
func (a *amendment) row(i int, forces []float64) (sum float64) {
	for j := range a.members {
		sum += a.g[i*mostAmended+j] * forces[j]
	}
	return sum
}

// excess returns what the force of the law of contact i is more than that of the tangent.
func (a *amendment) excess(i int, way float64) float64 {
	m := &a.members[i]
	f, _ := m.press(m.law, m.gap)
	then, _ := m.press(m.law, m.gap+way)
	return then - (f - m.slope*way)
}

// give returns the derivative of the extra force of contact i by the change of its gap.
func (a *amendment) give(i int, way float64) float64 {
	m := &a.members[i]
	_, then := m.press(m.law, m.gap+way)
	return m.slope - then
}

// energy is that of which the extra forces are least, ½ λᵀ G λ and what contact takes beyond what
// the tangent does, and the sum of the sizes of what it is made of.
func (a *amendment) energy(way, extra []float64) (sum, scale float64) {
	for i := range a.members {
		m, y := &a.members[i], way[i]
		f, _ := m.press(m.law, m.gap)
		bent, work, taken := 0.5*extra[i]*(y-a.start[i]), m.work(m.law, m.gap+y), (f-0.5*m.slope*y)*y
		sum += bent + work + taken
		scale += math.Abs(bent) + work + math.Abs(taken)
	}
	return sum, scale
}
