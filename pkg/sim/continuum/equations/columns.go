package equations

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Columns is the part of the tangent that the factored blocks K leave out: a change B C Aᵀ of low
// rank with diagonal C. Each column is an unknown of its own, the force λ = C Aᵀx with which it acts
// along B. With y = K⁻¹r and G = Aᵀ K⁻¹ B the solution is exact (Woodbury):
//
//	(1 + C G) λ = C Aᵀ y,  x = y − K⁻¹B λ.
//
// Bristles of friction that stick are columns and no rows of Constraints: both need K⁻¹B once per
// tangent, but the exchange of a row solves the free rows anew, for as many bristles as there are disks
// and tendons. Few of them change sides in a step, which the iterates of Newton's method find.
type Columns struct {
	b       [][]spatial.Vec6 // columns of B
	a       [][]spatial.Vec6 // columns of A, where they are not those of B
	same    []bool           // by column, whether A is B
	counted []bool           // by column, whether it counts in negative
	span    [][2]extent      // by column, where A is not 0: between the two there is nothing
	y       [][]spatial.Vec6 // columns of K⁻¹ B
	c       []float64        // diagonal of C
	g       []float64        // G, row-major
	system  []float64        // factors of 1 + C G, row-major
	pivots  []int            // of these
	schur   []float64        // scratch of negative
	lambda  []float64
	rank    int
	rows    int  // block rows
	regular bool // the changed matrix is
	first   []int
	of      *strain.Equations
}

// extent is the block rows from first to before last.
type extent struct{ first, last int }

// grow makes room for a rank of at most n in a matrix of the given block rows.
func (c *Columns) grow(n, rows int) {
	c.rows = rows
	for len(c.b) < n {
		c.b = append(c.b, make([]spatial.Vec6, rows))
		c.y = append(c.y, make([]spatial.Vec6, rows))
		c.a = append(c.a, make([]spatial.Vec6, rows))
		c.same, c.counted = append(c.same, true), append(c.counted, false)
		c.span = append(c.span, [2]extent{})
	}
	if len(c.c) < n {
		c.g, c.system, c.schur = make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		c.lambda, c.pivots = make([]float64, n), make([]int, n)
		c.c = append(c.c, make([]float64, n-len(c.c))...)
	}
	if c.first == nil {
		c.first = make([]int, rows+1)
	}
}

// reset starts a change of rank 0 of the tangent of q.
func (c *Columns) reset(q *strain.Equations) {
	c.rank, c.of = 0, q
	clear(c.first)
}

// next returns the number of a new column, cleared, with the stiffness.
func (c *Columns) next(stiffness float64) int {
	p := c.rank
	if p == len(c.c) {
		c.grow(max(6, 2*p), c.rows)
	}
	c.rank++
	clear(c.b[p])
	c.same[p], c.counted[p], c.c[p] = true, false, stiffness
	return p
}

// Symmetric enters a column with A = B and returns it, cleared: increments of the nodes from 1 on.
func (c *Columns) Symmetric(stiffness float64) []spatial.Vec6 { return c.b[c.next(stiffness)] }

// Counted is Symmetric for a column that counts in the number of negative eigenvalues.
func (c *Columns) Counted(stiffness float64) []spatial.Vec6 {
	p := c.next(stiffness)
	c.counted[p] = true
	return c.b[p]
}

// Unsymmetric enters a column and returns those of B and A, cleared.
func (c *Columns) Unsymmetric(stiffness float64) (b, a []spatial.Vec6) {
	p := c.next(stiffness)
	c.same[p] = false
	clear(c.a[p])
	return c.b[p], c.a[p]
}

// Row returns what the tangent has in row r of node i besides the symmetric part: the first time for
// a node its skew part in all six rows. It may be added to.
func (c *Columns) Row(i, r int) []spatial.Vec6 {
	if c.first[i] == 0 {
		skew := c.of.SkewPart(i)
		for r := range 6 {
			p := c.next(1)
			c.same[p] = false
			clear(c.a[p])
			c.b[p][i-1][r] = 1
			copy(c.a[p][i-1][:], skew[6*r:6*r+6])
			if r == 0 {
				c.first[i] = p + 1
			}
		}
	}
	return c.a[c.first[i]-1+r]
}

// IsRegular reports whether the tangent with the columns is regular.
func (c *Columns) IsRegular() bool { return c.regular }

// Len is the number of columns.
func (c *Columns) Len() int { return c.rank }

// column returns column p of A.
func (c *Columns) column(p int) []spatial.Vec6 {
	if c.same[p] {
		return c.b[p]
	}
	return c.a[p]
}

// times returns the product of column p of A and x.
func (c *Columns) times(p int, x []spatial.Vec6) float64 {
	column, sum := c.column(p), 0.0
	for _, s := range c.span[p] {
		sum = addInner(sum, column[s.first:s.last], x[s.first:s.last])
	}
	return sum
}

