package contact

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Inverse is the factored tangent of an iterate.
type Inverse interface {
	// Solve replaces the right-hand side x by the solution, and reports whether there is one.
	Solve(x []spatial.Vec6) bool
}

// mostAmended bounds the number of contacts in an amendment.
const mostAmended = 24

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

	// scratch of settle
	trial, off, step []float64
	matrix           []float64
}

// member is a contact of an amendment.
type member struct {
	*closing
	law     *Law
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
	for _, v := range []*[]float64{&a.start, &a.way, &a.extra, &a.trial, &a.off, &a.step} {
		*v = make([]float64, n)
	}
	return a
}

// Amend makes eta, the increments of the nodes from node 1 on by the tangent, those by the law
// of contact, as far as gaps change as their derivatives say. It looks at what comes near to a
// wall on the way.
func (c *Contacts) Amend(rod *strain.State, eta []spatial.Vec6, k Inverse) {
	const rounds = 4
	c.approachAll(rod, eta)
	if c.self != nil {
		c.self.expect(rod, eta, c.nodes)
	}
	c.unamend()
	a := &c.amended
	for range rounds {
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

// gather adds to the amendment the contacts whose force the increment mistakes.
func (c *Contacts) gather(rod *strain.State, eta []spatial.Vec6) {
	a := &c.amended
	allowed := c.mistakable(rod, eta)
	for i := range c.patches {
		for k, last := c.patches[i].span(); k < last; k++ {
			p := &c.pairs[k]
			if len(a.members) < mostAmended && p.extra == 0 && p.mistake > allowed {
				a.members = append(a.members, member{closing: &p.closing, law: &c.Stations[k].Law, station: k})
			}
		}
	}
	if c.self == nil {
		return
	}
	for _, q := range c.self.listed {
		if len(a.members) < mostAmended && q.extra == 0 && q.mistake > allowed {
			a.members = append(a.members, member{closing: &q.closing, law: &q.law, couple: q})
		}
	}
}

// extend computes columns, G and changes of gaps of the contacts from the given one on.
func (c *Contacts) extend(rod *strain.State, eta []spatial.Vec6, from int, inverse Inverse) bool {
	a := &c.amended
	for i := from; i < len(a.members); i++ {
		m, column := &a.members[i], a.columns[i]
		clear(column)
		c.unitPush(rod, m, column)
		if !inverse.Solve(column) {
			return false
		}
		a.way[i] = c.answer(rod, m, eta)
		a.start[i] = a.way[i]
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

// unitPush enters what a unit force of a contact is on the nodes.
func (c *Contacts) unitPush(rod *strain.State, m *member, column []spatial.Vec6) {
	if q := m.couple; q != nil {
		q.column(rod, q.normal, spatial.Vec{}, spatial.Vec{}, column)
		return
	}
	s, p := &c.Stations[m.station], &c.pairs[m.station]
	column[s.Element] = p.push(&rod.Pose[s.Element+1].R, p.to)
	if s.Element > 0 {
		column[s.Element-1] = p.push(&rod.Pose[s.Element].R, p.from)
	}
}

// answer returns the change of the gap of a contact with an increment.
func (c *Contacts) answer(rod *strain.State, m *member, eta []spatial.Vec6) float64 {
	if m.couple != nil {
		return m.couple.change(rod, eta)
	}
	s, p := &c.Stations[m.station], &c.pairs[m.station]
	return p.normal.Dot(wayOf(rod, s.Element, p.from, p.to, eta))
}

// push returns what a unit force of the wall is on the node that has those weights.
func (p *pair) push(r *spatial.Mat3, w weights) spatial.Vec6 {
	n := r.ApplyT(p.normal)
	return spatial.Vec6Of(n.Scale(w.position), tangent.Cross(n).Scale(w.tangent))
}

// meet solves for the changes of the gaps. It reports whether it has found them.
func (a *amendment) meet() bool {
	const iterations, halvings = 40, 12
	n := len(a.members)
	worst := a.miss(a.way)
	for range iterations {
		matrix := a.matrix[:n*n]
		for i := range n {
			a.step[i] = -a.off[i]
			for j := range n {
				matrix[i*n+j] = -a.g[i*mostAmended+j] * a.give(j, a.way[j])
			}
			matrix[i*n+i]++
		}
		if !integrate.SolveDense(matrix, a.step[:n]) {
			return false
		}
		settled, before := true, worst
		for i := range n {
			settled = settled && math.Abs(a.step[i]) < 1e-6*a.members[i].law.Reach
		}
		share := 1.0
		for range halvings {
			for i := range n {
				a.trial[i] = a.way[i] + share*a.step[i]
			}
			if worst = a.miss(a.trial); worst < before || settled {
				break
			}
			share /= 2
		}
		copy(a.way, a.trial[:n])
		if settled {
			return true
		}
		if !(worst < before) {
			return false
		}
	}
	return false
}

// give returns the derivative of the extra force of contact i by the change of its gap.
func (a *amendment) give(i int, way float64) float64 {
	m := &a.members[i]
	_, then := m.press(m.law, m.gap+way)
	return m.slope - then
}

// miss computes the extra forces at changes of gaps, by how much these are off the equations,
// and the norm of that.
func (a *amendment) miss(way []float64) (norm float64) {
	for i := range a.members {
		m := &a.members[i]
		f, _ := m.press(m.law, m.gap)
		then, _ := m.press(m.law, m.gap+way[i])
		a.extra[i] = then - (f - m.slope*way[i])
	}
	for i := range a.members {
		sum := way[i] - a.start[i]
		for j := range a.members {
			sum -= a.g[i*mostAmended+j] * a.extra[j]
		}
		a.off[i] = sum
		norm += sum * sum
	}
	return norm
}
