package fit_test

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

// chaos is a normal number that changes altogether as x does, however little.
func chaos(x []float64, k int) float64 {
	h := fnv.New64a()
	for _, v := range x {
		h.Write(strconv.AppendUint(nil, math.Float64bits(v), 16))
	}
	return rand.New(rand.NewPCG(h.Sum64(), uint64(k))).NormFloat64()
}

// TestRoughModels demands that a model that jumps, as a motion does in which rods touch and stick, be fitted
// about as if it did not: neither left where the search begins, nor with standard errors that are those of its jumps.
func TestRoughModels(t *testing.T) {
	const (
		rows, noise = 200, 1e-2
		jump        = 1e-3 // of the model, beside changes of some 0.1 in all
		a, b        = 2.0, 0.5
	)
	model := func(x []float64, k int, jump float64) float64 {
		s := float64(k) / rows
		return x[0]*s*math.Exp(-x[1]*s) + jump*chaos(x, k)
	}
	random := rand.New(rand.NewPCG(3, 4))
	data := make([]float64, rows)
	for k := range data {
		data[k] = model([]float64{a, b}, k, 0) + noise*random.NormFloat64()
	}
	found := func(jump float64) *fit.Result {
		residuals := func(x, dst []float64) error {
			for k := range dst {
				dst[k] = model(x, k, jump) - data[k]
			}
			return nil
		}
		r, err := fit.Fit(context.Background(), fit.Problem{
			Parameters: []fit.Parameter{{Name: "a", Unit: "1", Start: 3, Min: 0.1, Max: 10}, {Name: "b", Unit: "1", Start: 0.2, Min: 0, Max: 5}},
			Data:       fit.Data{Count: rows, New: func() (fit.Residuals, error) { return residuals, nil }},
		}, fit.Options{Difference: 1e-4})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	smooth, rough := found(0), found(jump)
	for i, want := range []float64{a, b} {
		e, s := rough.Estimates[i], smooth.Estimates[i]
		if math.Abs(e.Value-want) > 3*e.StandardError {
			t.Errorf("%s = %.4g ± %.2g instead of %g", e.Name, e.Value, e.StandardError, want)
		}
		if ratio := e.StandardError / s.StandardError; ratio < 0.7 || ratio > 1.4 {
			t.Errorf("the standard error of %s is %.3g times that of a smooth model", e.Name, ratio)
		}
	}
	if smooth.Difference != 1e-4 || !(rough.Difference > 1e-3) {
		t.Errorf("differences of %g of a smooth model, of %g of a rough one", smooth.Difference, rough.Difference)
	}
	if rough.Evaluations > 500 { // a search without an end takes thousands
		t.Errorf("%d evaluations", rough.Evaluations)
	}
}

// TestRoughModelsWithLittleRoom has a model that jumps where differences of 10 % have room at the start, but not at the
// solution: for narrow bounds, or because there is no model so far away. Shorter ones are taken there.
func TestRoughModelsWithLittleRoom(t *testing.T) {
	const rows, noise, jump, truth, seeds = 200, 1e-2, 2e-2, 1.0, 20
	const near = 0.02                                          // of the truth: the sum of squares jumps by as much as it changes over 0.012 from its least
	deviation := math.Hypot(noise, jump) / math.Sqrt(rows/3.0) // of the estimate, with differences that are long enough
	for _, c := range []struct {
		name                     string
		min, max, least, most    float64 // bounds, and where there is a model
		shortest, longest, share float64 // of the differences, and least of the deviation that the standard error is
	}{
		{"bounds", 0.93, 1.08, 0, 10, 0.034, 0.041, 0.6},
		{"model", 0.1, 10, 0.93, 1.08, 0.01, 0.1, 0.2},
	} {
		for seed := range uint64(seeds) {
			random := rand.New(rand.NewPCG(seed, 6))
			data := make([]float64, rows)
			for k := range data {
				data[k] = truth*float64(k)/rows + noise*random.NormFloat64()
			}
			residuals := func(x, dst []float64) error {
				if x[0] < c.least || x[0] > c.most {
					return errors.New("buckled")
				}
				for k := range dst {
					dst[k] = x[0]*float64(k)/rows + jump*chaos(x, k) - data[k]
				}
				return nil
			}
			r, err := fit.Fit(context.Background(), fit.Problem{
				Parameters: []fit.Parameter{{Name: "gain", Unit: "1", Start: 1.075, Min: c.min, Max: c.max}},
				Data:       fit.Data{Count: rows, New: func() (fit.Residuals, error) { return residuals, nil }},
			}, fit.Options{Difference: 1e-4})
			if err != nil {
				t.Errorf("%s, seed %d: %v", c.name, seed, err)
				continue
			}
			e := r.Estimates[0]
			if math.Abs(e.Value-truth) > near || e.StandardError < c.share*deviation || e.StandardError > 1.4*deviation {
				t.Errorf("%s, seed %d: %.4g ± %.2g instead of %g ± %.2g", c.name, seed, e.Value, e.StandardError, truth, deviation)
			}
			if r.Difference < c.shortest || r.Difference > c.longest {
				t.Errorf("%s, seed %d: differences of %g, want %g to %g", c.name, seed, r.Difference, c.shortest, c.longest)
			}
		}
	}
}

// TestBoundsWithoutRoomAreRefused: bounds nearer to one another than a difference is leave no derivative.
func TestBoundsWithoutRoomAreRefused(t *testing.T) {
	residuals := func(x, dst []float64) error {
		for k := range dst {
			dst[k] = x[0] - 1
		}
		return nil
	}
	_, err := fit.Fit(context.Background(), fit.Problem{
		Parameters: []fit.Parameter{{Name: "gain", Unit: "1", Start: 1, Min: 1 - 1e-5, Max: 1 + 1e-5}},
		Data:       fit.Data{Count: 3, New: func() (fit.Residuals, error) { return residuals, nil }},
	}, fit.Options{Difference: 1e-4})
	if !errors.Is(err, fit.ErrNoFit) || !strings.Contains(err.Error(), "with respect to gain: the bounds are too narrow") {
		t.Error(err)
	}
}

// TestTangent fits a model that knows its derivative, one that says so and does not, and one that is not as smooth as it says.
func TestTangent(t *testing.T) {
	const rows = 50
	model := func(x []float64, k int) float64 {
		s := float64(k) / rows
		return x[0] * s * math.Exp(-x[1]*s)
	}
	for name, c := range map[string]struct {
		slope float64 // that it says, of the true one
		err   error
		want  float64 // over which derivatives are taken
	}{"exact": {1, nil, 1e-6}, "unknown": {1, errors.New("not known"), 1e-4}, "wrong": {-0.3, nil, 1e-4}} {
		evaluations := 0
		residuals := func(x, dst []float64) error {
			evaluations++
			for k := range dst {
				dst[k] = model(x, k) - model([]float64{2, 0.5}, k) + 1e-3*math.Sin(float64(k*k))
			}
			return nil
		}
		tangent := func(x []float64, points, dst [][]float64, errs []error) {
			at := make([]float64, rows)
			_ = residuals(x, at)
			for i, p := range points {
				errs[i] = c.err
				for k := range at {
					s := float64(k) / rows
					slope := s*math.Exp(-x[1]*s)*(p[0]-x[0]) - s*model(x, k)*(p[1]-x[1])
					dst[i][k] = at[k] + c.slope*slope
				}
			}
		}
		reports := 0
		r, err := fit.Fit(context.Background(), fit.Problem{
			Parameters: []fit.Parameter{{Name: "a", Unit: "1", Start: 3, Min: 0.1, Max: 10}, {Name: "b", Unit: "1", Start: 0.2, Min: 0, Max: 5}},
			Data: fit.Data{
				Count: rows, New: func() (fit.Residuals, error) { return residuals, nil }, NewTangent: func() (fit.Nearby, error) { return tangent, nil },
			},
		}, fit.Options{Difference: 1e-4, Workers: 1, Evaluated: func() { reports++ }})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, want := range []float64{2, 0.5} {
			if got := r.Estimates[i].Value; math.Abs(got-want) > 2e-3*want {
				t.Errorf("%s: %s is %g, want %g", name, r.Estimates[i].Name, got, want)
			}
		}
		if r.Difference != c.want || r.Failed != 0 {
			t.Errorf("%s: derivatives over %g, want %g; %d failures", name, r.Difference, c.want, r.Failed)
		}
		if r.Starts[0].Ending != fit.Converged || r.Evaluations < reports || r.Evaluations > evaluations+2 {
			t.Errorf("%s: %s, %d evaluations, %d told, %d made", name, r.Starts[0].Ending, r.Evaluations, reports, evaluations)
		}
	}
}
