package mechanism_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// goldenCase is a case of testdata/mechanism.json, whose head names its source.
type goldenCase struct {
	Name      string
	Robot     goldenRobot
	Duration  float64 `json:"duration_s"`
	Expected  json.RawMessage
	Tolerance json.RawMessage
}

type goldenRobot struct {
	Bodies  []goldenBody
	Joints  []goldenJoint
	Gravity [3]float64 `json:"gravity_m_per_s2"`
}

type goldenBody struct {
	Name            string
	Mass            float64     `json:"mass_kg"`
	Inertia         [3]float64  `json:"inertia_kg_m2"`
	CenterOfMass    [3]float64  `json:"center_of_mass_m"`
	Position        *[3]float64 `json:"position_m"`
	Orientation     *[4]float64 `json:"orientation_xyzw"`
	Velocity        *[3]float64 `json:"velocity_m_per_s"`
	AngularVelocity *[3]float64 `json:"angular_velocity_rad_per_s"`
}

type goldenJoint struct {
	Name          string
	Type          joint.Type
	Parent, Child goldenSide
	Axis          [3]float64
	SecondAxis    [3]float64 `json:"second_axis"`
	Position      *float64
	Stiffness     float64
	Damping       float64
	Rest          float64
}

type goldenSide struct {
	Body        string
	Position    [3]float64  `json:"position_m"`
	Orientation *[4]float64 `json:"orientation_xyzw"`
}

func vec(a [3]float64) spatial.Vec { return spatial.Vec{X: a[0], Y: a[1], Z: a[2]} }

func pose(p [3]float64, xyzw *[4]float64) spatial.Pose {
	g := spatial.Pose{R: spatial.Identity3(), P: vec(p)}
	if xyzw != nil {
		g.R = spatial.Quat{X: xyzw[0], Y: xyzw[1], Z: xyzw[2], W: xyzw[3]}.Normalized().Rot()
	}
	return g
}

// golden returns the case of the given name.
func golden(t testing.TB, name string) goldenCase {
	t.Helper()
	data, err := os.ReadFile("testdata/mechanism.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Cases []goldenCase }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all.Cases {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no case %q", name)
	return goldenCase{}
}

// decode reads the part of a case that a test needs.
func decode(t testing.TB, data json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// parameters returns the mechanism of a case.
func (r *goldenRobot) parameters() mechanism.Parameters {
	p := mechanism.Parameters{Gravity: vec(r.Gravity)}
	for _, b := range r.Bodies {
		body := mechanism.Body{
			Name: b.Name, Mass: b.Mass, CenterOfMass: vec(b.CenterOfMass),
			Inertia: [6]float64{b.Inertia[0], b.Inertia[1], b.Inertia[2]},
		}
		if b.Position != nil {
			g := pose(*b.Position, b.Orientation)
			body.Pose = &g
		}
		if b.Velocity != nil || b.AngularVelocity != nil {
			body.Velocity = &spatial.Twist{}
		}
		if b.Velocity != nil {
			body.Velocity.Linear = vec(*b.Velocity)
		}
		if b.AngularVelocity != nil {
			body.Velocity.Angular = vec(*b.AngularVelocity)
		}
		p.Bodies = append(p.Bodies, body)
	}
	for _, j := range r.Joints {
		add := mechanism.Joint{
			Name: j.Name, Type: j.Type, Axis: vec(j.Axis), SecondAxis: vec(j.SecondAxis),
			Parent: mechanism.Side{Link: j.Parent.Body, Frame: pose(j.Parent.Position, j.Parent.Orientation)},
			Child:  mechanism.Side{Link: j.Child.Body, Frame: pose(j.Child.Position, j.Child.Orientation)},
		}
		if j.Position != nil {
			add.Position = []float64{*j.Position}
		}
		if j.Stiffness != 0 || j.Damping != 0 {
			add.Spring = []mechanism.Spring{{Stiffness: j.Stiffness, Damping: j.Damping, Rest: j.Rest}}
		}
		p.Joints = append(p.Joints, add)
	}
	return p
}

func mustWorld(t testing.TB, p mechanism.Parameters) *mechanism.World {
	t.Helper()
	w, err := mechanism.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// march steps w by h until the time at, from the time now.
func march(t testing.TB, w *mechanism.World, h, now, at float64) {
	t.Helper()
	for range int(math.Round((at - now) / h)) {
		if err := w.Step(h); err != nil {
			t.Fatalf("between %g and %g s: %v", now, at, err)
		}
	}
}
