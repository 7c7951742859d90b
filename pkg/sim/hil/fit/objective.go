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
		sum += o.lossOf(v)
	}
	for _, v := range r[o.count:] {
		v *= o.deviation
		sum += v * v
	}
	return sum
}

func (o *objective) lossOf(v float64) float64 {
	if o.loss == "" || o.loss == Linear {
		return v * v
	}
	value, _, _ := o.loss.rho(v / o.scale * (v / o.scale))
	return value * o.scale * o.scale
}

// factors are what residuals and rows of the Jacobian are multiplied by, so that their
// squares have the gradient of the cost. robust is false to leave the loss out.
func (o *objective) factors(r []float64, robust bool) []float64 {
	f := make([]float64, len(r))
	for k, v := range r {
		f[k] = 1
		switch {
		case k >= o.count:
			f[k] = o.deviation
		case robust && o.loss != "" && o.loss != Linear:
			_, weight, _ := o.loss.rho(v / o.scale * (v / o.scale))
			f[k] = math.Sqrt(weight)
		}
	}
	return f
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

// spread is the standard deviation of a residual as it shows in the estimates: by
// Huber (Robust Statistics, 1981, section 7.6) √(Σ ψ² / freedom) over the mean of ψ′.
func (o *objective) spread(r []float64, freedom int) float64 {
	squares, slopes := 0.0, 0.0
	for k, v := range r {
		_, weight, slope := 1.0, 1.0, 1.0
		switch {
		case k >= o.count:
			v *= o.deviation
		case o.loss != "" && o.loss != Linear:
			_, weight, slope = o.loss.rho(v / o.scale * (v / o.scale))
		}
		squares += weight * weight * v * v
		slopes += slope
	}
	if slopes <= 0 { // hardly a residual is within the scale of the loss
		return math.Inf(1)
	}
	return math.Sqrt(squares/float64(freedom)) * float64(len(r)) / slopes
}
