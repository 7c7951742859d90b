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

// onAnAxis is a straight rod on the axis of a straight tube of the given radius, where no wall is
// closest, within a step.
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
	s.SetAtRest()
	c := New(r, Options{Walls: []Wall{{"tube", tube, 0}}, Radius: func(float64) float64 { return testRadius }})
	c.Reset(s)
	s.Begin(integrate.NewBDF(1, 1e-3, 0), 0, make([]spatial.Wrench, 4))
	c.Begin(1e-3)
	c.UpdateKinematics(s)
	return s, c
}

// TestSpeedIsLimitedWhereNoWallIsNear moves a rod from where no wall is near: within the known
// clearance, and beyond it by more than a step allows, as a motion and as an increment.
func TestSpeedIsLimitedWhereNoWallIsNear(t *testing.T) {
	const radius = 0.02
	room := radius - testRadius
	for _, distance := range []float64{0.5, 0.95, 1.5} {
		s, c := onAnAxis(t, radius)
		last := lastWallPoint(c)
		if g := c.wallContacts[last].gap; !math.IsInf(g, 1) {
			t.Fatalf("the gap on the axis is %g m, want none", g)
		}
		eta := make([]spatial.Vec6, 3)
		eta[2] = spatial.Vec6Of(spatial.Vec{X: distance * room}, spatial.Vec{})
		want := math.Min(1, (room+c.Points[last].maxPenetrationPerStep)/(distance*room))
		if share := c.MaxIncrementFraction(s, eta); math.Abs(share-want) > 1e-12 {
			t.Errorf("an increment of %g of the room is limited to %g, want %g", distance, share, want)
		}
		s.MoveNodes(eta, 1)
		c.UpdateKinematics(s)
		var e *SpeedError
		if err := c.CheckSpeed(1); errors.As(err, &e) != (want < 1) || err != nil && want == 1 {
			t.Errorf("a path of %g of the room: error %v", distance, err)
		} else if want < 1 && math.Abs(e.Allowed-room-c.Points[last].maxPenetrationPerStep) > 1e-12 {
			t.Errorf("a path of %g of the room: %v, want %g m allowed", distance, err, room+c.Points[last].maxPenetrationPerStep)
		}
	}
}

// lastWallPoint returns the index of the last contact point of the first wall.
func lastWallPoint(c *Contacts) int { return c.patches[c.wallPatches-len(c.Walls)].last - 1 }

// jump returns the error of a straight rod that a step moves by way from beyond one end of a tube
// across its axis.
func jump(t *testing.T, distance float64) error {
	t.Helper()
	r, err := rod.New(rod.Params{
		Length: 0.03, Elements: 3, Order: 2, Section: rod.Circle(testRadius), Base: spatial.IdentityPose(),
		Material: rod.Material{YoungsModulus: 1e8, ShearModulus: 3e7, Density: 1000, ShearCorrection: 0.9},
	})
	if err != nil {
		t.Fatal(err)
	}
	tube, err := shape.NewTube([]spatial.Vec{
		{X: 0.5, Y: 0.03, Z: 0.03}, {X: 0.58, Y: 0.03, Z: 0.03}, {X: 0.61, Z: 0.03}, {X: 0.58, Y: -0.03, Z: 0.03}, {X: 0.5, Y: -0.03, Z: 0.03},
	}, []float64{0.01}, false)
	if err != nil {
		t.Fatal(err)
	}
	s := strain.New(r, strain.Options{})
	s.SetAtRest()
	c := New(r, Options{Walls: []Wall{{"tube", tube, 0}}, Radius: func(float64) float64 { return testRadius }})
	c.Reset(s)
	s.Target.P.X = distance
	s.Begin(integrate.NewBDF(1, 1e-3, 0), 0, make([]spatial.Wrench, 4))
	c.Begin(1e-3)
	for i := range c.patches {
		if !c.patches[i].near {
			c.activatePatch(&c.patches[i])
		}
	}
	c.UpdateKinematics(s)
	if last := c.wallContacts[lastWallPoint(c)]; !math.IsInf(last.prevGap, 1) || math.IsInf(last.gap, 1) != (distance < 0.1 || distance == 0.61) {
		t.Fatalf("a path of %g m: gaps are %g m and then %g m", distance, last.prevGap, last.gap)
	}
	return c.CheckSpeed(0)
}

// TestPathsThroughWallsAreRefused moves a rod into a wall, across one to where none is near, and
// farther than a path can be sampled. It guards against an endpoint check alone and a fixed number
// of samples.
func TestPathsThroughWallsAreRefused(t *testing.T) {
	var inside *InsideWallError
	var fast *SpeedError
	if err := jump(t, 0.05); err != nil {
		t.Errorf("a way before the tube: %v", err)
	}
	for _, distance := range []float64{0.55, 0.61} {
		if err := jump(t, distance); !errors.As(err, &inside) || !(inside.Depth > 0.03 && inside.Depth < 0.04) {
			t.Errorf("a path of %g m: error is %v, want one of a wall 0.03 to 0.04 m deep", distance, err)
		}
	}
	if err := jump(t, 3); !errors.As(err, &fast) || fast.Distance != 3 || fast.Allowed != 2.048 {
		t.Errorf("a path of 3 m: error is %v, want a speed beyond 2.048 m", err)
	}
}
