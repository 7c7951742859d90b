package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// TestHoldStops: a robot in motion that is held is at rest in its shape, and loads end
// when their time has passed.
func TestHoldStops(t *testing.T) {
	for _, solver := range []robotfile.RodSolver{{Method: robotfile.Implicit, Step: 1e-3}, {Method: robotfile.Explicit, Step: 2e-7}} {
		f := wire(10, 0, spatial.Vec{}, 0)
		f.Solver = solver
		loaded := func(until float64) *continuum.Model {
			f.Loads = []robotfile.RodLoad{{At: 0.2, Frame: robotfile.WorldAxes, Force: spatial.Vec{Y: 1}, Until: until}}
			return newModel(t, f)
		}
		m, forever := loaded(100.5*solver.Step), loaded(math.Inf(1))
		for _, m := range []*continuum.Model{m, forever} {
			step(t, m, solver.Step, 20)
		}
		tip, moving := tipPose(m), tipTwist(m)
		for _, m := range []*continuum.Model{m, forever} {
			m.Hold(80 * solver.Step)
		}
		if tipPose(m).P.Sub(tip.P).Norm() > 1e-12 || moving.Linear.Norm() == 0 || tipTwist(m).Linear.Norm() > 1e-9*moving.Linear.Norm() {
			t.Errorf("%s: tip went from %v at %v to %v at %v", solver.Method, tip.P, moving.Linear, tipPose(m).P, tipTwist(m).Linear)
		}
		for steps, acts := range []bool{true, false} { // from 100 steps of time on
			for _, m := range []*continuum.Model{m, forever} {
				step(t, m, solver.Step, 1)
			}
			if same := tipTwist(m) == tipTwist(forever); same != acts {
				t.Errorf("%s: the load acts in the step after %d steps of time: %t, want %t", solver.Method, 100+steps, same, acts)
			}
		}
	}
}