// prepare solves for the columns, once K is factored, and factors 1 + C G.
func (c *Columns) prepare(k *integrate.Skyline) {
	n := c.rank
	for p := range n {
		copy(c.y[p], c.b[p])
		k.SolveFrom(span(c.b[p])[0].first, c.y[p])
		c.span[p] = span(c.column(p))
	}
	for p := range n {
		for q := range n {
			c.g[p*n+q] = c.times(p, c.y[q])
			c.system[p*n+q] = c.c[p] * c.g[p*n+q]
		}
		c.system[p*n+p]++
	}
	c.regular = integrate.FactorDense(c.system[:n*n], c.pivots[:n])
}

// solve replaces the right-hand side x by the solution. It reports whether the changed matrix is
// regular.
func (c *Columns) solve(k *integrate.Skyline, x []spatial.Vec6) bool { return c.solveFrom(k, 0, x) }

// solveFrom is solve where x is 0 before block row first.
func (c *Columns) solveFrom(k *integrate.Skyline, first int, x []spatial.Vec6) bool {
	k.SolveFrom(first, x)
	n := c.rank
	if !c.regular {
		return false
	}
	lambda := c.lambda[:n]
	for p, stiffness := range c.c[:n] {
		lambda[p] = stiffness * c.times(p, x)
	}
	integrate.SolveFactored(c.system[:n*n], c.pivots[:n], lambda)
	for p, f := range lambda {
		addScaled(x, -f, c.y[p])
	}
	return true
}

// onlyStiffen reports whether all counted columns are symmetric and of a stiffness of 0 or more.
func (c *Columns) onlyStiffen() bool {
	for p, stiffness := range c.c[:c.rank] {
		if c.counted[p] && !(stiffness >= 0 && c.same[p]) {
			return false
		}
	}
	return true
}

// negative is by how many the matrix with the counted columns has more negative eigenvalues than without.
// (The inertia of the bordered matrix is that of K and of the Schur complement −C⁻¹ − G.)
func (c *Columns) negative() (more int) {
	n := 0
	for p, stiffness := range c.c[:c.rank] {
		if !c.counted[p] {
			continue
		}
		if stiffness != 0 {
			n++
		}
		if stiffness > 0 {
			more--
		}
	}
	if n == 0 {
		return more
	}
	m := c.schur[:n*n]
	i := 0
	for r := range c.rank {
		if !c.counted[r] || c.c[r] == 0 {
			continue
		}
		j := 0
		for q := range c.rank {
			if !c.counted[q] || c.c[q] == 0 {
				continue
			}
			m[i*n+j] = 0.5 * (c.g[r*c.rank+q] + c.g[q*c.rank+r])
			j++
		}
		m[i*n+i] += 1 / c.c[r]
		i++
	}
	return more + n - negativePivots(m, n)
}

// AddScaled adds f x to dst.
func AddScaled(dst []spatial.Vec6, f float64, x []spatial.Vec6) { addScaled(dst, f, x) }

func addScaled(dst []spatial.Vec6, f float64, x []spatial.Vec6) {
	for i := range x {
		for j := range x[i] {
			dst[i][j] += f * x[i][j]
		}
	}
}

// span returns the blocks of x from the first that is not 0 on to the next that is, and those from
// the next one that is not 0 on to the last.
func span(x []spatial.Vec6) (s [2]extent) {
	part, begun := 0, false
	for i := range x {
		if x[i] == (spatial.Vec6{}) {
			if begun && part == 0 {
				part, begun = 1, false
			}
			continue
		}
		if !begun {
			s[part].first, begun = i, true
		}
		s[part].last = i + 1
	}
	return s
}

// negativePivots eliminates the symmetric matrix m of n rows without exchange, and counts the
// negative pivots.
func negativePivots(m []float64, n int) (count int) {
	for k := range n {
		pivot := m[k*n+k]
		if pivot < 0 {
			count++
		}
		for i := k + 1; i < n; i++ {
			if m[i*n+k] == 0 {
				continue // also beside a pivot of 0, whose quotient is no number
			}
			f := m[i*n+k] / pivot
			for j := k; j < n; j++ {
				m[i*n+j] -= f * m[k*n+j]
			}
		}
	}
	return count
}

// Inner returns the product of a and b.
func Inner(a, b []spatial.Vec6) float64 { return inner(a, b) }

func inner(a, b []spatial.Vec6) float64 { return addInner(0, a, b) }

// addInner returns sum plus the product of a and b.
func addInner(sum float64, a, b []spatial.Vec6) float64 {
	for i := range a {
		x, y := &a[i], &b[i]
		sum += x[0]*y[0] + x[1]*y[1] + x[2]*y[2] + x[3]*y[3] + x[4]*y[4] + x[5]*y[5]
	}
	return sum
}
