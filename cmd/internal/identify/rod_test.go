package identify_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// The robot of the round trips: a soft rod with a straight tendon above, one at the
// side, and a helical one that twists it.
const rodFile = `
rod: {length_m: 0.25, radius_m: 0.0055, density_kg_per_m3: 997.7, youngs_modulus_pa: %g, shear_modulus_pa: %g, elements: 10, damping: {kelvin_voigt_s: 0.05}}
tendons:
  - {name: up, offset_m: [0.015, 0], friction_coefficient: %g}
  - {name: side, offset_m: [0, 0.015], friction_coefficient: %[3]g}
  - {name: helix, offset_m: [0, -0.015], twist_rad_per_m: 12, friction_coefficient: %[3]g}
solver: {step_s: 0.002}
`

// What is to be found, and the noise of the camera, m.
const (
	trueE, trueG, trueMu = 16.6e6, 7.2e6, 0.12
	cameraNoise          = 0.5e-3
)

func rodText(e, g, mu float64) string { return fmt.Sprintf(rodFile, e, g, mu) }

// movingText is a coarser robot, for motions.
func movingText(e, g, mu float64) string {
	return strings.NewReplacer("elements: 10", "elements: 5", "step_s: 0.002", "step_s: 0.004").Replace(rodText(e, g, mu))
}

// parseRod reads a robot file.
func parseRod(t *testing.T, text string) *robotfile.Continuum {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("truth.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// staticRows are tensions that bend and twist the rod in many ways, each several
// times.
func staticRows(times int) (rows [][]float64) {
	for range times {
		for _, up := range []float64{0, 1, 2, 3} {
			for _, side := range []float64{0, 2, 4} {
				for _, helix := range []float64{0, 2, 4, 6} {
					rows = append(rows, []float64{up, side, helix})
				}
			}
		}
	}
	return rows
}

// staticTrial measures the equilibria of a robot with noise, one after the other.
func staticTrial(t *testing.T, text string, rows [][]float64, noise float64, seed uint64) string {
	t.Helper()
	f := parseRod(t, text)
	var names []string
	for i := range f.Tendons {
		names = append(names, f.Tendons[i].Name)
	}
	s := newSheet(strings.Join(names, ",")+",tip_x,tip_y,tip_z", seed)
	w := newWay(t, f)
	for _, tensions := range rows {
		s.row(tensions, w.tip(tensions), noise)
	}
	return apptest.Write(t, "static.csv", s.String())
}

// way is a robot that goes from equilibrium to equilibrium, and remembers those before.
type way struct {
	t      *testing.T
	m      *continuum.Model
	tendon int // port of the tensions
}

func newWay(t *testing.T, f *robotfile.Continuum) *way {
	t.Helper()
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return &way{t, m, slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == "servo_jf" })}
}

// tip is where the tip comes to rest under tensions.
func (w *way) tip(tensions []float64) spatial.Vec {
	w.t.Helper()
	w.m.Command(w.tendon, tensions)
	if err := w.m.Equilibrate(); err != nil {
		w.t.Fatal(err)
	}
	return tipOf(w.m)
}

func tipOf(m *continuum.Model) spatial.Vec {
	for i, p := range m.Ports() {
		if p.Name == "measured_cp" {
			v := make([]float64, p.Width())
			m.Value(i, v)
			return spatial.Vec{X: v[0], Y: v[1], Z: v[2]}
		}
	}
	panic("no tip")
}

// TestStaticRoundTrip finds E, G and friction from equilibria with noise, starting
// 50 % off.
func TestStaticRoundTrip(t *testing.T) {
	many(t)
	data := staticTrial(t, rodText(trueE, trueG, trueMu), staticRows(3), cameraNoise, 1)
	start := apptest.Write(t, "start.yaml", rodText(1.5*trueE, 0.5*trueG, 1.5*trueMu))
	overlay := filepath.Join(t.TempDir(), "overlay.yaml")
	r := identified(t, rodRobot(), "--config", start, "--free", "youngs_modulus_pa", "--free", "shear_modulus_pa", "--free", "friction_coefficient",
		"--hold-out", "0.1", "--starts", "1", "--out", overlay, data)
	r.expect(t, "rod.youngs_modulus_pa", trueE, 0.01)
	r.expect(t, "rod.shear_modulus_pa", trueG, 0.01)
	r.expect(t, "tendons.friction_coefficient", trueMu, 0.1)

	// what is not fitted is as far off as the camera: √3 of its noise per axis
	if want := math.Sqrt(3) * cameraNoise; math.Abs(*r.HeldOut.RMSE/want-1) > 0.3 {
		t.Errorf("held out: %g m RMSE instead of %g", *r.HeldOut.RMSE, want)
	}
	checkOverlay(t, start, overlay, r)
}

