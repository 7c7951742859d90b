package identify_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/program"
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

// delayed are the rows of a CSV of sim as hardware measures them that is late by so many s: from then on, and of no commands.
func delayed(t *testing.T, file string, late float64, columns int) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		cells := strings.Split(line, ",")[:columns]
		if i > 0 {
			at, err := strconv.ParseFloat(cells[0], 64)
			if err != nil {
				t.Fatal(err)
			}
			cells[0] = fmt.Sprintf("%.6f", at+late)
		}
		text.WriteString(strings.Join(cells, ",") + "\n")
	}
	return apptest.Write(t, "late.csv", text.String())
}

// TestTrialBeginsAtItsFirstCommand measures from one latency after the first command on, without noise. Trials began at their
// first row, as if all commands had come so much later: a viscosity of 5 Pa s was found as 4.49, 16.6 MPa as 18.4.
func TestTrialBeginsAtItsFirstCommand(t *testing.T) {
	const close = 1e-6 // relative: nothing but the end of the search
	const settled = "initial_state: equilibrium\n"
	for _, c := range []struct {
		name               string
		robot              program.Robot
		truth, start, rows string
		late               float64 // s
		columns            int     // of the pose, with t
		free               string
		want               float64
	}{
		{
			"body", bodyRobot(), fmt.Sprintf(bodyFile, trueMoment, trueViscosity), fmt.Sprintf(bodyFile, trueMoment, 1.1*trueViscosity),
			"t,bx,by,bz,gxx,gxy,gxz,gyy,gyz\n0,0,0,1e-3,0,0,0.1,0,0\n0.3,1e-3,0,0,0,0,0,0,0\n0.6,0,0,1e-3,0,0,-0.1,0,0\n",
			0.04, 4, "viscosity_pa_s", trueViscosity,
		},
		{
			"rod", rodRobot(), movingText(trueE, trueG, trueMu) + settled, movingText(1.2*trueE, trueG, trueMu) + settled,
			"t,up,side\n0,3,0\n0.4,0.5,2\n", 0.152, 4, "youngs_modulus_pa", trueE,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			commands, data := apptest.Write(t, "commands.csv", c.rows), filepath.Join(t.TempDir(), "sim.csv")
			invoke(t, c.robot, "sim", "--config", apptest.Write(t, "truth.yaml", c.truth), "--commands", commands, "--duration", "0.8s", "--sample-hz", "25", "--out", data)
			r := identified(t, c.robot, "--config", apptest.Write(t, "start.yaml", c.start), "--free", c.free, "--free", "latency_s", "--starts", "1",
				"--commands", commands, delayed(t, data, c.late, c.columns))
			for _, p := range r.Parameters {
				want := c.want
				if p.Name == "latency_s" {
					want = c.late
				}
				if math.Abs(p.Value/want-1) > close {
					t.Errorf("%s = %.10g instead of %g", p.Name, p.Value, want)
				}
			}
		})
	}
}
