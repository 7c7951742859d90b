package offline_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// The error of the steps that sim --error tells is the true one within a factor of two, also where commands ramp for the whole motion; the truth is
// that of steps of a sixteenth.
func TestSimTellsTheErrorOfTheSteps(t *testing.T) {
	const robots = "../../launch/robots/"
	ramp := filepath.Join(t.TempDir(), "ramp.csv")
	if err := os.WriteFile(ramp, []byte("t,long_up\n0,0\n0.2,3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		stepS float64
		args  []string
	}{
		{"steps of commands", 0.004, []string{"--config", robots + "nitinol.yaml", "--commands", robots + "nitinol_commands.csv", "--duration", "1", "--sample-hz", "50"}},
		{"ramps", 0.001, []string{"--config", robots + "silicone.yaml", "--commands", ramp, "--duration", "0.5", "_tendons[0]/limits/max_rate_n_per_s:=40"}},
	} {
		t.Run(c.name, func(t *testing.T) { checkStepError(t, c.stepS, c.args) })
	}
}

// TestSimTellsThatImpactsHaveAnErrorOfTheirOwn: mechanisms without rods have the error of the steps alone, and a ball that has fallen onto a floor
// one of order 1, about which the estimate says so.
func TestSimTellsThatImpactsHaveAnErrorOfTheirOwn(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	ball := testbench.WriteFile(t, "ball.yaml", `
bodies: [{name: ball, mass_kg: 0.1, inertia_kg_m2: [1.6e-5, 1.6e-5, 1.6e-5], position_m: [0, 0, 0.12], velocity_m_per_s: [0.5, 0, 0], shapes: [{sphere: {center_m: [0, 0, 0], radius_m: 0.02}}]}]
environment: {friction_coefficient: 0.3, shapes: [{name: floor, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}
`)
	for _, c := range []struct {
		duration string
		impacts  int
	}{{"0.1", 0}, {"0.4", 1}} {
		report := filepath.Join(t.TempDir(), "error.json")
		_, errs, code := testbench.Run(t, program, "sim", ball, "--duration", c.duration, "--error", "--error-json", report, "--out", filepath.Join(t.TempDir(), "out.csv"))
		var e struct {
			Impacts int      `json:"step_impacts"`
			Mesh    *float64 `json:"tip_error_m"`
		}
		if err := json.Unmarshal([]byte(testbench.ReadFile(t, report)), &e); err != nil {
			t.Fatal(err)
		}
		if code != 0 || e.Impacts != c.impacts || e.Mesh != nil || strings.Contains(errs, "that have an impact: ") != (c.impacts > 0) || !strings.Contains(errs, "error of the steps of ") {
			t.Errorf("%s s: exit code %d, %+v, %s", c.duration, code, e, errs)
		}
	}
}

// checkStepError compares the estimate of steps of stepS seconds with the error.
func checkStepError(t *testing.T, stepS float64, args []string) {
	program, report := testbench.BuildTendonsim(t), filepath.Join(t.TempDir(), "error.json")
	motion := func(more ...string) (rows [][]float64, errs string) {
		args := slices.Concat([]string{"sim"}, args, more)
		out, errs, code := testbench.RunIn(t, ".", program, args...)
		if code != 0 {
			t.Fatalf("%v: exit code %d, %s", args, code, errs)
		}
		_, rows = testbench.ParseCSV(t, out)
		return rows, errs
	}
	rows, errs := motion("--error", "--error-json", report, fmt.Sprintf("_solver/step_s:=%g", stepS))
	limit, _ := motion(fmt.Sprintf("_solver/step_s:=%g", stepS/16))
	truth := 0.0
	for i, r := range rows {
		if math.Abs(r[0]-limit[i][0]) > 1e-9 {
			t.Fatalf("row %d is of %g s with long steps and of %g s with short ones", i, r[0], limit[i][0])
		}
		truth = max(truth, math.Hypot(math.Hypot(r[1]-limit[i][1], r[2]-limit[i][2]), r[3]-limit[i][3]))
	}
	var e struct {
		Tip   float64 `json:"step_tip_error_m"`
		Shape float64 `json:"step_shape_error_m"`
		Mesh  float64 `json:"tip_error_m"`
	}
	data, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(data, &e)
	}
	t.Logf("%+v, true error %.3g m", e, truth)
	if err != nil || !(e.Tip < 2*truth && e.Tip > truth/2) || !(e.Shape >= e.Tip) || !(e.Mesh > 0) || !strings.Contains(errs, fmt.Sprintf("error of the steps of %g s: ", stepS)) {
		t.Errorf("%+v, true error %.3g m: %v; standard error %q", e, truth, err, errs)
	}
}
