package contact

import (
	"errors"
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// onAnAxis is a straight rod on the axis of a straight tube of a radius, where no wall is nearest, in
// a step.
func onAnAxis(t *testing.T, radius float64) (*strain.State, *Contacts) {
	t.Helper()
	r, err := rod.New(rod.Params{
		Length: 0.03, Elements: 3, Order: 2, Section: rod.Circle(testRadius), Base: spatial.IdentityPose(),
		Material: rod.Material{YoungsModulus: 1e8, ShearModulus: 3e7, Density: 1000, ShearCorrection: 0.9},
	})
	if err != nil {
		t.Fatal(err)
	}
	tube, err := shape.NewTube([]spatial.Vec{{Z: -0.1}, {Z: 0.1}}, []float64{radius}, false)
	if err != nil {
		t.Fatal(err)
	}
	s := strain.New(r, strain.Options{})
	s.Rest()
	c := New(r, Options{Walls: []Wall{{"tube", tube, 0}}, Radius: func(float64) float64 { return testRadius }})
	c.Reset(s)
	s.Begin(integrate.NewBDF(1, 1e-3, 0), 0, make([]spatial.Wrench, 4))
	c.Begin(1e-3)
	c.Measure(s)
	return s, c
}

// TestSpeedIsLimitedWhereNoWallIsNear moves a rod from where no wall is near: within the room that is
// known to be free, and beyond it by more than may be, also the increments of an iteration.
func TestSpeedIsLimitedWhereNoWallIsNear(t *testing.T) {
	const radius = 0.02
	room := radius - testRadius
	for _, way := range []float64{0.5, 0.95, 1.5} {
		s, c := onAnAxis(t, radius)
		if g := c.pairs[2].gap; !math.IsInf(g, 1) {
			t.Fatalf("the gap on the axis is %g m, want none", g)
		}
		eta := make([]spatial.Vec6, 3)
		eta[2] = spatial.Vec6Of(spatial.Vec{X: way * room}, spatial.Vec{})
		want := math.Min(1, (room+c.Stations[2].bite)/(way*room))
		if share := c.Clip(s, eta); math.Abs(share-want) > 1e-12 {
			t.Errorf("an increment of %g of the room is clipped to %g, want %g", way, share, want)
		}
		s.MoveNodes(eta, 1)
		c.Measure(s)
		var e *SpeedError
		if err := c.CheckSpeed(1); errors.As(err, &e) != (want < 1) || err != nil && want == 1 {
			t.Errorf("a way of %g of the room: error %v", way, err)
		} else if want < 1 && math.Abs(e.Allowed-room-c.Stations[2].bite) > 1e-12 {
			t.Errorf("a way of %g of the room: %v, want %g m allowed", way, err, room+c.Stations[2].bite)
		}
	}
}
