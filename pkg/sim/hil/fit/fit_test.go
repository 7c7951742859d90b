package fit_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

func runFit(t *testing.T, p fit.Problem, o fit.Options) *fit.Result {
	t.Helper()
	r, err := fit.Fit(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestExactDataAreFittedExactly(t *testing.T) {
	r := runFit(t, fit.Decay(3, 0.7, 0, 1), fit.Options{})
	for i, want := range []float64{3, 0.7} {
		if got := r.Estimates[i].Value; math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s = %.12g instead of %g", r.Estimates[i].Name, got, want)
		}
	}
	if r.Starts[0].Ending != fit.Converged {
		t.Errorf("ended %s", r.Starts[0].Ending)
	}
}

// TestCoverage counts how often the truth lies within three standard errors. With
// 38 degrees of freedom that should be in 99.5 % of the cases; of 2 · 400 one
// expects 796, and fewer than 784 (98 %) with a probability below 1e-5.
func TestCoverage(t *testing.T) {
	const seeds, least = 400, 784
	truth := []float64{3, 0.7}
	inside := 0
	for seed := range uint64(seeds) {
		r := runFit(t, fit.Decay(truth[0], truth[1], 0.05, seed), fit.Options{Workers: 1})
		for i, e := range r.Estimates {
			if math.Abs(e.Value-truth[i]) <= 3*e.StandardError {
				inside++
			}
		}
	}
	if inside < least {
		t.Errorf("%d of %d estimates within three standard errors, expected at least %d", inside, 2*seeds, least)
	}
	t.Logf("%d of %d within three standard errors", inside, 2*seeds)
}

func TestLinearAndLogarithmicSearchesAgree(t *testing.T) {
	p := fit.Decay(3, 0.7, 0.05, 1)
	a := runFit(t, p, fit.Options{})
	for i := range p.Parameters {
		p.Parameters[i].Log = false
	}
	b := runFit(t, p, fit.Options{})
	for i := range a.Estimates {
		if x, y := a.Estimates[i], b.Estimates[i]; math.Abs(x.Value/y.Value-1) > 1e-6 || math.Abs(x.StandardError/y.StandardError-1) > 1e-4 {
			t.Errorf("%s: %g ± %g, linear %g ± %g", x.Name, x.Value, x.StandardError, y.Value, y.StandardError)
		}
	}
}

// TestScalingChangesNothing measures one parameter in units 2^30 times smaller and
// the residuals in units 2^10 times smaller: powers of two, so that even rounding
// is the same.
func TestScalingChangesNothing(t *testing.T) {
	const unit, residual = 1 << 30, 1 << 10
	p := fit.Decay(3, 0.7, 0.05, 1)
	for i := range p.Parameters {
		p.Parameters[i].Log = false
	}
	a := runFit(t, p, fit.Options{})
	f, _ := p.Data.New()
	q := p
	q.Parameters = append([]fit.Parameter(nil), p.Parameters...)
	for _, v := range []*float64{&q.Parameters[0].Start, &q.Parameters[0].Min, &q.Parameters[0].Max} {
		*v *= unit
	}
	q.Data = fit.Same(p.Data.Count, func(b, dst []float64) error {
		err := f([]float64{b[0] / unit, b[1]}, dst)
		for i := range dst {
			dst[i] *= residual
		}
		return err
	})
	b := runFit(t, q, fit.Options{})
	if got, want := b.Estimates[0].Value, unit*a.Estimates[0].Value; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("%.17g, scaled %.17g", want, got)
	}
	if got, want := b.Estimates[0].StandardError, unit*a.Estimates[0].StandardError; math.Abs(got/want-1) > 1e-9 {
		t.Errorf("standard error %.17g, scaled %.17g", want, got)
	}
	if a.Evaluations != b.Evaluations {
		t.Errorf("%d evaluations, scaled %d", a.Evaluations, b.Evaluations)
	}
}

func TestOrderOfParametersChangesNothing(t *testing.T) {
	p := fit.Decay(3, 0.7, 0.05, 1)
	a := runFit(t, p, fit.Options{})
	f, _ := p.Data.New()
	p.Parameters = []fit.Parameter{p.Parameters[1], p.Parameters[0]}
	p.Data = fit.Same(p.Data.Count, func(b, dst []float64) error { return f([]float64{b[1], b[0]}, dst) })
	b := runFit(t, p, fit.Options{})
	for i := range 2 {
		if x, y := a.Estimates[i], b.Estimates[1-i]; x.Name != y.Name || math.Abs(x.Value/y.Value-1) > 1e-9 || math.Abs(x.StandardError/y.StandardError-1) > 1e-6 {
			t.Errorf("%+v in the other order %+v", x, y)
		}
	}
}

