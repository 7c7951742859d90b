package fit

import (
	"fmt"
	"math"
)

// Prior is what was known of a parameter before: Mean, with the standard deviation
// Sigma, both in the unit of the parameter. In a logarithmic search Sigma/Mean is the
// deviation of the logarithm.
type Prior struct{ Mean, Sigma float64 }

func (p *Parameter) checkPrior() error {
	q := p.Prior
	switch {
	case q == nil:
		return nil
	case !(q.Sigma > 0) || math.IsInf(q.Sigma, 0):
		return fmt.Errorf("%s: the standard deviation %g %s of the prior; allowed: above 0 and finite", p.Name, q.Sigma, p.Unit)
	case math.IsNaN(q.Mean) || math.IsInf(q.Mean, 0) || p.Log && q.Mean <= 0:
		return fmt.Errorf("%s: the mean %g %s of the prior; allowed: finite, and above 0 in a logarithmic search", p.Name, q.Mean, p.Unit)
	}
	return nil
}

// Distance is how far x is from the prior, in standard deviations.
func (p *Parameter) Distance(x float64) float64 {
	if p.Log {
		return math.Log(x/p.Prior.Mean) * p.Prior.Mean / p.Prior.Sigma
	}
	return (x - p.Prior.Mean) / p.Prior.Sigma
}

// PriorReduction is the standard error as a share of the deviation of the prior: 1 where the data add
// nothing.
func (e *Estimate) PriorReduction() float64 {
	share := e.StandardError / e.Prior.Sigma
	if e.Log {
		share *= e.Prior.Mean / e.Value
	}
	return share
}

// priors lists the parameters that have one.
func (p *Problem) priors() (index []int) {
	for i := range p.Parameters {
		if p.Parameters[i].Prior != nil {
			index = append(index, i)
		}
	}
	return index
}

// objective returns the function that a search of the problem minimises.
func (s *search) objective() objective {
	p := s.problem
	return objective{count: p.Data.Count, group: max(1, p.Data.Group), loss: p.Loss, scale: p.LossScale, deviation: p.Data.Deviation}
}

// estimates reports whether the deviation by which priors are weighed is found on the way.
func (d *descent) estimates() bool { return d.problem.Data.Deviation == 0 && len(d.at.r) > d.count }

// reweigh takes the cost of the present point, with the deviation of the residuals there: with a
// robust loss that by which data and priors have the weights that their variances ask for, on
// which outliers have no more say than on the estimates.
func (d *descent) reweigh() {
	if d.estimates() {
		const least = 0.1 // mean slope, for starts from which all residuals are outliers
		sum, slope := d.squares(d.at.r)
		d.deviation = math.Sqrt(sum / float64(d.count) / max(slope, least))
	}
	d.at.ssr = d.cost(d.at.r)
}

// value is what the best search has least of. Where the deviation is found on the way,
// costs of several searches are not weighed alike, and it is −2 times the logarithm of the
// posterior density at the best deviation.
func (d *descent) value() float64 {
	if !d.estimates() {
		return d.at.ssr
	}
	return d.logValue(d.at.r)
}

// logValue is the value where the deviation is found on the way.
func (o *objective) logValue(r []float64) float64 {
	return float64(o.count)*math.Log(o.cost(r[:o.count])) + sumOfSquares(r[o.count:])
}

// withPriors evaluates the residuals of the data, and appends how far parameters are from
// their priors.
func (p *Problem) withPriors(f Residuals) Residuals {
	count := p.Data.Count
	return func(x, dst []float64) error {
		p.appendPriors(dst[:count], x)
		return f(x, dst[:count])
	}
}

// appendPriors appends to residuals r how far the parameters x are from their priors.
func (p *Problem) appendPriors(r, x []float64) []float64 {
	for _, i := range p.priors() {
		r = append(r, p.Parameters[i].Distance(x[i]))
	}
	return r
}
