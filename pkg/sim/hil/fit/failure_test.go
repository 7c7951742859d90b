package fit

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
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
		workers, err := newPool(&p, 1)
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

// A model that promises what no step holds, such as one with a cliff beside the point,
// leaves the search stalled, not converged.
func TestCliffStallsTheSearch(t *testing.T) {
	p := Problem{
		Parameters: []Parameter{{Name: "x", Start: 1, Min: -10, Max: 10}},
		Data: same(2, func(b, dst []float64) error {
			dst[0], dst[1] = b[0], 1
			if b[0] < 1 {
				dst[0] = 10
			}
			return nil
		}),
	}
	r := fit(t, p, Options{})
	if s := r.Starts[0]; s.Ending != Stalled || r.Estimates[0].Value != 1 {
		t.Errorf("%+v at %g", s, r.Estimates[0].Value)
	}
}

// The damping follows Nielsen: a step that gains all that it promises leaves a third of it,
// one that gains half leaves it as it is, and it grows after a step that fails.
func TestDampingFollowsTheGain(t *testing.T) {
	for _, c := range []struct {
		name    string
		r       func(x float64) float64 // residual near x = 1, with the slope 1
		damping float64                 // of the next step
	}{
		{"all", func(x float64) float64 { return x }, firstDamping / 3},
		{"half", func(x float64) float64 {
			// the sum of the squares falls from 1 by half of what a straight line promises
			if x == 1 {
				return 1
			}
			return math.Sqrt((1 + x*x) / 2)
		}, firstDamping},
		{"nothing at first", func(x float64) float64 {
			if x < 0.25 {
				return 3
			}
			return x
		}, math.NaN()},
	} {
		p := Problem{Parameters: []Parameter{{Name: "x", Start: 1, Min: -10, Max: 10}}, Data: same(1, func(b, dst []float64) error {
			dst[0] = c.r(b[0])
			return nil
		})}
		workers, err := newPool(&p, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := &search{ctx: context.Background(), problem: &p, options: Options{}.withDefaults(), axes: []axis{newAxis(p.Parameters[0])}, pool: workers}
		d := &descent{search: s, objective: s.objective(), at: point{u: []float64{1}, r: []float64{1}, ssr: 1}, mu: firstDamping, grow: 2, scale: []float64{1}}
		moved, err := d.tryDamped(linearize(mat.NewDense(1, 1, []float64{1}), d.at.r))
		if !moved || err != nil || d.grow != 2 {
			t.Errorf("%s: moved %t, growth %g, %v", c.name, moved, d.grow, err)
		}
		if math.IsNaN(c.damping) {
			// 1e-3 by 2, 4, 8 …: the first that keeps the step from going 0.75 far
			if d.at.u[0] < 0.25 || !(d.mu > 0.1) {
				t.Errorf("%s: at %g with the damping %g", c.name, d.at.u[0], d.mu)
			}
			continue
		}
		if !(math.Abs(d.mu/c.damping-1) < 1e-6) {
			t.Errorf("%s: damping %g, want %g", c.name, d.mu, c.damping)
		}
	}
}
