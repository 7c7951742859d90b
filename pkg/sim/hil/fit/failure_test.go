package fit

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

var errBuckled = errors.New("buckled")

// unitLine is the problem of fitting x to 0 in [−10, 10] where the model exists as far
// as exists says.
func unitLine(start float64, exists func(x float64) bool) Problem {
	return Problem{
		Parameters: []Parameter{{Name: "x", Start: start, Min: -10, Max: 10}},
		Data: same(2, func(b, dst []float64) error {
			if !exists(b[0]) {
				return errBuckled
			}
			dst[0], dst[1] = b[0], 1
			return nil
		}),
	}
}

// TestModelAtItsStartOnly has a model at the start and nowhere around it. The search
// has a point then, but no result.
func TestModelAtItsStartOnly(t *testing.T) {
	p := unitLine(4, func(x float64) bool { return x == 4 })
	if r, err := Fit(context.Background(), p, Options{}); !errors.Is(err, ErrNoFit) || !errors.Is(err, errBuckled) || !strings.Contains(err.Error(), "start 1") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestBeginNearerToHome begins where there is no model: half way to the first start,
// which has one, and so on, four times at most.
func TestBeginNearerToHome(t *testing.T) {
	for _, c := range []struct {
		border, want float64 // the model exists up to border
		evaluations  int
	}{{9, 8, 1}, {4, 4, 2}, {1.5, 1, 4}, {0.5, 0.5, 5}, {0.4, math.NaN(), 5}} {
		p := unitLine(0, func(x float64) bool { return x <= c.border })
		workers, err := newPool(p.Data, 1)
		if err != nil {
			t.Fatal(err)
		}
		a := newAxis(Parameter{Name: "x", Start: 1, Min: -10, Max: 10})
		s := &search{ctx: context.Background(), problem: &p, options: Options{}.withDefaults(), axes: []axis{a}, pool: workers}
		at, err := s.begin([]float64{8}, []float64{0})
		switch {
		case s.evaluations != c.evaluations:
			t.Errorf("model up to %g: %d evaluations, want %d", c.border, s.evaluations, c.evaluations)
		case math.IsNaN(c.want) && !errors.Is(err, errBuckled):
			t.Errorf("model up to %g: begins at %v, %v", c.border, at.u, err)
		case !math.IsNaN(c.want) && (err != nil || at.u[0] != c.want || at.ssr != c.want*c.want+1):
			t.Errorf("model up to %g: begins at %+v, %v; want %g", c.border, at, err, c.want)
		}
	}
}

// TestStuckSearchEndsSoon cannot move: the slope to one side says that the residual
// falls on the other, where it rises. Damping that grows ever faster from 1e-3 passes
// 1e14 after 11 steps.
func TestStuckSearchEndsSoon(t *testing.T) {
	p := Problem{
		Parameters: []Parameter{{Name: "x", Start: 1, Min: -10, Max: 10}},
		Data: same(2, func(b, dst []float64) error {
			dst[0], dst[1] = 1+math.Abs(b[0]-1), 1
			return nil
		}),
	}
	r := fit(t, p, Options{})
	const start, forward, steps, central = 1, 1, 11, 2
	if s := r.Starts[0]; s.Evaluations != start+forward+steps+central || s.Ending != Converged || r.Estimates[0].Value != 1 {
		t.Errorf("%+v", s)
	}
}
