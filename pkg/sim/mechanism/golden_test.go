package mechanism_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// goldenCase is a case of testdata/mechanism.json, whose head names its source.
type goldenCase struct {
	Name      string
	Robot     goldenRobot
	Duration  float64 `json:"duration_s"`
	Expected  json.RawMessage
	Tolerance json.RawMessage
	// LimitPoints are those of the shallow arch: forces at which an equilibrium ends, and one beyond.
	LimitPoints struct {
		Upper struct {
			Force float64 `json:"force_n"`
		}
		AfterSnap struct {
			Force  float64    `json:"force_n"`
			Middle [3]float64 `json:"middle_p_m"`
		} `json:"after_snap"`
	} `json:"limit_points"`
}

type goldenRobot struct {
	Rods    []goldenRod
	Loads   []goldenRodLoad
	Bodies  []goldenBody
	Joints  []goldenJoint
	Tendons []struct {
		Name   string
		Route  []goldenSide
		Rod    string
		Offset [2]float64 `json:"offset_m"`
		Disks  struct {
			Count int
			First float64 `json:"first_m"`
			Last  float64 `json:"last_m"`
		}
		Tension float64 `json:"tension_n"`
	}
	Gravity     [3]float64 `json:"gravity_m_per_s2"`
	Environment struct {
		Friction float64 `json:"friction_coefficient"`
		Shapes   []struct {
			Name  string
			Plane struct {
				Point  [3]float64 `json:"point_m"`
				Normal [3]float64
			}
		}
	}
}

type goldenRod struct {
	Name            string
	Length          float64    `json:"length_m"`
	Radius          float64    `json:"radius_m"`
	Density         float64    `json:"density_kg_per_m3"`
	YoungsModulus   float64    `json:"youngs_modulus_pa"`
	ShearModulus    float64    `json:"shear_modulus_pa"`
	ShearCorrection float64    `json:"shear_correction"`
	Precurvature    [3]float64 `json:"precurvature_per_m"`
	Section         *struct {
		Area float64 `json:"area_m2"`
		I1   float64 `json:"i1_m4"`
		I2   float64 `json:"i2_m4"`
		J    float64 `json:"j_m4"`
	}
	Damping struct {
		KelvinVoigt float64 `json:"kelvin_voigt_s"`
	}
	Start *struct {
		Position        [3]float64 `json:"position_m"`
		Direction       [3]float64
		Normal          [3]float64
		Velocity        *[3]float64 `json:"velocity_m_per_s"`
		AngularVelocity [3]float64  `json:"angular_velocity_rad_per_s"`
	}
}

type goldenRodLoad struct {
	Rod   string
	At    float64    `json:"at_m"`
	Force [3]float64 `json:"force_n"`
}

type goldenLoad struct {
	Position [3]float64 `json:"position_m"`
	Force    [3]float64 `json:"force_n"`
	Moment   [3]float64 `json:"moment_nm"`
	Until    float64    `json:"until_s"`
}

type goldenBody struct {
	Loads           []goldenLoad
	Name            string
	Mass            float64     `json:"mass_kg"`
	Inertia         [3]float64  `json:"inertia_kg_m2"`
	CenterOfMass    [3]float64  `json:"center_of_mass_m"`
	Position        *[3]float64 `json:"position_m"`
	Orientation     *[4]float64 `json:"orientation_xyzw"`
	Velocity        *[3]float64 `json:"velocity_m_per_s"`
	AngularVelocity *[3]float64 `json:"angular_velocity_rad_per_s"`
	Friction        float64     `json:"friction_coefficient"`
	Shapes          []struct {
		Sphere struct {
			Radius float64 `json:"radius_m"`
		}
		Box struct {
			Size [3]float64 `json:"size_m"`
		}
	}
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
	Friction      float64
	Motor         *struct {
		Position struct {
			Stiffness, Damping float64
			MaxEffort          float64 `json:"max_effort"`
		}
	}
	Limits *mechanism.Limits
}

