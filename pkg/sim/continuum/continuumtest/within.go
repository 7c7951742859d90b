package continuumtest

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// Within fails unless got is want to tol of the largest entry of want.
func Within(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	scale, worst := 0.0, 0.0
	for i := range want {
		scale = math.Max(scale, math.Abs(want[i]))
		if d := math.Abs(got[i] - want[i]); !(d <= worst) {
			worst = d
		}
	}
	if !(worst <= tol*scale) {
		t.Errorf("%s = %.15g, want %.15g: off by %.3g, tolerance %.3g", what, got, want, worst, tol*scale)
	}
}

// Numbers are the components of a vector.
func Numbers(v spatial.Vec) []float64 { return []float64{v.X, v.Y, v.Z} }
