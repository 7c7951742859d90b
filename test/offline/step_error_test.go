package offline_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// The error of the steps that sim --error tells is the true one within a factor of two; the truth is that of steps of a sixteenth.
func TestSimTellsTheErrorOfTheSteps(t *testing.T) {
	program, report := testbench.BuildTendonsim(t), filepath.Join(t.TempDir(), "error.json")
	file := "../../launch/robots/nitinol"
	motion := func(more ...string) (rows [][]float64, errs string) {
		args := append([]string{"sim", "--config", file + ".yaml", "--commands", file + "_commands.csv", "--duration", "1"}, more...)
		out, errs, code := testbench.RunIn(t, ".", program, args...)
		if code != 0 {
			t.Fatalf("%v: exit code %d, %s", args, code, errs)
		}
		_, rows = testbench.ParseCSV(t, out)
		return rows, errs
	}
	rows, errs := motion("--error", "--error-json", report, "_solver/step_s:=0.004")
	limit, _ := motion("_solver/step_s:=0.00025")
	truth := 0.0
	for i, r := range rows {
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
	if err != nil || !(e.Tip < 2*truth && e.Tip > truth/2) || !(e.Shape >= e.Tip) || !(e.Mesh > 0) || !strings.Contains(errs, "error of the steps of 0.004 s: ") {
		t.Errorf("%+v, true error %.3g m: %v; standard error %q", e, truth, err, errs)
	}
}
