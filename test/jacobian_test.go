package test

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// readJacobian reads what static --jacobian wrote, by input and output.
func readJacobian(t *testing.T, file string) map[string]map[string]float64 {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%v: %v", rows, err)
	}
	all := map[string]map[string]float64{}
	for _, r := range rows[1:] {
		all[r[0]] = map[string]float64{}
		for i, text := range r[2:] {
			if all[r[0]][rows[0][2+i]], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

// TestStaticJacobian compares the derivative that static writes with two more equilibria, and the
// compliance of the tip with its own transpose.
func TestStaticJacobian(t *testing.T) {
	program, dir := buildTendonsim(t), t.TempDir()
	file := filepath.Join(dir, "j.csv")
	tip := func(more ...string) []float64 {
		args := append([]string{"static", "--config", "../launch/robots/nitinol.yaml", "--force", "--jacobian", file}, more...)
		out, errs, code := run(t, program, args...)
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		_, rows := table(t, out)
		return rows[len(rows)-1][1:4]
	}
	const at, step = 2.0, 1e-3
	pulled := func(newtons float64) string {
		return "_tendons[0]/tension_n:=" + strconv.FormatFloat(newtons, 'g', -1, 64)
	}
	low, high := tip(pulled(at-step)), tip(pulled(at+step))
	tip(pulled(at))
	j := readJacobian(t, file)
	for i, name := range []string{"tip.x_m", "tip.y_m", "tip.z_m"} {
		want := (high[i] - low[i]) / (2 * step)
		if got := j["tension.front"][name]; math.Abs(got-want) > 1e-5*math.Hypot(want, 0.01) {
			t.Errorf("%s by the tension is %g, by differences %g", name, got, want)
		}
	}
	axes := []string{"x", "y", "z"}
	for _, a := range axes {
		for _, b := range axes {
			p, q := j["tip_force."+a]["tip."+b+"_m"], j["tip_force."+b]["tip."+a+"_m"]
			if math.Abs(p-q) > 1e-9*j["tip_force.x"]["tip.x_m"] {
				t.Errorf("the compliance is %g in %s by %s and %g the other way round", p, b, a, q)
			}
		}
	}
}
