package mechanism_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// TestWheelTurnsToItsStop, which is further than half a turn away.
func TestWheelTurnsToItsStop(t *testing.T) {
	for _, most := range []float64{1, 2, 3, 4, 10} {
		for _, sign := range []float64{1, -1} {
			p := driven(mechanism.Motor{Kind: mechanism.EffortMotor})
			p.Gravity = spatial.Vec{}
			p.Joints[0].Position, p.Joints[0].Limits = []float64{0}, []mechanism.Limits{{Min: -1, Max: most}}
			if sign < 0 {
				p.Joints[0].Limits[0] = mechanism.Limits{Min: -most, Max: 1}
			}
			w := mustWorld(t, p)
			w.Command(0, 0, 0.5*sign)
			if err := w.Equilibrate(); err != nil {
				t.Errorf("stop at %g rad: %v", sign*most, err)
			} else if q := w.Coordinates(0)[0]; math.Abs(q-sign*most) > 1e-6 {
				t.Errorf("stop at %g rad: at rest at %.6g rad", sign*most, q)
			}
		}
	}
}

// TestServoHoldsBeyondHalfATurn of where the search begins.
func TestServoHoldsBeyondHalfATurn(t *testing.T) {
	p := driven(mechanism.Motor{Kind: mechanism.PositionMotor, Stiffness: 5})
	p.Gravity = spatial.Vec{}
	w := mustWorld(t, p)
	for _, want := range []float64{5, -9} {
		w.Command(0, 0, want)
		if err := w.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		if q := w.Coordinates(0)[0]; math.Abs(q-want) > 1e-9 {
			t.Errorf("at rest at %.9g rad, commanded %g rad", q, want)
		}
	}
}

// TestLawsAloneHoldACart: a prescribed motor, a stop, friction or a servo at its largest effort and a spring; the reaction
// is the load.
func TestLawsAloneHoldACart(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		what    string
		force   float64
		change  func(j *mechanism.Joint)
		command float64
		want    float64
	}{
		{"a prescribed motor", 3, func(j *mechanism.Joint) { j.Motor = []mechanism.Motor{{Kind: mechanism.PrescribedMotor}} }, 0.05, 0.05},
		{"a stop", -9.8, func(j *mechanism.Joint) { j.Limits = []mechanism.Limits{{Min: -0.02, Max: inf}} }, 0, -0.02},
		{"a stop on the other side", 9.8, func(j *mechanism.Joint) { j.Limits = []mechanism.Limits{{Min: -inf, Max: 0.7}} }, 0, 0.7},
		{"friction without a load", 0, func(j *mechanism.Joint) { j.Friction = []float64{0.5} }, 0, 0},
		{"friction", 0.3, func(j *mechanism.Joint) { j.Friction = []float64{0.5} }, 0, 0},
		{"a spring with a rest far away", 0, func(j *mechanism.Joint) { j.Spring = []mechanism.Spring{{Stiffness: 10, Rest: 0.5}} }, 0, 0.5},
		{"a spring beside a servo at its largest effort", 0, func(j *mechanism.Joint) {
			j.Spring = []mechanism.Spring{{Stiffness: 10}}
			j.Motor = []mechanism.Motor{{Kind: mechanism.PositionMotor, Stiffness: 1000, MaxEffort: 2}}
		}, 1, 0.2},
	} {
		p := slider()
		p.Bodies[0].Inertia = [6]float64{1e-4, 1e-4, 1e-4}
		p.Bodies[0].Loads = []mechanism.Load{{Wrench: spatial.Wrench{Force: spatial.Vec{X: c.force}}}}
		c.change(&p.Joints[0])
		w := mustWorld(t, p)
		w.Command(0, 0, c.command)
		if err := w.Equilibrate(); err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if q := w.Coordinates(0)[0]; math.Abs(q-c.want) > 1e-9 {
			t.Errorf("%s: at rest at %.9g m, want %g m", c.what, q, c.want)
		}
		if f := w.Reaction(0).Force.X; math.Abs(f+c.force) > 1e-8 {
			t.Errorf("%s: the reaction is %.9g N, want %g N", c.what, f, -c.force)
		}
		march(t, w, 0.001, 0, 0.001)
		if q := w.Coordinates(0)[0]; math.Abs(q-c.want) > 1e-9 {
			t.Errorf("%s: after a step at %.9g m, at rest it was at %g m", c.what, q, c.want)
		}
	}
}

