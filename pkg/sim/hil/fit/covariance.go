package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// covariance is the covariance of the estimates.
type covariance struct {
	linear    *linearModel  // the linearised problem, each row with the curvature of its cost
	shape     *mat.SymDense // of the free coordinates, but for a factor that is not known without degrees of freedom
	of        *mat.SymDense // NaN without degrees of freedom
	condition float64       // of the Jacobian with columns of unit length
	deviation float64       // of a residual of the data; NaN without degrees of freedom
}

// covariance takes the data and the priors each with the variance that it has: the residuals
// of the data that which they show, by Huber (Robust Statistics, 1981, section 7.6)
// Σ ψ² / freedom over the square of the mean of ψ′, and a prior the one that was given. The
// two differ where a deviation of the residuals was given that they do not have, and with a
// robust loss. With the inverse C of the second derivatives, the rows of the priors in them
// as Q, and S and a the variance that the data have and that by which priors were weighed
// against them, C (S JᵀJ + a Q) C is S C + (a − S) C Q C.
func (d *descent) covariance(free []int) covariance {
	sum, slope := d.squares(d.at.r)
	if slope <= 0 { // nearly all residuals are beyond the scale of the loss
		sum, slope = math.Inf(1), 1
	}
	c := covariance{linear: linearize(weighed(d.j, d.at.r, d.curvatures(d.at.r, slope)))}
	freedom := float64(d.count - len(free))
	var inverse *mat.SymDense
	var q []float64 // of the prior of each free coordinate; 0: it has none
	if len(free) > 0 {
		inverse, c.condition = c.linear.spread(free)
		q = d.priorRows(free, slope)
		for k := range q {
			freedom += q[k] * inverse.At(k, k) // what the priors decide is not decided by the data
		}
	}
	variance, given := math.NaN(), d.deviation*d.deviation/slope
	const least, enough = 1e-6, 1.0 // degrees of freedom that are more than round-off, and that say more than what was given
	switch {
	case freedom < enough && d.problem.Data.Deviation > 0:
		variance = given
	case freedom > least:
		variance = sum / freedom / (slope * slope)
	}
	c.deviation = math.Sqrt(variance)
	if len(free) == 0 {
		return c
	}
	c.of, c.shape = mat.NewSymDense(len(free), nil), inverse
	for k := range free {
		for m := k; m < len(free); m++ {
			decided := 0.0
			for i, v := range q {
				decided += inverse.At(k, i) * v * inverse.At(i, m)
			}
			v := variance * inverse.At(k, m)
			if decided != 0 && !math.IsInf(variance, 1) {
				v += (given - variance) * decided
			}
			c.of.SetSym(k, m, v)
		}
	}
	if !math.IsNaN(variance) && !math.IsInf(variance, 1) && variance > 0 {
		c.shape = c.of
	}
	return c
}

// priorRows are the squares that the priors add to the second derivatives.
func (d *descent) priorRows(free []int, slope float64) []float64 {
	q := make([]float64, len(free))
	for row, i := range d.problem.priors() {
		for k, other := range free {
			if other == i {
				v := d.deviation / math.Sqrt(slope) * d.j.At(d.count+row, i)
				q[k] = v * v
			}
		}
	}
	return q
}
