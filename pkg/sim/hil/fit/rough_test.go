package fit_test

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

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
		h := fnv.New64a()
		for _, v := range x {
			h.Write(strconv.AppendUint(nil, math.Float64bits(v), 16))
		}
		r := rand.New(rand.NewPCG(h.Sum64(), uint64(k)))
		return x[0]*s*math.Exp(-x[1]*s) + jump*r.NormFloat64()
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
	if rough.Evaluations > 500 { // a search without an end takes thousands
		t.Errorf("%d evaluations", rough.Evaluations)
	}
}
