package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Identifiability classifies how well the data determine an estimate.
type Identifiability string

// The classes.
const (
	Identified Identifiability = "identified"
	// AtMin and AtMax: the optimum is beyond the bound. The estimate has no
	// standard error; the standard errors of the others hold for it fixed there.
	AtMin Identifiability = "at the lower bound"
	AtMax Identifiability = "at the upper bound"
	// Unidentifiable: the data add no information to the bounds. The standard error
	// is above (max − min)/√12, the deviation of a guess, or infinite.
	Unidentifiable Identifiability = "unidentifiable"
	// NotAssessed: the search was interrupted. There is no standard error.
	NotAssessed Identifiability = "not judged"
)

// Estimate is a parameter found.
type Estimate struct {
	Parameter
	Value           float64
	StandardError   float64 // NaN at a bound, or without degrees of freedom
	Identifiability Identifiability
}

// Pair is a pair of parameters, by index, whose estimates are highly correlated.
type Pair struct {
	A, B        int
	Correlation float64
}

// Confounded is the magnitude of correlation above which two parameters count as
// confounded.
const Confounded = 0.95

// Result is a fit.
type Result struct {
	Estimates []Estimate // estimates in the order of the parameters
	// Correlation of the estimates, NaN for those at a bound.
	Correlation [][]float64
	Confounded  []Pair
	Weak        []Direction
	// Condition is the condition number of the Jacobian with columns of unit length: 1 for
	// parameters that have nothing to do with one another.
	Condition float64
	RMSE      float64 // root of the mean loss of the residuals and priors; without them root mean square of the residuals
	// Freedom is the number of residuals minus the number of free parameters.
	Freedom int
	// Deviation is the standard deviation of a residual of the data, without priors
	// √(SSR/Freedom). It is about 1 when residuals are in units of their standard
	// deviation and the model is right.
	Deviation float64
	// Difference is the largest relative step of the differences that the derivatives are taken by: that of
	// the options, or more where the model jumps as parameters change; 0 where there are no derivatives.
	Difference  float64
	Evaluations int
	// Failed counts the evaluations in which the model failed, of which the first did for
	// Failure. The search kept away from there.
	Failed  int
	Failure string
	Starts  []Start
	Best    int     // index of the start that led here
	Sample  *Sample // nil without Adaptive
	left    *leaveOut
}

// Sample describes the points by which an adaptive search decided where to start.
type Sample struct {
	Points int // points within the bounds, with the starts
	Minima int // different minima that were found
	// Missed is the expected number of minima that were not found, by the rule of Boender and Rinnooy Kan; +Inf: unknown.
	Missed  float64
	IsExact bool // the first search has left nothing of the residuals but round-off
}

// Values returns the values of the estimates.
func (r *Result) Values() []float64 {
	v := make([]float64, len(r.Estimates))
	for i := range v {
		v[i] = r.Estimates[i].Value
	}
	return v
}

// Agreeing is the number of starts that led to the result: to the same residuals
// within a relative tolerance.
func (r *Result) Agreeing(tolerance float64) (n int) {
	for _, s := range r.Starts {
		if s.RMSE <= r.RMSE*(1+tolerance) {
			n++
		}
	}
	return n
}

// describe fills in the result from the best end of the search.
func (s *search) describe(result *Result, d *descent) {
	p := len(s.axes)
	result.RMSE = rms(d.at.ssr, len(d.at.r))
	result.Deviation = math.NaN()
	result.Correlation = make([][]float64, p)
	for i := range p {
		result.Correlation[i] = slices.Repeat([]float64{math.NaN()}, p)
	}
	if d.j == nil {
		s.leaveUnassessed(result, d)
		return
	}
	result.Difference = d.widest
	l := linearize(weighed(d.j, d.at.r, d.factors(d.at.r)))
	result.left = newLeaveOut(d)
	lo, hi := d.boundDistances()
	var free []int
	for i := range p {
		e := Estimate{Parameter: s.axes[i].Parameter, Value: s.axes[i].outer(d.at.u[i]), StandardError: math.NaN(), Identifiability: Identified}
		switch {
		case lo[i] >= 0 && l.cosine[i] > 0: // the residuals would fall beyond
			e.Identifiability = AtMin
		case hi[i] <= 0 && l.cosine[i] < 0:
			e.Identifiability = AtMax
		default:
			free = append(free, i)
		}
		result.Estimates = append(result.Estimates, e)
	}
	result.Freedom = len(d.at.r) - len(free)
	s.assessIdentifiability(result, d, free)
}

// leaveUnassessed gives the estimates of an end without derivatives.
func (s *search) leaveUnassessed(result *Result, d *descent) {
	for i := range s.axes {
		result.Estimates = append(result.Estimates, Estimate{Parameter: s.axes[i].Parameter, Value: s.axes[i].outer(d.at.u[i]), StandardError: math.NaN(), Identifiability: NotAssessed})
	}
	result.Freedom, result.Condition = len(d.at.r)-len(s.axes), math.NaN()
}

// assessIdentifiability fills in the deviation, and standard errors and correlations of the free parameters.
func (s *search) assessIdentifiability(result *Result, d *descent, free []int) {
	c := d.covariance(free)
	result.Deviation = c.deviation
	if len(free) == 0 {
		return
	}
	result.Condition = c.condition
	s.findWeakDirections(result, c.linear, free)
	root := func(k int) float64 { return math.Sqrt(max(0, c.of.At(k, k))) }
	for k, i := range free {
		e, a := &result.Estimates[i], &s.axes[i]
		inner := root(k)
		e.StandardError = inner * math.Abs(a.slope(e.Value))
		if c.linear.norms[i] == 0 {
			e.StandardError, inner = math.Inf(1), math.Inf(1)
		}
		if inner > (a.hi-a.lo)/math.Sqrt(12) || math.IsInf(inner, 1) {
			e.Identifiability = Unidentifiable
		}
		for m, other := range free {
			rho := c.shape.At(k, m) / math.Sqrt(c.shape.At(k, k)*c.shape.At(m, m))
			if k == m {
				rho = 1
			}
			result.Correlation[i][other] = rho
			if m > k && math.Abs(rho) > Confounded {
				result.Confounded = append(result.Confounded, Pair{i, other, rho})
			}
		}
	}
}

// singular gives the singular values of the free columns with unit length, and the
// directions that they belong to.
func (l *linearModel) singular(free []int) (values []float64, v *mat.Dense) {
	p := len(l.c)
	a := mat.NewDense(p, len(free), nil)
	for k, i := range free {
		for row := range p {
			if l.norms[i] > 0 {
				a.Set(row, k, l.r.At(row, i)/l.norms[i])
			}
		}
	}
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin)
	v = new(mat.Dense)
	svd.VTo(v)
	return svd.Values(nil), v
}

// spread is the inverse of JᵀJ for the free columns, and the condition of J with
// columns of unit length. Directions without influence get a very large spread.
func (l *linearModel) spread(free []int) (*mat.SymDense, float64) {
	const least = 1e-13 // singular value, relative to the largest
	f := len(free)
	values, v := l.singular(free)
	spread := mat.NewSymDense(f, nil)
	size := func(k int) float64 {
		if n := l.norms[free[k]]; n > 0 {
			return n
		}
		return 1
	}
	for k := range f {
		for m := k; m < f; m++ {
			sum := 0.0
			for q, w := range values {
				w = max(w, least*values[0], math.SmallestNonzeroFloat64)
				sum += v.At(k, q) / w * v.At(m, q) / w
			}
			spread.SetSym(k, m, sum/(size(k)*size(m)))
		}
	}
	return spread, values[0] / values[len(values)-1]
}
