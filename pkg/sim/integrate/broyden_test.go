package integrate

import (
	"math"
	"testing"
)

// Increments by a tangent that is wrong in two directions converge with secants in a few, as without they do not; one that
// was taken back, or goes nowhere, teaches nothing, and components that do not decide are carried along.
func TestSecantsMendATangent(t *testing.T) {
	// the equations are a x = 1 of each component, the tangent takes a for 1 everywhere
	a := []float64{1, 1.4, 1, 0.7, 1.4}
	solve := func(s *BroydenUpdate) (x []float64, error float64) {
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
	whole := &BroydenUpdate{NormLen: 4}
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
	// an increment that goes on as the last one would go to infinity, one that goes back half as far is halved again
	whole.AppendStep([]float64{2, 0, 0, 0, 0})
	if x = []float64{2, 0, 0, 0, 0}; !isSame(whole, x, 2) {
		t.Errorf("a tangent that is no good made %g", x)
	}
	if x = []float64{-1, 0, 0, 0, 3}; !isSame(whole, x, -1/1.5) || math.Abs(x[4]-2) > 1e-15 {
		t.Errorf("half as far back: %g", x)
	}
}

func isSame(s *BroydenUpdate, x []float64, want float64) bool {
	s.CorrectStep(x)
	return math.Abs(x[0]-want) < 1e-15
}
