package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/spatial"
)

// A search that loads the stress-free rod step by step leaves a base that has moved where it is.
func TestLoadStepwiseLeavesTheBase(t *testing.T) {
	e := implicitOf(t, bare(1, 4, 1e6, 1e6, 1, 1))
	to := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 1e-3}), P: spatial.Vec{X: 1e-3}}
	in := &inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{X: 0.1}}}}
	e.MoveBase(to)
	if err := e.Step(1e-2, in); err != nil {
		t.Fatal(err)
	}
	searchOnlyBy(e, "load stepping")
	if err := e.Equilibrate(in); err != nil {
		t.Fatal(err)
	}
	if e.System.State.Base != to || e.System.State.Target != to || e.NodePose(0) != to {
		t.Errorf("the base is at %v on its way to %v, want %v", e.System.State.Base, e.System.State.Target, to)
	}
}

// After a step that failed while the base turned, and a stop, an insertion turns the base to
// where its commands are.
func TestStopWhileTwistingKeepsTheAngle(t *testing.T) {
	m, in, joints := insertable(t)
	start := basePose(m)
	in.Set(joints, []float64{0, 1})
	stepFor(t, m, in, 40)
	command(t, m, "external_wrench", math.NaN(), 0, 0, 0, 0, 0, 0)
	in.Advance(1e-3)
	if err := m.Step(1e-3); err == nil {
		t.Fatal("a force that is not a number does no harm")
	}
	command(t, m, "external_wrench", 0, 0, 0, 0, 0, 0, 0)
	base := port(t, m, "base_pose")
	m.Stop(base)
	now := make([]float64, 2)
	m.Setpoint(joints, now)
	turned := start.R.TMul(basePose(m).R).Log().Z
	if math.Abs(now[1]-turned) > 1e-9 {
		t.Errorf("the base is turned by %g rad, and reported to be by %g", turned, now[1])
	}
	in = sim.NewInputs(m)
	in.Set(joints, []float64{0, 1})
	end := stepFor(t, m, in, 300)
	if turned := start.R.TMul(end.R).Log().Z; math.Abs(turned-1) > 1e-9 {
		t.Errorf("the base ends turned by %g rad, want 1", turned)
	}
}

// TestStopOfABasePoseLeavesTheAngle stops a base that base_pose turns about its axis: that was no twist of an
// insertion, and twist 0 does not turn the base after it. The state knows, too.
func TestStopOfABasePoseLeavesTheAngle(t *testing.T) {
	m, in, joints := insertable(t)
	base := port(t, m, "base_pose")
	to := basePose(m)
	to.R = to.R.Mul(spatial.ExpRot(spatial.Vec{Z: 1}))
	in.Set(base, poseValues(to))
	stepFor(t, m, in, 20)
	saved := make([]float64, m.StateLen())
	m.Save(saved)
	for range 2 {
		m.Stop(base)
		now := make([]float64, 2)
		m.Setpoint(joints, now)
		if now[1] != 0 {
			t.Errorf("the base is reported to be twisted by %g rad", now[1])
		}
		m.Command(joints, []float64{sim.Keep, 0}) // which turns the base, and which the state does not know
		if err := m.Restore(saved); err != nil {
			t.Fatal(err)
		}
	}
}

// searchOnlyBy leaves all strategies of a search out but one.
func searchOnlyBy(e *continuumtest.Robot, name string) {
	var others []string
	for _, s := range equilibrium.Strategies() {
		if s.Name != name {
			others = append(others, s.Name)
		}
	}
	e.Solver.Disable(others...)
}
