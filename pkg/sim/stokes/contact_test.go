package stokes_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

func TestBodyInsideAWallIsAnError(t *testing.T) {
	ball := stokes.Hull{Ellipsoid: spatial.Identity3().Scale(1e-12)} // radius 1 µm
	plane := stokes.MustWalls(t, []stokes.Plane{{Point: spatial.Vec{Z: 1e-6}, Normal: spatial.Vec{Z: 1}}}, nil, 0)
	tube := stokes.MustWalls(t, nil, []stokes.Cylinder{{Axis: spatial.Vec{X: 5}, Radius: 4e-6}}, 0)
	for _, c := range []struct {
		name string
		w    *stokes.Walls
		x    spatial.Vec
		want string
	}{
		{"in the floor", plane, spatial.Vec{Z: 1.5e-6}, "inside plane wall 0: its reference point (0, 0, 1.5e-06) m is 5e-07 m above the wall, where it needs at least 1e-06 m"},
		{"below the floor", plane, spatial.Vec{}, "is -1e-06 m above the wall"},
		{"in the vessel's wall", tube, spatial.Vec{X: 1, Y: 3.5e-6}, "cylinder 0: its reference point (1, 3.5e-06, 0) m is 3.5e-06 m off the axis of the vessel of radius 4e-06 m, where at most 3e-06 m leave room"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.w.Check(c.x, &ball); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
			if g := c.w.Gap(c.x, &ball); g >= 0 {
				t.Errorf("gap %g", g)
			}
		})
	}
	wide := stokes.Hull{Ellipsoid: spatial.Identity3().Scale(25e-12)}
	if err := tube.Check(spatial.Vec{}, &wide); err == nil || !strings.Contains(err.Error(), "too wide for cylinder 0: its half-width is 5e-06 m, the vessel's radius 4e-06 m") {
		t.Errorf("too wide: got %v", err)
	}
	if err := plane.Check(spatial.Vec{Z: 2e-6}, &ball); err != nil {
		t.Errorf("just touching: %v", err)
	}
	stokes.Close1(t, "gap", tube.Gap(spatial.Vec{Z: 1e-6}, &ball), 2e-6, 1e-12)
}

func TestWallErrors(t *testing.T) {
	_, err := stokes.NewWalls([]stokes.Plane{{}, {Point: spatial.Vec{X: math.NaN()}, Normal: spatial.Vec{X: 1}}}, []stokes.Cylinder{{Axis: spatial.Vec{X: 1}}}, -1)
	for _, want := range []string{"plane 0: stokes: normal {0 0 0} has no direction", "plane 1: stokes: point", "cylinder 0: stokes: radius is 0 m", "roughness of the walls is -1 m"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

// A sphere pushed onto the floor stays there: the floor carries the load.
func TestFloorCarriesTheLoad(t *testing.T) {
	w := stokes.MustWalls(t, floor, nil, 1e-3)
	hull := stokes.Hull{Ellipsoid: spatial.Identity3()}
	x := spatial.Vec{Z: 1 + 1e-3}
	m := w.Mobility(x, 1, 1)
	load := spatial.Wrench{Force: spatial.Vec{X: 2, Z: -3}}
	got, reaction := w.React(x, &hull, &m, m.Apply(load))
	stokes.Near(t, "reaction", stokes.FlatV(reaction.Force, reaction.Moment), []float64{0, 0, 3, 0, 0, 0}, 1e-12)
	if math.Abs(got.Linear.Z) > 1e-15 || got.Linear.X <= 0 {
		t.Errorf("moves with %v", got.Linear)
	}
	// lifted or free, it feels nothing
	up := spatial.Twist{Linear: spatial.Vec{Z: 1}}
	if got, f := w.React(x, &hull, &m, up); got != up || f != (spatial.Wrench{}) {
		t.Errorf("lifted: %v, %v", got, f)
	}
	down := spatial.Twist{Linear: spatial.Vec{Z: -1}}
	if got, _ := w.React(x.Add(spatial.Vec{Z: 0.1}), &hull, &m, down); got != down {
		t.Errorf("free: %v", got)
	}
}

// A tilted spheroid that touches the floor with its tip tips over: the reaction acts
// at the touching point, which stays where it is along the normal.
func TestSpheroidTipsOverOnTheFloor(t *testing.T) {
	w := stokes.MustWalls(t, floor, nil, 0)
	b := mustBody(t, mustEllipsoid(t, 3, 1, 1), 1)
	rot := spatial.ExpRot(spatial.Vec{Y: -0.5}) // long axis up along +x
	hull := b.Shape.Hull.Rotated(&rot)
	n := spatial.Vec{Z: 1}
	h := hull.HalfWidth(n)
	stokes.Close1(t, "half-width", h, math.Sqrt(math.Pow(3*math.Sin(0.5), 2)+math.Pow(math.Cos(0.5), 2)), 1e-14)
	m := b.Mobility.Rotated(rot)
	got, reaction := w.React(spatial.Vec{Z: h}, &hull, &m, m.Apply(spatial.Wrench{Force: spatial.Vec{Z: -1}}))
	arm := hull.Ellipsoid.Apply(n).Scale(-1 / h)
	if v := got.Linear.Add(got.Angular.Cross(arm)); math.Abs(v.Z) > 1e-15 {
		t.Errorf("the touching point moves with %v", v)
	}
	// the tip is at −x: the floor lifts that side, the axis turns flat
	if got.Angular.Y <= 0 || reaction.Force.Z <= 0 || reaction.Force.Z >= 1 || arm.X >= 0 {
		t.Errorf("turns with %v under %v at %v", got.Angular, reaction.Force, arm)
	}
}

func TestVesselHoldsTheSphere(t *testing.T) {
	const radius, a = 5.0, 1.0
	w := stokes.MustWalls(t, nil, []stokes.Cylinder{{Axis: spatial.Vec{X: 1, Y: 1}, Radius: radius}}, 1e-3)
	hull := stokes.Hull{Ellipsoid: spatial.Identity3()}
	x := w.PushOut(spatial.Vec{X: 7, Y: 7, Z: 9}, &hull)
	stokes.Near(t, "pushed out", stokes.FlatV(x), []float64{7, 7, radius - a - 1e-3}, 1e-12)
	m := w.Mobility(x, a, 1)
	got, f := w.React(x, &hull, &m, m.Apply(spatial.Wrench{Force: spatial.Vec{X: 1, Z: 5}}))
	if math.Abs(got.Linear.Z) > 1e-15 || got.Linear.X <= 0 {
		t.Errorf("moves with %v", got.Linear)
	}
	stokes.Close1(t, "reaction", f.Force.Z, -5, 1e-12)
	// on the axis no direction is special, and none may be NaN
	if r := w.Mobility(spatial.Vec{X: 1, Y: 1}, a, 1); !(r.Trans.XX > 0) {
		t.Errorf("on the axis: %+v", r)
	}
}

func TestContactDoesNotAllocate(t *testing.T) {
	w := stokes.MustWalls(t, floor, []stokes.Cylinder{{Axis: spatial.Vec{X: 1}, Radius: 3}}, 1e-3)
	hull := stokes.Hull{Ellipsoid: spatial.Identity3()}
	x := spatial.Vec{Z: 1}
	stokes.NoAllocs(t, "contact", func() {
		m := w.Mobility(x, 1, 1)
		tw, _ := w.React(x, &hull, &m, spatial.Twist{Linear: spatial.Vec{Z: -1}})
		x = w.PushOut(x.AddScaled(1e-3, tw.Linear), &hull)
	})
}
