package continuum

import (
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// TestHoldStops: a robot in motion that is held is at rest in its shape, and loads end
// when their time has passed.
func TestHoldStops(t *testing.T) {
	for _, solver := range []robotfile.RodSolver{{Method: robotfile.Implicit, Step: 1e-3}, {Method: robotfile.Explicit, Step: 2e-7}} {
		f := wire(10, 0, spatial.Vec{}, 0)
		f.Solver = solver
		f.Loads = []robotfile.RodLoad{{At: 0.2, Frame: robotfile.WorldAxes, Force: spatial.Vec{Y: 1}, Until: 100.5 * solver.Step}}
		m, err := New(f)
		if err != nil {
			t.Fatal(err)
		}
		step := func(n int) {
			for range n {
				if err := m.Step(solver.Step); err != nil {
					t.Fatal(err)
				}
			}
		}
		step(20)
		tip, moving := m.engine.NodePose(10), m.engine.TipTwist()
		m.Hold(80 * solver.Step)
		if m.engine.NodePose(10).P.Sub(tip.P).Norm() > 1e-12 || moving.Linear.Norm() == 0 || m.engine.TipTwist().Linear.Norm() > 1e-9*moving.Linear.Norm() {
			t.Errorf("%s: tip went from %v at %v to %v at %v", solver.Method, tip.P, moving.Linear, m.engine.NodePose(10).P, m.engine.TipTwist().Linear)
		}
		if step(1); len(m.in.Loads) != 1 {
			t.Errorf("%s: the load has ended after %g steps of time", solver.Method, m.time/solver.Step)
		}
		if step(1); len(m.in.Loads) != 0 {
			t.Errorf("%s: the load is still there after %g steps of time", solver.Method, m.time/solver.Step)
		}
	}
}
