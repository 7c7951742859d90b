package spatial_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/spatial"
)

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func randVec(r *rand.Rand, scale float64) spatial.Vec {
	return spatial.Vec{scale * r.NormFloat64(), scale * r.NormFloat64(), scale * r.NormFloat64()}
}

// randAxis returns a unit vector.
func randAxis(r *rand.Rand) spatial.Vec { return randVec(r, 1).Unit() }

func flat3(m spatial.Mat3) []float64 {
	return []float64{m.XX, m.XY, m.XZ, m.YX, m.YY, m.YZ, m.ZX, m.ZY, m.ZZ}
}

func flatV(v spatial.Vec) []float64 { return []float64{v.X, v.Y, v.Z} }

func flatT(t spatial.Twist) []float64 { return append(flatV(t.Linear), flatV(t.Angular)...) }

// maxDiff is the largest absolute difference, NaN if any is.
func maxDiff(a, b []float64) float64 {
	d := 0.0
	if len(a) != len(b) {
		return math.NaN()
	}
	for i := range a {
		if e := math.Abs(a[i] - b[i]); !(e <= d) {
			d = e
		}
	}
	return d
}

// near fails unless a and b agree within tol.
func near(t *testing.T, what string, a, b []float64, tol float64) {
	t.Helper()
	if d := maxDiff(a, b); !(d <= tol) {
		t.Errorf("%s: %v, want %v: off by %.3g, tolerance %.3g", what, a, b, d, tol)
	}
}
