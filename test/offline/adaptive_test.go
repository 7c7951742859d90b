package offline_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sinew/test/testbench"
	"sinew/test/testsize"
)

// softOrStiff is a rod that a force in proportion to its stiffness (Pa) bends for 0.1 s, and releases.
const softOrStiff = `rod: {length_m: 0.2, radius_m: 0.002, density_kg_per_m3: 1500, youngs_modulus_pa: %[1]g, shear_modulus_pa: %[2]g, elements: 10, damping: {kelvin_voigt_s: 2e-4, drag_per_s: 5}}
base: {direction: [1, 0, 0], normal: [0, 0, 1]}
gravity_m_per_s2: [0, 0, 0]
loads: [{force_n: [0, %[3]g, %[4]g], until_s: 0.1}]
rates: {control_hz: 100}
solver: {step_s: %[5]g}
`

// adaptiveSeconds is how long it moves, in steps of adaptiveStep.
const adaptiveSeconds, adaptiveStep = 0.5, 0.01

// moved is where the tip is every 10 ms, and in how many steps or parts, with those that were taken back.
type moved struct {
	tips  [][3]float64
	steps int
}

// move moves the rod.
func move(t *testing.T, program string, young, step float64, flags ...string) moved {
	t.Helper()
	file, stats := filepath.Join(t.TempDir(), "rod.yaml"), filepath.Join(t.TempDir(), "stats.json")
	text := fmt.Sprintf(softOrStiff, young, young/2.6, 2e-10*young, 5e-10*young, step)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"sim", "--config", file, "--duration", fmt.Sprint(adaptiveSeconds, "s"), "--sample-hz", "100", "--stats", stats}
	out, errs, code := testbench.Run(t, program, append(args, flags...)...)
	if code != 0 || strings.Contains(errs, "above the tolerance") {
		t.Fatalf("code %d: %s", code, errs)
	}
	var m moved
	_, rows := testbench.ParseCSV(t, out)
	for _, row := range rows {
		m.tips = append(m.tips, [3]float64(row[1:4]))
	}
	var s struct {
		Steps    int `json:"steps"`
		Accepted int `json:"parts_accepted"`
		Rejected int `json:"parts_rejected"`
	}
	data, err := os.ReadFile(stats)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	if m.steps = s.Steps; len(flags) > 0 {
		m.steps = s.Accepted + s.Rejected
	}
	return m
}

// off is the largest distance from the tips of another motion, over the length of the rod.
func (m *moved) off(other *moved) (most float64) {
	for k := range m.tips {
		a, b := m.tips[k], other.tips[k]
		most = max(most, math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])/0.2)
	}
	return most
}

// The error of steps that adapt is below the tolerance, of rods whose stiffness differs by a factor of 1000, and of nine of ten, as of the
// estimate, above a third of it. As many steps of one length, and more, leave more error. The truth is that of eight times as many steps.
func TestAdaptiveSteps(t *testing.T) {
	const tolerance, factor = 1e-3, 3
	rods := testsize.Of(3, 5, 10)
	program, near, atLeast := testbench.BuildTendonsim(t), 0, (9*rods+9)/10
	for k := range rods {
		young := math.Pow(10, 6+3*float64(k)/float64(rods-1))
		t.Run(fmt.Sprintf("%.2g Pa", young), func(t *testing.T) {
			adapted := move(t, program, young, adaptiveStep, "--adaptive", fmt.Sprint(tolerance))
			each := math.Ceil(float64(adapted.steps) * adaptiveStep / adaptiveSeconds)
			fixed, exact := move(t, program, young, adaptiveStep/each), move(t, program, young, adaptiveStep/(8*each))
			is, of := adapted.off(&exact), fixed.off(&exact)
			t.Logf("error %.3g of the length in %d steps that adapt, %.3g in %d of one length", is, adapted.steps, of, fixed.steps)
			if !(is < tolerance) {
				t.Errorf("error %.3g of the length, tolerance %.3g", is, tolerance)
			}
			if is > tolerance/factor {
				near++
			}
			if !(of > is) {
				t.Errorf("error %.3g of the length in %d steps that adapt, %.3g in %d of one length", is, adapted.steps, of, fixed.steps)
			}
		})
	}
	if near < atLeast {
		t.Errorf("%d of %d errors are above a third of the tolerance, want at least %d", near, rods, atLeast)
	}
}

