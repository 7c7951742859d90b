package mechanism_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// TestFingerBendsByItsTendons: three phalanges on sprung hinges with flexor and extensor.
func TestFingerBendsByItsTendons(t *testing.T) {
	c := golden(t, "finger_of_phalanges")
	w := mustWorld(t, c.Robot.parameters(10))
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	var tolerance struct{ Any, Coordinate float64 }
	decode(t, c.Tolerance, &tolerance)
	position, force := equilibriumErrors(t, &c, w, tolerance.Coordinate)
	if position > 0.085*tolerance.Any || force > 10*tolerance.Any {
		t.Errorf("positions off by %.3g m, forces by %.3g of the largest", position, force)
	}
	if d := w.TendonLength(0); !(d < 0.12) {
		t.Errorf("the flexor has a length of %.3g m in the bent finger", d)
	}
	// at rest it stays
	q := w.Coordinates(2)[0]
	march(t, w, 0.001, 0, 0.05)
	if d := w.Coordinates(2)[0] - q; math.Abs(d) > 1e-9 {
		t.Errorf("the finger moves by %.3g rad", d)
	}
}

func TestRefusesTendons(t *testing.T) {
	hole := mechanism.Hole{Link: "bob", Position: spatial.Vec{Z: -0.1}}
	for _, c := range []struct {
		route []mechanism.Hole
		want  string
	}{
		{[]mechanism.Hole{hole}, "1 holes"},
		{[]mechanism.Hole{hole, {Link: "nobody"}}, `"nobody", which is no link`},
		{[]mechanism.Hole{hole, hole}, "holes 1 and 2 are 0 m apart"},
	} {
		p := pendulum(0.3)
		p.Tendons = []mechanism.Tendon{{Name: "cord", Route: c.route, Tension: 1}}
		if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// strung is two bodies and a rod with an elastic tendon through holes in all of them and in the world.
func strung(friction float64) mechanism.Parameters {
	body := func(name string, at spatial.Vec) mechanism.Body {
		return mechanism.Body{Name: name, Mass: 0.1, Inertia: [6]float64{1e-5, 2e-5, 3e-5}, Pose: &spatial.Pose{R: spatial.ExpRot(at.Scale(3)), P: at}}
	}
	pull := 0.01
	cord := mechanism.Tendon{Name: "cord", Stiffness: 500, Pull: &pull, Route: []mechanism.Hole{
		{Position: spatial.Vec{X: -0.1}},
		{Link: "a", Position: spatial.Vec{X: 0.01, Y: 0.02}, Friction: friction},
		{Link: "b", Position: spatial.Vec{Y: -0.01, Z: 0.02}, Friction: 2 * friction},
		{Link: "a", Position: spatial.Vec{Z: 0.03}, Friction: friction},
		{Position: spatial.Vec{X: 0.1, Y: 0.2}, Friction: friction},
		{Link: "rod", At: 0.05, Position: spatial.Vec{X: 0.01}, Friction: friction},
		{Link: "rod", At: 0.1, Position: spatial.Vec{X: 0.01}},
	}}
	if friction > 0 {
		cord.Bristles = []tendon.Bristle{{Share: 1, Displacement: 1e-4}, {Share: 2, Displacement: 1e-3}}
	}
	return mechanism.Parameters{
		Bodies:  []mechanism.Body{body("a", spatial.Vec{X: 0.02, Y: 0.05}), body("b", spatial.Vec{Y: 0.15, Z: 0.04})},
		Rods:    []mechanism.Rod{shortRod("rod", spatial.Vec{X: 0.1, Z: 0.1}, spatial.Vec{X: 0.3})},
		Tendons: []mechanism.Tendon{cord},
	}
}

// TestTendonTangents are the derivatives of wrenches and of the length, without friction, where bristles stick and slip in
// a step, and in an equilibrium without friction.
func TestTendonTangents(t *testing.T) {
	for _, c := range []struct {
		name     string
		friction float64
		moved    float64 // since the start of the step, parts of 1 cm
	}{{"no friction", 0, 1e-2}, {"sticks", 0.2, 1e-4}, {"slips in part", 0.2, 1e-2}, {"slips", 0.2, 0.5}} {
		t.Run(c.name, func(t *testing.T) {
			w := mustWorld(t, strung(c.friction))
			w.SetTension(0, 3)
			w.SetPull(0, 0.01)
			r := rand.New(rand.NewPCG(9, 4))
			direction := func() []spatial.Vec6 { return randomIncrements(r, 2+len(w.NodePoses(0))) }
			w.BeginTendons()
			w.Shift(direction(), c.moved)
			for range 5 {
				x, y, more := direction(), direction(), 0.5
				const d = 1e-7
				bilinear := func(x, y []spatial.Vec6, more float64) (sum float64, gap float64) {
					up, gapUp := w.PerturbedTendons(scaled(x, d), d*more)
					down, gapDown := w.PerturbedTendons(scaled(x, -d), -d*more)
					for i := range x {
						for k := range x[i] {
							sum -= y[i][k] * (up[i][k] - down[i][k]) / (2 * d)
						}
					}
					return sum, (gapUp[0] - gapDown[0]) / (2 * d)
				}
				xy, gap := bilinear(x, y, 0)
				yx, _ := bilinear(y, x, 0)
				byTension, _ := bilinear(scaled(x, 0), y, more)
				_, gapByTension := bilinear(scaled(x, 0), y, more)
				kx, gaps := w.TendonTangent(x, 0)
				both, gapsOfBoth := w.TendonTangent(x, more)
				product := func(k []spatial.Vec6) (sum float64) {
					for i := range y {
						for n := range y[i] {
							sum += y[i][n] * k[i][n]
						}
					}
					return sum
				}
				got := []float64{product(kx), product(both) - product(kx), gaps[0], gapsOfBoth[0] - gaps[0]}
				want := []float64{0.5 * (xy + yx), byTension, gap, gapByTension}
				for i := range want {
					if !(math.Abs(got[i]-want[i]) <= 1e-6*(math.Abs(want[i])+1e-3)) {
						t.Errorf("derivative %d is %.10g, by differences %.10g", i, got[i], want[i])
					}
				}
			}
		})
	}
}

// TestTendonsUnderLengthControl: a crane hangs its load where the cord lets it, a cord that is paid out is slack, one that is
// pulled too far gives way at its largest tension, and a bar that may push holds its load up.
func TestTendonsUnderLengthControl(t *testing.T) {
	const mass = 0.5
	weight := mass * earth
	crane := func(pull, stiffness, least, most, top float64) *mechanism.World {
		return mustWorld(t, mechanism.Parameters{
			Gravity: spatial.Vec{Z: -earth},
			Bodies:  []mechanism.Body{{Name: "load", Mass: mass, Inertia: [6]float64{1e-4, 1e-4, 1e-4}}},
			Joints: []mechanism.Joint{{Name: "guide", Type: joint.Prismatic, Axis: spatial.Vec{Z: 1}, Child: mechanism.JointSide{Link: "load"},
				Limits: []mechanism.Limits{{Min: -0.5, Max: 0.4}}, Spring: []mechanism.Spring{{Damping: 20}}}},
			Tendons: []mechanism.Tendon{{Name: "cord", Stiffness: stiffness, Pull: &pull, MinTension: least, MaxTension: most,
				Route: []mechanism.Hole{{Position: spatial.Vec{X: 0.001, Z: top}}, {Link: "load", Position: spatial.Vec{X: 0.001}}}}},
		})
	}
	for _, c := range []struct {
		name                              string
		pull, stiffness, least, most, top float64
		at, tension                       float64
	}{
		{"elastic", 0.1, 1000, 0, 0, 0.5, 0.1 - weight/1000, weight},
		{"inextensible", 0.1, math.Inf(1), 0, 0, 0.5, 0.1, weight},
		{"paid out below the stop", -2, 1000, 0, 0, 0.5, -0.5, 0},
		{"pulled too far", 3, 1000, 0, 2 * weight, 0.5, 0.4, 2 * weight},
		{"pushes", -0.1, 1000, -10, 0, -0.5, 0.1 - weight/1000, -weight},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := crane(c.pull, c.stiffness, c.least, c.most, c.top)
			check := func(what string, tolerance float64) {
				t.Helper()
				if z, f := w.Coordinates(0)[0], w.TendonTension(0); !(math.Abs(z-c.at) <= tolerance && math.Abs(f-c.tension) <= 1000*tolerance) {
					t.Errorf("%s: at %.9g m with %.9g N, want %.9g m and %.9g N", what, z, f, c.at, c.tension)
				}
			}
			if c.name != "pulled too far" && c.name != "paid out below the stop" { // their loads are far from their places
				if err := w.Equilibrate(); err != nil {
					t.Fatal(err)
				}
				check("equilibrium", 1e-9)
			}
			march(t, w, 0.001, 0, 3)
			check("motion", 1e-6)
			state := make([]float64, w.StateLen())
			w.Save(state)
			other := crane(c.pull, c.stiffness, c.least, c.most, c.top)
			other.Restore(state)
			for _, x := range []*mechanism.World{w, other} {
				x.SetPull(0, c.pull-0.01)
				march(t, x, 0.001, 0, 0.05)
			}
			w.Save(state)
			after := make([]float64, len(state))
			if other.Save(after); !slices.Equal(state, after) {
				t.Error("the restored crane moves differently")
			}
		})
	}
}

