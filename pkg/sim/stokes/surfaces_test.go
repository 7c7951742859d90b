package stokes_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// A plane of the environment is a plane wall: distance, reaction and the drag on a sphere.
func TestSurfaceIsPlane(t *testing.T) {
	rnd := stokes.NewRand()
	for range 50 {
		p, n := stokes.RandVec(rnd), stokes.RandVec(rnd).Unit()
		s, err := shape.NewPlane(p, n)
		a, b := stokes.SurfacesOf(t, s, err), stokes.MustWalls(t, []stokes.Plane{{p, n}}, nil, 0)
		rot := stokes.RandRot(rnd)
		hull := stokes.Hull{Ellipsoid: rot.Mul(spatial.Diag3(spatial.Vec{X: 4, Y: 0.25, Z: 0.04})).MulT(rot)}
		x := p.AddScaled(4*rnd.Float64()-1, n)
		stokes.Close1(t, "gap", a.Gap(x, &hull)+10, b.Gap(x, &hull)+10, 1e-12)
		if d := a.PushOut(x, &hull).Sub(b.PushOut(x, &hull)).Norm(); d > 1e-12 {
			t.Errorf("pushed out %g m apart", d)
		}
		m := stokes.Mobility{Trans: spatial.Identity3(), Rot: spatial.Identity3()}
		motion := spatial.Twist{Linear: n.Scale(-3), Angular: stokes.RandVec(rnd)}
		va, vb := a.Restrain(x, &hull, &m, motion, 1), b.Restrain(x, &hull, &m, motion, 1)
		if d := va.Linear.Sub(vb.Linear).Norm() + va.Angular.Sub(vb.Angular).Norm(); d > 1e-7 {
			t.Errorf("reaction differs by %g", d)
		}
		x = p.AddScaled(1.2, n)
		stokes.Near(t, "drag", stokes.FlatR(a.Resistance(x, 1, 1)), stokes.FlatR(b.Resistance(x, 1, 1)), 1e-12)
		stokes.Near(t, "mobility", stokes.FlatR(stokes.Resistance(a.Mobility(x, 1, 1))), stokes.FlatR(stokes.Resistance(b.Mobility(x, 1, 1))), 1e-12)
	}
}

func TestCheckRefusesBodyInSurface(t *testing.T) {
	s, err := shape.NewSphere(spatial.Vec{}, 1)
	w := stokes.SurfacesOf(t, s, err)
	hull := stokes.Hull{Ellipsoid: spatial.Diag3(spatial.Vec{X: 1, Y: 1, Z: 1})}
	if err := w.Check(spatial.Vec{X: 1.995}, &hull); err != nil {
		t.Errorf("within the error of distances: %v", err)
	}
	err = w.Check(spatial.Vec{X: 1.5}, &hull)
	if err == nil || !strings.Contains(err.Error(), "inside wall") || !strings.Contains(err.Error(), "0.5 m deep") {
		t.Errorf("error %v", err)
	}
}

func TestSurfacesDoNotAllocate(t *testing.T) {
	s, err := shape.NewTube([]spatial.Vec{{X: -5}, {X: 5, Y: 1}}, []float64{1}, false)
	w := stokes.SurfacesOf(t, s, err)
	hull := stokes.Needle
	m := stokes.Mobility{Trans: spatial.Identity3(), Rot: spatial.Identity3()}
	touches := make([]stokes.Touch, 0, 8)
	if n := testing.AllocsPerRun(100, func() {
		w.Restrain(spatial.Vec{}, &hull, &m, spatial.Twist{Linear: spatial.Vec{Y: 5}}, 0.01)
		w.PushOut(spatial.Vec{Y: 0.9}, &hull)
		w.Touches(touches[:0], spatial.Vec{}, &hull, &m, spatial.Twist{Linear: spatial.Vec{Y: 5}}, 0.01)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