// checkOverlay lays the overlay over the robot file and compares the values.
func checkOverlay(t *testing.T, start, overlay string, r *report) {
	t.Helper()
	n := numbersOf(t, start, overlay)
	for path, parameter := range map[string]int{"rod.youngs_modulus_pa": 0, "rod.shear_modulus_pa": 1, "tendons[0].friction_coefficient": 2, "tendons[2].friction_coefficient": 2} {
		if v := valueAt(n, path); v != r.Parameters[parameter].Value {
			t.Errorf("%s is %g with the overlay, %g in the report", path, v, r.Parameters[parameter].Value)
		}
	}
}

// numbersOf returns the numbers of robot files that are laid over one another.
func numbersOf(t *testing.T, files ...string) []robotfile.Number {
	t.Helper()
	f := rodRobot().File()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Merge(name, text)
	}
	n, err := f.Numbers()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// valueAt returns the number with a path, NaN if there is none.
func valueAt(numbers []robotfile.Number, path string) float64 {
	for _, n := range numbers {
		if n.Path == path {
			return n.Value
		}
	}
	return math.NaN()
}

// TestOverlayLeavesSectionsToTheRod finds a number of one section: under the overlay, what the robot file leaves out of its sections
// still follows the rod, as numbers and springs that a later file gives it, and the rest is as it was found.
func TestOverlayLeavesSectionsToTheRod(t *testing.T) {
	const text = `
rod:
  sections: [{length_m: 0.1, radius_m: 0.006, youngs_modulus_pa: 14e6}, {length_m: 0.15, radius_m: 0.005, damping: {kelvin_voigt_s: 0.1}}]
  density_kg_per_m3: 1000
  youngs_modulus_pa: 12e6
  shear_modulus_pa: 4e6
  elements: 6
%s
tendons: [{name: up, offset_m: [0.015, 0]}]
`
	const friction = "  bending_friction: [{stiffness_nm2: 0.01, limit_nm: 0.01}, {stiffness_nm2: 0.02, limit_nm: 0.03}]"
	data := apptest.Write(t, "data.csv", "up,tip_x,tip_y,tip_z\n0,0.23,0,-0.09\n2,0.24,0,0\n4,0.22,0,0.07\n1,0.24,0,-0.05\n")
	later := apptest.Write(t, "later.yaml", "rod: {density_kg_per_m3: 3000, damping: {kelvin_voigt_s: 0.3}}\n")
	for _, c := range []struct{ more, free string }{
		{"", "sections[0].youngs_modulus_pa"},
		{friction, "sections[0].youngs_modulus_pa"},
		{friction, "rod.bending_friction[0].limit_nm"},
	} {
		start, overlay := apptest.Write(t, "start.yaml", fmt.Sprintf(text, c.more)), filepath.Join(t.TempDir(), "overlay.yaml")
		r := identified(t, rodRobot(), "--config", start, "--free", c.free, "--starts", "1", "--out", overlay, data)
		found := numbersOf(t, start, overlay)
		for i, n := range numbersOf(t, start) {
			if want := n.Value; found[i].Path != n.Path || found[i].Value != want && !strings.HasSuffix(n.Path, c.free[strings.LastIndex(c.free, ".")+1:]) {
				t.Errorf("%s: %s is %g, want %g", c.free, found[i].Path, found[i].Value, want)
			}
		}
		path := strings.Replace(r.Parameters[0].Name, "rod.bending", "rod.sections[0].bending", 1)
		if v := valueAt(found, path); v != r.Parameters[0].Value {
			t.Errorf("%s: %s is %g, but was found to be %g", c.free, path, v, r.Parameters[0].Value)
		}
		under := numbersOf(t, start, overlay, later)
		for path, want := range map[string]float64{
			"rod.sections[0].density_kg_per_m3": 3000, "rod.sections[1].density_kg_per_m3": 3000,
			"rod.sections[0].damping.kelvin_voigt_s": 0.3, "rod.sections[1].damping.kelvin_voigt_s": 0.1,
		} {
			if v := valueAt(under, path); v != want {
				t.Errorf("%s: %s is %g under a later file, want %g\n%s", c.free, path, v, want, readText(t, overlay))
			}
		}
	}
}

// TestOtherModulusStays fits E of a robot file that does not give G, which then is
// E/3: it must stay what it was, in the fit and with the overlay.
func TestOtherModulusStays(t *testing.T) {
	const text = "rod: {youngs_modulus_pa: %g, elements: 6}\ntendons: [{name: up, offset_m: [0.015, 0]}, {name: side, offset_m: [0, 0.015]}]\n"
	data := staticTrial(t, fmt.Sprintf(text, 2e7), [][]float64{{0, 0}, {1, 0}, {2, 1}, {0, 2}}, 0, 1)
	start, overlay := apptest.Write(t, "start.yaml", fmt.Sprintf(text, 3e7)), filepath.Join(t.TempDir(), "overlay.yaml")
	r := identified(t, rodRobot(), "--config", start, "--free", "youngs_modulus_pa", "--starts", "1", "--out", overlay, data)
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "shear_modulus_pa is not free and stays at 1e+07 Pa") }) {
		t.Errorf("notes: %q", r.Notes)
	}
	if g := valueAt(numbersOf(t, start, overlay), "rod.shear_modulus_pa"); g != 1e7 {
		t.Errorf("G is %g Pa with the overlay", g)
	}
}

