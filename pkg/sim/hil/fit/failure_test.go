package fit_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

// TestModelAtItsStartOnly has a model at the start and nowhere around it. The search
// has a point then, but no result.
func TestModelAtItsStartOnly(t *testing.T) {
	p := fit.UnitLine(4, func(x float64) bool { return x == 4 })
	if r, err := fit.Fit(context.Background(), p, fit.Options{}); !errors.Is(err, fit.ErrNoFit) || !errors.Is(err, fit.ErrBuckled) || !strings.Contains(err.Error(), "start 1") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestStuckSearchEndsSoon cannot move: the slope to one side says that the residual
// falls on the other, where it rises. Damping that grows ever faster from 1e-3 passes
// 1e14 after 11 steps.
func TestStuckSearchEndsSoon(t *testing.T) {
	p := fit.Problem{
		Parameters: []fit.Parameter{{Name: "x", Start: 1, Min: -10, Max: 10}},
		Data: fit.Same(2, func(b, dst []float64) error {
			dst[0], dst[1] = 1+math.Abs(b[0]-1), 1
			return nil
		}),
	}
	r := runFit(t, p, fit.Options{})
	const start, forward, steps, central = 1, 1, 11, 2
	if s := r.Starts[0]; s.Evaluations != start+forward+steps+central || s.Ending != fit.Converged || r.Estimates[0].Value != 1 {
		t.Errorf("%+v", s)
	}
}

// A model that promises what no step holds, such as one with a cliff beside the point,
// leaves the search stalled, not converged.
func TestCliffStallsTheSearch(t *testing.T) {
	p := fit.Problem{
		Parameters: []fit.Parameter{{Name: "x", Start: 1, Min: -10, Max: 10}},
		Data: fit.Same(2, func(b, dst []float64) error {
			dst[0], dst[1] = b[0], 1
			if b[0] < 1 {
				dst[0] = 10
			}
			return nil
		}),
	}
	r := runFit(t, p, fit.Options{})
	if s := r.Starts[0]; s.Ending != fit.Stalled || r.Estimates[0].Value != 1 {
		t.Errorf("%+v at %g", s, r.Estimates[0].Value)
	}
}
