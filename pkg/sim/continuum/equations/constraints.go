package equations

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Constraints are the unilateral constraints of an iterate: rows with a multiplier λ between bounds and
// a compliance. With s the value of a row (for a tendon: its length less the one at which it goes slack)
// and c its compliance,
//
//	λmin ≤ λ ≤ λmax,  s = c λ between the bounds,  s ≤ c λ at λmin,  s ≥ c λ at λmax.
//
// Rows may share compliance; then c is a matrix, whose part off the rows' own adds to G below. With
// G = Aᵀ K⁻¹ B each increment solves the linear complementarity problem of the rows exactly, so that c
// may be 0.
type Constraints struct {
	rows   []Row
	g      []float64 // G, row-major
	shared []float64 // compliance that rows share, row-major
	shares bool
	work   []float64 // matrix of the free rows, row-major
	rhs    []float64
	held   []float64 // scratch

	owners []owner // by element with constraints
	own    int     // the element whose rows Next and Rows are about
}

// owner is an element with constraints.
type owner struct{ id, first, last int } // number of its first constraint; its rows

// Row is a unilateral constraint at an iterate.
type Row struct {
	ID         int     // of the constraint in its element
	Compliance float64 // c, m/N
	Multiplier float64 // λ, N
	Min, Max   float64 // λmin, at most 0, and λmax, N
	Gap        float64 // s − c λ, m

	B, A      []spatial.Vec6 // negative wrenches of a unit multiplier, and the gradient of s, on the nodes from 1 on
	Increment float64        // of λ, N

	number   int            // of the constraint among those of all elements
	y        []spatial.Vec6 // K⁻¹ B
	residual float64        // s − c λ after the increment at constant multipliers, m
	bound    bound
	rise     float64 // of the bound in a derivative, N; else 0
}

// bound says where a multiplier is.
type bound int8

const (
	free    bound = iota // between the bounds, s = c λ holds
	atLower              // at λmin
	atUpper              // at λmax
)

// newConstraints makes room for so many rows of each element.
func newConstraints(nodes int, each ...int) Constraints {
	rows := 0
	owners := make([]owner, len(each))
	for k, n := range each {
		owners[k].id = rows
		rows += n
	}
	c := Constraints{
		owners: owners,
		rows:   make([]Row, 0, rows),
		g:      make([]float64, rows*rows), shared: make([]float64, rows*rows),
		work: make([]float64, rows*rows), rhs: make([]float64, rows), held: make([]float64, rows),
	}
	for range rows {
		column := func() []spatial.Vec6 { return make([]spatial.Vec6, nodes) }
		c.rows = append(c.rows, Row{B: column(), A: column(), y: column()})
	}
	c.rows = c.rows[:0]
	return c
}

// NewComplementarity returns constraints of so many rows at the most that act on no node: for Complement.
func NewComplementarity(rows int) *Constraints {
	c := newConstraints(0, rows)
	return &c
}

// reset removes all rows.
func (c *Constraints) reset() {
	c.rows, c.shares, c.own = c.rows[:0], false, 0
	for k := range c.owners {
		c.owners[k].first, c.owners[k].last = 0, 0
	}
}

// enter makes element k the one whose rows are entered.
func (c *Constraints) enter(k int) {
	c.own = k
	c.owners[k].first, c.owners[k].last = len(c.rows), len(c.rows)
}

// Next enters a row and returns it with its columns cleared.
func (c *Constraints) Next(id int) *Row {
	c.rows = c.rows[:len(c.rows)+1] // with the columns that newConstraints made
	r := &c.rows[len(c.rows)-1]
	o := &c.owners[c.own]
	o.last = len(c.rows)
	r.ID, r.number = id, o.id+id
	clear(r.B)
	clear(r.A)
	return r
}

// Rows are those of the element that is asked.
func (c *Constraints) Rows() []Row { return c.rows[c.owners[c.own].first:c.owners[c.own].last] }

// ClearIncrements makes the increments of the rows' multipliers 0.
func (c *Constraints) ClearIncrements() {
	for p := range c.rows {
		c.rows[p].Increment = 0
	}
}

// TakeIncrements makes the increments of the rows' multipliers those of src, by the number of the constraint among all.
func (c *Constraints) TakeIncrements(src []float64) {
	for p := range c.rows {
		c.rows[p].Increment = src[c.rows[p].number]
	}
}

// PutIncrements writes the increments of the rows' multipliers to dst, by the number of the constraint among all.
func (c *Constraints) PutIncrements(dst []float64) {
	for p := range c.rows {
		dst[c.rows[p].number] = c.rows[p].Increment
	}
}

// AddCompliance adds a compliance m (m/N) that rows p and r of Rows share.
func (c *Constraints) AddCompliance(p, r int, m float64) {
	if !c.shares {
		clear(c.shared)
		c.shares = true
	}
	first := c.owners[c.own].first
	c.shared[(first+p)*cap(c.rows)+first+r] += m
}