// TestFrictionOfTendons that pull and push around a corner of a right angle: beyond it the tension is exp(∓μ π/2) of that at the motor, the
// smaller in size where the tendon slides as its motor drives it: toward the motor where that pulls, away from it where that pushes. A slide carries what ties it, in the first equilibrium, as it moves the
// tendon to the motor and away from it, and in the equilibrium after that, which sticks.
func TestFrictionOfTendons(t *testing.T) {
	const mu, h = 0.3, 0.001
	less, more := math.Exp(-mu*math.Pi/2), math.Exp(mu*math.Pi/2)
	for _, tension := range []float64{2, -2} {
		p := mechanism.Parameters{
			Bodies: []mechanism.Body{{Name: "slide", Mass: 0.1, Inertia: [6]float64{1e-5, 1e-5, 1e-5}, Pose: &spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 0.1, Y: 0.1}}}},
			Joints: []mechanism.Joint{{
				Name: "rail", Type: joint.Prismatic, Axis: spatial.Vec{Y: 1},
				Parent: mechanism.JointSide{Frame: spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 0.1, Y: 0.1}}}, Child: mechanism.JointSide{Link: "slide"},
				Motor: []mechanism.Motor{{Kind: mechanism.PrescribedMotor}},
			}},
			Tendons: []mechanism.Tendon{{
				Name: "cord", Tension: tension, MinTension: -5, Bristles: []tendon.Bristle{{Share: 1, Displacement: 1e-5}},
				Route: []mechanism.Hole{{}, {Position: spatial.Vec{X: 0.1}, Friction: mu}, {Link: "slide"}},
			}},
		}
		w := mustWorld(t, p)
		check := func(what string, want float64) {
			t.Helper()
			if got := w.Effort(0, 0); math.Abs(got-want*tension) > 1e-6 {
				t.Errorf("%g N, %s: the end carries %.9g N, want %.9g N", tension, what, got, want*tension)
			}
		}
		equilibrate := func() {
			t.Helper()
			if err := w.Equilibrate(); err != nil {
				t.Fatal(err)
			}
		}
		at := 0.0
		slide := func(by float64) {
			t.Helper()
			for range 50 {
				at += by / 50
				w.Command(0, 0, at)
				if err := w.Step(h); err != nil {
					t.Fatal(err)
				}
			}
		}
		towards, away := less, more
		if tension < 0 {
			towards, away = more, less
		}
		equilibrate()
		check("at first", towards)
		slide(0.001)
		check("away from the motor", away)
		slide(-0.001)
		check("toward the motor", towards)
		equilibrate()
		check("at rest after that", towards)
		w.SetTension(0, 1.5*tension)
		equilibrate()
		check("after a change of the tension", 1.5*towards)
	}
}
