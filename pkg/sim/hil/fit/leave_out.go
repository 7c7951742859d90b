package fit

import (
	"gonum.org/v1/gonum/mat"
)

// leaveOut is the linearised problem at the solution.
type leaveOut struct {
	count         int // residuals of the data
	j             *mat.Dense
	r, factors    []float64
	lo, hi, scale []float64 // room of each coordinate, and its scaling
}

func newLeaveOut(d *descent) *leaveOut {
	lo, hi := d.boundDistances()
	return &leaveOut{d.count, d.j, d.at.r, d.factors(d.at.r), lo, hi, d.scaling()}
}

// LeaveOut estimates the residuals first to end (exclusive) of a fit that had not seen
// them: those of the linearised model with the parameters that the other residuals and
// the priors ask for, within the bounds. It is nil where there are no derivatives or no
// other residuals.
func (r *Result) LeaveOut(first, end int) []float64 {
	l := r.left
	if l == nil || end-first >= l.count {
		return nil
	}
	factors := append([]float64(nil), l.factors...)
	for k := first; k < end; k++ {
		factors[k] = 0
	}
	delta := linearize(weighed(l.j, l.r, factors)).solve(leastDamping, l.scale, l.lo, l.hi)
	left := make([]float64, end-first)
	for k := range left {
		left[k] = l.r[first+k]
		for i, v := range delta {
			left[k] += l.j.At(first+k, i) * v
		}
	}
	return left
}
