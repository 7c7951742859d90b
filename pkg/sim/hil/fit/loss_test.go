package fit_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

// outliers is decay with a tenth of the rows off by much, all upward.
func outliers(seed uint64) fit.Problem {
	const noise = 0.05
	p := fit.Decay(3, 0.7, noise, seed)
	inner, _ := p.Data.New()
	p.Data = fit.Same(p.Data.Count, func(b, dst []float64) error {
		err := inner(b, dst)
		for i := 5; i < len(dst); i += 10 {
			dst[i] -= 40 * noise
		}
		return err
	})
	p.LossScale = 1.5 * noise
	return p
}

// TestLossKeepsOutliersOut counts how often the truth lies within three standard errors
// of a fit to data with outliers.
func TestLossKeepsOutliersOut(t *testing.T) {
	const seeds = 60
	for _, c := range []struct {
		loss  fit.Loss
		least int
	}{{fit.Huber, 2*seeds - 8}, {fit.Cauchy, 2*seeds - 4}} {
		inside, plain := 0, 0
		for seed := range uint64(seeds) {
			p := outliers(seed)
			truth := []float64{3, 0.7}
			for _, loss := range []fit.Loss{c.loss, fit.Linear} {
				p.Loss = loss
				for i, e := range runFit(t, p, fit.Options{Workers: 1}).Estimates {
					switch {
					case loss != fit.Linear && math.Abs(e.Value-truth[i]) <= 3*e.StandardError:
						inside++
					case loss == fit.Linear && math.Abs(e.Value-truth[i]) <= 0.05*truth[i]:
						plain++
					}
				}
			}
		}
		if inside < c.least || plain > seeds {
			t.Errorf("%s: %d of %d within three standard errors, want %d; least squares has %d within 5 %%", c.loss, inside, 2*seeds, c.least, plain)
		}
	}
}

// TestLossCoverage: without outliers the standard errors of a robust fit are right too.
// Of 600 estimates 68 % lie within one; fewer than 370 or more than 450 with a
// probability below 1e-3.
func TestLossCoverage(t *testing.T) {
	for _, loss := range []fit.Loss{fit.Huber, fit.Cauchy} {
		inside := 0
		for seed := range uint64(300) {
			p := fit.Decay(3, 0.7, 0.05, seed)
			p.Loss, p.LossScale = loss, 0.0675
			for i, e := range runFit(t, p, fit.Options{Workers: 1}).Estimates {
				if math.Abs(e.Value-[]float64{3, 0.7}[i]) <= e.StandardError {
					inside++
				}
			}
		}
		if inside < 370 || inside > 450 {
			t.Errorf("%s: %d of 600 within one standard error", loss, inside)
		}
	}
}

func TestLossMistakes(t *testing.T) {
	if _, err := fit.ParseLoss("tukey"); err == nil || !strings.Contains(err.Error(), `"tukey" is no loss; allowed: linear, huber, cauchy`) {
		t.Error(err)
	}
	p := fit.Decay(3, 0.7, 0.05, 1)
	p.Loss = fit.Huber
	if _, err := fit.Fit(t.Context(), p, fit.Options{}); err == nil || !strings.Contains(err.Error(), "loss huber: its scale is 0; allowed: above 0") {
		t.Error(err)
	}
}

// TestLeaveOut compares the estimate for rows left out with a fit without them. The
// model is linear, so that both are the same.
func TestLeaveOut(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	xs, noise := make([]float64, 30), make([]float64, 30)
	for i := range xs {
		xs[i], noise[i] = float64(i)/10, random.NormFloat64()
	}
	model := func(rows []int) fit.Problem {
		return fit.Problem{
			Parameters: []fit.Parameter{{Name: "slope", Start: 1, Min: -100, Max: 100, Prior: &fit.Prior{1, 0.5}}, {Name: "offset", Start: 0, Min: -100, Max: 100}},
			Data: fit.Data{Count: len(rows), Deviation: 1, New: func() (fit.Residuals, error) {
				return func(b, dst []float64) error {
					for k, i := range rows {
						dst[k] = b[0]*xs[i] + b[1] - noise[i]
					}
					return nil
				}, nil
			}},
		}
	}
	var all, rest []int
	for i := range xs {
		all = append(all, i)
		if i < 20 || i >= 26 {
			rest = append(rest, i)
		}
	}
	got := runFit(t, model(all), fit.Options{Tolerance: 1e-10}).LeaveOut(20, 26)
	b := runFit(t, model(rest), fit.Options{Tolerance: 1e-10}).Values()
	for k, v := range got {
		i := 20 + k
		if want := b[0]*xs[i] + b[1] - noise[i]; math.Abs(v-want) > 1e-6 {
			t.Errorf("row %d: %g, a fit without it %g", i, v, want)
		}
	}
	if len(got) != 6 || runFit(t, model(rest[:2]), fit.Options{}).LeaveOut(0, 2) != nil {
		t.Errorf("%d rows, or some with no other rows", len(got))
	}
}

// TestWeakDirection frees three numbers of which the data see hardly more than the sums
// of two and two: their common direction is named, though no pair is confounded.
func TestWeakDirection(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	rows := make([][3]float64, 60)
	for i := range rows {
		a, b := random.NormFloat64(), random.NormFloat64()
		rows[i] = [3]float64{a, b, -a - b + 0.01*random.NormFloat64()}
	}
	free := fit.Parameter{Min: -100, Max: 100}
	p := fit.Problem{Parameters: []fit.Parameter{free, free, free}, Data: fit.Same(len(rows), func(b, dst []float64) error {
		for i, row := range rows {
			dst[i] = row[0]*b[0] + row[1]*b[1] + row[2]*b[2] - 0.1*math.Sin(7*float64(i))
		}
		return nil
	})}
	r := runFit(t, p, fit.Options{})
	if len(r.Weak) != 1 || len(r.Weak[0].Members) != 3 || r.Weak[0].Weakness < 20 {
		t.Fatalf("%+v", r.Weak)
	}
	change := 0.0
	for _, row := range rows {
		d := 0.0
		for k, i := range r.Weak[0].Members {
			d += row[i] * r.Weak[0].Steps[k]
		}
		change += d * d
	}
	if got := math.Sqrt(change) / r.Deviation; math.Abs(got-1) > 0.01 {
		t.Errorf("the steps change the residuals by %g standard deviations", got)
	}
}

// TestFailedEvaluationsAreCounted meets a model that has no value beyond a border.
func TestFailedEvaluationsAreCounted(t *testing.T) {
	p := fit.Decay(3, 0.7, 0.05, 1)
	inner, _ := p.Data.New()
	p.Data = fit.Same(p.Data.Count, func(b, dst []float64) error {
		if b[1] > 1 {
			return fit.ErrBuckled
		}
		return inner(b, dst)
	})
	p.Parameters[1].Start = 0.3
	if r := runFit(t, p, fit.Options{}); r.Failed == 0 || r.Failed >= r.Evaluations || r.Failure != fit.ErrBuckled.Error() || math.Abs(r.Estimates[1].Value-0.7) > 0.05 {
		t.Errorf("%d of %d failed, %q, %+v", r.Failed, r.Evaluations, r.Failure, r.Estimates)
	}
}
