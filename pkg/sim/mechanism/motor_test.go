package mechanism_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/spatial"
)

// The pendulum of these tests has the moment of weight weightMoment sin q, and the inertia hingeInertia.
const (
	weightMoment = 0.5 * 9.80665 * 0.2
	hingeInertia = 0.5 * 0.4 * 0.4 / 3 // about y, through one end
)

func driven(m mechanism.Motor) mechanism.Parameters {
	p := pendulum(0.3)
	p.Joints[0].Motor = []mechanism.Motor{m}
	return p
}

func TestPositionMotorHolds(t *testing.T) {
	w := mustWorld(t, driven(mechanism.Motor{Kind: mechanism.PositionMotor, Stiffness: 5, Damping: 0.2, MaxEffort: 0.8}))
	w.Command(0, 0, 0.7)
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	q := w.Coordinates(0)[0]
	if off := 5*(q-0.7) + weightMoment*math.Sin(q); math.Abs(off) > 1e-9 {
		t.Errorf("at %.9g rad motor and weight differ by %.3g N m", q, off)
	}
	if e := w.Effort(0, 0); math.Abs(e-5*(0.7-q)) > 1e-9 {
		t.Errorf("the motor drives with %.9g N m, want %.9g N m", e, 5*(0.7-q))
	}
	march(t, w, 0.001, 0, 0.05)
	if d := w.Coordinates(0)[0] - q; math.Abs(d) > 1e-9 {
		t.Errorf("at rest the pendulum moves by %.3g rad", d)
	}
	w.Command(0, 0, 2) // more than the motor can hold
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	q = w.Coordinates(0)[0]
	if math.Abs(weightMoment*math.Sin(q)-0.8) > 1e-9 || math.Abs(w.Effort(0, 0)-0.8) > 1e-9 {
		t.Errorf("at its largest effort the motor holds %.9g rad with %.9g N m", q, w.Effort(0, 0))
	}
}

func TestEffortMotorAccelerates(t *testing.T) {
	p := driven(mechanism.Motor{Kind: mechanism.EffortMotor, MaxEffort: 0.1})
	p.Gravity = spatial.Vec{}
	w := mustWorld(t, p)
	w.Command(0, 0, -7)
	march(t, w, 0.001, 0, 0.2)
	if want := 0.3 - 0.5*0.1/hingeInertia*0.04; math.Abs(w.Coordinates(0)[0]-want) > 1e-5 {
		t.Errorf("%.9g rad, want %.9g rad", w.Coordinates(0)[0], want)
	}
}

// TestPrescribedMotorNeedsItsTorque: the effort of a prescribed motion is that of inverse dynamics, to the
// second order of the step.
func TestPrescribedMotorNeedsItsTorque(t *testing.T) {
	last := 0.0
	for _, h := range []float64{0.002, 0.001, 0.0005} {
		w := mustWorld(t, driven(mechanism.Motor{Kind: mechanism.PrescribedMotor}))
		worst := 0.0
		for n := range int(math.Round(0.5 / h)) {
			at := float64(n+1) * h
			// q = 0.3 + 0.4 (1 − cos ω t)², which begins smoothly
			c, s := math.Cos(6*at), math.Sin(6*at)
			q := 0.3 + 0.4*(1-c)*(1-c)
			w.Command(0, 0, q)
			if err := w.Step(h); err != nil {
				t.Fatal(err)
			}
			if d := w.Coordinates(0)[0] - q; math.Abs(d) > 1e-10 {
				t.Fatalf("the coordinate is %.3g rad off its command", d)
			}
			acceleration := 0.4 * 2 * 36 * (s*s + (1-c)*c)
			want := hingeInertia*acceleration + weightMoment*math.Sin(q)
			worst = max(worst, math.Abs(w.Effort(0, 0)-want))
		}
		if last != 0 && !(worst < last/3) {
			t.Errorf("step %g s: the effort is off by %.3g N m after %.3g N m with the double step", h, worst, last)
		}
		last = worst
	}
	t.Logf("error of the effort %.3g N m", last)
}

func TestRefusesMotors(t *testing.T) {
	for _, c := range []struct {
		motor mechanism.Motor
		want  string
	}{
		{mechanism.Motor{Kind: "steam"}, `motor "steam"`},
		{mechanism.Motor{Kind: mechanism.PositionMotor, Stiffness: -1}, "each needs 0 or more"},
	} {
		if _, err := mechanism.New(driven(c.motor)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
