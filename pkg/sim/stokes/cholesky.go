package stokes

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sinew/pkg/sim/spatial"
)

// Cholesky is a symmetric positive definite matrix of any size and its factor: L has N rows of N
// numbers, of which only the lower triangle is used. It is scratch, and works on rows, which are
// contiguous in memory.
type Cholesky struct {
	N int
	L []float64
}

// NewCholesky returns room for a matrix of n rows.
func NewCholesky(n int) Cholesky { return Cholesky{N: n, L: make([]float64, n*n)} }

// Factor replaces the matrix by its factor. Where it is not positive definite beyond
// round-off it stops and returns the row, else N.
func (c *Cholesky) Factor() int {
	const roundoff = 1e-14
	for i := range c.N {
		ri := c.L[i*c.N : i*c.N+i+1]
		before := ri[i]
		for j := range i {
			rj := c.L[j*c.N : j*c.N+j+1]
			ri[j] = (ri[j] - floats.Dot(ri[:j], rj[:j])) / rj[j]
		}
		d := before - floats.Dot(ri[:i], ri[:i])
		if !(d > roundoff*before) {
			return i
		}
		ri[i] = math.Sqrt(d)
	}
	return c.N
}

// SolveL replaces x by L⁻¹ x.
func (c *Cholesky) SolveL(x []float64) {
	for i := range c.N {
		row := c.L[i*c.N : i*c.N+i+1]
		x[i] = (x[i] - floats.Dot(row[:i], x[:i])) / row[i]
	}
}

// SolveLT replaces x by L⁻ᵀ x.
func (c *Cholesky) SolveLT(x []float64) {
	for i := c.N - 1; i >= 0; i-- {
		row := c.L[i*c.N : i*c.N+i+1]
		x[i] /= row[i]
		floats.AddScaled(x[:i], -x[i], row[:i])
	}
}

// Inverse sets the lower triangle of dst, of the same size, to the inverse of the matrix.
func (c *Cholesky) Inverse(dst *Cholesky) {
	n := c.N
	// rows of L⁻ᵀ, upper triangular: row k is column k of L⁻¹
	for k := range n {
		x := dst.L[k*n : (k+1)*n]
		clear(x)
		x[k] = 1 / c.L[k*n+k]
		for i := k + 1; i < n; i++ {
			row := c.L[i*n : i*n+i+1]
			x[i] = -floats.Dot(row[k:i], x[k:i]) / row[i]
		}
	}
	// (L⁻ᵀ L⁻¹)_ij for i ≥ j needs entries from i on of rows i and j: row j goes last
	for j := range n {
		for i := j; i < n; i++ {
			dst.L[i*n+j] = floats.Dot(dst.L[i*n+i:(i+1)*n], dst.L[j*n+i:(j+1)*n])
		}
	}
}

// AddBlock adds s times the block m, whose first entry is at row i, column j.
func (c *Cholesky) AddBlock(i, j int, s float64, m spatial.Mat3) {
	k := i*c.N + j
	r1, r2, r3 := c.L[k:k+3], c.L[k+c.N:k+c.N+3], c.L[k+2*c.N:k+2*c.N+3]
	r1[0], r1[1], r1[2] = r1[0]+s*m.XX, r1[1]+s*m.XY, r1[2]+s*m.XZ
	r2[0], r2[1], r2[2] = r2[0]+s*m.YX, r2[1]+s*m.YY, r2[2]+s*m.YZ
	r3[0], r3[1], r3[2] = r3[0]+s*m.ZX, r3[1]+s*m.ZY, r3[2]+s*m.ZZ
}

// MulSymmetric sets dst to the product of the symmetric matrix, given by its lower triangle, and x.
func (c *Cholesky) MulSymmetric(dst, x []float64) {
	for i := range c.N {
		row := c.L[i*c.N : i*c.N+i+1]
		dst[i] = floats.Dot(row, x[:i+1])
		floats.AddScaled(dst[:i], x[i], row[:i])
	}
}
