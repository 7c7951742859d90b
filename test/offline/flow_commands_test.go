package offline_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// A table of commands moves the fluid, which carries and turns the body.
func TestFlowOfCommands(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"body.yaml": "body: {shape: {sphere_m: 1e-6}, density_kg_per_m3: 1000}\nfluid: {viscosity_pa_s: 1e-3, density_kg_per_m3: 1000}\nsolver: {step_s: 0.01}\n",
		"c.csv":     "t,ambient_flow_vx,ambient_flow_vy,ambient_flow_wz\n0,2e-6,0,0\n1,0,-1e-6,0.5\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, errs, code := testbench.RunIn(t, dir, testbench.BuildMicrorobot(t), strings.Fields("sim --config body.yaml --commands c.csv --duration 3s --out -")...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	header, rows := testbench.ParseCSV(t, out)
	last := rows[len(rows)-1]
	at := func(name string) float64 {
		for i, h := range header {
			if h == name {
				return last[i]
			}
		}
		t.Fatalf("no column %s in %q", name, header)
		return 0
	}
	for name, want := range map[string]float64{"t": 3, "x": 2e-6, "y": -2e-6, "vx": 0, "vy": -1e-6, "wz": 0.5} {
		if got := at(name); math.Abs(got-want) > 1e-8+1e-3*math.Abs(want) {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
}
