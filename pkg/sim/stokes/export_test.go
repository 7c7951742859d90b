package stokes

import (
	"math"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Unexported names for the external tests.
const SeriesBelow = seriesBelow

var (
	HalfWidth = halfWidth
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

// Needle is the extent of a body nearly as long as a tube of radius 1 is wide.
var Needle = spatial.Diag3(spatial.Vec{X: 0.01, Y: 0.01, Z: 0.98})

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