// TestSaturatedServosRest: four servos of which some are at their largest efforts, among weights.
func TestSaturatedServosRest(t *testing.T) {
	for _, most := range []float64{0.05, 0.5, 3} {
		p := arm(0)
		for i := range p.Joints {
			p.Joints[i].Motor = []mechanism.Motor{{Kind: mechanism.PositionMotor, Stiffness: 1000, Damping: 50, MaxEffort: most}}
		}
		w := mustWorld(t, p)
		for i := range 4 {
			w.Command(i, 0, 0.7-0.5*float64(i))
		}
		if err := w.Equilibrate(); err != nil {
			t.Errorf("largest effort %g N m: %v", most, err)
			continue
		}
		rest := slices.Clone(w.Coordinates(0))
		march(t, w, 0.001, 0, 0.1)
		if d := math.Abs(w.Coordinates(0)[0] - rest[0]); d > 1e-8 {
			t.Errorf("largest effort %g N m: the equilibrium moves by %.3g rad", most, d)
		}
	}
}

// TestOpenLoopsNameTheirJoint: a pendulum beside a rod that is to reach a point 3 m away.
func TestOpenLoopsNameTheirJoint(t *testing.T) {
	p := pendulum(0.3)
	p.Gravity = spatial.Vec{}
	p.Rods = cut(true).Rods
	p.Joints = append(p.Joints, mechanism.Joint{Name: "clamp", Type: joint.Fixed, Child: mechanism.JointSide{Link: "a"}},
		mechanism.Joint{Name: "far", Type: joint.Spherical, Parent: mechanism.JointSide{Frame: spatial.Pose{P: spatial.Vec{X: 3}}}, Child: mechanism.JointSide{Link: "bob"}})
	err := mustWorld(t, p).Equilibrate()
	if err == nil || !strings.Contains(err.Error(), `"far"`) || strings.Contains(err.Error(), "loads") {
		t.Errorf("%v", err)
	}
}

// TestRestoreAfterAFailedSearch: a state with a closed loop takes the place of one with joints that the search left open.
func TestRestoreAfterAFailedSearch(t *testing.T) {
	p := cut(true)
	p.Gravity = spatial.Vec{}
	p.Bodies = append(p.Bodies, thin("bob", 1, 0.2))
	p.Joints = append(p.Joints,
		mechanism.Joint{Name: "far", Type: joint.Spherical, Parent: mechanism.JointSide{Frame: spatial.Pose{P: spatial.Vec{X: 0.1, Z: 0.35}}}, Child: mechanism.JointSide{Link: "a", At: 0.4}},
		mechanism.Joint{Name: "hinge", Type: joint.Revolute, Axis: spatial.Vec{Y: 1}, Child: mechanism.JointSide{Link: "bob"}, Motor: []mechanism.Motor{{Kind: mechanism.EffortMotor}}})
	a, b := mustWorld(t, p), mustWorld(t, p)
	if err := a.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	state, other := make([]float64, a.StateLen()), make([]float64, a.StateLen())
	a.Save(state)
	b.Command(2, 0, 1)
	if err := b.Equilibrate(); err == nil {
		t.Fatal("a torque that nothing resists has an equilibrium")
	}
	b.Restore(state)
	march(t, a, 0.001, 0, 0.01)
	march(t, b, 0.001, 0, 0.01)
	a.Save(state)
	b.Save(other)
	if !slices.Equal(state, other) {
		t.Error("the restored mechanism moves otherwise")
	}
}

