package stokes_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

var floor = []stokes.Plane{{Normal: spatial.Vec{Z: 2}}}

// A sphere dragged along +x near the floor tends to roll with +ω_y; spun with +ω_y
// it goes along +x.
func TestSphereRollsAlongTheFloor(t *testing.T) {
	w := stokes.MustWalls(t, floor, nil, 0)
	m := w.Mobility(spatial.Vec{Z: 1.2}, 1, 1)
	if v := m.Apply(spatial.Wrench{Force: spatial.Vec{X: 1}}); v.Angular.Y <= 0 {
		t.Errorf("dragged along x it turns with %v", v.Angular)
	}
	v := m.Apply(spatial.Wrench{Moment: spatial.Vec{Y: 1}})
	// microrobot's free roller: 0.0339 at h = 1.2 a
	stokes.Close1(t, "slip", v.Linear.X/v.Angular.Y, 0.0339, 0.01)
}

// Between two planes, against Faxén's series for the midplane (Happel and Brenner,
// eq. 7-4.28).
func TestSphereBetweenPlanes(t *testing.T) {
	for _, h := range []float64{4, 6, 10} {
		w := stokes.MustWalls(t, []stokes.Plane{{Normal: spatial.Vec{Z: 1}}, {Point: spatial.Vec{Z: 2 * h}, Normal: spatial.Vec{Z: -1}}}, nil, 0)
		e := 1 / h
		faxen := 1 / (1 - 1.004*e + 0.418*e*e*e + 0.21*e*e*e*e - 0.169*e*e*e*e*e)
		x := spatial.Vec{X: 3, Z: h}
		stokes.Close1(t, "along", w.Resistance(x, 1, 1).Trans.XX/(6*math.Pi), faxen, 0.02)
		m, err := w.Resistance(x, 1, 1).Mobility()
		if err != nil {
			t.Fatal(err)
		}
		stokes.Near(t, "mobility", stokes.FlatR(stokes.Resistance(w.Mobility(x, 1, 1))), stokes.FlatR(stokes.Resistance(m)), 1e-12)
	}
}

func TestNoWalls(t *testing.T) {
	var w stokes.Walls
	r := w.Mobility(spatial.Vec{}, 2, 3)
	stokes.Close1(t, "translation", r.Trans.XX, 1/(36*math.Pi), 1e-15)
	stokes.Close1(t, "rotation", r.Rot.YY, 1/(192*math.Pi), 1e-15)
	if g := w.Gap(spatial.Vec{}, &stokes.Hull{}); !math.IsInf(g, 1) {
		t.Errorf("gap %g", g)
	}
}

func BenchmarkWallMobility(b *testing.B) {
	w := stokes.MustWalls(b, floor, nil, 0)
	x := spatial.Vec{Z: 1.3}
	for b.Loop() {
		w.Mobility(x, 1, 1)
	}
}
