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

// TestStaticLinearise: under an input that stays, the linearised step comes to rest where static --jacobian says; the robot passes the
// flags of both. A robot with more state than a linearised step is refused with the cure.
func TestStaticLinearise(t *testing.T) {
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	step, table := filepath.Join(dir, "step.json"), filepath.Join(dir, "j.csv")
	static := func(more ...string) (string, int) {
		_, errs, code := testbench.Run(t, program, append([]string{
			"static", "--config", "../../launch/robots/nitinol.yaml", "--out", filepath.Join(dir, "shape.csv"), "--linearise", step, "_rod/elements:=10",
			"_tendons[0]/tension_n:=1",
		}, more...)...)
		return errs, code
	}
	for range 2 { // the second one replaces what is ours
		if errs, code := static("--jacobian", table, "_rod/element_order:=2"); code != 0 || !strings.Contains(errs, "a step of 0.001 s with 240 states, 16 inputs and 6 outputs") {
			t.Fatalf("exit code %d: %s", code, errs)
		}
	}
	var l struct {
		StepS           float64 `json:"step_s"`
		Inputs, Outputs []string
		OutputUnits     []string `json:"output_units"`
		A, B, C         [][]float64
	}
	if text, err := os.ReadFile(step); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(text, &l); err != nil {
		t.Fatal(err)
	}
	j := testbench.ReadJacobian(t, table)
	// differences make A exact to some 1e-7, which coming to rest over hundreds of steps magnifies
	for k, input := range l.Inputs {
		if !strings.HasPrefix(input, "tension.") && !strings.HasPrefix(input, "tip_") {
			continue // where the base goes the robot goes, of which its states are no increments
		}
		x := make([]float64, len(l.A))
		for range 3000 {
			next := make([]float64, len(x))
			for i, row := range l.A {
				next[i] = l.B[i][k] + dot(row, x)
			}
			x = next
		}
		for i, output := range l.Outputs {
			want := j[input][output+"_"+l.OutputUnits[i]]
			if got := dot(l.C[i], x); math.Abs(got-want) > 1e-5*math.Hypot(want, 0.01) {
				t.Errorf("%s by %s comes to %g, --jacobian says %g", output, input, got, want)
			}
		}
	}
	if errs, code := static("--force"); code != 1 || !strings.Contains(errs, "--linearise: a step of this robot is not linearised: ") || !strings.Contains(errs, "element_order: 2") {
		t.Errorf("order 4: exit code %d, %s", code, errs)
	}
	if errs, code := static("--force", "_solver/method:=explicit"); code == 0 || !strings.Contains(errs, "method") {
		t.Errorf("explicit: exit code %d, %s", code, errs)
	}
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
