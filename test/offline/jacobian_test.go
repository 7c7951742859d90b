package offline_test

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// TestStaticJacobian compares the derivative that static writes with two more equilibria, and the
// compliance of the tip with its own transpose.
func TestStaticJacobian(t *testing.T) {
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	file := filepath.Join(dir, "j.csv")
	tip := func(more ...string) []float64 {
		args := append([]string{"static", "--config", "../../launch/robots/nitinol.yaml", "--force", "--jacobian", file}, more...)
		out, errs, code := testbench.Run(t, program, args...)
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		testbench.Contains(t, "stderr", errs, file+": the derivative is exact to")
		_, rows := testbench.ParseCSV(t, out)
		return rows[len(rows)-1][1:4]
	}
	const at, step = 2.0, 1e-3
	pulled := func(newtons float64) string {
		return "_tendons[0]/tension_n:=" + strconv.FormatFloat(newtons, 'g', -1, 64)
	}
	low, high := tip(pulled(at-step)), tip(pulled(at+step))
	tip(pulled(at))
	j := testbench.ReadJacobian(t, file)
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

// TestStaticJacobianByNumbers compares rows by numbers of the robot file with those of the same inputs, and with more equilibria.
func TestStaticJacobianByNumbers(t *testing.T) {
	program, file := testbench.BuildTendonsim(t), filepath.Join(t.TempDir(), "j.csv")
	static := func(more ...string) []float64 {
		out, errs, code := testbench.Run(t, program, append([]string{"static", "--config", "../../launch/robots/nitinol.yaml", "_tendons[0]/tension_n:=2"}, more...)...)
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		_, rows := testbench.ParseCSV(t, out)
		return rows[len(rows)-1][1:4]
	}
	static("--jacobian", file, "--by", "tendons.front.tension_n", "--by", "base_pose", "--by", "youngs_modulus_pa", "--by", "friction_coefficient")
	j := testbench.ReadJacobian(t, file)
	for name, same := range map[string]string{"tendons.front.tension_n": "tension.front", "base_pose.y": "base.y", "base_pose.rx": "base.rx"} {
		for out, want := range j[same] {
			if got := j[name][out]; math.Abs(got-want) > 1e-8*math.Hypot(want, 0.01) && out != "tension.front_N" {
				t.Errorf("%s by %s is %.10g, by %s %.10g", out, name, got, same, want)
			}
		}
	}
	if j["tendons.friction_coefficient"]["tip.x_m"] == 0 { // of which there is one side only
		t.Error("friction does nothing")
	}
	const e, step = 60e9, 1e6
	for _, more := range [][]string{nil, {"_tendons[0]/friction_coefficient:=0.1"}} {
		modulus := func(pa float64) []float64 {
			return static(append([]string{"_rod/youngs_modulus_pa:=" + strconv.FormatFloat(pa, 'g', -1, 64)}, more...)...)
		}
		low, high := modulus(e-step), modulus(e+step)
		static(append([]string{"--force", "--jacobian", file, "--by", "youngs_modulus_pa"}, more...)...)
		j := testbench.ReadJacobian(t, file)
		for i, name := range []string{"tip.x_m", "tip.y_m", "tip.z_m"} {
			want := e * (high[i] - low[i]) / (2 * step)
			if got := e * j["rod.youngs_modulus_pa"][name]; math.Abs(got-want) > 1e-6*math.Hypot(want, 0.01) {
				t.Errorf("%v: %s by the modulus is %g, by differences %g", more, name, got, want)
			}
		}
	}
	for want, args := range map[string][]string{
		"--jacobian":        {"--by", "youngs_modulus_pa"},
		"youngs_modulus_pa": {"--jacobian", file, "--by", "youngs_module"},
		"give bounds":       {"--jacobian", file, "--by", "gravity_m_per_s2[0]"},
	} {
		_, errs, code := testbench.Run(t, program, append([]string{"static", "--config", "../../launch/robots/nitinol.yaml", "--force"}, args...)...)
		if code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%v: exit code %d, %s", args, code, errs)
		}
	}
}
