package continuum_test

import (
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum/force"
)

// The moves of random robots of which nothing rubs or is held by its length are those of a much tighter tolerance, where
// the commands swing, ramp and jump, although most steps take one increment.
func TestMotionIsOfATightTolerance(t *testing.T) {
	const most = 1e-7 // m
	robots, steps, iterations, spared, worst := 0, 0, uint64(0), 0, 0.0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 19))
		f, in := randomRobot(r)
		f.Rod.Order = 2 + 2*r.IntN(2)
		for k := range f.Tendons {
			f.Tendons[k].Friction, in.Setpoints[k].Mode = 0, force.TensionControl
		}
		e, tight := implicitOf(t, f), implicitOf(t, f)
		tight.Stepper.Refine(1e-10, 1)
		set, tip, far := varied(r, in), f.Rod.Elements, 0.0
		for k := range 250 {
			set(k)
			err := e.Step(1e-3, in)
			if want := tight.Step(1e-3, in); beyondModel(err) && beyondModel(want) {
				break
			} else if err != nil || want != nil {
				t.Fatalf("robot %d, step %d: %v, with a tight tolerance %v", seed, k, err, want)
			}
			if e.Stepper.Report().Iterations == 1 && tight.Stepper.Report().Iterations > 1 {
				spared++
			}
			far = max(far, e.NodePose(tip).P.Sub(tight.NodePose(tip).P).Norm())
			steps++
		}
		if !(far < most) {
			t.Errorf("robot %d: at most %.3g m from the motion of a tight tolerance, want %g m", seed, far, most)
		}
		robots, iterations, worst = robots+1, iterations+e.Stepper.Counters().Iterations, max(worst, far)
	}
	t.Logf("%d robots, at most %.3g m away; %.2f iterations a step, %d of %d steps took one", robots, worst, float64(iterations)/float64(steps), spared, steps)
	if spared < 2*steps/5 {
		t.Errorf("%d of %d steps took one increment, want at least two fifths", spared, steps)
	}
}
