package identify_test

import (
	"math"
	"slices"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/spatial"
)

// lateTrial measures the motion of a robot in a frame of its own and late, with
// noise of 0.5 mm.
func lateTrial(t *testing.T, frame spatial.Pose, late float64) string {
	t.Helper()
	m, err := continuum.New(parseRod(t, movingText(trueE, trueG, trueMu)))
	if err != nil {
		t.Fatal(err)
	}
	const stepS, every, steps = 0.004, 5, 300
	var tips []spatial.Vec
	s := newSheet("t,up,side,tip_x,tip_y,tip_z", 5)
	in := sim.NewInputs(m)
	for n := range steps {
		tips = append(tips, tipOf(m))
		at := float64(n) * stepS
		if n%every == 0 {
			command := []float64{2 + 2*float64(n/75%2), 3 - 1.5*float64(n/50%3), sim.Keep}
			// between the steps, as the robot moves on
			past := max(0, at-late) / stepS
			k := min(int(past), len(tips)-1)
			tip := tips[k]
			if k+1 < len(tips) {
				tip = tip.AddScaled(past-float64(k), tips[k+1].Sub(tip))
			}
			s.row([]float64{at, command[0], command[1]}, frame.Inv().Apply(tip), cameraNoise)
			in.Set(0, command)
		}
		in.Advance(stepS)
		if err := m.Step(stepS); err != nil {
			t.Fatal(err)
		}
	}
	return apptest.Write(t, "late.csv", s.String())
}

// TestFrameAndLatencyRoundTrip measures in a frame that is tilted by 5° and moved,
// 37 ms late, and finds both.
func TestFrameAndLatencyRoundTrip(t *testing.T) {
	many(t)
	place := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.03, Y: -0.06, Z: 0.05}), P: spatial.Vec{X: 0.004, Y: -0.006, Z: 0.008}}
	const late = 0.037
	data := lateTrial(t, place, late)
	r := identified(t, rodRobot(), "--config", apptest.Write(t, "robot.yaml", movingText(trueE, trueG, trueMu)), "--free", "latency_s", "--free", "hardware_pose", "--starts", "1", data)
	for i, want := range []float64{late, 0.004, -0.006, 0.008, 0.03, -0.06, 0.05} {
		name := slices.Concat([]string{"latency_s"}, []string{"hardware_pose.x", "hardware_pose.y", "hardware_pose.z", "hardware_pose.rx", "hardware_pose.ry", "hardware_pose.rz"})[i]
		for _, p := range r.Parameters {
			if p.Name == name && (p.StandardError == nil || math.Abs(p.Value-want) > 3**p.StandardError || *p.StandardError > 0.02) {
				t.Errorf("%s = %+v instead of %g", name, p, want)
			}
		}
	}
	for _, p := range r.Parameters {
		if p.Name == "latency_s" && math.Abs(p.Value-late) > 1e-3 {
			t.Errorf("latency %g s instead of %g", p.Value, late)
		}
	}
}
