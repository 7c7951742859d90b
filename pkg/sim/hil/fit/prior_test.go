package fit_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

// mean is a parameter measured count times with a noise of 1.
func mean(truth float64, count int, seed uint64) (p fit.Problem, average float64) {
	random := rand.New(rand.NewPCG(seed, 3))
	y := make([]float64, count)
	for i := range y {
		y[i] = truth + random.NormFloat64()
		average += y[i] / float64(count)
	}
	return fit.Problem{
		Parameters: []fit.Parameter{{Name: "level", Unit: "m", Start: 1, Min: -50, Max: 50}},
		Data: fit.Same(count, func(b, dst []float64) error {
			for i, v := range y {
				dst[i] = b[0] - v
			}
			return nil
		}),
	}, average
}

// TestPriorIsWeighed compares a mean with a prior with what Bayes says of it: both, by
// their precision.
func TestPriorIsWeighed(t *testing.T) {
	const count, known, sigma = 25, 0.0, 0.1
	p, average := mean(1, count, 1)
	p.Parameters[0].Prior = &fit.Prior{known, sigma}
	p.Data.Deviation = 1
	r := runFit(t, p, fit.Options{Tolerance: 1e-10})
	e := r.Estimates[0]
	precision := count + 1/(sigma*sigma)
	if want := average * count / precision; math.Abs(e.Value-want) > 1e-9 {
		t.Errorf("level %.9g, want %.9g", e.Value, want)
	}
	// the data scatter as they show, the prior as was said of it
	if want := math.Sqrt(r.Deviation*r.Deviation*count+1/(sigma*sigma)) / precision; math.Abs(e.StandardError/want-1) > 1e-6 {
		t.Errorf("standard error %.9g, want %.9g", e.StandardError, want)
	}
	// without a given deviation that of the residuals takes its place
	p.Data.Deviation = 0
	e2 := runFit(t, p, fit.Options{}).Estimates[0]
	s2 := 0.0
	f, _ := p.Data.New()
	dst := make([]float64, count)
	if err := f([]float64{e2.Value}, dst); err != nil {
		t.Fatal(err)
	}
	s2 = fit.SumOfSquares(dst) / count
	if want := average * count / (count + s2/(sigma*sigma)); math.Abs(e2.Value/want-1) > 1e-4 {
		t.Errorf("found deviation %.4g: level %.9g, want %.9g", math.Sqrt(s2), e2.Value, want)
	}
}

// TestPriorDecidesWhatTheDataDoNot frees two parameters of which the data see the sum.
func TestPriorDecidesWhatTheDataDoNot(t *testing.T) {
	p, average := mean(5, 400, 2)
	inner, _ := p.Data.New()
	p.Parameters = []fit.Parameter{
		{Name: "a", Start: 3, Min: 0.1, Max: 100, Log: true, Prior: &fit.Prior{3, 0.3}},
		{Name: "b", Start: 0, Min: -50, Max: 50},
	}
	p.Data = fit.Same(400, func(b, dst []float64) error { return inner([]float64{b[0] + b[1]}, dst) })
	for _, starts := range []int{1, 3} {
		r := runFit(t, p, fit.Options{Starts: starts})
		a, b := r.Estimates[0], r.Estimates[1]
		if math.Abs(a.Value-3) > 1e-3 || math.Abs(a.Value+b.Value-average) > 1e-4 || math.Abs(a.StandardError/0.3-1) > 0.1 {
			t.Errorf("%d starts: %+v %+v, average %g", starts, a, b, average)
		}
	}
}

// TestPriorAloneKeepsItsDeviation frees a parameter that the data say nothing about, beside one that
// they decide: its standard error is the deviation of its prior, however wrong the noise was that is
// given, and with outliers.
func TestPriorAloneKeepsItsDeviation(t *testing.T) {
	for _, noise := range []float64{0.1, 1, 10, 0} {
		for _, loss := range fit.Losses {
			p, average := mean(5, 400, 2)
			inner, _ := p.Data.New()
			p.Parameters = append(p.Parameters, fit.Parameter{Name: "unseen", Start: 3, Min: 0.1, Max: 100, Log: true, Prior: &fit.Prior{3, 0.3}})
			p.Data = fit.Same(400, func(b, dst []float64) error {
				err := inner(b[:1], dst)
				for i := 0; i < len(dst); i += 20 { // upward and downward
					dst[i] += 80 * float64(i%40/20*2-1)
				}
				return err
			})
			p.Data.Deviation, p.Loss, p.LossScale = noise, loss, 1.5
			if loss == fit.Linear {
				p.Loss, p.LossScale = "", 0
			}
			r := runFit(t, p, fit.Options{})
			seen, unseen := r.Estimates[0], r.Estimates[1]
			if math.Abs(unseen.Value-3) > 1e-6 || math.Abs(unseen.StandardError/0.3-1) > 1e-3 {
				t.Errorf("%s, noise %g: unseen is %g ± %g, its prior 3 ± 0.3", loss, noise, unseen.Value, unseen.StandardError)
			}
			if want := r.Deviation / math.Sqrt(400); math.Abs(seen.StandardError/want-1) > 1e-6 {
				t.Errorf("%s, noise %g: level has the standard error %g, the residuals %g", loss, noise, seen.StandardError, want)
			}
			if math.Abs(seen.Value-average) > 4*seen.StandardError {
				t.Errorf("%s, noise %g: level %g ± %g, average %g", loss, noise, seen.Value, seen.StandardError, average)
			}
		}
	}
}

