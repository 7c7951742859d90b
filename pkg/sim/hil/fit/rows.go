package fit

import "gonum.org/v1/gonum/mat"

// Row returns the derivatives of residual k of the data at the solution, in the coordinates of
// the search, with respect to the parameters that are at no bound, and what a robust loss
// multiplies the residual by. They are nil where the search knows none.
func (r *Result) Row(k int) (slopes []float64, factor float64) {
	if r.left == nil {
		return nil, 1
	}
	return r.free(k), r.left.factors[k]
}

// PriorRows returns the same of each prior, and behind its derivatives its residual, all in the
// unit of the residuals.
func (r *Result) PriorRows() (rows [][]float64) {
	if r.left == nil {
		return nil
	}
	for k := r.left.count; k < len(r.left.r); k++ {
		row := append(r.free(k), r.left.r[k])
		for i := range row {
			row[i] *= r.left.factors[k]
		}
		rows = append(rows, row)
	}
	return rows
}

// free is a row of the Jacobian without the columns of parameters at a bound.
func (r *Result) free(k int) []float64 {
	row := mat.Row(nil, k, r.left.j)
	free := row[:0]
	for i, v := range row {
		if s := r.Estimates[i].Standing; s != AtMin && s != AtMax {
			free = append(free, v)
		}
	}
	return free
}
