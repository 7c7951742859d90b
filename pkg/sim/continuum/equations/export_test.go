package equations

import "sinew/pkg/sim/integrate"

// What tests of the package look into.

// Bound says where a multiplier is.
type Bound = bound

// The bounds of a multiplier.
const (
	AtLower = atLower
	AtUpper = atUpper
)

// ComplementFrom solves the complementarity problem of the rows, with compliance g of theirs (row-major), from the given bounds. It reports
// whether it has found a solution.
func (c *Constraints) ComplementFrom(g []float64, start []Bound) (ok bool) {
	copy(c.g, g)
	for p := range c.rows {
		r := &c.rows[p]
		r.residual, r.bound = r.Gap, start[p]
	}
	return c.complement()
}

// NewColumns makes columns of a matrix of so many block rows.
func NewColumns(rows int) *Columns {
	c := new(Columns)
	c.grow(1, rows)
	c.reset(nil)
	return c
}

// Prepare solves for the columns with a factored matrix.
func (c *Columns) Prepare(k *integrate.Skyline) { c.prepare(k) }

// Negative is by how many the matrix with the columns has more negative eigenvalues than without.
func (c *Columns) Negative() int { return c.negative() }
