package continuum_test

import (
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// The moves of random robots of which nothing rubs or is held by its length are those of a much tighter tolerance, where
// the commands swing, ramp and jump, although most steps take one increment.
func TestMotionIsOfATightTolerance(t *testing.T) {
	t.Parallel()
	const most = 2e-7 // m; the largest of 60 robots is 1e-7 to 4e-7 m for other seeds
	robots, steps, iterations, spared, worst := 0, 0, uint64(0), 0, 0.0
	for seed := range testsize.Of[uint64](10, 20, 60) {
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

// TestToleranceIsTightEnough: errors of unfinished iterations add up in the
// velocities, and after a thousand steps are still nothing.
func TestToleranceIsTightEnough(t *testing.T) {
	end := func(set func(*continuumtest.Robot)) spatial.Vec {
		f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
		f.Rod.Damping.KelvinVoigt = 1e-3
		e := implicitOf(t, f)
		set(e)
		in := pulling(0, 0, 0, 0)
		for i := range 1000 {
			sweep(in, float64(i)*1e-3)
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		return e.NodePose(20).P
	}
	if d := end(func(*continuumtest.Robot) {}).Sub(end(converged)).Norm(); !(d < 1e-7) {
		t.Errorf("%.3g m from the converged solution, want at most 1e-7", d)
	} else {
		t.Logf("%.3g m from the converged solution", d)
	}
}
