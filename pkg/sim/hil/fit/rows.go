package fit

import "gonum.org/v1/gonum/mat"

// Row returns the derivatives of residual k of the data at the solution, in the coordinates of
// the search, with respect to all parameters, also those at a bound, and what a robust loss
// multiplies the residual by. They are nil where the search knows none.
func (r *Result) Row(k int) (slopes []float64, factor float64) {
	if r.left == nil {
		return nil, 1
	}
	return mat.Row(nil, k, r.left.j), r.left.factors[k]
}

// PriorRows returns the same of each prior, and behind its derivatives its residual, all in the
// unit of the residuals.
func (r *Result) PriorRows() (rows [][]float64) {
	if r.left == nil {
		return nil
	}
	for k := r.left.count; k < len(r.left.r); k++ {
		row := append(mat.Row(nil, k, r.left.j), r.left.r[k])
		for i := range row {
			row[i] *= r.left.factors[k]
		}
		rows = append(rows, row)
	}
	return rows
}

// Derived reports whether the derivatives at the solution are known: not where the search was
// interrupted before.
func (r *Result) Derived() bool { return r.left != nil }
