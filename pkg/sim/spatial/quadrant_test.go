package spatial_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

func TestAddOuterAddsTheProduct(t *testing.T) {
	m := spatial.Mat3{1, 2, 3, 4, 5, 6, 7, 8, 9}
	want := m
	a, b := spatial.Vec{2, -3, 5}, spatial.Vec{7, 11, -13}
	want = want.Add(spatial.Outer(a, b))
	if m.AddOuter(&a, &b); m != want {
		t.Errorf("got %v, want %v", m, want)
	}
}

func TestQuadrantsTouchThemselvesOnly(t *testing.T) {
	a := spatial.Mat3{1, 2, 3, 4, 5, 6, 7, 8, 9}
	o := spatial.Mat3{}
	for _, k := range []struct {
		name string
		of   func(*spatial.Mat6) *spatial.Quadrant
		want func(spatial.Mat3) spatial.Mat6
	}{
		{"LinLin", (*spatial.Mat6).LinLin, func(a spatial.Mat3) spatial.Mat6 { return spatial.Blocks6(a, o, o, o) }},
		{"LinRot", (*spatial.Mat6).LinRot, func(a spatial.Mat3) spatial.Mat6 { return spatial.Blocks6(o, a, o, o) }},
		{"RotLin", (*spatial.Mat6).RotLin, func(a spatial.Mat3) spatial.Mat6 { return spatial.Blocks6(o, o, a, o) }},
		{"RotRot", (*spatial.Mat6).RotRot, func(a spatial.Mat3) spatial.Mat6 { return spatial.Blocks6(o, o, o, a) }},
	} {
		var m spatial.Mat6
		check := func(what string, a spatial.Mat3) {
			if want := k.want(a); m != want {
				t.Errorf("%s: %s: got %v, want %v", k.name, what, m, want)
			}
		}
		q := k.of(&m)
		q.Add(a)
		check("Add", a)
		q.Sub(a.Scale(3))
		check("Sub", a.Scale(-2))
		q.Set(a)
		check("Set", a)
		q.SetNeg(a)
		check("SetNeg", a.Scale(-1))
		l := spatial.Lower3{XX: 1, YX: 4, YY: 5, ZX: 7, ZY: 8, ZZ: 9}
		q.Set(o)
		q.SetLower(l)
		check("SetLower", spatial.Mat3{XX: 1, YX: 4, YY: 5, ZX: 7, ZY: 8, ZZ: 9})
		q.AddLower(l)
		check("AddLower", spatial.Mat3{XX: 2, YX: 8, YY: 10, ZX: 14, ZY: 16, ZZ: 18})
		q.Set(l.Full())
		check("Full", spatial.Mat3{1, 4, 7, 4, 5, 8, 7, 8, 9})
		q.Set(o)
		q.AddDiag(3)
		check("AddDiag", spatial.Identity3().Scale(3))
		q.Set(a)
		q.AddSkew(spatial.Vec{1, -2, 3})
		check("AddSkew", a.Add(spatial.Skew(spatial.Vec{1, -2, 3})))
	}
}

func TestLowerInverts(t *testing.T) {
	l := spatial.Lower3{XX: 4, YX: 1, YY: 5, ZX: -2, ZY: 0.5, ZZ: 6}
	want := l.Full().Inv()
	got := l
	got.Invert()
	d := got.Full().Sub(want)
	for _, x := range []float64{d.XX, d.YX, d.YY, d.ZX, d.ZY, d.ZZ} {
		if !(math.Abs(x) < 1e-16) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	l.Add(&spatial.Lower3{1, 2, 3, 4, 5, 6})
	if want := (spatial.Lower3{5, 3, 8, 2, 5.5, 12}); l != want {
		t.Errorf("got %v, want %v", l, want)
	}
}
