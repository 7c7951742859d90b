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

// mostAmended bounds the number of stations in an amendment.
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
	stations []int // in Contacts.Stations
	columns  [][]spatial.Vec6
	g        []float64 // G, in rows of mostAmended
	start    []float64 // y₀, m
	way      []float64 // y, m
	extra    []float64 // e, N

	// scratch of settle
	trial, off, step []float64
	matrix           []float64
}

func newAmendment(nodes int) (a amendment) {
	const n = mostAmended
	a.stations = make([]int, 0, n)
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
	c.unamend()
	a := &c.amended
	for range rounds {
		known := len(a.stations)
		c.gather(rod, eta)
		if len(a.stations) == known {
			return
		}
		if !c.extend(rod, eta, known, k) || !c.meet() {
			a.stations = a.stations[:known]
			return
		}
		for i, k := range a.stations {
			change := a.extra[i] - c.pairs[k].extra
			c.pairs[k].extra = a.extra[i]
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
	for _, k := range c.amended.stations {
		c.pairs[k].extra = 0
	}
	c.amended.stations = c.amended.stations[:0]
}

// gather adds to the amendment the stations whose force the increment mistakes.
func (c *Contacts) gather(rod *strain.State, eta []spatial.Vec6) {
	a := &c.amended
	allowed := c.mistakable(rod, eta)
	for i := range c.patches {
		for k, last := c.patches[i].span(); k < last; k++ {
			p := &c.pairs[k]
			if len(a.stations) < mostAmended && p.extra == 0 && p.mistake > allowed {
				a.stations = append(a.stations, k)
			}
		}
	}
}

// extend computes columns, G and changes of gaps of the stations from the given one on.
func (c *Contacts) extend(rod *strain.State, eta []spatial.Vec6, from int, inverse Inverse) bool {
	a := &c.amended
	for i := from; i < len(a.stations); i++ {
		s, p := &c.Stations[a.stations[i]], &c.pairs[a.stations[i]]
		column := a.columns[i]
		clear(column)
		column[s.Element] = p.push(&rod.Pose[s.Element+1].R, p.to)
		if s.Element > 0 {
			column[s.Element-1] = p.push(&rod.Pose[s.Element].R, p.from)
		}
		if !inverse.Solve(column) {
			return false
		}
		a.way[i] = p.normal.Dot(wayOf(rod, s.Element, p.from, p.to, eta))
		a.start[i] = a.way[i]
		for j := range i {
			a.g[i*mostAmended+j] = c.answer(rod, a.stations[i], a.columns[j])
			a.g[j*mostAmended+i] = a.g[i*mostAmended+j]
		}
		a.g[i*mostAmended+i] = c.answer(rod, a.stations[i], column)
		for j := range from {
			a.start[i] -= a.g[i*mostAmended+j] * a.extra[j]
		}
	}
	return true
}

// answer returns the change of the gap of a station with an increment.
func (c *Contacts) answer(rod *strain.State, station int, eta []spatial.Vec6) float64 {
	s, p := &c.Stations[station], &c.pairs[station]
	return p.normal.Dot(wayOf(rod, s.Element, p.from, p.to, eta))
}

// push returns what a unit force of the wall is on the node that has those weights.
func (p *pair) push(r *spatial.Mat3, w weights) spatial.Vec6 {
	n := r.ApplyT(p.normal)
	return spatial.Vec6Of(n.Scale(w.position), tangent.Cross(n).Scale(w.tangent))
}

// meet solves for the changes of the gaps. It reports whether it has found them.
func (c *Contacts) meet() bool {
	const iterations, halvings = 40, 12
	a := &c.amended
	n := len(a.stations)
	worst := c.miss(a.way)
	for range iterations {
		matrix := a.matrix[:n*n]
		for i := range n {
			a.step[i] = -a.off[i]
			for j := range n {
				matrix[i*n+j] = -a.g[i*mostAmended+j] * c.give(j, a.way[j])
			}
			matrix[i*n+i]++
		}
		if !integrate.SolveDense(matrix, a.step[:n]) {
			return false
		}
		settled, before := true, worst
		for i := range n {
			settled = settled && math.Abs(a.step[i]) < 1e-6*c.Stations[a.stations[i]].Reach
		}
		share := 1.0
		for range halvings {
			for i := range n {
				a.trial[i] = a.way[i] + share*a.step[i]
			}
			if worst = c.miss(a.trial); worst < before || settled {
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

// give returns the derivative of the extra force of station i by the change of its gap.
func (c *Contacts) give(i int, way float64) float64 {
	s, p := &c.Stations[c.amended.stations[i]], &c.pairs[c.amended.stations[i]]
	_, then := p.press(s, p.gap+way)
	return p.slope - then
}

// miss computes the extra forces at changes of gaps, by how much these are off the equations,
// and the norm of that.
func (c *Contacts) miss(way []float64) (norm float64) {
	a := &c.amended
	for i, k := range a.stations {
		s, p := &c.Stations[k], &c.pairs[k]
		f, _ := p.press(s, p.gap)
		then, _ := p.press(s, p.gap+way[i])
		a.extra[i] = then - (f - p.slope*way[i])
	}
	for i := range a.stations {
		sum := way[i] - a.start[i]
		for j := range a.stations {
			sum -= a.g[i*mostAmended+j] * a.extra[j]
		}
		a.off[i] = sum
		norm += sum * sum
	}
	return norm
}
