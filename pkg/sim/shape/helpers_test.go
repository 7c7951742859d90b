package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

func Vec(a [3]float64) spatial.Vec { return spatial.Vec{X: a[0], Y: a[1], Z: a[2]} }

func NewRand() *rand.Rand { return rand.New(rand.NewPCG(3, 4)) }

// RandVec returns a vector with components up to the scale.
func RandVec(r *rand.Rand, scale float64) spatial.Vec {
	x := func() float64 { return scale * (2*r.Float64() - 1) }
	return spatial.Vec{X: x(), Y: x(), Z: x()}
}

func RandPose(r *rand.Rand, scale float64) spatial.Pose {
	return spatial.Pose{R: spatial.ExpRot(RandVec(r, 3)), P: RandVec(r, scale)}
}

func Entries(m spatial.Mat3) [9]float64 {
	return [9]float64{m.XX, m.XY, m.XZ, m.YX, m.YY, m.YZ, m.ZX, m.ZY, m.ZZ}
}

// Norm returns the largest entry of m.
func Norm(m spatial.Mat3) (most float64) {
	for _, x := range Entries(m) {
		most = max(most, math.Abs(x))
	}
	return most
}

// Must returns the shape, whose construction must not fail.
func Must(t testing.TB, build func() (Shape, error)) Shape {
	t.Helper()
	s, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Block is a box of 8 × 6 × 4 mm about the origin.
func Block() *mesh.STL {
	f := &mesh.STL{}
	h := [3]float64{0.004, 0.003, 0.002}
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			corner := func(u, v float64) spatial.Vec {
				var p [3]float64
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = side*h[axis], u*h[(axis+1)%3], side*v*h[(axis+2)%3]
				return Vec(p)
			}
			a, b, c, d := corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)
			f.Triangles = append(f.Triangles, mesh.Triangle{a, b, c}, mesh.Triangle{a, c, d})
		}
	}
	return f
}

// Samples are shapes of every kind of the size of a centimetre about the origin.
func Samples(t testing.TB) map[string]Shape {
	t.Helper()
	v := func(x, y, z float64) spatial.Vec { return spatial.Vec{X: x, Y: y, Z: z} }
	bent := []spatial.Vec{v(-0.01, 0, 0), v(-0.004, 0.001, 0), v(0, 0, 0.001), v(0.005, 0, 0.004), v(0.008, 0.002, 0.008)}
	return map[string]Shape{
		"mesh":    Must(t, func() (Shape, error) { return NewMesh(Block(), mesh.Options{Scale: 1, Reach: 0.004}) }),
		"plane":   Must(t, func() (Shape, error) { return NewPlane(v(0, 0.001, 0), v(1, 2, -3)) }),
		"sphere":  Must(t, func() (Shape, error) { return NewSphere(v(0.001, 0, 0.002), 0.005) }),
		"capsule": Must(t, func() (Shape, error) { return NewCapsule(v(-0.005, 0, 0), v(0.004, 0.003, 0.002), 0.003) }),
		"box":     Must(t, func() (Shape, error) { return NewBox(v(0.008, 0.006, 0.005), 0.0005) }),
		"pipe": Must(t, func() (Shape, error) {
			return NewTube([]spatial.Vec{v(-0.01, 0, 0), v(0.01, 0.001, 0)}, []float64{0.004}, false)
		}),
		"tube":     Must(t, func() (Shape, error) { return NewTube(bent, []float64{0.002}, false) }),
		"closed":   Must(t, func() (Shape, error) { return NewTube(bent, []float64{0.002}, true) }),
		"tapered":  Must(t, func() (Shape, error) { return NewTube(bent, []float64{0.003, 0.0025, 0.002, 0.002, 0.0015}, false) }),
		"swelling": Must(t, func() (Shape, error) { return NewTube(bent, []float64{0.0015, 0.002, 0.002, 0.002, 0.003}, false) }),
	}
}
