package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// objective is the function that a search minimises: the loss of the residuals plus the squared
// distances of the parameters from their priors, in standard deviations.
type objective struct {
	count     int // residuals of the data; those of the priors follow
	group     int // residuals that the loss takes together, by the length of their vector
	loss      Loss
	scale     float64 // of the loss, in the unit of the residuals
	deviation float64 // of a residual, by which priors are weighed against them
}

// cost is the sum; for squares without priors it is the sum of squares.
func (o *objective) cost(r []float64) (sum float64) {
	for k := 0; k < o.count; k += o.group {
		value, _, _ := o.rho(r[k : k+o.group])
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
	for k := range r {
		switch {
		case k >= o.count:
			f[k] = o.deviation
		case k%o.group == 0:
			_, weight, _ := o.rho(r[k : k+o.group])
			f[k] = math.Sqrt(weight)
		default:
			f[k] = f[k-1]
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

// rho is that of the loss, for a vector of residuals of the data; the slope is the mean of those
// along each of its components.
func (o *objective) rho(r []float64) (value, weight, slope float64) {
	square := sumOfSquares(r)
	if o.loss == "" || o.loss == Linear {
		return square, 1, 1
	}
	value, weight, slope = o.loss.rho(square / (o.scale * o.scale))
	// across the vector ψ grows as its length does, in proportion to the weight
	across := float64(len(r) - 1)
	return value * o.scale * o.scale, weight, (slope + across*weight) / (1 + across)
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

// squares returns the sum of ψ² of the data and the mean of ψ′, which is 0 or below if almost no
// residual is within the scale of the loss.
func (o *objective) squares(r []float64) (sum, slope float64) {
	for k := 0; k < o.count; k += o.group {
		v := r[k : k+o.group]
		_, weight, s := o.rho(v)
		sum += weight * weight * sumOfSquares(v)
		slope += s
	}
	return sum, slope / float64(o.count/o.group)
}
