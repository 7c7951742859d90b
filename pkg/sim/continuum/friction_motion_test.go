package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

func TestFrictionHysteresisInMotion(t *testing.T) {
	t.Run("one spring", func(t *testing.T) { testFrictionHysteresis(t, nil) })
	t.Run("springs", func(t *testing.T) {
		testFrictionHysteresis(t, []robotfile.FrictionSpring{{Share: 2, Displacement: 1e-5}, {Share: 1, Displacement: 2e-5}, {Share: 1, Displacement: 4e-5}})
	})
}

func testFrictionHysteresis(t *testing.T, springs []robotfile.FrictionSpring) {
	f := wire(10, 0.0005, spatial.Vec{}, 0)
	f.Rod.Damping.KelvinVoigt = 0.02
	f.Tendons[0].Friction, f.Tendons[0].FrictionSprings = 0.3, springs
	e := implicitOf(t, f)
	in := pulling(0)
	var up, down []float64
	const half, compare = 2000, 0.9
	for i := range 2*half + 1 {
		in.Setpoints[0].Tension = 3 * (1 - math.Abs(float64(i-half)/half))
		if err := e.Step(1e-3, in); err != nil {
			t.Fatal(err)
		}
		if x := in.Setpoints[0].Tension; math.Abs(x-compare) < 1e-9 {
			if i < half {
				up = tip(e)
			} else {
				down = tip(e)
			}
		}
	}
	if up == nil || down == nil {
		t.Fatal("the tension of comparison was not passed twice")
	}
	// slow motion slides: the branch is near its static limit
	s := implicitOf(t, f)
	equilibrate(t, s, pulling(compare))
	within(t, "pull branch", up, tip(s), 0.01)
	if !(down[0] > 1.02*up[0]) {
		t.Errorf("deflection %g m on release, %g m on pull, want clearly more", down[0], up[0])
	}
}

// When the motor turns round the tendon sticks to the disks: the rod stays bent
// while the tension falls, and at no time bends further.
func TestTendonSticksWhenTheMotorTurnsRound(t *testing.T) {
	turned := func(friction, dt float64) (top, later, highest float64) {
		f := wire(20, 0.0005, spatial.Vec{}, 0)
		f.Rod.Damping.KelvinVoigt = 0.02
		f.Tendons[0].Friction = friction
		e := implicitOf(t, f)
		in := pulling(0)
		for i := range int(4.2/dt + 0.5) {
			in.Setpoints[0].Tension = 1.5 * (1 - math.Cos(2*math.Pi*float64(i+1)*dt/8))
			if err := e.Step(dt, in); err != nil {
				t.Fatal(err)
			}
			later = tip(e)[0]
			if float64(i+1)*dt < 4+dt/2 {
				top = later
			}
			highest = max(highest, later)
		}
		if e.Stepper.Counters().Divided > 0 {
			t.Errorf("μ = %g, %g s: %d steps unconverged", friction, dt, e.Stepper.Counters().Divided)
		}
		return top, later, highest
	}
	for i := range 2 { // the tension falls by 0.6 %
		dt := 2e-3 / float64(1+i)
		top, later, highest := turned(0.3, dt)
		topFree, laterFree, _ := turned(0, dt)
		if highest > top*(1+2e-4) {
			t.Errorf("%g s: deflection up to %.6g m after %.6g m at the highest tension", dt, highest, top)
		}
		if d, free := top-later, topFree-laterFree; !(d < 0.5*free) {
			t.Errorf("%g s: deflection falls by %.3g m, without friction by %.3g m, want less than half", dt, d, free)
		}
	}
}
