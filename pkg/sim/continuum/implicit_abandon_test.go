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
// the robot goes on as if nobody had tried.
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