// So do those of mechanisms. The truth is that of shorter steps; the error is that of the ends of rods and of centres of mass, as of the
// estimate, over the length of the longest link.
func TestAdaptiveStepsOfMechanisms(t *testing.T) {
	const tolerance, length = 1e-3, 0.3
	centers := map[string]float64{"upper": -0.15, "lower": -0.12} // of mass, along z of the links
	program := testbench.BuildTendonsim(t)
	motion := func(name string, flags ...string) [][]float64 {
		args := []string{"sim", "--config", testbench.RobotFiles + name + ".yaml", "--duration", "0.5s", "--sample-hz", "100"}
		out, errs, code := testbench.Run(t, program, append(args, flags...)...)
		if code != 0 || strings.Contains(errs, "above the tolerance") {
			t.Fatalf("%s: exit code %d, %s", name, code, errs)
		}
		header, rows := testbench.ParseCSV(t, out)
		var all [][]float64
		for _, row := range rows {
			for i, column := range header {
				if link, ok := strings.CutSuffix(column, ".x"); ok {
					q := (*[4]float64)(row[i+3:])
					axis := [...]float64{2 * (q[0]*q[2] + q[3]*q[1]), 2 * (q[1]*q[2] - q[3]*q[0]), 1 - 2*(q[0]*q[0]+q[1]*q[1])}
					center := slices.Clone(row[i : i+3])
					for k := range center {
						center[k] += centers[link] * axis[k]
					}
					all = append(all, center)
				}
				if strings.HasSuffix(column, ".tip_x") {
					all = append(all, row[i:i+3])
				}
			}
		}
		return all
	}
	for _, name := range []string{"double_pendulum", "y_tree"} {
		adapted, fixed, exact := motion(name, "--adaptive", fmt.Sprint(tolerance), "_solver/step_s:=0.01"), motion(name, "_solver/step_s:=0.01"), motion(name, "_solver/step_s:=0.0002")
		off := func(of [][]float64) (most float64) {
			for i, p := range of {
				q := exact[i]
				most = max(most, math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])/length)
			}
			return most
		}
		is, of := off(adapted), off(fixed)
		t.Logf("%s: error %.3g of the length in steps that adapt, %.3g in those of the file", name, is, of)
		if !(is < tolerance) || !(of > 3*tolerance) {
			t.Errorf("%s: error %.3g of the length in steps that adapt, %.3g in those of the file, tolerance %.3g", name, is, of, tolerance)
		}
	}
}

// A rod that falls on a floor has impacts, which the estimate leaves out, and that is told.
func TestAdaptiveStepsTellOfImpacts(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "fall.yaml")
	if err := os.WriteFile(file, []byte(`rod: {length_m: 0.25, radius_m: 0.0055, density_kg_per_m3: 1000, youngs_modulus_pa: 3e5, elements: 20, damping: {kelvin_voigt_s: 0.01, drag_per_s: 1}}
base: {position_m: [0, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1]}
environment: {shapes: [{name: floor, plane: {point_m: [0, 0, -0.02], normal: [0, 0, 1]}}]}
solver: {step_s: 0.001}
`), 0o644); err != nil {
		t.Fatal(err)
	}
	program := testbench.BuildTendonsim(t)
	for duration, want := range map[string]bool{"0.02s": false, "0.15s": true} {
		_, errs, code := testbench.Run(t, program, "sim", "--config", file, "--duration", duration, "--adaptive", "1e-2", "--out", filepath.Join(dir, duration+".csv"))
		if warned := strings.Contains(errs, "of the parts have an impact"); code != 0 || warned != want {
			t.Errorf("%s: code %d, warning of impacts: %v, want %v: %s", duration, code, warned, want, errs)
		}
	}
}

// A rod that falls on a floor: what its impacts leave does not fall with the steps, which would get shorter and shorter without end.
func TestAdaptiveStepsEndWithImpacts(t *testing.T) {
	file := testbench.WriteFile(t, "fall.yaml", `
rods: [{name: rod, length_m: 0.2, radius_m: 0.004, density_kg_per_m3: 1100, youngs_modulus_pa: 1.0e7, elements: 8, damping: {kelvin_voigt_s: 0.002}, start: {position_m: [0, 0, 0.05], direction: [1, 0, 0.2], normal: [0, 1, 0]}}]
environment: {friction_coefficient: 0.3, shapes: [{name: floor, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}
solver: {step_s: 0.001}
`)
	_, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), "sim", file, "--duration", "0.15", "--adaptive", "1e-4", "--out", filepath.Join(t.TempDir(), "out.csv"))
	if code != 0 || !strings.Contains(errs, "have an impact") || !strings.Contains(errs, "trials of the motion before: 1") {
		t.Errorf("exit code %d, %s", code, errs)
	}
}

// What --adaptive does not know is refused, with the reason.
func TestAdaptiveStepsThatAreRefused(t *testing.T) {
	tendonsim, microrobot := testbench.BuildTendonsim(t), testbench.BuildMicrorobot(t)
	for _, c := range []struct {
		program, want string
		flags         []string
	}{
		{tendonsim, "a tolerance of 0 is out of range, allowed: (0, 1)", []string{"--adaptive", "0"}},
		{tendonsim, "--error compares steps of one length", []string{"--adaptive", "1e-3", "--error"}},
		{tendonsim, "by method implicit only; use solver.method implicit", []string{"--adaptive", "1e-3", "_solver/method:=explicit", "_solver/step_s:=4e-8"}},
		{microrobot, "its steps do not adapt; use a smaller solver.step_s", []string{"--adaptive", "1e-3"}},
	} {
		_, errs, code := testbench.Run(t, c.program, append([]string{"sim", "--duration", "0.0001s"}, c.flags...)...)
		if code != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("%v: code %d, %q, want %q", c.flags, code, errs, c.want)
		}
	}
}
