package hil_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// comparison is what the tests read of metrics.json.
type comparison struct {
	RobotLength float64 `json:"robot_length_m"`
	Latency     struct {
		Estimate float64 `json:"estimate_s"`
		Low      float64 `json:"low_s"`
		High     float64 `json:"high_s"`
	}
	Alignment struct {
		Angle float64 `json:"angle_rad"`
	}
	Removed struct {
		Samples  int
		Position struct {
			RMSE    float64 `json:"rmse_m"`
			Percent float64 `json:"rmse_percent_of_length"`
		}
	} `json:"latency_removed"`
	Steps []struct {
		Simulation, Hardware struct {
			Damping float64 `json:"damping_ratio"`
		}
	} `json:"step_responses"`
	Shape []struct {
		Mean float64 `json:"mean_m"`
	}
	Warnings []string
}

const bench = "../../launch/examples/hil/"

// The sample recordings give the report that their README promises, the same from
// CSV and MCAP.
func TestCompareOfTheExamples(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	var first comparison
	for i, args := range [][]string{
		{bench + "bench.mcap"},
		{bench + "simulation.csv", bench + "hardware.csv", "--config", bench + "robot.yaml"},
	} {
		dir := t.TempDir()
		out, errs, code := testbench.Run(t, program, append([]string{"compare", "--align", "se3", "--out", dir}, args...)...)
		if code != 0 {
			t.Fatalf("exit %d: %s", code, errs)
		}
		var m comparison
		data, err := os.ReadFile(filepath.Join(dir, "metrics.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s\n%s", args[0], out)
		if m.Latency.Low > 0.037 || m.Latency.High < 0.037 || math.Abs(m.Latency.Estimate-0.037) > 3e-3 {
			t.Errorf("latency %+v s, want 0.037 s within", m.Latency)
		}
		if angle := m.Alignment.Angle * 180 / math.Pi; math.Abs(angle-5) > 0.5 {
			t.Errorf("frame turned by %g degrees, want about 5", angle)
		}
		if p := m.Removed.Position.Percent; p < 0.5 || p > 1.7 || m.Removed.Samples < 1400 || m.RobotLength != 0.25 {
			t.Errorf("RMSE %g %% of %g m in %d samples", p, m.RobotLength, m.Removed.Samples)
		}
		if i == 0 {
			first = m
			continue
		}
		// the CSV rounds to 1 um and lacks the backbone
		if d := math.Abs(m.Removed.Position.RMSE - first.Removed.Position.RMSE); d > 2e-5 {
			t.Errorf("RMSE of CSV and MCAP differ by %g m", d)
		}
	}
	if len(first.Shape) != 6 || first.Shape[5].Mean < first.Shape[1].Mean {
		t.Errorf("error along the robot: %+v", first.Shape)
	}
	if len(first.Steps) != 2 || !(first.Steps[0].Hardware.Damping > first.Steps[0].Simulation.Damping) {
		t.Errorf("step responses %+v; the hardware has more damping", first.Steps)
	}
	_, errs, code := testbench.Run(t, program, "compare", bench+"bench.mcap", "--align", "se3", "--out", "-", "--max-rmse-percent", "1")
	if code != 3 || !strings.Contains(errs, "exceeds the limit") {
		t.Errorf("threshold: exit %d: %s", code, errs)
	}
}
