package fit_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

// TestActiveBound fits with the rate bounded away from its best value: it must end
// on the bound exactly, and the amplitude where it is best for that rate.
func TestActiveBound(t *testing.T) {
	for _, c := range []struct {
		min, max, want float64
		standing       fit.Identifiability
	}{
		{0.9, 5, 0.9, fit.AtMin},
		{0.01, 0.5, 0.5, fit.AtMax},
	} {
		p := fit.Decay(3, 0.7, 0.05, 1)
		rate := &p.Parameters[1]
		rate.Min, rate.Max, rate.Start = c.min, c.max, (c.min+c.max)/2
		r := runFit(t, p, fit.Options{})
		e := r.Estimates[1]
		if e.Value != c.want || e.Identifiability != c.standing || !math.IsNaN(e.StandardError) {
			t.Errorf("rate in [%g, %g]: %+v", c.min, c.max, e)
		}
		// for a given rate the best amplitude is that of linear regression
		f, _ := p.Data.New()
		zero, one := make([]float64, p.Data.Count), make([]float64, p.Data.Count)
		_ = f([]float64{0, c.want}, zero)
		_ = f([]float64{1, c.want}, one)
		above, below := 0.0, 0.0
		for i := range zero {
			above -= (one[i] - zero[i]) * zero[i]
			below += (one[i] - zero[i]) * (one[i] - zero[i])
		}
		if got, want := r.Estimates[0].Value, above/below; math.Abs(got/want-1) > 1e-6 {
			t.Errorf("rate in [%g, %g]: amplitude %.9g, best %.9g", c.min, c.max, got, want)
		}
		if !math.IsNaN(r.Correlation[0][1]) || r.Correlation[0][0] != 1 || r.Freedom != p.Data.Count-1 {
			t.Errorf("correlation %v, %d degrees of freedom", r.Correlation, r.Freedom)
		}
	}
}

// line is a straight line through points at xs with slope and offset, both free.
func line(xs []float64) fit.Problem {
	noise := []float64{0.01, -0.02, 0.015, -0.005}
	return fit.Problem{
		Parameters: []fit.Parameter{
			{Name: "slope", Start: 0, Min: -100, Max: 100},
			{Name: "offset", Start: 0, Min: -100, Max: 100},
		},
		Data: fit.Same(len(xs), func(b, dst []float64) error {
			for i, x := range xs {
				dst[i] = b[0]*x + b[1] - (2*x + 1 + noise[i%len(noise)])
			}
			return nil
		}),
	}
}

func TestConfoundedPair(t *testing.T) {
	// at −1 and 1 slope and offset have nothing to do with one another
	r := runFit(t, line([]float64{-1, 1, -1, 1}), fit.Options{})
	if len(r.Confounded) > 0 || math.Abs(r.Correlation[0][1]) > 1e-6 || math.Abs(r.Condition-1) > 1e-6 {
		t.Errorf("independent: %v, correlation %g, condition %g", r.Confounded, r.Correlation[0][1], r.Condition)
	}
	// far from 0 they have: for x = 10 ± 1, ρ = −mean/√(mean square) = −10/√101
	r = runFit(t, line([]float64{9, 11, 9, 11}), fit.Options{})
	want := -10 / math.Sqrt(101)
	if !slices.EqualFunc(r.Confounded, []fit.Pair{{0, 1, want}}, func(a, b fit.Pair) bool {
		return a.A == b.A && a.B == b.B && math.Abs(a.Correlation-b.Correlation) < 1e-6
	}) {
		t.Errorf("confounded %v, want correlation %g", r.Confounded, want)
	}
	// two columns of length 1 with this cosine have the singular values √(1 ± cosine)
	if cosine := 10 / math.Sqrt(101); math.Abs(r.Condition/math.Sqrt((1+cosine)/(1-cosine))-1) > 1e-6 {
		t.Errorf("condition %g", r.Condition)
	}
	for _, e := range r.Estimates {
		if e.Identifiability != fit.Identified {
			t.Errorf("%s is %s", e.Name, e.Identifiability)
		}
	}
}

// TestIndistinguishable measures at one place only: slope and offset cannot be
// told apart at all, and both are known no better than before.
func TestIndistinguishable(t *testing.T) {
	r := runFit(t, line([]float64{1, 1, 1, 1}), fit.Options{})
	for _, e := range r.Estimates {
		if e.Identifiability != fit.Unidentifiable {
			t.Errorf("%s = %g ± %g is %s", e.Name, e.Value, e.StandardError, e.Identifiability)
		}
	}
	if len(r.Confounded) != 1 || r.Confounded[0].Correlation > -0.999999 {
		t.Errorf("confounded %v", r.Confounded)
	}
	if sum := r.Estimates[0].Value + r.Estimates[1].Value; math.Abs(sum-3) > 0.01 {
		t.Errorf("slope + offset = %g instead of 3", sum)
	}
}

func TestParameterWithoutInfluence(t *testing.T) {
	p := fit.Decay(3, 0.7, 0.05, 1)
	p.Parameters = append(p.Parameters, fit.Parameter{Name: "color", Start: 4, Min: 1, Max: 9})
	r := runFit(t, p, fit.Options{})
	e := r.Estimates[2]
	if e.Identifiability != fit.Unidentifiable || !math.IsInf(e.StandardError, 1) || e.Value != 4 {
		t.Errorf("%+v", e)
	}
	if r.Estimates[0].Identifiability != fit.Identified || r.Estimates[1].Identifiability != fit.Identified {
		t.Errorf("the others: %+v", r.Estimates[:2])
	}
}

// TestFailingModel has no model where the rate is above 2: the search must keep
// out, also when it starts next to the border, and other starts must not fail it.
func TestFailingModel(t *testing.T) {
	p := fit.Decay(3, 0.7, 0.05, 1)
	want := runFit(t, p, fit.Options{}).Values()
	f, _ := p.Data.New()
	failed := 0
	p.Data = fit.Same(p.Data.Count, func(b, dst []float64) error {
		if b[1] > 2 {
			failed++
			return errors.New("buckled")
		}
		if b[0] > 250 {
			failed++
			dst[0] = math.NaN()
			return nil
		}
		return f(b, dst)
	})
	p.Parameters[1].Start = 2 // the forward difference fails at once
	r := runFit(t, p, fit.Options{Starts: 12, Workers: 1})
	for i, e := range r.Estimates {
		if math.Abs(e.Value/want[i]-1) > 1e-6 {
			t.Errorf("%s = %g instead of %g", e.Name, e.Value, want[i])
		}
	}
	if failed == 0 {
		t.Error("the model never failed; the test shows nothing")
	}
	p.Data = fit.Same(p.Data.Count, func(b, dst []float64) error { return errors.New("buckled") })
	if _, err := fit.Fit(context.Background(), p, fit.Options{}); !errors.Is(err, fit.ErrNoFit) {
		t.Errorf("a model that never works: %v", err)
	}
}