func TestWorkersChangeNothing(t *testing.T) {
	p := fit.Decay(3, 0.7, 0.05, 1)
	a := runFit(t, p, fit.Options{Workers: 1, Starts: 5, Seed: 3})
	for _, workers := range []int{2, 7} {
		b := runFit(t, p, fit.Options{Workers: workers, Starts: 5, Seed: 3})
		for i := range a.Estimates {
			if a.Estimates[i] != b.Estimates[i] {
				t.Errorf("%d workers: %+v instead of %+v", workers, b.Estimates[i], a.Estimates[i])
			}
		}
	}
	c := runFit(t, p, fit.Options{Workers: 1, Starts: 5, Seed: 4})
	if c.Starts[1].From[0] == a.Starts[1].From[0] {
		t.Error("another seed gives the same starts")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	reports := 0
	_, err := fit.Fit(ctx, fit.Decay(3, 0.7, 0.05, 1), fit.Options{Starts: 1000, Progress: func(p fit.Progress) {
		reports++
		if p.Start == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || reports < 3 {
		t.Errorf("%v after %d reports", err, reports)
	}
}

// A search that is interrupted gives the best that it has found, with standard errors if
// it knew the derivatives there, and nothing if that is nothing.
func TestCancelKeepsTheBest(t *testing.T) {
	for _, c := range []struct {
		start, step int // where it is interrupted
		standing    fit.Identifiability
	}{{1, 2, fit.NotAssessed}, {2, 0, fit.Identified}} {
		ctx, cancel := context.WithCancel(context.Background())
		seen := math.Inf(1)
		r, err := fit.Fit(ctx, fit.Decay(3, 0.7, 0.05, 1), fit.Options{Starts: 1000, Workers: 1, Progress: func(p fit.Progress) {
			if seen = min(seen, p.RMSE); p.Start == c.start && p.Iteration == c.step {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || r == nil {
			t.Fatalf("%v, %v", r, err)
		}
		if r.RMSE != seen || r.Estimates[0].Identifiability != c.standing || r.Starts[len(r.Starts)-1].Ending != fit.Interrupted || len(r.Starts) != c.start {
			t.Errorf("interrupted in step %d of start %d: RMSE %g, best seen %g; %+v", c.step, c.start, r.RMSE, seen, r)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := fit.Fit(ctx, fit.Decay(3, 0.7, 0.05, 1), fit.Options{}); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("interrupted at once: %v, %v", r, err)
	}
}

// Every evaluation is reported.
func TestEvaluationsAreTold(t *testing.T) {
	var evaluations atomic.Int64
	r, err := fit.Fit(context.Background(), fit.Decay(3, 0.7, 0.05, 1), fit.Options{Starts: 3, Evaluated: func() { evaluations.Add(1) }})
	if err != nil || int(evaluations.Load()) != r.Evaluations {
		t.Errorf("%d of %d evaluations were told of, %v", evaluations.Load(), r.Evaluations, err)
	}
}

func TestRefusals(t *testing.T) {
	good := fit.Decay(3, 0.7, 0, 1)
	for _, c := range []struct {
		name   string
		change func(*fit.Problem)
		starts int
		want   string
	}{
		{"no parameters", func(p *fit.Problem) { p.Parameters = nil }, 1, "no parameter is free"},
		{"too few data", func(p *fit.Problem) { p.Data.Count = 1 }, 1, "1 residuals cannot decide 2 parameters"},
		{"bounds", func(p *fit.Problem) { p.Parameters[0].Max = p.Parameters[0].Min }, 1, "amplitude: the bounds"},
		{"start outside", func(p *fit.Problem) { p.Parameters[1].Start = 1e9 }, 1, "rate: the start 1e+09 1/s is outside"},
		{"start NaN", func(p *fit.Problem) { p.Parameters[1].Start = math.NaN() }, 1, "rate: the start NaN 1/s is outside"},
		{"log of zero", func(p *fit.Problem) { p.Parameters[0].Min = 0 }, 1, "above 0"},
		{"infinite bounds", func(p *fit.Problem) { p.Parameters[0].Max = math.Inf(1) }, 2, "finite bounds"},
	} {
		p := good
		p.Parameters = append([]fit.Parameter(nil), good.Parameters...)
		c.change(&p)
		if _, err := fit.Fit(context.Background(), p, fit.Options{Starts: c.starts}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
	}
}
