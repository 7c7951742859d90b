package stokes

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// The gap in a vessel is that of the nearest of many points of the body's surface, and of
// two ends that touch both are found.
func TestGapInAVessel(t *testing.T) {
	r := newRand()
	for range 40 {
		axes := spatial.Vec{X: 0.1 + r.Float64(), Y: 0.1 + r.Float64(), Z: 0.1 + r.Float64()}
		rot := randRot(r)
		extent := rot.Mul(spatial.Diag3(axes.Mul(axes))).MulT(rot)
		axis := randVec(r)
		w := mustWalls(t, nil, []Cylinder{{Axis: axis, Radius: 2}}, 0)
		x := randVec(r).Scale(0.5)
		gap := math.Inf(1)
		for range 200_000 {
			u := randVec(r).Unit()
			y := x.Add(rot.Apply(axes.Mul(u)))
			y = y.AddScaled(-y.Dot(axis.Unit()), axis.Unit())
			gap = min(gap, 2-y.Norm())
		}
		if g := w.Gap(x, &extent); g > gap+1e-12 || g < gap-5e-4 {
			t.Errorf("gap %g, of points %g", g, gap)
		}
	}
	across := mustWalls(t, nil, []Cylinder{{Axis: spatial.Vec{Z: 1}, Radius: 1}}, 0)
	extent := spatial.Diag3(spatial.Vec{X: 0.36, Y: 0.0025, Z: 0.0025})
	var points [2]contact
	if n := across.contacts(&points, 0, spatial.Vec{Y: -0.79}, &extent); n != 2 || math.Abs(points[0].gap-points[1].gap) > 1e-9 ||
		math.Abs(points[0].arm.X+points[1].arm.X) > 1e-6 || math.Abs(points[0].arm.X) < 0.5 {
		t.Errorf("%d ends: %+v", n, points)
	}
	wide := spatial.Diag3(spatial.Vec{X: 1.21, Y: 0.01, Z: 0.01})
	if err := across.Check(spatial.Vec{}, &wide); err == nil {
		t.Error("a body wider than the vessel is none")
	}
}
