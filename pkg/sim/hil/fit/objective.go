package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// objective is what a search makes least: the loss of the residuals, and the squares of
// how far parameters are from what was known of them, in standard deviations.
type objective struct {
	count     int // residuals of the data; those of the priors follow
	loss      Loss
	scale     float64 // of the loss, in the unit of the residuals
	deviation float64 // of a residual, by which priors are weighed against them
}

// cost is the sum; for squares without priors it is the sum of squares.
func (o *objective) cost(r []float64) (sum float64) {
	for _, v := range r[:o.count] {
		value, _, _ := o.rho(v)
		sum += value
	}
	for _, v := range r[o.count:] {
		v *= o.deviation
		sum += v * v
	}
	return sum
}

// factors are what residuals and rows of the Jacobian are multiplied by, so that their
// squares have the gradient of the cost.
func (o *objective) factors(r []float64) []float64 {
	f := make([]float64, len(r))
	for k, v := range r {
		_, weight, _ := o.rho(v)
		if f[k] = math.Sqrt(weight); k >= o.count {
			f[k] = o.deviation
		}
	}
	return f
}

// curvatures are the same for the second derivatives of the cost over the mean slope: of the
// data 1.
func (o *objective) curvatures(r []float64, slope float64) []float64 {
	f := make([]float64, len(r))
	for k := range f {
		if f[k] = 1; k >= o.count {
			f[k] = o.deviation / math.Sqrt(slope)
		}
	}
	return f
}

// rho is that of the loss, for a residual of the data.
func (o *objective) rho(v float64) (value, weight, slope float64) {
	if o.loss == "" || o.loss == Linear {
		return v * v, 1, 1
	}
	value, weight, slope = o.loss.rho(v / o.scale * (v / o.scale))
	return value * o.scale * o.scale, weight, slope
}

// weighed returns Jacobian and residuals with their rows multiplied.
func weighed(j *mat.Dense, r, factors []float64) (*mat.Dense, []float64) {
	n, p := j.Dims()
	jw, rw := mat.NewDense(n, p, nil), make([]float64, n)
	for k, f := range factors {
		rw[k] = f * r[k]
		for i := range p {
			jw.Set(k, i, f*j.At(k, i))
		}
	}
	return jw, rw
}

// squares are the sum of ψ² of the data and the mean of ψ′, which is 0 or below where hardly a
// residual is within the scale of the loss.
func (o *objective) squares(r []float64) (sum, slope float64) {
	for _, v := range r[:o.count] {
		_, weight, s := o.rho(v)
		sum += weight * weight * v * v
		slope += s
	}
	return sum, slope / float64(o.count)
}
