package offline_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// column is the robot file of a column above its buckling load that nothing disturbs.
const column = `
rod: {length_m: 0.9, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 6e10, elements: 20, damping: {kelvin_voigt_s: 0.001}}
base: {direction: [0, 0, 1], normal: [1, 0, 0]}
gravity_m_per_s2: [0, 0, -9.80665]
`

// sim warns of a robot that its steps do not resolve, and of one that rests in an unstable equilibrium. --stats has the error in time.
func TestSimWarnsOfTimeErrorAndUnstableRest(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	dir := t.TempDir()
	upright := filepath.Join(dir, "column.yaml")
	if err := os.WriteFile(upright, []byte(column), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, file, warning string }{
		{"undamped", testbench.RobotFiles + "nitinol_robot.yaml", "warning: time_error_over_length reached"},
		{"column", upright, "warning: unstable_at_rest reached"},
	} {
		stats := filepath.Join(dir, c.name+".json")
		_, errs, code := testbench.RunIn(t, ".", program, "sim", "--config", c.file, "--duration", "3", "--stats", stats)
		if n := strings.Count(errs, c.warning); code != 0 || n != 1 {
			t.Errorf("%s: exit code %d, %d times %q in %s", c.name, code, n, c.warning, errs)
		}
		var values map[string]float64
		data, err := os.ReadFile(stats)
		if err == nil {
			err = json.Unmarshal(data, &values)
		}
		if x, ok := values["time_error_over_length"]; err != nil || !ok || x > 1 || c.name == "undamped" && x < 0.03 {
			t.Errorf("%s: time_error_over_length is %v in %s: %v", c.name, x, data, err)
		}
	}
}

// The robots that come with the program are resolved by their steps and rest in stable shapes.
func TestRobotsHaveSmallTimeErrors(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	for _, name := range []string{"catheter", "helical", "motors", "nitinol", "segments", "servo", "silicone"} {
		file := "../../launch/robots/" + name
		_, errs, code := testbench.RunIn(t, ".", program, "sim", "--config", file+".yaml", "--commands", file+"_commands.csv", "--duration", "3")
		if code != 0 || strings.Contains(errs, "time_error_over_length") || strings.Contains(errs, "unstable_at_rest") {
			t.Errorf("%s: exit code %d, %s", name, code, errs)
		}
	}
}
