package mechanism_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// servoRod is a soft rod on a hinge with a position motor, without weight.
func servoRod() mechanism.Parameters {
	p := cut(true)
	p.Gravity = spatial.Vec{}
	p.Rods[0].KelvinVoigt = 0.01
	p.Joints[0].Type, p.Joints[0].Axis = joint.Revolute, spatial.Vec{Y: 1}
	p.Joints[0].Motor = []mechanism.Motor{{Kind: mechanism.PositionMotor, Stiffness: 1, Damping: 0.01}}
	return p
}

// TestServoJumpsOnARod: a moment that begins to act on the small inertia of a section moves it to where small steps do.
func TestServoJumpsOnARod(t *testing.T) {
	run := func(h float64) (float64, spatial.Vec) {
		w := mustWorld(t, servoRod())
		w.Command(0, 0, 0.3)
		march(t, w, h, 0, 0.05)
		n := w.NodePoses(0)
		return w.Coordinates(0)[0], n[len(n)-1].P
	}
	angle, tip := run(0.0001)
	for _, h := range []float64{0.0005, 0.001, 0.002, 0.01} {
		q, p := run(h)
		t.Logf("step %g s: %.6f rad and tip %.6f", h, q, p)
		if math.Abs(q-angle) > 3*h || p.Sub(tip).Norm() > 3*h {
			t.Errorf("step %g s: %.4f rad and tip %.4f, with small steps %.4f rad and %.4f", h, q, p, angle, tip)
		}
	}
}

// TestMotionsBeginAsWithSmallSteps: what a motor at the end of a rod sets into motion through the rod follows with a high power of time. A
// first step of order 1 in one part moves it by many times as much, and gives it that much speed.
func TestMotionsBeginAsWithSmallSteps(t *testing.T) {
	const h, parts, steps = 0.001, 32, 3
	p := servoRod()
	p.Joints[0].Motor[0] = mechanism.Motor{Kind: mechanism.PositionMotor, Stiffness: 100, Damping: 3}
	p.Rods[0].KelvinVoigt = 0.001
	w, exact := mustWorld(t, p), mustWorld(t, p)
	w.Command(0, 0, 0.3)
	exact.Command(0, 0, 0.3)
	off, estimated := 0.0, 0.0
	for n := range steps {
		march(t, w, h, 0, h)
		march(t, exact, h/parts, 0, h)
		off, estimated = max(off, apart(w, exact, &p)), max(estimated, w.TimeError()*w.Length())
		t.Logf("step %d: off by %.3g m, estimated %.3g m", n+1, off, estimated)
	}
	if off > 1e-5 || !(estimated > 0.5*off && estimated < 10*off) {
		t.Errorf("off by %.3g m, estimated %.3g m", off, estimated)
	}
}

// TestStepsOfManyLengths: a rod swings with steps that change by more than BDF2 allows.
func TestStepsOfManyLengths(t *testing.T) {
	w := mustWorld(t, cut(true))
	for n := range 100 {
		h := 0.0005
		if n%2 == 1 {
			h = 0.004
		}
		if err := w.Step(h); err != nil {
			t.Fatalf("step %d: %v", n, err)
		}
	}
}

// TestBreaksAwayAtOnce: a force above the friction accelerates from t = 0 on, and one below does not.
func TestBreaksAwayAtOnce(t *testing.T) {
	for _, c := range []struct{ force, want float64 }{{3, 0.4}, {0.9, 0}, {-2, -0.2}} {
		for _, h := range []float64{0.002, 0.001} {
			p := slider()
			p.Bodies[0].Loads = []mechanism.Load{{Wrench: spatial.Wrench{Force: spatial.Vec{X: c.force}}}}
			p.Joints[0].Friction = []float64{1}
			w := mustWorld(t, p)
			march(t, w, h, 0, 0.2)
			if v := w.BodyVelocity(0).Linear.X; math.Abs(v-c.want) > 1e-9 {
				t.Errorf("%g N against 1 N of friction, step %g s: %.9g m/s, want %g m/s", c.force, h, v, c.want)
			}
		}
	}
}

// TestDampingActsFromTheStart: the first acceleration has the damper of a moving joint on the right side, whichever side moves.
func TestDampingActsFromTheStart(t *testing.T) {
	for _, swap := range []bool{false, true} {
		for _, friction := range []bool{false, true} {
			p := slider()
			p.Bodies[0].Velocity = &spatial.Twist{Linear: spatial.Vec{X: 1}}
			p.Joints[0].Spring = []mechanism.Spring{{Damping: 10}}
			want := math.Exp(-10 * 0.001)
			if friction {
				p.Joints[0].Spring, p.Joints[0].Friction, want = nil, []float64{10}, 1-10*0.001
			}
			if swap {
				p = mirrored(p)
			}
			w := mustWorld(t, p)
			march(t, w, 0.001, 0, 0.001)
			// a first step of order 1, or a wrong level before, is off by twice that and more
			if v := w.BodyVelocity(0).Linear.X; math.Abs(v-want) > 2.5e-5 {
				t.Errorf("swapped %t, friction %t: %.6f m/s after 1 ms, want %.6f m/s", swap, friction, v, want)
			}
		}
	}
}

// TestPrescribedMotorKeepsItsEffortWhileALoadEnds elsewhere, where the level before begins anew.
func TestPrescribedMotorKeepsItsEffortWhileALoadEnds(t *testing.T) {
	for _, h := range []float64{0.002, 0.0005} {
		p := driven(mechanism.Motor{Kind: mechanism.PrescribedMotor})
		p.Bodies = append(p.Bodies, mechanism.Body{
			Name: "other", Mass: 1, Inertia: [6]float64{0.01, 0.01, 0.01},
			Loads: []mechanism.Load{{Until: 0.25, Wrench: spatial.Wrench{Force: spatial.Vec{X: 1}}}},
		})
		w := mustWorld(t, p)
		worst := 0.0
		for n := range int(math.Round(0.5 / h)) {
			c, s := math.Cos(6*h*float64(n+1)), math.Sin(6*h*float64(n+1))
			q := 0.3 + 0.4*(1-c)*(1-c)
			w.Command(0, 0, q)
			if err := w.Step(h); err != nil {
				t.Fatal(err)
			}
			want := hingeInertia*0.4*2*36*(s*s+(1-c)*c) + weightMoment*math.Sin(q)
			worst = max(worst, math.Abs(w.Effort(0, 0)-want))
		}
		t.Logf("step %g s: %.3g N m", h, worst)
		if worst > 10*h {
			t.Errorf("step %g s: the effort is off by %.3g N m", h, worst)
		}
	}
}
