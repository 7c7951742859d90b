package diagnosis

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// folds is the number of folds of the cross-validation.
const folds = 5

// gramMatrix holds the scalar products of all columns, of which the residual is the last: of each
// fold, and of all rows with those of the priors.
type gramMatrix struct {
	size  int // of columns, the residuals among them
	rows  int
	part  [folds]*mat.SymDense
	whole *mat.SymDense
}

func newGramMatrix(size int) *gramMatrix {
	g := &gramMatrix{size: size, whole: mat.NewSymDense(size, nil)}
	for i := range g.part {
		g.part[i] = mat.NewSymDense(size, nil)
	}
	return g
}

// add adds a row of all columns to a fold; fold −1: to none that is left out.
func (g *gramMatrix) add(fold int, row []float64) {
	x := blas64.Vector{N: g.size, Inc: 1, Data: row}
	blas64.Syr(1, x, g.whole.RawSymmetric())
	if fold >= 0 {
		blas64.Syr(1, x, g.part[fold].RawSymmetric())
		g.rows++
	}
}

// solution is a least-squares fit of the residuals to some columns: the coefficients and the rank.
type solution struct {
	columns []int
	x       []float64
	rank    int
}

// Thresholds of the eigenvalues of the normalised Gram matrix, below which columns count as linearly
// dependent: in a fit, and in a prediction of other rows.
const (
	dependent = 1e-9
	nearly    = 1e-3
)

// solve fits the residuals of m to columns.
func (g *gramMatrix) solve(m *mat.SymDense, columns []int, least float64) solution {
	s := solution{columns: columns, x: make([]float64, len(columns))}
	if len(columns) == 0 {
		return s
	}
	n := len(columns)
	scale := make([]float64, n)
	for i, c := range columns {
		if v := m.At(c, c); v > 0 {
			scale[i] = 1 / math.Sqrt(v)
		}
	}
	a := mat.NewSymDense(n, nil)
	for i, c := range columns {
		for k := i; k < n; k++ {
			a.SetSym(i, k, scale[i]*scale[k]*m.At(c, columns[k]))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(a, true) {
		return s
	}
	values := e.Values(nil)
	var v mat.Dense
	e.VectorsTo(&v)
	for q, w := range values {
		if w < least*float64(n) {
			continue
		}
		s.rank++
		part := 0.0
		for i, c := range columns {
			part += v.At(i, q) * scale[i] * m.At(c, g.size-1)
		}
		for i := range columns {
			s.x[i] += v.At(i, q) * part / w
		}
	}
	for i := range s.x {
		s.x[i] *= scale[i]
	}
	return s
}

// residualSquares returns the sum of squared residuals of a solution.
func (g *gramMatrix) residualSquares(m *mat.SymDense, s solution) float64 {
	r := g.size - 1
	sum := m.At(r, r)
	for i, c := range s.columns {
		sum -= 2 * s.x[i] * m.At(c, r)
		for k, d := range s.columns {
			sum += s.x[i] * s.x[k] * m.At(c, d)
		}
	}
	return max(0, sum)
}

// heldOut returns the cross-validated sum of squared residuals of a fit to columns.
func (g *gramMatrix) heldOut(columns []int) (sum float64) {
	others := mat.NewSymDense(g.size, nil)
	for _, part := range g.part {
		for i := range g.size {
			for k := i; k < g.size; k++ {
				others.SetSym(i, k, g.whole.At(i, k)-part.At(i, k))
			}
		}
		sum += g.residualSquares(part, g.solve(others, columns, nearly))
	}
	return sum
}
