package mesh

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/spatial"
)

// walk goes about at random in the field and checks that nothing jumps where a rod of the
// reach 0.18 mm touches.
func walk(t *testing.T, name string, f *Field, start spatial.Vec, step float64, steps int) (seen int) {
	t.Helper()
	r := newRand()
	x := start
	last, was := f.place(x)
	was = was && last.d < 0.0003
	for range steps {
		y := x.Add(randVec(r, step))
		at, ok := f.place(y)
		if ok && was {
			seen++
			if slope := math.Abs(at.d-last.d) / y.Sub(x).Norm(); slope > 1.3 && math.Abs(at.d-last.d) > 1e-9 {
				t.Fatalf("%s: from %v to %v the distance goes from %g to %g m", name, x, y, last.d, at.d)
			}
			if turn := at.n.Sub(last.n).Norm(); turn > 0.3 {
				t.Fatalf("%s: from %v to %v, %g m, the normal goes from %v to %v", name, x, y, y.Sub(x).Norm(), last.n, at.n)
			}
		}
		if !ok || at.d < -0.0005 || at.d > 0.0003 { // stay at the wall
			x, last, was = start, place{}, false
			continue
		}
		x, last, was = y, at, true
	}
	return seen
}

// TestNothingJumpsInTheVessel walks about at the branch, at the inlet and at an outlet.
func TestNothingJumpsInTheVessel(t *testing.T) {
	m := build(t, vessel(t), Options{Inside: true, Scale: 1, Reach: 0.00018})
	r := newRand()
	beside := func(tri Triangle) spatial.Vec {
		c := tri[0].Add(tri[1]).Add(tri[2]).Scale(1.0 / 3)
		return c.AddScaled(0.0002, tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])).Unit())
	}
	for _, end := range []spatial.Vec{{X: 0}, {X: 0.0888, Y: -0.0101, Z: 0.0142}, {X: 0.0888, Y: 0.0036, Z: 0.0391}} {
		at := slices.MinFunc(m.triangles, func(a, b Triangle) int {
			return cmp.Compare(a[0].Sub(end).Norm(), b[0].Sub(end).Norm())
		})
		if seen := walk(t, "end", m, beside(at), 2e-5, 20000); seen < 1000 {
			t.Errorf("at %v only %d steps were in the field", end, seen)
		}
	}
	// from the middle of triangles everywhere, which also are at the branch
	for range 40 {
		walk(t, "wall", m, beside(m.triangles[r.IntN(len(m.triangles))]), 2e-5, 1000)
	}
}

// TestTwoCloseWalls: between two plates that are as far apart as two spacings each pushes to
// the middle.
func TestTwoCloseWalls(t *testing.T) {
	const gap = 0.002
	f := &STL{}
	for _, side := range []float64{-1, 1} {
		b := box(2)
		for i := range b.Triangles {
			for k, p := range b.Triangles[i] {
				b.Triangles[i][k] = spatial.Vec{X: 0.01 * p.X, Y: 0.01 * p.Y, Z: 0.004*p.Z + side*(0.004+gap/2)}
			}
		}
		f.Triangles = append(f.Triangles, b.Triangles...)
	}
	m := build(t, f, Options{Scale: 1, Reach: 0.0005})
	r := newRand()
	for range 2000 {
		x := spatial.Vec{X: 0.005 * (2*r.Float64() - 1), Y: 0.005 * (2*r.Float64() - 1), Z: gap * (r.Float64() - 0.5)}
		at, ok := m.place(x)
		want := gap/2 - math.Abs(x.Z)
		if !ok {
			if math.Abs(x.Z) > 0.05*gap {
				t.Fatalf("nothing at %v", x)
			}
			continue
		}
		if math.Abs(at.d-want) > 0.3*m.Spacing() || at.n.Z*x.Z > 1e-9 {
			t.Fatalf("at %v: %g m, want %g; N = %v (spacing %g)", x, at.d, want, at.n, m.Spacing())
		}
		if want < gap/8 && math.Abs(at.d-want) > 0.02*m.Spacing() {
			t.Errorf("at %v, near a plate: %g m, want %g (spacing %g)", x, at.d, want, m.Spacing())
		}
	}
}

// TestOpenEndLetsGo: a rod that leaves a vessel, pressed to its wall, is let go smoothly, and
// in front of the end there is nothing.
func TestOpenEndLetsGo(t *testing.T) {
	p := pipe{radius: 0.002, bend: 0.5, angle: 0.04} // 20 mm long, nearly straight
	m := build(t, p.mesh(0.0005), Options{Inside: true, Scale: 1, Reach: 0.0005})
	last := -1.0
	for x := -0.005; x < 0.005; x += 1e-5 { // against the inlet at x = 0
		at, ok := m.place(spatial.Vec{X: x, Y: 0.0018})
		if x > 0.001 && (!ok || math.Abs(at.d-0.0002) > 2e-5) {
			t.Fatalf("at x = %g in the pipe: %v %v, want 0.0002", x, at.d, ok)
		}
		if ok && last > 0 && math.Abs(at.d-last) > 1.1e-5 {
			t.Fatalf("at x = %g the distance jumps from %g to %g", x, last, at.d)
		}
		if x < -0.0012 && ok && at.d < 0.0005 {
			t.Fatalf("at x = %g, in front of the pipe: %g m", x, at.d)
		}
		// the lip is a quarter of a torus of half the radius
		if want := math.Hypot(x, 0.0012) - 0.001; x < 0 && x > -0.0008 && (!ok || math.Abs(at.d-want) > 5e-5) {
			t.Fatalf("at x = %g on the lip: %v, want %g", x, at.d, want)
		}
		if last = -1; ok {
			last = at.d
		}
	}
	for _, x := range []spatial.Vec{{X: -0.003}, {X: -0.003, Y: 0.005}, {X: -0.0045, Y: 0.002, Z: -0.003}} {
		if at, ok := m.place(x); ok && at.d < 0 {
			t.Errorf("in front of the pipe at %v: %g m", x, at.d)
		}
	}
}

// TestNoDirectionNoContact: in the middle of a lumen, and outside beside a lip, where the sign
// changes with no wall between, the field says nothing.
func TestNoDirectionNoContact(t *testing.T) {
	hollow := build(t, ball(0.01, 6), Options{Inside: true, Scale: 1, Reach: 0.001})
	if at, ok := hollow.place(spatial.Vec{}); ok {
		t.Errorf("in the middle of a ball: %v", at)
	}
	p := pipe{radius: 0.002, bend: 0.5, angle: 0.04}
	m := build(t, p.mesh(0.001), Options{Inside: true, Scale: 1, Reach: 0.0005})
	r := newRand()
	for range 20000 {
		x := spatial.Vec{X: -0.001 + 0.001*(2*r.Float64()-1)}.Add(spatial.Vec{Y: 1}.Scale(0.003 + 0.003*r.Float64()))
		if at, ok := m.place(x); ok && at.n.Norm() > mostGradient {
			t.Fatalf("at %v: the gradient is %g", x, at.n.Norm())
		}
	}
}

// TestCornersAreWelded: corners that differ by rounding are one.
func TestCornersAreWelded(t *testing.T) {
	f := ball(0.01, 6)
	r := newRand()
	for i := range f.Triangles {
		for k := range f.Triangles[i] {
			f.Triangles[i][k] = f.Triangles[i][k].Add(randVec(r, 3e-12))
		}
	}
	build(t, f, Options{Scale: 1, Reach: 0.001})
}
