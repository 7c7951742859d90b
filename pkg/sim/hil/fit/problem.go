package fit

import (
	"errors"
	"fmt"
	"math"
)

// Parameter is one number to be found.
type Parameter struct {
	Name  string
	Unit  string  // unit in messages
	Start float64 // the first guess, within the bounds
	// Min and Max are the bounds, which belong to the allowed values. They may be
	// infinite when there is one start only; Log needs Min > 0.
	Min, Max float64
	// Log searches in the logarithm: for positive parameters known to an order of
	// magnitude, so that a half and twice are equally far.
	Log bool
	// Prior, if not nil, is prior knowledge about the parameter.
	Prior *Prior
}

// Residuals writes to dst how far the model with parameters x is from the data:
// measured minus predicted or the reverse, each divided by its standard deviation
// where these differ. It must depend on x alone: warm starts must not show in the
// result beyond the accuracy of the model. It retains neither x nor dst. An error
// means that there is no model with these parameters.
type Residuals func(x, dst []float64) error

// Nearby writes to dst[i] what Residuals gives at points[i], all of which are near x, and to errs[i]
// the error there. It is for models that get from x to a point nearby sooner than to one anywhere.
type Nearby func(x []float64, points, dst [][]float64, errs []error)

// Data is a set of measurements.
type Data struct {
	Count int // number of residuals
	// Group is the number of residuals, one after the other, that are the components of one vector,
	// of which a loss takes the length; 0 is 1.
	Group int
	// New makes a Residuals for one worker, so that each has its own model. Each
	// is called by one goroutine at a time.
	New func() (Residuals, error)
	// NewNearby, if not nil, makes a Nearby for one worker in the same way; differences
	// are taken by it.
	NewNearby func() (Nearby, error)
	// NewTangent, if not nil, makes for one worker a Nearby of models that know their derivative: what it
	// gives differs from the residuals at x, which it gives there, by the derivative times the distance, to first order, and is
	// exact to round-off. Derivatives are taken by it as long as it does not fail, and the model is as
	// smooth as it says.
	NewTangent func() (Nearby, error)
	// Deviation is the standard deviation of a residual, by which priors are weighed
	// against the data; 0 takes that of the residuals that are left.
	Deviation float64
}

// Problem is a least-squares problem with bounds and priors.
type Problem struct {
	Parameters []Parameter
	Data       Data
	// Loss, with LossScale in the unit of the residuals, makes outliers count less.
	Loss      Loss
	LossScale float64
}

// check returns an error if the problem is invalid. several is true for searches from several starts.
func (p *Problem) check(several bool) error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	n := len(p.Parameters)
	if n == 0 {
		bad("no parameter is free")
	}
	switch count, priors := p.Data.Count, len(p.priors()); {
	case p.Data.New == nil || count < 1 || count+priors < n:
		bad("%d residuals cannot decide %d parameters", count, n)
	case priors > 0 && count <= n && p.Data.Deviation == 0:
		bad("%d residuals do not tell their standard deviation beside %d parameters, by which priors are weighed: it must be given", count, n)
	}
	if g := p.Data.Group; g < 0 || g > 0 && p.Data.Count%g != 0 {
		bad("%d residuals are no groups of %d", p.Data.Count, g)
	}
	if p.Loss != "" && p.Loss != Linear && (!(p.LossScale > 0) || math.IsInf(p.LossScale, 0)) {
		bad("loss %s: its scale is %g; allowed: above 0 and finite", p.Loss, p.LossScale)
	}
	if !(p.Data.Deviation >= 0) || math.IsInf(p.Data.Deviation, 0) {
		bad("standard deviation of a residual: %g; allowed: above 0 and finite, or 0 to find it", p.Data.Deviation)
	}
	for i := range p.Parameters {
		if err := p.Parameters[i].check(several); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (p *Parameter) check(several bool) error {
	switch {
	case !(p.Min < p.Max):
		return fmt.Errorf("%s: the bounds [%g, %g] %s leave no choice", p.Name, p.Min, p.Max, p.Unit)
	case !(p.Min <= p.Start && p.Start <= p.Max) || math.IsInf(p.Start, 0):
		return fmt.Errorf("%s: the start %g %s is outside the bounds [%g, %g]", p.Name, p.Start, p.Unit, p.Min, p.Max)
	case p.Log && p.Min <= 0:
		return fmt.Errorf("%s: a logarithmic search needs a lower bound above 0, not %g %s", p.Name, p.Min, p.Unit)
	case several && (math.IsInf(p.Min, 0) || math.IsInf(p.Max, 0)):
		return fmt.Errorf("%s: several starts need finite bounds, not [%g, %g] %s", p.Name, p.Min, p.Max, p.Unit)
	}
	return p.checkPrior()
}

// axis is a parameter as the search sees it: u = ln x or x divided by its typical
// size.
type axis struct {
	Parameter
	size   float64 // typical size of x in a linear search
	lo, hi float64 // bounds of u
}

func newAxis(p Parameter) axis {
	const share = 1e-2 // size of a parameter that starts from 0, as a fraction of its range
	a := axis{Parameter: p, size: math.Abs(p.Start)}
	if a.size == 0 {
		a.size = 1
		if r := p.Max - p.Min; !math.IsInf(r, 0) {
			a.size = share * r
		}
	}
	a.lo, a.hi = a.inner(p.Min), a.inner(p.Max)
	return a
}

// inner is the coordinate of the search.
func (a *axis) inner(x float64) float64 {
	if a.Log {
		return math.Log(x)
	}
	return x / a.size
}

// outer is the parameter, on its bound exactly when u is.
func (a *axis) outer(u float64) float64 {
	switch {
	case u <= a.lo:
		return a.Min
	case u >= a.hi:
		return a.Max
	case a.Log:
		return min(max(math.Exp(u), a.Min), a.Max)
	}
	return min(max(u*a.size, a.Min), a.Max)
}

// slope is dx/du at x.
func (a *axis) slope(x float64) float64 {
	if a.Log {
		return x
	}
	return a.size
}

// step is the increment of u for a difference with the relative size d. The start
// may have been wrong by two orders of magnitude; a start at 0 says nothing.
func (a *axis) step(u, d float64) float64 {
	least := 1e-2
	switch {
	case a.Log:
		return d
	case a.Start == 0:
		least = 1
	}
	return d * max(least, math.Abs(u))
}

// apart is the relative step of differences at u: what is wished or, where that is less, a quarter of the range
// between the bounds, which leaves every scheme room on one side; but never less than least.
func (a *axis) apart(u, wished, least float64) float64 {
	const share = 0.25
	return min(wished, max(least, share*(a.hi-a.lo)/a.step(u, 1)))
}
