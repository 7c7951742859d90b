package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// TestBaseThatCouldNotMoveIsNotLimited demands that a base which is behind only because no step could
// be taken is not reported as limited, and that one whose command is too fast still is.
func TestBaseThatCouldNotMoveIsNotLimited(t *testing.T) {
	const dt, speed = 1e-3, 0.5
	m := mounted(t).Model
	to := basePose(m)
	for i := range 40 {
		to.P.X += dt * speed
		command(t, m, "base_pose", poseValues(to)...)
		if i >= 15 && i < 18 || i >= 25 && i < 38 {
			m.Hold(dt)
		} else {
			step(t, m, dt, 1)
		}
		if gaugeOf(m, "base_speed_limited") != 0 {
			t.Fatalf("step %d: reported as limited at %g m/s", i, speed)
		}
	}
	to.P.X += 0.1
	command(t, m, "base_pose", poseValues(to)...)
	step(t, m, dt, 5)
	if gaugeOf(m, "base_speed_limited") != 1 {
		t.Error("a jump of the base is not reported after steps that failed")
	}
}

// TestWaitingOfBaseAndShapesIsMadeUpFor demands that base and shapes that stood still for a while be reported as limited
// soon after, also where commands come so fast that they never arrive.
func TestWaitingOfBaseAndShapesIsMadeUpFor(t *testing.T) {
	const dt, slow, fast = 1e-3, 1.0, 2.5
	const began, waited, faster, deadline = 50, 150, 160, 260 // steps
	f := wire(10, 0.0005, sideways, 0)
	f.Environment.Shapes = []robotfile.EnvironmentShape{{Name: "wall", Plane: &robotfile.HalfSpace{Point: spatial.Vec{X: -0.5}, Normal: spatial.Vec{X: 1}}}}
	for _, c := range []struct{ topic, gauge string }{{"base_pose", "base_speed_limited"}, {"wall/pose", "shape_speed_limited"}} {
		m := newModel(t, f)
		to, since := spatial.IdentityPose(), 0
		if c.topic == "base_pose" {
			to = basePose(m)
		}
		for i := 0; i < deadline && since == 0; i++ {
			speed := slow
			if i >= faster {
				speed = fast
			}
			to.P.Z += speed * dt
			command(t, m, c.topic, poseValues(to)...)
			if i >= began && i < waited {
				m.Hold(dt)
			} else {
				step(t, m, dt, 1)
			}
			if gaugeOf(m, c.gauge) != 0 {
				since = i
			}
		}
		if since < faster {
			t.Errorf("%s: reported in step %d (0: never), want it from step %d to %d", c.gauge, since, faster, deadline)
		}
	}
}

// TestLedBaseThatFailsIsNotLimited is the same of a base that its robot file moves.
func TestLedBaseThatFailsIsNotLimited(t *testing.T) {
	f := wire(10, 0.0005, sideways, 0)
	f.Base.Velocity, f.Base.Until = spatial.Vec{X: 0.2}, math.Inf(1)
	m := newModel(t, f)
	step(t, m, 1e-3, 3)
	command(t, m, "external_wrench", math.NaN(), 0, 0, 0, 0, 0, 0)
	if err := m.Step(1e-3); err == nil {
		t.Fatal("a step under no number does not fail")
	}
	if gaugeOf(m, "base_speed_limited") != 0 {
		t.Error("reported as limited where a step has failed")
	}
}

// TestPosesKeepToTheWorld demands that the range of commanded poses be in proportion to what the
// robot file has, the rod and a magnet far from it.
func TestPosesKeepToTheWorld(t *testing.T) {
	f := wire(10, 0.0005, sideways, 0)
	f.Magnets = []robotfile.RodMagnet{{Name: "tip", At: f.Rod.Length, Moment: spatial.Vec{Z: 1e-3}}}
	f.Field.Dipoles = []robotfile.Dipole{{Name: "hand", Position: spatial.Vec{X: 0.4}, Moment: spatial.Vec{X: 1}}}
	m, seen := newModel(t, f), 0
	for _, p := range m.Ports() {
		if p.Kind != sim.Pose || p.Direction != sim.In {
			continue
		}
		if seen++; !p.Strict || p.Max[2] != 40 || p.Min[2] != -40 {
			t.Errorf("%s: refused beyond %v, %v; want 40 m", p.Name, p.Strict, p.Max)
		}
	}
	if seen != 3 { // base_pose, magnet_pose, magnet_pose/hand
		t.Errorf("%d poses are commanded", seen)
	}
	command(t, m, "magnet_pose/hand", 1.4, 0, 0, 0, 0, 0, 1)
	step(t, m, 1e-3, 3)
	if gaugeOf(m, "magnet_speed_limited") != 1 || gaugeOf(m, "base_speed_limited") != 0 {
		t.Error("a jump of the magnet is not reported")
	}
}
