package fit_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

// wells is the problem of the minima of a cost of x in [-10, 10]: one near -4 and a deeper one near 5.
func wells(start float64) fit.Problem {
	return fit.Problem{
		Parameters: []fit.Parameter{{Name: "x", Start: start, Min: -10, Max: 10}},
		Data: fit.Same(2, func(x, dst []float64) error {
			dst[0], dst[1] = (x[0]+4)*(x[0]-5), 3-0.3*x[0]
			return nil
		}),
	}
}

// An adaptive search finds the better one of two minima, and searches once where a sample of the bounds promises no other;
// neither depends on the number of workers.
func TestAdaptiveStarts(t *testing.T) {
	t.Run("two minima", func(t *testing.T) {
		alone := runFit(t, wells(-5), fit.Options{})
		if x := alone.Estimates[0].Value; math.Abs(x+4) > 0.5 {
			t.Fatalf("the start leads to %g; the test means nothing", x)
		}
		for workers := range 4 {
			r := runFit(t, wells(-5), fit.Options{Starts: fit.Adaptive, Workers: workers + 1})
			// Boender & Rinnooy Kan: w(n-1)/(n-w-2) minima are expected with w = 2 found by n = 7
			if x, s := r.Estimates[0].Value, r.Sample; math.Abs(x-5) > 0.5 || *s != (fit.Sample{Points: 7, Minima: 2, Missed: 2.*6/3 - 2}) {
				t.Errorf("x = %g, %+v", x, *s)
			}
		}
	})
	t.Run("one minimum", func(t *testing.T) {
		p := fit.Decay(3, 0.7, 0.05, 1)
		one := runFit(t, p, fit.Options{})
		r := runFit(t, p, fit.Options{Starts: fit.Adaptive})
		if math.Abs(r.RMSE/one.RMSE-1) > 1e-9 || len(r.Starts) > 2 {
			t.Errorf("RMSE %g, want %g; %d searches", r.RMSE, one.RMSE, len(r.Starts))
		}
		if s := r.Sample; s.Points != 7 || s.Minima != 1 || math.Abs(s.Missed-0.5) > 1e-12 {
			t.Errorf("%+v", *s)
		}
	})
	t.Run("exact data", func(t *testing.T) {
		r := runFit(t, fit.Decay(3, 0.7, 0, 1), fit.Options{Starts: fit.Adaptive})
		if len(r.Starts) != 1 || !r.Sample.IsExact || r.Sample.Points != 1 {
			t.Errorf("%d searches, %+v", len(r.Starts), *r.Sample)
		}
	})
	t.Run("a plateau is abandoned", func(t *testing.T) {
		// exp(-x) falls off to a plateau of the residuals, on which fixed starts search to the end of their steps
		p := fit.Problem{
			Parameters: []fit.Parameter{{Name: "x", Start: 1, Min: -1, Max: 60}},
			Data: fit.Same(3, func(x, dst []float64) error {
				dst[0], dst[1], dst[2] = math.Exp(-x[0])-0.5, 2*math.Exp(-x[0])-1.01, 1e-3
				return nil
			}),
		}
		r := runFit(t, p, fit.Options{Starts: fit.Adaptive})
		fixed := runFit(t, p, fit.Options{Starts: 3})
		if math.Abs(r.RMSE/fixed.RMSE-1) > 1e-9 || r.Evaluations > fixed.Evaluations {
			t.Errorf("RMSE %g by %d evaluations, fixed starts %g by %d", r.RMSE, r.Evaluations, fixed.RMSE, fixed.Evaluations)
		}
		t.Logf("%+v %d %d", r.Starts, r.Evaluations, fixed.Evaluations)
	})
	t.Run("searches are bounded", func(t *testing.T) {
		p := fit.Problem{
			Parameters: []fit.Parameter{{Name: "x", Start: 0.1, Min: -50, Max: 50}},
			Data: fit.Same(2, func(x, dst []float64) error {
				dst[0], dst[1] = 2+math.Sin(3*x[0]), 0.01*(x[0]-20)
				return nil
			}),
		}
		r := runFit(t, p, fit.Options{Starts: fit.Adaptive})
		if len(r.Starts) != 3 || !(r.Sample.Missed >= 0.5) {
			t.Errorf("%d searches, %+v", len(r.Starts), *r.Sample)
		}
	})
	t.Run("bounds are needed", func(t *testing.T) {
		p := fit.Decay(3, 0.7, 0.05, 1)
		p.Parameters[0].Max = math.Inf(1)
		if _, err := fit.Fit(t.Context(), p, fit.Options{Starts: fit.Adaptive}); err == nil {
			t.Error("no error without bounds")
		}
	})
	t.Run("a start without a model", func(t *testing.T) {
		r := runFit(t, fit.UnitLine(-9, func(x float64) bool { return x > -5 }), fit.Options{Starts: fit.Adaptive})
		if math.Abs(r.Estimates[0].Value) > 1e-6 {
			t.Errorf("x = %g", r.Estimates[0].Value)
		}
	})
}

// Progress names the bounds that a step has met.
func TestBoundsAreReportedAsTheyAreMet(t *testing.T) {
	p := wells(2)
	p.Parameters[0].Max = 4
	var met []fit.Bound
	runFit(t, p, fit.Options{Progress: func(q fit.Progress) { met = append(met, q.AtBounds...) }})
	if len(met) == 0 || met[0] != (fit.Bound{Parameter: 0, Upper: true}) {
		t.Errorf("%+v", met)
	}
}
