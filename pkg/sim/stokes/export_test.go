package stokes

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Unexported names for the external tests.
const SeriesBelow = seriesBelow

var (
	ScaledJ0  = scaledJ0
	SkewPart  = skewPart
	Symmetric = symmetric
)

func MustHelix(t testing.TB, c Coil) Shape {
	t.Helper()
	s, err := Helix(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// SurfacesOf returns walls of one surface.
func SurfacesOf(t testing.TB, s shape.Shape, err error) *Walls {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return (*Walls)(nil).With([]Surface{{Name: "wall", Shape: s}})
}

// Needle is a body nearly as long as a tube of radius 1 is wide.
var Needle = Hull{Ellipsoid: spatial.Diag3(spatial.Vec{X: 0.01, Y: 0.01, Z: 0.98})}

// SwarmOf returns n spheres of different radii at random in a box, with random
// loads: the smaller the box, the more they overlap.
func SwarmOf(t testing.TB, n int, box float64) (s *Swarm, x []spatial.Vec, loads []spatial.Wrench) {
	t.Helper()
	rnd := NewRand()
	radii := make([]float64, n)
	for i := range radii {
		radii[i] = 0.5 + rnd.Float64()
		x = append(x, RandVec(rnd).Scale(box))
		loads = append(loads, spatial.Wrench{Force: RandVec(rnd), Moment: RandVec(rnd)})
	}
	s, err := NewSwarm(radii, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	return s, x, loads
}

func FlatT(motions []spatial.Twist) (f []float64) {
	for _, m := range motions {
		f = append(f, FlatV(m.Linear, m.Angular)...)
	}
	return f
}

func FlatW(loads []spatial.Wrench) (f []float64) {
	for _, m := range loads {
		f = append(f, FlatV(m.Force, m.Moment)...)
	}
	return f
}

func MustWalls(t testing.TB, p []Plane, c []Cylinder, roughness float64) *Walls {
	t.Helper()
	w, err := NewWalls(p, c, roughness)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// ProfileOf returns the complex amplitude over that on the axis, as a function of s,
// with its derivatives.
func ProfileOf(t *testing.T, alpha float64) func(s float64) (g, g1, g2 complex128) {
	t.Helper()
	p, err := newPulse(Womersley{Axis: spatial.Vec{X: 1}, Radius: 1, Peak: 1, Frequency: alpha * alpha / (2 * math.Pi), Kinematic: 1})
	if err != nil {
		t.Fatal(err)
	}
	return func(s float64) (g, g1, g2 complex128) { return clenshaw(p.series, s) }
}

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
