package integrate_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
)

// With Broyden updates, increments with a tangent that is wrong in two directions converge in a few
// iterations; without they do not. Undone and zero increments add nothing, and components beyond
// NormLen follow.
func TestBroydenUpdateConverges(t *testing.T) {
	// the equations are a x = 1 by component, and the tangent has 1 in place of a
	a := []float64{1, 1.4, 1, 0.7, 1.4}
	solve := func(s *integrate.BroydenUpdate) (x []float64, error float64) {
		x = make([]float64, len(a))
		s.Reset()
		for range 6 {
			dx := make([]float64, len(a))
			for i := range x {
				dx[i] = 1 - a[i]*x[i]
			}
			s.CorrectStep(dx)
			s.AppendStep(dx)
			for i := range x {
				x[i] += dx[i]
			}
		}
		for i := range x {
			error = max(error, math.Abs(a[i]*x[i]-1))
		}
		return x, error
	}
	whole := &integrate.BroydenUpdate{NormLen: 4}
	if x, error := solve(whole); error > 1e-9 {
		t.Errorf("off by %g: %g", error, x)
	}
	x := []float64{1, 2, 3, 4, 5}
	whole.Reset()
	whole.AppendStep([]float64{1, 0, 0, 0, 0})
	whole.RemoveStep()
	if whole.CorrectStep(x); x[0] != 1 {
		t.Errorf("what was taken back made %g", x)
	}
	whole.AppendStep([]float64{1, 0, 0, 0, 0})
	whole.AppendStep([]float64{0, 0, 0, 0, 1})
	if whole.CorrectStep(x); x[0] != 1 || x[4] != 5 {
		t.Errorf("after an increment that goes nowhere: %g", x)
	}
	// an increment equal to the last one would go to infinity; one half as far back is halved again
	whole.AppendStep([]float64{2, 0, 0, 0, 0})
	if x = []float64{2, 0, 0, 0, 0}; !isSame(whole, x, 2) {
		t.Errorf("a tangent that is no good made %g", x)
	}
	if x = []float64{-1, 0, 0, 0, 3}; !isSame(whole, x, -1/1.5) || math.Abs(x[4]-2) > 1e-15 {
		t.Errorf("half as far back: %g", x)
	}
}

func isSame(s *integrate.BroydenUpdate, x []float64, want float64) bool {
	s.CorrectStep(x)
	return math.Abs(x[0]-want) < 1e-15
}
