package stokes

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"sinew/pkg/sim/spatial"
)

func NewRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func RandVec(r *rand.Rand) spatial.Vec {
	return spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
}

func RandRot(r *rand.Rand) spatial.Mat3 { return spatial.ExpRot(RandVec(r)) }

func Flat(m spatial.Mat3) []float64 {
	return []float64{m.XX, m.XY, m.XZ, m.YX, m.YY, m.YZ, m.ZX, m.ZY, m.ZZ}
}

func FlatV(v ...spatial.Vec) (f []float64) {
	for _, u := range v {
		f = append(f, u.X, u.Y, u.Z)
	}
	return f
}

func FlatR(r Resistance) []float64 {
	return append(append(Flat(r.Trans), Flat(r.Coupling)...), Flat(r.Rot)...)
}

// Near fails unless got and want agree within tol times the largest of want.
func Near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	size, off := 0.0, 0.0
	for i := range got {
		size = max(size, math.Abs(want[i]))
		off = max(off, math.Abs(got[i]-want[i])) // NaN stays
	}
	if !(off <= tol*size) {
		n := min(len(got), 18)
		t.Errorf("%s:\n got %v\nwant %v: off by %.3g of %.3g, tolerance %.3g", what, got[:n], want[:n], off/size, size, tol)
	}
}

// Close1 fails unless got is within the relative tolerance tol of want.
func Close1(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if d := math.Abs(got-want) / math.Abs(want); !(d <= tol) && got != want {
		t.Errorf("%s: got %.17g, want %.17g: off by %.3g, tolerance %.3g", what, got, want, d, tol)
	}
}

func ReadJSON(t *testing.T, file string, into any) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func NoAllocs(t *testing.T, what string, f func()) {
	t.Helper()
	if n := testing.AllocsPerRun(100, f); n != 0 {
		t.Errorf("%s: %g allocations, want none", what, n)
	}
}
