package mesh_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// mostGradient is the largest gradient of a field near its surface: of the distance it is 1.
const mostGradient = 1.5

// TestTwoCloseWalls: between two planes that are as far apart as two spacings each pushes to
// the middle.
func TestTwoCloseWalls(t *testing.T) {
	const gap = 0.002
	f := &mesh.STL{}
	for _, side := range []float64{-1, 1} {
		b := mesh.Box(2)
		for i := range b.Triangles {
			for k, p := range b.Triangles[i] {
				b.Triangles[i][k] = spatial.Vec{X: 0.01 * p.X, Y: 0.01 * p.Y, Z: 0.004*p.Z + side*(0.004+gap/2)}
			}
		}
		f.Triangles = append(f.Triangles, b.Triangles...)
	}
	m := mesh.Build(t, f, mesh.Options{Scale: 1, Reach: 0.0005})
	r := mesh.NewRand()
	for range 2000 {
		x := spatial.Vec{X: 0.005 * (2*r.Float64() - 1), Y: 0.005 * (2*r.Float64() - 1), Z: gap * (r.Float64() - 0.5)}
		at, ok := m.Place(x)
		want := gap/2 - math.Abs(x.Z)
		if !ok {
			if math.Abs(x.Z) > 0.05*gap {
				t.Fatalf("nothing at %v", x)
			}
			continue
		}
		if math.Abs(at.D-want) > 0.3*m.Spacing() || at.N.Z*x.Z > 1e-9 {
			t.Fatalf("at %v: %g m, want %g; N = %v (spacing %g)", x, at.D, want, at.N, m.Spacing())
		}
		if want < gap/8 && math.Abs(at.D-want) > 0.02*m.Spacing() {
			t.Errorf("at %v, near a plate: %g m, want %g (spacing %g)", x, at.D, want, m.Spacing())
		}
	}
}

// TestOpenEndLetsGo: a rod that leaves a vessel, pressed to its wall, is let go smoothly, and
// in front of the end there is nothing.
func TestOpenEndLetsGo(t *testing.T) {
	p := mesh.Pipe{Radius: 0.002, Bend: 0.5, Angle: 0.04} // 20 mm long, nearly straight
	m := mesh.Build(t, p.Mesh(0.0005), mesh.Options{Inside: true, Scale: 1, Reach: 0.0005})
	last := -1.0
	for x := -0.005; x < 0.005; x += 1e-5 { // against the inlet at x = 0
		at, ok := m.Place(spatial.Vec{X: x, Y: 0.0018})
		if x > 0.001 && (!ok || math.Abs(at.D-0.0002) > 2e-5) {
			t.Fatalf("at x = %g in the pipe: %v %v, want 0.0002", x, at.D, ok)
		}
		if ok && last > 0 && math.Abs(at.D-last) > 1.1e-5 {
			t.Fatalf("at x = %g the distance jumps from %g to %g", x, last, at.D)
		}
		if x < -0.0012 && ok && at.D < 0.0005 {
			t.Fatalf("at x = %g, in front of the pipe: %g m", x, at.D)
		}
		// the lip is a quarter of a torus of half the radius
		if want := math.Hypot(x, 0.0012) - 0.001; x < 0 && x > -0.0008 && (!ok || math.Abs(at.D-want) > 5e-5) {
			t.Fatalf("at x = %g on the lip: %v, want %g", x, at.D, want)
		}
		if last = -1; ok {
			last = at.D
		}
	}
	for _, x := range []spatial.Vec{{X: -0.003}, {X: -0.003, Y: 0.005}, {X: -0.0045, Y: 0.002, Z: -0.003}} {
		if at, ok := m.Place(x); ok && at.D < 0 {
			t.Errorf("in front of the pipe at %v: %g m", x, at.D)
		}
	}
}

// TestNoDirectionNoContact: in the middle of a lumen, and outside beside a lip, where the sign
// changes with no wall between, the field says nothing.
func TestNoDirectionNoContact(t *testing.T) {
	hollow := mesh.Build(t, mesh.Ball(0.01, 6), mesh.Options{Inside: true, Scale: 1, Reach: 0.001})
	if at, ok := hollow.Place(spatial.Vec{}); ok {
		t.Errorf("in the middle of a ball: %v", at)
	}
	p := mesh.Pipe{Radius: 0.002, Bend: 0.5, Angle: 0.04}
	m := mesh.Build(t, p.Mesh(0.001), mesh.Options{Inside: true, Scale: 1, Reach: 0.0005})
	r := mesh.NewRand()
	for range 20000 {
		x := spatial.Vec{X: -0.001 + 0.001*(2*r.Float64()-1)}.Add(spatial.Vec{Y: 1}.Scale(0.003 + 0.003*r.Float64()))
		if at, ok := m.Place(x); ok && at.N.Norm() > mostGradient {
			t.Fatalf("at %v: the gradient is %g", x, at.N.Norm())
		}
	}
}

// TestCornersAreWelded: corners that differ by rounding are one.
func TestCornersAreWelded(t *testing.T) {
	f := mesh.Ball(0.01, 6)
	r := mesh.NewRand()
	for i := range f.Triangles {
		for k := range f.Triangles[i] {
			f.Triangles[i][k] = f.Triangles[i][k].Add(mesh.RandVec(r, 3e-12))
		}
	}
	mesh.Build(t, f, mesh.Options{Scale: 1, Reach: 0.001})
}
