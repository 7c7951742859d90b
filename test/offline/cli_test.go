package offline_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/test/testbench"
)

// A robot file of the contract and PyElastica's trajectory of it.
const (
	twoTendonsFile = testbench.RobotFiles + "tendonforces_two_tendons.yaml"
	twoTendonsGold = "../../pkg/sim/continuum/testdata/tf_two_tendons_small_n20.json"
)

// TestSimReproducesTendonForces runs the command of the README against the
// trajectory of PyElastica 0.3.2 with TendonForces.
func TestSimReproducesTendonForces(t *testing.T) {
	t.Parallel()
	const tolerance = 1e-9 // relative, of the largest coordinate; DESIGN §7
	data, err := os.ReadFile(twoTendonsGold)
	if err != nil {
		t.Fatal(err)
	}
	var gold struct{ Samples [][4]float64 } // step, x, y, z
	if err := json.Unmarshal(data, &gold); err != nil {
		t.Fatal(err)
	}
	out, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), "sim", "--config", twoTendonsFile, "--duration", "1s", "--sample-hz", "100", "--out", "-")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	header, rows := testbench.ParseCSV(t, out)
	if got, want := strings.Join(header, ","), "t,tip_x,tip_y,tip_z,tip_qx,tip_qy,tip_qz,tip_qw,tendon_1,tendon_2"; got != want {
		t.Errorf("header %s, want %s", got, want)
	}
	if len(rows) != len(gold.Samples) {
		t.Fatalf("%d rows, want %d", len(rows), len(gold.Samples))
	}
	worst := 0.0
	for i, g := range gold.Samples {
		if want := g[0] * 5e-5; math.Abs(rows[i][0]-want) > 1e-12 {
			t.Fatalf("row %d is at %v s, want %v s", i, rows[i][0], want)
		}
		scale := math.Max(math.Abs(g[1]), math.Max(math.Abs(g[2]), math.Abs(g[3])))
		for k := 1; k <= 3; k++ {
			worst = math.Max(worst, math.Abs(rows[i][k]-g[k])/scale)
		}
	}
	t.Logf("largest relative difference %.2g", worst)
	if worst > tolerance {
		t.Errorf("differs by %.3g, want at most %g", worst, tolerance)
	}
}

func TestRobotFilesAreAccepted(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	for _, name := range []string{"tendonforces_two_tendons", "silicone_robot", "nitinol_robot", "gravity_cantilever", "tapered_arm"} {
		out, errs, code := testbench.Run(t, program, "check", testbench.RobotFiles+name+".yaml")
		if code != 0 || !strings.Contains(out, ": ok: ") {
			t.Errorf("check %s: code %d, %s%s", name, code, out, errs)
		}
	}
	// the defaults are a robot file themselves
	params, _, _ := testbench.Run(t, program, "params")
	file := filepath.Join(t.TempDir(), "params.yaml")
	if err := os.WriteFile(file, []byte(params), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := testbench.Run(t, program, "check", file); code != 0 {
		t.Errorf("check of params: code %d, %s", code, errs)
	}
}

// TestBadRobotFiles wants each mistake with its place, value and allowed range.
func TestBadRobotFiles(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	good, err := os.ReadFile(twoTendonsFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"unknown key", "radius_m:", "radius_mm:", []string{"bad.yaml:4", "rod.radius_mm", "radius_m"}},
		{"unit", "length_m: 0.25", "length_m: 250", []string{"bad.yaml:3", "rod.length_m", "250", "m", "(0, 100]"}},
		{"negative", "length_m: 0.25", "length_m: -0.25", []string{"rod.length_m", "-0.25", "(0, 100]"}},
		{"unstable step", "step_s: 5.0e-5", "step_s: 5.0e-4", []string{"0.0005 s is above the stability limit", "use step_s"}},
		{"tension", "tension_n: 3.0", "tension_n: .nan", []string{"tendons[0].tension_n"}},
		{"syntax", "rod:", "rod: [", []string{"bad.yaml:"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "bad.yaml")
			if err := os.WriteFile(file, bytes.Replace(good, []byte(c.old), []byte(c.new), 1), 0o600); err != nil {
				t.Fatal(err)
			}
			_, errs, code := testbench.Run(t, program, "check", file)
			if code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
			for _, w := range c.want {
				if !strings.Contains(errs, w) {
					t.Errorf("%q lacks %q", errs, w)
				}
			}
		})
	}
}

// TestStaticSagsLikeABeam compares the sag of the silicone rod under its weight
// with Euler-Bernoulli's, q L⁴ / 8EI = 0.0380586 m, from which the shape's own
// curvature and shear take a few percent.
func TestStaticSagsLikeABeam(t *testing.T) {
	const eulerBernoulli, tolerance = -0.0380586, 0.03
	out, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), "static", "--config", testbench.RobotFiles+"gravity_cantilever.yaml", "--out", "-")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	header, rows := testbench.ParseCSV(t, out)
	if strings.Join(header, ",") != "s,x,y,z,qx,qy,qz,qw" || len(rows) != 101 {
		t.Fatalf("header %v, %d rows", header, len(rows))
	}
	tip := rows[100]
	if tip[0] != 0.25 || math.Abs(tip[3]/eulerBernoulli-1) > tolerance {
		t.Errorf("s = %g m, z = %g m; want 0.25 m and %g m to %g", tip[0], tip[3], eulerBernoulli, tolerance)
	}
}

// TestRunEndsByItself checks the newcomer's run: it moves, says how it does, and
// ends with code 0 within a second of an interrupt.
func TestRunEndsByItself(t *testing.T) {
	p := testbench.NewNetwork(t, "http://localhost:1").Start(testbench.BuildTendonsim(t), "--ros", "off")
	for _, want := range []string{"tendonsim ", "demo ", "rtf ", "overruns ", "measured_cp "} {
		p.Expect(want)
	}
	if code := p.End(time.Second); code != 0 {
		t.Errorf("the run ended with %d", code)
	}
	testbench.Contains(t, "the end", p.Output(), "simulated")
}