// prepare solves for the columns of the rows, once the tangent is factored.
func (c *Constraints) prepare(s *System) {
	n := len(c.rows)
	for p := range c.rows {
		r := &c.rows[p]
		copy(r.y, r.B)
		s.Columns.solve(s.matrix, r.y)
	}
	for p := range n {
		for r := range n {
			c.g[p*n+r] = inner(c.rows[p].A, c.rows[r].y)
		}
	}
	if c.shares {
		for p := range n {
			for r := range n {
				c.g[p*n+r] += c.shared[p*cap(c.rows)+r]
			}
		}
	}
}

// solve makes x, the increment at constant multipliers, the one with which the constraints hold. It
// reports whether there is one: not where the rod is unstable, so that no multiplier holds it.
func (c *Constraints) solve(x []spatial.Vec6) (ok bool) {
	if len(c.rows) == 0 {
		return true
	}
	for p := range c.rows {
		r := &c.rows[p]
		r.residual = r.Gap + inner(r.A, x)
		switch {
		case r.Multiplier <= r.Min && r.residual <= 0:
			r.bound = atLower
		case r.Multiplier >= r.Max && r.residual >= 0:
			r.bound = atUpper
		default:
			r.bound = free
		}
	}
	ok = c.complement()
	for p := range c.rows {
		if r := &c.rows[p]; r.Increment != 0 {
			addScaled(x, -r.Increment, r.y)
		}
	}
	return ok
}

// complement solves the complementarity problem by pivoting: as long as a free multiplier is beyond a
// bound or a bound one would leave it, the worst one changes sides. Rows are few and mostly stay where
// they are. The exchange may cycle; then the first one changes sides instead of the worst, which finds
// the solution of every problem of which all principal minors are positive (Murty 1974), in many more
// exchanges. It reports whether it has found a solution.
func (c *Constraints) complement() (ok bool) {
	n := len(c.rows)
	for i := range 4*(n+1) + maxExchanges {
		if !c.solveFree() {
			return false
		}
		p, to := c.mostWrong(i >= 4*(n+1))
		if p < 0 {
			return true
		}
		c.rows[p].bound = to
	}
	return false
}

// maxExchanges bounds the search by Murty's rule. Of 40,000 random problems of up to a dozen rows, many
// of them redundant, the worst took 270.
const maxExchanges = 1000

// regular is a relative compliance by which redundant rows share their force.
const regular = 1e-12

// solveFree finds the increments of the multipliers with which the free rows hold. It reports whether
// there are such.
func (c *Constraints) solveFree() (ok bool) {
	n, m := len(c.rows), 0
	for p := range c.rows {
		switch r := &c.rows[p]; r.bound {
		case atLower:
			r.Increment = r.Min - r.Multiplier + r.rise
		case atUpper:
			r.Increment = r.Max - r.Multiplier + r.rise
		default:
			m++
		}
	}
	i := 0
	for p := range c.rows {
		k := &c.rows[p]
		if k.bound != free {
			continue
		}
		c.rhs[i] = k.residual
		j := 0
		for r := range c.rows {
			g := c.g[p*n+r]
			if other := &c.rows[r]; other.bound != free {
				c.rhs[i] -= g * other.Increment
				continue
			}
			if p == r {
				g += k.Compliance + regular*math.Abs(g)
			}
			c.work[i*m+j] = g
			j++
		}
		i++
	}
	if ok = integrate.SolveDense(c.work[:m*m], c.rhs[:m]); !ok {
		clear(c.rhs[:m])
	}
	i = 0
	for p := range c.rows {
		if k := &c.rows[p]; k.bound == free {
			k.Increment = c.rhs[i]
			i++
		}
	}
	return ok
}

// mostWrong returns the row that is farthest on the wrong side, or the first that is, and where it
// belongs; −1 if there is none.
func (c *Constraints) mostWrong(first bool) (at int, to bound) {
	n, most := len(c.rows), multiplierRoundoff
	at = -1
	for p := range c.rows {
		if first && at >= 0 {
			break
		}
		v := 0.0
		if k := &c.rows[p]; k.bound != free {
			v = k.residual - k.Compliance*k.Increment
			for r := range c.rows {
				v -= c.g[p*n+r] * c.rows[r].Increment
			}
		}
		if wrong, side := c.wrong(p, v); wrong > most {
			most, at, to = wrong, p, side
		}
	}
	return at, to
}

// mostWrongAt is mostWrong after increments x of the nodes, which are corrected.
func (c *Constraints) mostWrongAt(x []spatial.Vec6, first bool) (at int, to bound) {
	most := multiplierRoundoff
	at = -1
	for p := range c.rows {
		if first && at >= 0 {
			break
		}
		k := &c.rows[p]
		gap := k.Gap + inner(k.A, x) - k.Compliance*k.Increment
		if c.shares {
			for r := range c.rows {
				gap -= c.shared[p*cap(c.rows)+r] * c.rows[r].Increment
			}
		}
		if wrong, side := c.wrong(p, gap); wrong > most {
			most, at, to = wrong, p, side
		}
	}
	return at, to
}

