package offline_test

import (
	"encoding/csv"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/test/testbench"
	"sinew/test/tools/vessels"
)

// TestWorlds wants the robots of launch/worlds to be checked without a word, to touch their
// surroundings under their commands, and the guidewire, which is pushed by its base, to stay
// within its vessel.
func TestWorlds(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	files, err := filepath.Glob("../../launch/worlds/*.yaml")
	if err != nil || len(files) != 3 {
		t.Fatalf("robots %q, %v; want 3", files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			if _, errs, code := testbench.RunIn(t, ".", program, "check", file); code != 0 || errs != "" {
				t.Errorf("check: exit code %d, %s", code, errs)
			}
			args := []string{"sim", "--config", file, "--commands", strings.TrimSuffix(file, ".yaml") + "_commands.csv", "--duration", "1.2", "--sample-hz", "20"}
			if name == "guidewire" {
				args = append(args, "_base/velocity_m_per_s:=[0.025, 0, 0]")
			}
			out, errs, code := testbench.RunIn(t, ".", program, args...)
			if code != 0 {
				t.Fatalf("sim: exit code %d, %s", code, errs)
			}
			if strings.Contains(errs, "warning:") {
				t.Errorf("sim: %s", errs)
			}
			checkTouch(t, name, out)
		})
	}
}

// checkTouch looks over the rows of sim.
func checkTouch(t *testing.T, name, out string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) < 20 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	column := map[string]int{}
	for i, title := range rows[0] {
		column[title] = i
	}
	vessel := vessels.Guidewire()
	const penetration = 1e-4 // m, a fiftieth of the thickness of the endoscope
	for _, row := range rows[1:] {
		value := func(title string) float64 {
			x, err := strconv.ParseFloat(row[column[title]], 64)
			if err != nil {
				t.Fatalf("%s: %v", title, err)
			}
			return x
		}
		if p := value("penetration_max"); p > penetration {
			t.Errorf("t = %s s: %g m into a wall, allowed: %g m", row[0], p, penetration)
		}
		if name != "guidewire" {
			continue
		}
		if e := vessel.Excess(spatial.Vec{X: value("tip_x"), Y: value("tip_y"), Z: value("tip_z")}); e > 0 {
			t.Errorf("t = %s s: the tip is %.3g m outside of the vessel", row[0], e)
		}
	}
	if last := rows[len(rows)-1]; last[column["contact_count"]] == "0" {
		t.Error("nothing is touched at the end")
	}
}
