package continuum_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// A step that fails leaves everything as it was, rod, base, friction and the counts of other steps, and
// the robot moves as without the attempt.
func TestFailedStepLeavesTheStateBefore(t *testing.T) {
	f, in := everything()
	f.Base = robotfile.Base{Direction: spatial.Vec{Z: 1}, Normal: spatial.Vec{X: 1}} // axes that a command has to the bit
	failedStepLeavesTheState(t, f, in, func(bad *inputs) {
		bad.Setpoints[1].Tension = 0.5 // the bristles begin the step beyond their limits
		bad.Tip.Force = spatial.Vec{X: math.NaN()}
	})
}

// Nor does one that iterates before it fails forget how the steps before have contracted, which is in the state.
func TestFailedIterationLeavesTheStateBefore(t *testing.T) {
	f, in := wire(10, 0.0005, sideways, 0, 90), pulling(0.1, 0.2)
	f.Rod.Damping.Drag = 500
	failedStepLeavesTheState(t, f, in, func(bad *inputs) { bad.Setpoints[0].Tension = 1e4 })
}

// TestFailedStepsLeaveAnEquilibrium fails steps from an equilibrium of tendons with friction and under length control, at once and
// after iterations: the equilibrium stays the state, with what the friction of the next one depends on.
func TestFailedStepsLeaveAnEquilibrium(t *testing.T) {
	for name, spoil := range map[string]func(*inputs){
		"a force that is not a number": func(bad *inputs) { bad.Tip.Force.X = math.NaN() },
		"a tension that is too large":  func(bad *inputs) { bad.Setpoints[1].Tension = 1e4 },
	} {
		f, in := everything()
		e := implicitOf(t, f)
		equilibrate(t, e, in)
		if !(e.Tendons.Multipliers()[0] > 0) {
			t.Fatal("the tendon under length control is slack")
		}
		before := e.StepperState()
		bad := *in
		bad.Setpoints = slices.Clone(in.Setpoints)
		spoil(&bad)
		if err := e.Step(1e-3, &bad); err == nil {
			t.Fatalf("%s: no error", name)
		}
		if !isOneMore(e.StepperState(), before) { // the counter of steps that fail
			t.Errorf("%s: the state is not that of before the step", name)
		}
	}
}

// failedStepLeavesTheState returns a robot that has gone on after a step that failed.
func failedStepLeavesTheState(t *testing.T, f *robotfile.Continuum, in *inputs, spoil func(*inputs)) *continuumtest.Robot {
	t.Helper()
	f.Rates.Control = 1000
	run := func(e *continuumtest.Robot, steps int) {
		for range steps {
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
	}
	e, twin := implicitOf(t, f), implicitOf(t, f)
	run(e, 20)
	run(twin, 20)
	before, pose := e.StepperState(), e.NodePose(0)

	bad := *in
	bad.Setpoints = slices.Clone(in.Setpoints)
	spoil(&bad)
	e.MoveBase(spatial.Pose{R: pose.R.Mul(spatial.ExpRot(spatial.Vec{X: 0.01})), P: pose.P.Add(spatial.Vec{Z: 0.001})})
	var unstable *continuum.UnstableError
	if err := e.Step(1e-3, &bad); err == nil || math.IsNaN(bad.Tip.Force.X) && !errors.As(err, &unstable) {
		t.Fatalf("%v, want an error, *continuum.UnstableError of a force that is not a number", err)
	}
	if e.Stepper.Counters().Failed != 1 {
		t.Errorf("%d failed steps counted, want 1", e.Stepper.Counters().Failed)
	}
	if !isOneMore(e.StepperState(), before) { // that is all that may differ
		t.Error("the state is not that of before the step")
	}
	e.MoveBase(pose)
	run(e, 20)
	run(twin, 20)
	if !isOneMore(e.StepperState(), twin.StepperState()) {
		t.Error("the steps after the one that failed differ")
	}
	return e
}

// isOneMore reports whether the states differ in one value, a counter, which is one more in a.
func isOneMore(a, b []float64) bool {
	differ := 0
	for i, x := range a {
		if x != b[i] {
			differ++
			if x != b[i]+1 {
				return false
			}
		}
	}
	return differ == 1
}

// TestStepsAreDivided loads the robot so fast that whole steps do not converge.
func TestStepsAreDivided(t *testing.T) {
	f := wire(50, 0.0005, sideways, 0, 90, 180, 270)
	e := implicitOf(t, f)
	s := newStorm(5, 15)
	for i := range 400 {
		s.blow(float64(i) * 1e-3)
		if err := e.Step(1e-3, s.in); err != nil && !beyondModel(err) {
			t.Fatal(err)
		}
	}
	gauges := make([]float64, len(e.Gauges()))
	e.Measure(gauges)
	for i, g := range e.Gauges() {
		if g.Key == "divided_steps" && (gauges[i] == 0 || gauges[i] <= g.Warn) {
			t.Errorf("%g divided steps, want some, above %g", gauges[i], g.Warn)
		}
	}
}

// TestFailureIsNamed pulls the disks through one another.
func TestFailureIsNamed(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0)
	e := implicitOf(t, f)
	before := make([]float64, e.StateLen())
	for i := range 1000 {
		e.Save(before)
		stepper := e.StepperState()
		err := e.Step(1e-3, pulling(0.1*float64(i)))
		var meet *continuum.DiskCollisionError
		if err == nil {
			continue
		}
		if !errors.As(err, &meet) || meet.Tendon != f.Tendons[0].Name || !(meet.Ratio < 0.02) || meet.ArcLength[0] >= meet.ArcLength[1] {
			t.Fatalf("%v, want the disks that collide", err)
		}
		if e.Stepper.Counters().Failed != 1 {
			t.Errorf("%d failed steps counted, want 1", e.Stepper.Counters().Failed)
		}
		if !isOneMore(e.StepperState(), stepper) { // that is all that may differ
			t.Error("the state is not that of before the step")
		}
		if err := e.Restore(before); err != nil || e.Stepper.Counters().Failed != 0 {
			t.Errorf("%d failed steps counted in the state of before, want 0", e.Stepper.Counters().Failed)
		}
		return
	}
	t.Error("a tension of 100 N does not pull the disks together")
}

// TestBaseMovesInDividedSteps moves the base while whole steps do not converge: after
// each of them it is where it was told to be, and stays where a step fails.
func TestBaseMovesInDividedSteps(t *testing.T) {
	f := wire(50, 0.0005, sideways, 0, 90, 180, 270)
	f.Rates.Control = 1000
	e := implicitOf(t, f)
	s := newStorm(5, 15)
	for i := range 400 {
		at := e.NodePose(0)
		s.blow(float64(i) * 1e-3)
		to := spatial.Pose{P: at.P.Add(spatial.Vec{X: 5e-4}), R: at.R.Mul(spatial.ExpRot(spatial.Vec{Y: 2e-3}))}
		e.MoveBase(to)
		to.R = to.R.Quat().Normalized().Rot() // as it is commanded
		divided := e.Stepper.Counters().Divided
		if err := e.Step(1e-3, s.in); err != nil {
			to = at
		}
		if got := e.NodePose(0); got != to {
			t.Fatalf("step %d, divided %t: base at %v, want %v", i, e.Stepper.Counters().Divided > divided, got, to)
		}
	}
	if e.Stepper.Counters().Divided == 0 {
		t.Error("no step was divided")
	}
}
