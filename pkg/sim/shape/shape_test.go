package shape

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// TestFrameIndifference moves shape and point together.
func TestFrameIndifference(t *testing.T) {
	const tol = 1e-11
	r := newRand()
	for name, s := range samples(t) {
		for range 500 {
			p, g := randVec(r, 0.01), randPose(r, 0.1)
			want, ok := s.At(p, new(Hint))
			moved := s.Moved(randPose(r, 1)).Moved(g) // the second move replaces the first
			got, ok2 := moved.At(g.Apply(p), new(Hint))
			if ok != ok2 {
				continue // at the border of a region
			}
			if d := math.Abs(got.D - want.D); d > tol {
				t.Fatalf("%s: D differs by %g", name, d)
			}
			if d := got.N.Sub(g.R.Apply(want.N)).Norm(); ok && d > tol*(1+norm(want.W)) {
				t.Fatalf("%s: N differs by %g", name, d)
			}
			turned := g.R.Mul(want.W).MulT(g.R)
			if d := norm(got.W.Sub(turned)); d > 1e-6*(1e3+norm(want.W)) {
				t.Fatalf("%s: W differs by %g of %g", name, d, norm(want.W))
			}
		}
	}
}

// TestDistanceIsLipschitz: the distance of two points differs by no more than they are apart.
func TestDistanceIsLipschitz(t *testing.T) {
	r := newRand()
	for name, s := range samples(t) {
		most := 1 + 1e-12
		if s.kind == meshKind {
			most = 1.05 // the slope that the spline overshoots to beside an edge
		}
		for range 5000 {
			p := randVec(r, 0.012)
			q := p.Add(randVec(r, 1e-3*r.Float64()))
			a, ok1 := s.At(p, new(Hint))
			b, ok2 := s.At(q, new(Hint))
			if ok1 && ok2 && math.Abs(a.D-b.D) > p.Sub(q).Norm()*most {
				// beside a lip the wall has no face, so the distance jumps from the lip to the bore
				if s.kind == tubeKind && min(a.D, b.D) < 0 {
					continue
				}
				t.Fatalf("%s: D goes from %g to %g over %g m", name, a.D, b.D, p.Sub(q).Norm())
			}
		}
	}
}

// TestDistanceLeadsToTheWall goes the distance against the normal: there is the wall, with
// the same normal.
func TestDistanceLeadsToTheWall(t *testing.T) {
	r := newRand()
	for name, s := range samples(t) {
		for range 3000 {
			p := randVec(r, 0.01)
			at, ok := s.At(p, new(Hint))
			if !ok || at.D < 0 || s.kind == meshKind {
				continue
			}
			foot, ok := s.At(p.AddScaled(-at.D, at.N), new(Hint))
			if !ok || math.Abs(foot.D) > 1e-14 || foot.N.Sub(at.N).Norm() > 1e-9 {
				t.Fatalf("%s at %v: D = %g there, N turns by %g", name, p, foot.D, foot.N.Sub(at.N).Norm())
			}
		}
	}
}

func TestBoundsHoldTheWall(t *testing.T) {
	r := newRand()
	for name, s := range samples(t) {
		for range 2000 {
			m := s.Moved(randPose(r, 0.01))
			lo, hi := m.Bounds()
			p := randVec(r, 0.02)
			inside := p == most(lo, least(hi, p))
			if at, ok := m.At(p, new(Hint)); ok && at.D < 0 && !inside {
				t.Fatalf("%s: %v is in the wall and not in its box", name, p)
			}
		}
	}
}

func TestMinRadius(t *testing.T) {
	for name, want := range map[string]float64{"plane": math.Inf(1), "sphere": 0.005, "capsule": 0.003, "pipe": math.Inf(1)} {
		if s := samples(t)[name]; s.MinRadius() != want {
			t.Errorf("%s: %g, want %g", name, s.MinRadius(), want)
		}
	}
	ring := make([]spatial.Vec, 91) // a quarter circle of 30 mm
	for i := range ring {
		sin, cos := math.Sincos(float64(i) * math.Pi / 180)
		ring[i] = spatial.Vec{X: 0.03 * sin, Z: 0.03 * cos}
	}
	s := must(t, func() (Shape, error) { return NewTube(ring, []float64{0.002}, false) })
	// Beside a natural end a spline of an arc is bent 1 + 2 − √3 times as much.
	if d := s.MinRadius() - (0.03/(3-math.Sqrt(3)) - 0.002); math.Abs(d) > 1e-5 {
		t.Errorf("bent tube: %g m off the radius of its inner side", d)
	}
	// The spline stays within 1e-6 of the radius of the arc, world.md C9.
	at, _ := s.At(spatial.Vec{X: 0.03 * math.Sin(0.777), Y: 0.001, Z: 0.03 * math.Cos(0.777)}, new(Hint))
	if d := math.Abs(at.D - 0.001); d > 1e-6*0.03 {
		t.Errorf("bent tube: distance %g off", d)
	}
}

func TestSolidsThatAreRefused(t *testing.T) {
	nan := math.NaN()
	o, x := spatial.Vec{}, spatial.Vec{X: 1}
	for _, c := range []struct {
		build func() (Shape, error)
		want  string
	}{
		{func() (Shape, error) { return NewPlane(o, o) }, "normal {0 0 0} of the plane has no direction"},
		{func() (Shape, error) { return NewPlane(o, spatial.Vec{X: nan}) }, "has no direction"},
		{func() (Shape, error) { return NewPlane(spatial.Vec{X: nan}, x) }, "point of the plane is (NaN, 0, 0) m"},
		{func() (Shape, error) { return NewSphere(o, 0) }, "radius of the sphere is 0 m; it must be above 0 and at most 10000"},
		{func() (Shape, error) { return NewSphere(o, math.Inf(1)) }, "radius of the sphere is +Inf m"},
		{func() (Shape, error) { return NewSphere(spatial.Vec{Y: 1e5}, 1) }, "coordinates must be from -10000 to 10000"},
		{func() (Shape, error) { return NewCapsule(o, spatial.Vec{Z: nan}, 1) }, "second end of the capsule"},
		{func() (Shape, error) { return NewCapsule(o, x, -1) }, "radius of the capsule is -1 m"},
	} {
		if _, err := c.build(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	if s, err := NewCapsule(x, x, 1); err != nil || s.kind != sphereKind {
		t.Errorf("a capsule without length: %v, want a sphere", err)
	}
}

func TestAtDoesNotAllocate(t *testing.T) {
	for name, s := range samples(t) {
		s = s.Moved(spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 1}), P: spatial.Vec{X: 0.001}})
		r := newRand()
		var hint Hint
		if n := testing.AllocsPerRun(100, func() { s.At(randVec(r, 0.01), &hint) }); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

// BenchmarkAt is a station that slides along, with its hint.
func BenchmarkAt(b *testing.B) {
	for name, s := range samples(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var hint Hint
			k := 0.0
			for b.Loop() {
				k += 1e-5
				x := 0.006 * math.Sin(k)
				s.At(spatial.Vec{X: x, Y: 0.001, Z: 0.0004 + 0.3*x}, &hint)
			}
		})
	}
}
