//go:build unix

package env

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// Derivatives are those of the robot that is asked for, and asking moves none.
func TestDerivatives(t *testing.T) {
	coarse := t.TempDir() + "/coarse.yaml"
	if err := os.WriteFile(coarse, []byte("rod: {element_order: 2, elements: 10}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	nitinol := []string{"../../../launch/robots/nitinol.yaml", coarse}
	a := call(t, Cmd{Envs: 2, RobotFiles: cli.RobotFiles{Config: nitinol}})
	for range 50 {
		a.action[4] = 4 // of robot 1
		a.must("step")
	}
	before := append(append([]float64{}, a.row(0)...), a.row(1)...)
	ask := func(request string, to any) {
		t.Helper()
		text, found := strings.CutPrefix(a.ask(request), "ok ")
		if !found {
			t.Fatalf("%s: %.100q", request, text)
		}
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatal(err)
		}
	}
	var tangents [2]sim.Jacobian
	var steps [2]program.LinearisedStep
	for i, number := range []string{"0", "1"} {
		ask("jacobian\t"+number, &tangents[i])
		ask("linearise\t"+number, &steps[i])
	}
	if s := &steps[0]; s.StepS != 0.001 || len(s.A) != 240 || len(s.A[0]) != 240 || len(s.B[0]) != len(s.Inputs) || len(s.C) != len(s.Outputs) {
		t.Errorf("a step of %g s, A %dx%d, B %d, C %d", s.StepS, len(s.A), len(s.A[0]), len(s.B[0]), len(s.C))
	}
	straight, bent := tangents[0].Values[0][0], tangents[1].Values[0][0] // of tip.x by tension.front, m/N
	if math.Abs(straight-bent) < 0.01*straight || steps[0].B[0][0] == steps[1].B[0][0] {
		t.Errorf("the straight robot has %g, the bent one %g", straight, bent)
	}
	a.must("wait")
	for k, want := range before {
		if got := a.observation[k]; got != want {
			t.Errorf("value %d was %g and is %g", k, want, got)
		}
	}
	for request, want := range map[string]string{
		"jacobian\t2": "jacobian of robot 2; want 0 to 1", "linearise\tx": "linearise of robot \"x\"; want its number", "jacobian": "request",
	} {
		if got := a.ask(request); !strings.HasPrefix(got, "error ") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", request, got, want)
		}
	}
	a = call(t, Cmd{Envs: 1, RobotFiles: cli.RobotFiles{Config: nitinol[:1]}})
	if got := a.ask("linearise\t0"); !strings.HasPrefix(got, "error linearise: ") || !strings.Contains(got, "element_order: 2") {
		t.Errorf("order 4: %q", got)
	}
}