type goldenSide struct {
	Body, Rod   string
	At          float64     `json:"at_m"`
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

// side returns a side of a joint.
func (s *goldenSide) side() mechanism.JointSide {
	return mechanism.JointSide{Link: s.Body + s.Rod, At: s.At, Frame: pose(s.Position, s.Orientation)}
}

// rod returns a rod of the given number of elements.
func (r *goldenRod) rod(elements int, loads []goldenRodLoad) mechanism.Rod {
	section := rod.Circle(r.Radius)
	if s := r.Section; s != nil {
		section = rod.Section{Area: s.Area, I1: s.I1, I2: s.I2, J: s.J}
	}
	o := mechanism.Rod{
		Name: r.Name, KelvinVoigt: r.Damping.KelvinVoigt,
		Parameters: rod.Params{
			Length: r.Length, Elements: elements, Order: 4, Section: section, Precurvature: vec(r.Precurvature),
			Material: rod.Material{YoungsModulus: r.YoungsModulus, ShearModulus: r.ShearModulus, Density: r.Density, ShearCorrection: r.ShearCorrection},
		},
	}
	if s := r.Start; s != nil {
		d3 := vec(s.Direction).Unit()
		d1 := vec(s.Normal)
		d1 = d1.AddScaled(-d1.Dot(d3), d3).Unit()
		o.Start = &spatial.Pose{R: spatial.FromColumns(d1, d3.Cross(d1), d3), P: vec(s.Position)}
		if s.Velocity != nil {
			o.Velocity = &spatial.Twist{Linear: vec(*s.Velocity), Angular: vec(s.AngularVelocity)}
		}
	}
	for _, l := range loads {
		if l.Rod == r.Name {
			o.Loads = append(o.Loads, mechanism.RodLoad{At: l.At, Wrench: spatial.Wrench{Force: vec(l.Force)}})
		}
	}
	return o
}

// parameters returns the mechanism of a case, with rods of the given number of elements.
func (r *goldenRobot) parameters(elements int) mechanism.Parameters {
	p := mechanism.Parameters{Gravity: vec(r.Gravity)}
	for _, rod := range r.Rods {
		add := rod.rod(elements, r.Loads)
		add.Friction = r.Environment.Friction
		p.Rods = append(p.Rods, add)
	}
	for _, s := range r.Environment.Shapes {
		plane, err := shape.NewPlane(vec(s.Plane.Point), vec(s.Plane.Normal))
		if err != nil {
			panic(err)
		}
		p.Walls = append(p.Walls, mechanism.Wall{Name: s.Name, Shape: plane, Friction: r.Environment.Friction})
	}
	for _, b := range r.Bodies {
		body := mechanism.Body{
			Name: b.Name, Mass: b.Mass, CenterOfMass: vec(b.CenterOfMass),
			Inertia: [6]float64{b.Inertia[0], b.Inertia[1], b.Inertia[2]}, Friction: b.Friction,
		}
		for _, s := range b.Shapes {
			var add shape.Shape
			var err error
			if s.Box.Size[0] > 0 {
				add, err = mechanism.NewBox(vec(s.Box.Size), spatial.IdentityPose())
			} else {
				add, err = shape.NewSphere(spatial.Vec{}, s.Sphere.Radius)
			}
			if err != nil {
				panic(err)
			}
			body.Shapes = append(body.Shapes, mechanism.Shape{Shape: add})
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
		for _, l := range b.Loads {
			body.Loads = append(body.Loads, mechanism.Load{At: vec(l.Position), Wrench: spatial.Wrench{Force: vec(l.Force), Moment: vec(l.Moment)}, Until: l.Until})
		}
		p.Bodies = append(p.Bodies, body)
	}
	for _, t := range r.Tendons {
		tendon := mechanism.Tendon{Name: t.Name, Tension: t.Tension}
		for _, h := range t.Route {
			tendon.Route = append(tendon.Route, mechanism.Hole{Link: h.Body + h.Rod, At: h.At, Position: vec(h.Position)})
		}
		if n := t.Disks.Count; n > 0 { // and the plate at s = 0
			offset := spatial.Vec{X: t.Offset[0], Y: t.Offset[1]}
			tendon.Route = []mechanism.Hole{{Link: t.Rod, Position: offset}}
			for k := range n {
				at := t.Disks.First + (t.Disks.Last-t.Disks.First)*float64(k)/float64(n-1)
				tendon.Route = append(tendon.Route, mechanism.Hole{Link: t.Rod, At: at, Position: offset})
			}
		}
		p.Tendons = append(p.Tendons, tendon)
	}
	for _, j := range r.Joints {
		add := mechanism.Joint{
			Name: j.Name, Type: j.Type, Axis: vec(j.Axis), SecondAxis: vec(j.SecondAxis),
			Parent: j.Parent.side(), Child: j.Child.side(),
		}
		if j.Limits != nil {
			add.Limits = []mechanism.Limits{*j.Limits}
		}
		if m := j.Motor; m != nil {
			add.Motor = []mechanism.Motor{{Kind: mechanism.PositionMotor, Stiffness: m.Position.Stiffness, Damping: m.Position.Damping, MaxEffort: m.Position.MaxEffort}}
		}
		if j.Friction != 0 {
			add.Friction = []float64{j.Friction}
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