// TestSoftPartsAreNotNeutral beside stiff ones, and what spins freely is, and stays where it was.
func TestSoftPartsAreNotNeutral(t *testing.T) {
	servo := cut(true)
	servo.Joints[0].Type, servo.Joints[0].Axis = joint.Revolute, spatial.Vec{Y: 1}
	servo.Joints[0].Motor = []mechanism.Motor{{Kind: mechanism.PositionMotor, Stiffness: 1e4}}
	beside := func(mass, length float64) mechanism.Parameters {
		p := pendulum(0.3)
		p.Bodies[0].Mass = 10
		p.Bodies = append(p.Bodies, thin("small", mass, length))
		p.Joints = append(p.Joints, mechanism.Joint{Name: "of the small one", Type: joint.Revolute, Axis: spatial.Vec{Y: 1}, Child: mechanism.JointSide{Link: "small"}, Position: []float64{0.5}})
		return p
	}
	for _, c := range []struct {
		what string
		p    mechanism.Parameters
	}{{"a rod on a stiff servo", servo}, {"a small pendulum", beside(1e-4, 0.01)}, {"a tiny pendulum", beside(1e-8, 0.01)}} {
		w := mustWorld(t, c.p)
		if err := w.Equilibrate(); err != nil {
			t.Errorf("%s: %v", c.what, err)
		} else if n := w.NeutralMotion(); n != "" {
			t.Errorf("%s: nothing is said to resist %s", c.what, n)
		}
	}
	p := pendulum(0.3)
	p.Joints[0].Type, p.Joints[0].Position = joint.Spherical, []float64{0, 0.3, 0}
	w := mustWorld(t, p)
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if q := w.Coordinates(0); math.Abs(q[0]) > 1e-9 || math.Abs(q[1]) > 1e-9 || math.Abs(q[2]) > 1e-9 || !strings.Contains(w.NeutralMotion(), "coordinate 3") {
		t.Errorf("a pendulum on a ball hangs at %.3g, neutral is %q; want its spin, at 0", q, w.NeutralMotion())
	}
}

// TestDeadMomentsBalanceSprings: a moment that stays in the world is not the gradient of an energy.
func TestDeadMomentsBalanceSprings(t *testing.T) {
	p := pendulum(0.3)
	p.Joints[0].Type, p.Joints[0].Position = joint.Spherical, []float64{0.1, 0.3, 0.2}
	s := mechanism.Spring{Stiffness: 3, Damping: 0.3}
	p.Joints[0].Spring = []mechanism.Spring{s, s, s}
	p.Bodies[0].Loads = []mechanism.Load{{Wrench: spatial.Wrench{Moment: spatial.Vec{X: 5, Y: 2.5, Z: -5}}}}
	rest := mustWorld(t, p)
	if err := rest.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	w := mustWorld(t, p)
	march(t, w, 0.005, 0, 15)
	for k, q := range rest.Coordinates(0) {
		if want := w.Coordinates(0)[k]; math.Abs(q-want) > 1e-4 {
			t.Errorf("coordinate %d is %.6g rad, where damped motion comes to rest %.6g rad", k+1, q, want)
		}
	}
}

// TestMotionsBeginAtStops: a pendulum that lies on its stop has the reaction of its equilibrium at t = 0 and after its first step.
func TestMotionsBeginAtStops(t *testing.T) {
	p := pendulum(1)
	p.Joints[0].Limits = []mechanism.Limits{{Min: 0.5, Max: 2}}
	w := mustWorld(t, p)
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	rest := w.Reaction(0)
	check := func(when string, most float64) {
		t.Helper()
		r := w.Reaction(0)
		if d := max(r.Force.Sub(rest.Force).Norm(), r.Moment.Sub(rest.Moment).Norm()); d > most*rest.Force.Norm() {
			t.Errorf("%s the reaction is off by %.3g: %v, at rest %v", when, d, r, rest)
		}
	}
	if err := w.Begin(0.001); err != nil {
		t.Fatal(err)
	}
	check("at t = 0", 1e-8) // compliance of the rows
	march(t, w, 0.001, 0, 0.001)
	check("after a step", 1e-5) // round-off of the position over the square of the step
	if q, e := w.Coordinates(0)[0], w.TimeError(); math.Abs(q-0.5) > 1e-9 || e > 1e-9 {
		t.Errorf("the pendulum is at %.12g rad, its stop at 0.5 rad, with an error in time of %.3g", q, e)
	}
}
