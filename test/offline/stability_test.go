package offline_test

import (
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// wire is an upright column of nitinol.
const wire = `rod: {length_m: 0.3, radius_m: 0.0004, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, elements: 20, damping: {kelvin_voigt_s: 0.001}}
base: {direction: [0, 0, 1], normal: [1, 0, 0]}
solver: {step_s: 0.001}
`

// TestEveryVerbSaysTheVerdict compares what static says of an equilibrium with the warnings of sim and sweep: an upright column, the same one above
// its buckling load, where it leans to any side, and Beck's column above 20.05 EI/L².
func TestEveryVerbSaysTheVerdict(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	for name, c := range map[string]struct{ rest, verdict string }{
		"stable":  {"tip: {mass_kg: 1e-4}", "stable"},
		"neutral": {"tip: {mass_kg: 0.02}", "neutral"},
		"flutter": {"gravity_m_per_s2: [0, 0, 0]\nloads: [{at_m: 0.3, force_n: [0, 0, -0.2815], frame: body}]", "unstable, by flutter"},
	} {
		t.Run(name, func(t *testing.T) {
			config := testbench.WriteFile(t, "robot.yaml", wire+c.rest)
			said := "the equilibrium is " + c.verdict
			if _, errs, code := testbench.Run(t, program, "static", "--config", config); code != 0 || !strings.Contains(errs, said) {
				t.Fatalf("static: exit code %d, %s, want %q", code, errs, said)
			} else if unknown := strings.Contains(errs, "the error of the mesh is unknown: the equilibrium is neutral"); unknown != (name == "neutral") {
				t.Errorf("error of the mesh: %s", errs)
			}
			warns := name != "stable"
			_, errs, code := testbench.Run(t, program, "sim", "--config", config, "_initial_state:=equilibrium", "--duration", "10ms")
			if code != 0 || strings.Contains(errs, "warning: initial_state: "+said) != warns || strings.Contains(errs, "initial_state") != warns {
				t.Errorf("sim: exit code %d, %s", code, errs)
			}
			out := filepath.Join(t.TempDir(), "s.csv")
			for _, duration := range [][]string{nil, {"--duration", "10ms", "_initial_state:=equilibrium"}} {
				args := append([]string{"sweep", "--config", config, "--vary", "density_kg_per_m3=linspace(6450,6451,2)", "--samples", "2", "--out", out, "--force"}, duration...)
				if _, errs, code := testbench.Run(t, program, args...); code != 0 {
					t.Fatalf("%v: exit code %d, %s", args, code, errs)
				}
				rows := strings.Split(strings.TrimSpace(testbench.ReadFile(t, out)), "\n")
				for _, row := range rows[1:] {
					if strings.Contains(row, said) != warns || strings.Contains(row, "equilibrium") != warns {
						t.Errorf("%v: row %s, want %q: %v", args, row, said, warns)
					}
				}
			}
		})
	}
}