// TestOutliersDoNotStrengthenPriors fits a mean of which a prior knows as much as the data, with outliers of
// 80 standard deviations: without a given noise the prior counts about as much as with the right one.
func TestOutliersDoNotStrengthenPriors(t *testing.T) {
	const count, sigma = 100, 0.1
	for _, loss := range []fit.Loss{fit.Huber, fit.Cauchy} {
		p, average := mean(5, count, 1)
		inner, _ := p.Data.New()
		p.Data = fit.Same(count, func(b, dst []float64) error {
			err := inner(b, dst)
			for i := 0; i < len(dst); i += 20 {
				dst[i] += 80 * float64(i%40/20*2-1)
			}
			return err
		})
		p.Parameters[0].Prior, p.Loss, p.LossScale = &fit.Prior{average - 1, sigma}, loss, 1.5
		found := runFit(t, p, fit.Options{}).Estimates[0]
		p.Data.Deviation = 1
		given := runFit(t, p, fit.Options{}).Estimates[0]
		if pull, want := average-found.Value, average-given.Value; math.Abs(pull/want-1) > 0.3 || math.Abs(found.StandardError/given.StandardError-1) > 0.3 {
			t.Errorf("%s: the prior pulls by %g, with the noise given by %g; standard errors %g and %g", loss, pull, want, found.StandardError, given.StandardError)
		}
	}
}

// TestPriorsNeedData: without a given deviation that of fewer residuals than parameters is none, and
// priors would count for nothing.
func TestPriorsNeedData(t *testing.T) {
	for _, c := range []struct {
		count int
		noise float64
		want  string
	}{
		{1, 0, "1 residuals do not tell their standard deviation beside 1 parameters, by which priors are weighed: it must be given"},
		{0, 1, "0 residuals cannot decide 1 parameters"},
		{1, 1, ""},
		{2, 0, ""},
	} {
		p, _ := mean(1, c.count, 1)
		p.Parameters[0].Prior, p.Data.Deviation = &fit.Prior{0, 0.1}, c.noise
		_, err := fit.Fit(t.Context(), p, fit.Options{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d residuals, noise %g: %v; want %q", c.count, c.noise, err, c.want)
		}
	}
}

func TestPriorsThatAreNone(t *testing.T) {
	for _, c := range []struct {
		prior fit.Prior
		log   bool
		want  string
	}{
		{fit.Prior{1, 0}, false, "level: the standard deviation 0 m of the prior; allowed: above 0"},
		{fit.Prior{1, math.NaN()}, false, "standard deviation NaN"},
		{fit.Prior{math.Inf(1), 1}, false, "level: the mean +Inf m of the prior"},
		{fit.Prior{-1, 1}, true, "level: the mean -1 m of the prior; allowed: finite, and above 0 in a logarithmic search"},
	} {
		p, _ := mean(1, 5, 1)
		p.Parameters[0].Prior, p.Parameters[0].Log, p.Parameters[0].Min = &c.prior, c.log, 0.1
		if _, err := fit.Fit(t.Context(), p, fit.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.prior, err, c.want)
		}
	}
}

// TestCoverageWithPriors draws the truth from the prior: within two standard errors lie
// 95.4 % of it; of 400 fewer than 365 with a probability below 1e-4. Within one lie 68.3 %: fewer
// than 240 or more than 306 with one below 1e-3, so that errors that are too wide show as well.
func TestCoverageWithPriors(t *testing.T) {
	const seeds, least, sigma = 400, 365, 0.2
	inside, within := 0, 0
	for seed := range uint64(seeds) {
		truth := 3 * math.Exp(sigma*rand.New(rand.NewPCG(seed, 5)).NormFloat64())
		p := fit.Decay(truth, 0.7, 0.5, seed)
		p.Parameters[0].Start, p.Parameters[0].Prior = 3, &fit.Prior{3, 3 * sigma}
		p.Parameters[0].Min, p.Parameters[0].Max = 0.03, 300
		e := runFit(t, p, fit.Options{Workers: 1}).Estimates[0]
		off := math.Abs(math.Log(e.Value/truth)) * e.Value / e.StandardError
		if off <= 2 {
			inside++
		}
		if off <= 1 {
			within++
		}
	}
	if inside < least || within < 240 || within > 306 {
		t.Errorf("of %d %d within two standard errors, at least %d, and %d within one", seeds, inside, least, within)
	}
}
