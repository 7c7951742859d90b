package offline_test

import (
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// TestStaticKeepsTheShape writes the equilibrium, which is valid, where an option beside it has no result. The exit code and the error are those of
// the option, and its file is not written.
func TestStaticKeepsTheShape(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	for name, c := range map[string]struct{ rest, flag, message string }{
		"a derivative of flutter":      {"gravity_m_per_s2: [0, 0, 0]\nloads: [{at_m: 0.3, force_n: [0, 0, -0.2815], frame: body}]", "--jacobian", "--jacobian: there is no derivative of a shape in which the robot does not stay"},
		"a path with friction":         {"tendons: [{name: pull, offset_m: [0.005, 0], tension_n: 1, friction_coefficient: 0.2, disks: {count: 10, first_m: 0.03, last_m: 0.3}}]", "--path", "--path: a path of equilibria is not supported with friction"},
		"the mesh of a neutral shape":  {"tip: {mass_kg: 0.02}", "--error-json", "the error of the mesh is unknown: the equilibrium is neutral"},
		"a path from inside of a wall": {"environment: {shapes: [{name: vessel, tube: {points_m: [[0, 0, -0.02], [0, 0, 0.08], [0.08, 0, 0.2], [0.2, 0, 0.3]], radius_m: [0.016]}}]}", "--path", "--path: no equilibrium: the path begins at the shape without load: "},
	} {
		t.Run(name, func(t *testing.T) {
			config, dir := testbench.WriteFile(t, "robot.yaml", wire+c.rest), t.TempDir()
			_, errs, code := testbench.Run(t, program, "static", "--config", config, "--out", filepath.Join(dir, "shape.csv"), c.flag, filepath.Join(dir, "option.csv"))
			if code != 1 || !strings.Contains(errs, c.message) || name == "a path from inside of a wall" && !strings.Contains(errs, "vessel") {
				t.Errorf("exit code %d, %s, want 1 and %q", code, errs, c.message)
			}
			if list := testbench.ListDir(t, dir); list != "shape.csv" {
				t.Errorf("files %q, want shape.csv alone", list)
			}
		})
	}
}

// TestStaticHasOneStandardOutput refuses two tables on it, one after the other.
func TestStaticHasOneStandardOutput(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	for _, args := range [][]string{{"--path", "-"}, {"--jacobian", "-"}, {"--sample", "-"}, {"--linearise", "-"}, {"--out", filepath.Join(t.TempDir(), "s.csv"), "--path", "-", "--jacobian", "-"}} {
		out, errs, code := testbench.Run(t, program, append([]string{"static"}, args...)...)
		if code != 2 || out != "" || !strings.Contains(errs, "both write to the standard output; give one of them a file") {
			t.Errorf("%v: exit code %d, %d bytes, %s", args, code, len(out), errs)
		}
	}
	out, errs, code := testbench.Run(t, program, "static", "--out", filepath.Join(t.TempDir(), "s.csv"), "--path", "-")
	if code != 0 || !strings.HasPrefix(out, "load,x,y,z") {
		t.Errorf("--path alone: exit code %d, %s", code, errs)
	}
}
