package mechanism_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// TestStopsArePlastic: a cart on a sprung rail runs into a stop, loses its speed and is pushed back by the
// spring. It is never beyond the stop.
func TestStopsArePlastic(t *testing.T) {
	c := golden(t, "stop")
	var expected struct{ Table []tableRow }
	decode(t, c.Expected, &expected)
	var tolerance map[string]json.RawMessage
	decode(t, c.Tolerance, &tolerance)
	for _, h := range []float64{0.001, 0.0005, 0.00025} {
		w := mustWorld(t, c.Robot.parameters(20))
		worst, now, most := 0.0, 0.0, 0.0
		for _, row := range expected.Table {
			for at := row.number(t, "t"); now < at-h/2; now += h {
				if err := w.Step(h); err != nil {
					t.Fatal(err)
				}
				most = max(most, w.Coordinates(0)[0])
			}
			worst = max(worst, math.Abs(w.Coordinates(0)[0]-row.number(t, "rail")))
		}
		var allowed float64
		decode(t, tolerance[fmt.Sprintf("step_%g", h)], &allowed)
		t.Logf("step %g s: error %.3g m, beyond the stop %.3g m", h, worst, most-0.04)
		if worst > allowed {
			t.Errorf("step %g s: error %.3g m, allowed %.3g m", h, worst, allowed)
		}
		if most > 0.04+1e-9 {
			t.Errorf("step %g s: %.3g m beyond the stop", h, most-0.04)
		}
	}
}

// TestFrictionStopsAndHolds: a cart and a wheel slide to rest, and a pushed block stays.
func TestFrictionStopsAndHolds(t *testing.T) {
	c := golden(t, "joint_friction")
	var expected struct{ Table []tableRow }
	decode(t, c.Expected, &expected)
	var tolerance struct {
		Error float64 `json:"step_0.001"`
		Block float64 `json:"block_m"`
		Creep float64 `json:"creep_m_per_s"`
	}
	decode(t, c.Tolerance, &tolerance)
	w := mustWorld(t, c.Robot.parameters(20))
	now, before := 0.0, 0.0
	for _, row := range expected.Table {
		at := row.number(t, "t")
		before = w.Coordinates(0)[0]
		march(t, w, 0.001, now, at)
		now = at
		if d := math.Abs(w.Coordinates(0)[0] - row.number(t, "rail")); d > tolerance.Error*0.3 {
			t.Errorf("at %g s the cart is off by %.3g m", at, d)
		}
		if d := math.Abs(w.Coordinates(1)[0] - row.number(t, "axle")); d > tolerance.Error*1.6 {
			t.Errorf("at %g s the wheel is off by %.3g rad", at, d)
		}
		if d := math.Abs(w.Coordinates(2)[0]); d > tolerance.Block {
			t.Errorf("at %g s the block has moved by %.3g m", at, d)
		}
	}
	if creep := math.Abs(w.Coordinates(0)[0]-before) / 0.05; creep > tolerance.Creep {
		t.Errorf("the cart creeps at %.3g m/s", creep)
	}
	if f := w.Reaction(2).Force.X; math.Abs(f+0.285) > 1e-9 {
		t.Errorf("friction holds the block with %.9g N, want -0.285 N", f)
	}
}

// TestEquilibriumAtAStop: a pendulum that its weight presses on a stop, and one that friction holds.
func TestEquilibriumAtAStop(t *testing.T) {
	const weight = 0.5 * 9.80665
	p := pendulum(0.3)
	p.Joints[0].Limits = []mechanism.Limits{{Min: 0.2, Max: 1}}
	w := mustWorld(t, p)
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if q := w.Coordinates(0)[0]; math.Abs(q-0.2) > 1e-9 {
		t.Errorf("the pendulum rests at %.9g rad, the stop is at 0.2 rad", q)
	}
	if m, want := w.Reaction(0).Moment.Y, weight*0.2*math.Sin(0.2); math.Abs(m-want) > 1e-9 {
		t.Errorf("the stop pushes with %.9g N m, want %.9g N m", m, want)
	}
	march(t, w, 0.001, 0, 0.1)
	if q := w.Coordinates(0)[0]; math.Abs(q-0.2) > 1e-9 {
		t.Errorf("0.1 s later it is at %.9g rad", q)
	}

	p = pendulum(0.3)
	p.Joints[0].Friction = []float64{1.1 * weight * 0.2 * math.Sin(0.3)}
	w = mustWorld(t, p)
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if q := w.Coordinates(0)[0]; math.Abs(q-0.3) > 1e-9 {
		t.Errorf("friction lets the pendulum go from 0.3 rad to %.9g rad", q)
	}
	p.Joints[0].Friction[0] = 0.4 * weight * 0.2 * math.Sin(0.3)
	w = mustWorld(t, p)
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if q := w.Coordinates(0)[0]; math.Abs(math.Sin(q)-0.4*math.Sin(0.3)) > 1e-9 {
		t.Errorf("the pendulum slides to %.9g rad, where friction holds sin q = %.9g", q, 0.4*math.Sin(0.3))
	}
}

func TestRefusesLaws(t *testing.T) {
	for _, c := range []struct {
		change func(j *mechanism.Joint)
		want   string
	}{
		{func(j *mechanism.Joint) { j.Limits = []mechanism.Limits{{Min: 1, Max: 0}} }, "limits from 1 to 0"},
		{func(j *mechanism.Joint) { j.Limits = make([]mechanism.Limits, 2) }, "2 limits"},
		{func(j *mechanism.Joint) { j.Friction = []float64{-1} }, "friction of -1"},
		{func(j *mechanism.Joint) { j.Friction = []float64{1, 1} }, "2 friction efforts"},
	} {
		p := pendulum(0.3)
		c.change(&p.Joints[0])
		if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// TestStopsOfSeveralCoordinates: a cylindrical joint that falls onto its stop while it turns on.
func TestStopsOfSeveralCoordinates(t *testing.T) {
	p := pendulum(0)
	p.Bodies[0].CenterOfMass = spatial.Vec{}
	p.Bodies[0].Velocity = &spatial.Twist{Angular: spatial.Vec{Z: 3}}
	p.Joints[0] = mechanism.Joint{
		Name: "post", Type: joint.Cylindrical, Child: mechanism.JointSide{Link: "bob"}, Axis: spatial.Vec{Z: 1},
		Limits: []mechanism.Limits{{Min: -0.05, Max: 1}, {Min: math.Inf(-1), Max: math.Inf(1)}},
	}
	w := mustWorld(t, p)
	march(t, w, 0.001, 0, 0.4)
	q := w.Coordinates(0)
	if math.Abs(q[0]+0.05) > 1e-9 || math.Abs(q[1]-1.2) > 1e-6 {
		t.Errorf("the body is at %.9g m and %.9g rad, want -0.05 m and 1.2 rad", q[0], q[1])
	}
	if f := w.Reaction(0).Force.Z; math.Abs(f-0.5*9.80665) > 1e-8 {
		t.Errorf("the stop carries %.9g N", f)
	}
}