const multiplierRoundoff = 1e-12 // of a multiplier

// wrong is by how much row p, with the gap after the increment (m), is on the wrong side, as a share of its multiplier, and where it
// belongs.
func (c *Constraints) wrong(p int, gap float64) (share float64, to bound) {
	k := &c.rows[p]
	size := max(math.Abs(k.Multiplier), math.Abs(k.Increment), 1e-9)
	if k.bound == free {
		after := k.Multiplier + k.Increment
		below, above := (k.Min-after)/size, (after-k.Max)/size
		if above > below {
			return above, atUpper
		}
		return below, atLower
	}
	if gap /= (k.Compliance + math.Abs(c.g[p*len(c.rows)+p])) * size; k.bound == atUpper {
		gap = -gap
	}
	return gap, free
}

// hold makes x, a response of the nodes without the rows, the one with which the free rows hold, and writes the increments of their
// multipliers; the others stay. It reports whether there is one.
func (c *Constraints) hold(x []spatial.Vec6, increments []float64) (ok bool) {
	n, m := len(c.rows), 0
	for p := range c.rows {
		if c.rows[p].bound == free {
			c.rhs[m] = inner(c.rows[p].A, x)
			m++
		}
	}
	i := 0
	for p := range c.rows {
		if c.rows[p].bound != free {
			continue
		}
		j := 0
		for r := range c.rows {
			if c.rows[r].bound != free {
				continue
			}
			c.work[i*m+j] = c.g[p*n+r]
			if p == r {
				c.work[i*m+j] += c.rows[p].Compliance + regular*math.Abs(c.g[p*n+p])
			}
			j++
		}
		i++
	}
	ok = integrate.SolveDense(c.work[:m*m], c.rhs[:m])
	i = 0
	for p := range c.rows {
		if increments[p] = 0; c.rows[p].bound == free && ok {
			increments[p] = c.rhs[i]
			addScaled(x, -c.rhs[i], c.rows[p].y)
			i++
		}
	}
	return ok
}

// addResponses adds scale times what the increments of the multipliers are on the nodes, with the opposite sign.
func (c *Constraints) addResponses(x []spatial.Vec6, scale float64) {
	for p := range c.rows {
		if r := &c.rows[p]; r.Increment != 0 {
			addScaled(x, scale*r.Increment, r.y)
		}
	}
}

// addMultipliers adds to the increments of the multipliers those by the forces of a correction.
func (c *Constraints) addMultipliers(by *correction) {
	for i, row := range by.rows {
		for p := range c.rows {
			c.rows[p].Increment += row.CorrectionForce() * by.multipliers[i][p]
		}
	}
}

// negative is how many negative eigenvalues of K the rows take away: those of the compliance c + G of the
// free ones. (The inertia of the bordered matrix is that of K and of its Schur complement.)
func (c *Constraints) negative() (count int) {
	n, m := len(c.rows), 0
	rows := 0
	for p := range c.rows {
		if c.rows[p].bound == free {
			rows++
		}
	}
	for p := range c.rows {
		if c.rows[p].bound != free {
			continue
		}
		j := 0
		for r := range c.rows {
			if c.rows[r].bound == free {
				c.work[m*rows+j] = 0.5 * (c.g[p*n+r] + c.g[r*n+p])
				j++
			}
		}
		c.work[m*rows+m] += c.rows[p].Compliance
		m++
	}
	return negativePivots(c.work[:rows*rows], rows)
}

// Complement finds the multipliers of rows that act on no node, entered by Next with their values s in
// Gap, and returns the greatest of sᵀλ − ½ λᵀcλ over them, J; +Inf where there is none.
func (c *Constraints) Complement() (energy float64) {
	n := len(c.rows)
	for p := range c.rows {
		r := &c.rows[p]
		r.residual, r.bound = r.Gap, atLower
		if r.Gap > 0 || r.Min < 0 {
			r.bound = free
		}
	}
	clear(c.g[:n*n])
	if c.shares {
		for p := range n {
			copy(c.g[p*n:(p+1)*n], c.shared[p*cap(c.rows):])
		}
	}
	if !c.complement() {
		return math.Inf(1)
	}
	for p := range c.rows {
		r := &c.rows[p]
		give := r.Compliance * r.Increment
		for q := range c.rows {
			give += c.g[p*n+q] * c.rows[q].Increment
		}
		energy += r.Increment * (r.residual - give/2)
	}
	return energy
}

// Reset removes all rows of a NewComplementarity.
func (c *Constraints) Reset() { c.reset() }
