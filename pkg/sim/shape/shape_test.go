package shape_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// TestFrameIndifference moves shape and point together.
func TestFrameIndifference(t *testing.T) {
	const tol = 1e-11
	r := shape.NewRand()
	for name, s := range shape.Samples(t) {
		for range 500 {
			p, g := shape.RandVec(r, 0.01), shape.RandPose(r, 0.1)
			want, ok := s.At(p, new(shape.Hint))
			moved := s.Moved(shape.RandPose(r, 1)).Moved(g) // the second move replaces the first
			got, ok2 := moved.At(g.Apply(p), new(shape.Hint))
			if ok != ok2 {
				continue // at the border of a region
			}
			if d := math.Abs(got.D - want.D); d > tol {
				t.Fatalf("%s: D differs by %g", name, d)
			}
			if d := got.N.Sub(g.R.Apply(want.N)).Norm(); ok && d > tol*(1+shape.Norm(want.W)) {
				t.Fatalf("%s: N differs by %g", name, d)
			}
			turned := g.R.Mul(want.W).MulT(g.R)
			if d := shape.Norm(got.W.Sub(turned)); d > 1e-6*(1e3+shape.Norm(want.W)) {
				t.Fatalf("%s: W differs by %g of %g", name, d, shape.Norm(want.W))
			}
		}
	}
}

func TestBoundsHoldTheWall(t *testing.T) {
	r := shape.NewRand()
	for name, s := range shape.Samples(t) {
		for range 2000 {
			m := s.Moved(shape.RandPose(r, 0.01))
			lo, hi := m.Bounds()
			p := shape.RandVec(r, 0.02)
			inside := lo.X <= p.X && p.X <= hi.X && lo.Y <= p.Y && p.Y <= hi.Y && lo.Z <= p.Z && p.Z <= hi.Z
			if at, ok := m.At(p, new(shape.Hint)); ok && at.D < 0 && !inside {
				t.Fatalf("%s: %v is in the wall and not in its box", name, p)
			}
		}
	}
}

func TestMinRadius(t *testing.T) {
	for name, want := range map[string]float64{"plane": math.Inf(1), "sphere": 0.005, "capsule": 0.003, "box": 0.0005, "pipe": math.Inf(1)} {
		if s := shape.Samples(t)[name]; s.MinRadius() != want {
			t.Errorf("%s: %g, want %g", name, s.MinRadius(), want)
		}
	}
	ring := make([]spatial.Vec, 91) // a quarter circle of 30 mm
	for i := range ring {
		sin, cos := math.Sincos(float64(i) * math.Pi / 180)
		ring[i] = spatial.Vec{X: 0.03 * sin, Z: 0.03 * cos}
	}
	s := shape.Must(t, func() (shape.Shape, error) { return shape.NewTube(ring, []float64{0.002}, false) })
	// Beside a natural end a spline of an arc is bent 1 + 2 − √3 times as much.
	if d := s.MinRadius() - (0.03/(3-math.Sqrt(3)) - 0.002); math.Abs(d) > 1e-5 {
		t.Errorf("bent tube: %g m off the radius of its inner side", d)
	}
	// The spline stays within 1e-6 of the radius of the arc, world.md C9.
	at, _ := s.At(spatial.Vec{X: 0.03 * math.Sin(0.777), Y: 0.001, Z: 0.03 * math.Cos(0.777)}, new(shape.Hint))
	if d := math.Abs(at.D - 0.001); d > 1e-6*0.03 {
		t.Errorf("bent tube: distance %g off", d)
	}
}

func TestAtDoesNotAllocate(t *testing.T) {
	for name, s := range shape.Samples(t) {
		s = s.Moved(spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 1}), P: spatial.Vec{X: 0.001}})
		r := shape.NewRand()
		var hint shape.Hint
		if n := testing.AllocsPerRun(100, func() { s.At(shape.RandVec(r, 0.01), &hint) }); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

// BenchmarkAt is a station that slides along, with its hint.
func BenchmarkAt(b *testing.B) {
	for name, s := range shape.Samples(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var hint shape.Hint
			k := 0.0
			for b.Loop() {
				k += 1e-5
				x := 0.006 * math.Sin(k)
				s.At(spatial.Vec{X: x, Y: 0.001, Z: 0.0004 + 0.3*x}, &hint)
			}
		})
	}
}
