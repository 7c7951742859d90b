package spatial_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// What Put writes is what At reads.
func TestStore(t *testing.T) {
	v, q, g := spatial.Vec{1, 2, 3}, spatial.Quat{4, 5, 6, 7}, spatial.Pose{R: spatial.ExpRot(spatial.Vec{1, 2, 3}), P: spatial.Vec{8, 9, 10}}
	for _, d := range [][]float64{make([]float64, 3), make([]float64, 4), make([]float64, 12)} {
		switch len(d) {
		case 3:
			if v.Put(d); spatial.VecAt(d) != v || d[0] != v.X || d[1] != v.Y || d[2] != v.Z {
				t.Errorf("%v is written as %v", v, d)
			}
		case 4:
			if q.Put(d); spatial.QuatAt(d) != q {
				t.Errorf("%v is written as %v", q, d)
			}
		case 12:
			if g.Put(d); spatial.PoseAt(d) != g {
				t.Errorf("%v is written as %v", g, d)
			}
		}
	}
}

// A vector across another is of length 1 and at a right angle, for every direction.
func TestPerpendicular(t *testing.T) {
	for _, v := range []spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: -2, Y: 3, Z: 0.1}, {X: 0.1, Y: -0.2, Z: 5}, {X: 1e-9, Y: 1e-9, Z: 1e-9}, {X: 1, Y: 1}, {Y: 1, Z: -1}} {
		if p := v.Perpendicular(); !(math.Abs(p.Norm()-1) < 1e-15) || !(math.Abs(p.Dot(v)) < 1e-15*v.Norm()) {
			t.Errorf("across %v: %v", v, p)
		}
	}
}

func TestInverseOfMat3(t *testing.T) {
	m := spatial.Mat3{XX: 1, XY: 2, XZ: -1, YX: 0.5, YY: 3, YZ: 1, ZX: -2, ZY: 0.3, ZZ: 4}
	for _, p := range []spatial.Mat3{m.Mul(m.Inv()), m.Inv().Mul(m)} {
		d := p.Sub(spatial.Identity3())
		if size := d.Col1().Norm() + d.Col2().Norm() + d.Col3().Norm(); !(size < 1e-14) {
			t.Errorf("matrix times inverse is off by %g", size)
		}
	}
}

// Lower3 holds the lower triangle of a symmetric sum of products.
func TestLowerOuter(t *testing.T) {
	a, b := spatial.Vec{1, 2, 3}, spatial.Vec{0.5, 1, 1.5} // a bᵀ is symmetric
	l := spatial.Lower3{XX: 1, YX: 2, YY: 3, ZX: 4, ZY: 5, ZZ: 6}
	want := spatial.Outer(a, b).Add(l.Full())
	l.AddOuter(&a, &b)
	if l.Full() != want {
		t.Errorf("%+v, want %+v", l.Full(), want)
	}
}

// Flushing a pose flushes its numbers one by one.
func TestFlushPose(t *testing.T) {
	const tiny = 1e-310
	g := spatial.Pose{R: spatial.Mat3{XX: 1, XY: tiny, XZ: 2, YX: tiny, YY: 3, YZ: tiny, ZX: 4, ZY: tiny, ZZ: 5}, P: spatial.Vec{tiny, 6, -tiny}}
	want := spatial.Pose{R: spatial.Mat3{XX: 1, XZ: 2, YY: 3, ZX: 4, ZZ: 5}, P: spatial.Vec{Y: 6}}
	if got := g.Flush(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	g = spatial.Pose{R: spatial.Mat3{XX: tiny, XY: 1, XZ: tiny, YX: 2, YY: tiny, YZ: 3, ZX: tiny, ZY: 4, ZZ: tiny}, P: spatial.Vec{7, tiny, 8}}
	want = spatial.Pose{R: spatial.Mat3{XY: 1, YX: 2, YZ: 3, ZY: 4}, P: spatial.Vec{X: 7, Z: 8}}
	if got := g.Flush(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