// pulledTrial is a motion in which a tendon is pulled and released twice.
func pulledTrial(t *testing.T) string {
	t.Helper()
	m, err := continuum.New(parseRod(t, movingText(trueE, trueG, trueMu)))
	if err != nil {
		t.Fatal(err)
	}
	const (
		rampS, topN    = 0.6, 4.0
		sampleS, stepS = 0.02, 0.004
	)
	s := newSheet("t,up,tip_x,tip_y,tip_z", 2)
	in, port := sim.NewInputs(m), 0
	command := 0.0
	for n := 0; float64(n)*stepS <= 4*rampS; n++ {
		at := float64(n) * stepS
		if n%int(math.Round(sampleS/stepS)) == 0 {
			phase := math.Mod(at/rampS, 2)
			command = topN * (1 - math.Abs(1-phase)) // up and down, twice
			s.row([]float64{at, command}, tipOf(m), cameraNoise)
			in.Set(port, []float64{command, sim.Keep, sim.Keep})
		}
		in.Advance(stepS)
		if err := m.Step(stepS); err != nil {
			t.Fatal(err)
		}
	}
	return apptest.Write(t, "motion.csv", s.String())
}

// TestFrictionRoundTrip finds the friction from a tendon that is pulled and
// released in motion: it is the area of the hysteresis.
func TestFrictionRoundTrip(t *testing.T) {
	many(t)
	r := identified(t, rodRobot(), "--config", apptest.Write(t, "start.yaml", movingText(1.5*trueE, trueG, 0.5*trueMu)),
		"--free", "youngs_modulus_pa", "--free", "friction_coefficient", "--free", "kelvin_voigt_s", "--starts", "1", pulledTrial(t))
	r.expect(t, "rod.youngs_modulus_pa", trueE, 0.01)
	r.expect(t, "tendons.friction_coefficient", trueMu, 0.1)
	r.expect(t, "rod.damping.kelvin_voigt_s", 0.05, 0.1)
}

// TestMotionAndEquilibriaTogether fits both at once, with the noise of a camera: what is left of them is looked at
// together, and nothing is missing in the model.
func TestMotionAndEquilibriaTogether(t *testing.T) {
	many(t)
	robot, still := threeTrials(t)
	r := identified(t, rodRobot(), "--config", robot, "--free", "youngs_modulus_pa", "--free", "shear_modulus_pa", "--starts", "1", pulledTrial(t), still[0], still[1])
	r.expect(t, "rod.youngs_modulus_pa", trueE, 0.02)
	if want := math.Sqrt(3) * cameraNoise; r.Fitted.RMSE == nil || math.Abs(*r.Fitted.RMSE/want-1) > 0.2 {
		t.Errorf("fitted %+v, want %g m", r.Fitted, want)
	}
	if len(r.Files) != 3 || r.Files[0].Static || !r.Files[1].Static || r.Alike == nil || len(r.Effects) > 0 {
		t.Errorf("files %+v, correlation %v, effects %+v", r.Files, r.Alike, r.Effects)
	}
}

// TestCoverageOfTheRobot fits 40 small trials with different noise: the truth must
// be within three standard errors in at least 97 % of the 80 estimates. About
// 99.5 % are to be expected with 16 degrees of freedom.
func TestCoverageOfTheRobot(t *testing.T) {
	many(t)
	const seeds, least = 40, 78
	const text = "rod: {youngs_modulus_pa: %g, shear_modulus_pa: 7e6, elements: 5}\ntendons: [{name: up, offset_m: [0.015, 0], friction_coefficient: %g}]\n"
	start := apptest.Write(t, "start.yaml", fmt.Sprintf(text, 1.2*trueE, 1.2*trueMu))
	truth := []float64{trueE, trueMu}
	inside := 0
	for seed := range uint64(seeds) {
		data := staticTrial(t, fmt.Sprintf(text, trueE, trueMu), [][]float64{{0}, {1}, {2}, {3}, {4}, {5}}, cameraNoise, seed)
		report := filepath.Join(t.TempDir(), "report.json")
		invoke(t, rodRobot(), "identify", "--config", start, "--free", "youngs_modulus_pa", "--free", "friction_coefficient", "--starts", "1", "--report", report, data)
		for i, p := range readReport(t, report).Parameters {
			if math.Abs(p.Value-truth[i]) <= 3**p.StandardError {
				inside++
			}
		}
	}
	if inside < least {
		t.Errorf("%d of %d estimates within three standard errors, want at least %d", inside, 2*seeds, least)
	}
	t.Logf("%d of %d within three standard errors", inside, 2*seeds)
}
