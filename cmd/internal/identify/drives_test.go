package identify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
)

// drivenFile is a robot with two motors: lag, backlash, and compliance of the shaft, of the
// spring and of the plate.
const drivenFile = `
rod: {length_m: 0.2, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, elements: 6, damping: {kelvin_voigt_s: 0.05}}
base: {direction: [0, 0, -1], normal: [1, 0, 0]}
tendons:
  - {name: front, offset_m: [8e-3, 0], disks: {count: 5, first_m: 0.04, last_m: 0.2, mass_kg: 1e-3}, stiffness_n_per_m: 5e3}
  - {name: back, offset_m: [-8e-3, 0], disks: {count: 5, first_m: 0.04, last_m: 0.2, mass_kg: 0}, stiffness_n_per_m: 5e3}
  - {name: left, offset_m: [0, 8e-3], disks: {count: 5, first_m: 0.04, last_m: 0.2, mass_kg: 0}, stiffness_n_per_m: 5e3}
drives:
  shared_compliance_m_per_n: %g
  joints:
    - name: bow
      pulley_radius_m: 0.01
      tendons: [{name: front, rest_pull_m: 4e-4}, {name: back, gain: -1, rest_pull_m: 4e-4}]
      dead_time_s: 0.02
      lag_s: %g
      gain: %g
      backlash_rad: %g
      limits: {max_rate_rad_per_s: .inf}
    - {name: sway, pulley_radius_m: 0.01, tendons: [{name: left, rest_pull_m: 4e-4}], compliance_rad_per_nm: %g, limits: {max_rate_rad_per_s: .inf}}
initial_state: equilibrium
solver: {step_s: 0.004}
rates: {control_hz: 250}
`

// drivenTruth are the numbers of drivenFile, by the names of the parameters.
var drivenTruth = []struct {
	name  string
	value float64
	start string // of the search, with bounds
}{
	{"drives.shared_compliance_m_per_n", 1.5e-4, "5e-5"},
	{"drives.joints.bow.lag_s", 0.06, "0.03"},
	{"drives.joints.bow.gain", 0.9, "1"},
	{"drives.joints.bow.backlash_rad", 0.06, "0.02"},
	{"drives.joints.sway.compliance_rad_per_nm", 2, "0.7"},
}

// recordDriven moves the real robot by its motors, from rest, and writes rows with noise: each
// 20 ms with the commands, or each step with what the encoders of the shafts said.
func recordDriven(t *testing.T, seed uint64, shafts bool) string {
	t.Helper()
	v := drivenTruth
	f, err := robotfile.Parse[robotfile.Continuum]("truth.yaml", fmt.Appendf(nil, drivenFile, v[0].value, v[1].value, v[2].value, v[3].value, v[4].value))
	if err != nil {
		t.Fatal(err)
	}
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	port := func(name string) int {
		for i, p := range m.Ports() {
			if p.Name == name {
				return i
			}
		}
		t.Fatal("no port " + name)
		return 0
	}
	header := "t,bow:rad,sway:rad,tip_x,tip_y,tip_z"
	if shafts {
		header = strings.ReplaceAll(header, ":rad", ":shaft_rad")
	}
	s, random := newSheet(header, seed), rand.New(rand.NewPCG(seed, 5))
	u, js := []float64{0, 0}, make([]float64, 15)
	for n := range 600 {
		if shafts || n%5 == 0 {
			now := append([]float64{float64(n) * 0.004}, u...)
			if m.Value(port("measured_js"), js); shafts {
				copy(now[1:], js[3:5])
			}
			if n > 0 && n%75 == 0 {
				u[0], u[1] = 1.6*random.Float64()-0.8, 0.5*random.Float64()
			}
			if !shafts {
				copy(now[1:], u)
			}
			s.row(now, tipOf(m), cameraNoise)
			m.Command(port("servo_jp"), u)
		}
		if err := m.Step(0.004); err != nil {
			t.Fatal(err)
		}
	}
	return apptest.Write(t, fmt.Sprintf("driven%d.csv", seed), s.String())
}

// The numbers of drives are found from two recordings with noise, all within three standard
// errors.
func TestDrivesAreFound(t *testing.T) {
	many(t)
	start := []any{}
	for _, p := range drivenTruth {
		start = append(start, mustNumber(t, p.start))
	}
	args := []string{"--config", apptest.Write(t, "start.yaml", fmt.Sprintf(drivenFile, start...)), "--starts", "1"}
	for _, p := range drivenTruth {
		args = append(args, "--free", p.name)
	}
	r := identified(t, rodRobot(), append(args, recordDriven(t, 1, false), recordDriven(t, 2, false))...)
	for _, p := range drivenTruth {
		r.expect(t, p.name, p.value, 0.1)
	}
	for _, p := range r.Parameters {
		t.Logf("%s = %.5g +- %.2g", p.Name, p.Value, *p.StandardError)
	}
}

// With measured shafts the motion follows without dead time, lag, gain and compliance: the model
// that has none of them right predicts it as well as the camera sees, and better than commands.
func TestMeasuredShaftsReplaceCommands(t *testing.T) {
	wrong := apptest.Write(t, "wrong.yaml", fmt.Sprintf(drivenFile, drivenTruth[0].value, 0.01, 1.0, drivenTruth[3].value, 0.0))
	errorOf := func(file string) float64 {
		return *identified(t, rodRobot(), "--config", wrong, file).HeldOut.RMSE
	}
	shafts, commands := errorOf(recordDriven(t, 3, true)), errorOf(recordDriven(t, 3, false))
	t.Logf("rmse %.3g m by measured shafts, %.3g m by commands", shafts, commands)
	if shafts > commands/4 || math.IsNaN(shafts) {
		t.Errorf("rmse %g m by measured shafts, %g m by commands", shafts, commands)
	}
}

// What measured shafts bypass cannot be free, nor is an angle taken that a motor does not reach.
func TestDriveMistakes(t *testing.T) {
	v := drivenTruth
	robot := apptest.Write(t, "driven.yaml", strings.Replace(fmt.Sprintf(drivenFile, v[0].value, v[1].value, v[2].value, v[3].value, v[4].value),
		"limits: {max_rate", "limits: {min_rad: -1, max_rate", 1))
	shafts := recordDriven(t, 3, true)
	low := apptest.Write(t, "low.csv", "bow:rad,tip_x,tip_y,tip_z\n-1.5,0,0,-0.2\n")
	for _, c := range []struct{ free, file, want string }{
		{"drives.joints.bow.angle_rad=-1:1", shafts, "every trial commands bow:shaft_rad from its beginning"},
		{"drives.joints.bow.dead_time_s", shafts, "every trial commands bow:shaft_rad from its beginning"},
		{"drives.joints.bow.lag_s", shafts, "every trial commands bow:shaft_rad from its beginning"},
		{"drives.joints.bow.gain", shafts, "every trial commands bow:shaft_rad from its beginning"},
		{"drives.joints.sway.compliance_rad_per_nm", shafts, "every trial commands sway:shaft_rad from its beginning"},
		{"drives.shared_compliance_m_per_n", low, "low.csv:2: bow:rad = -1.5 rad is below the robot's limit of -1 rad"},
	} {
		if out, err := attempt(rodRobot(), "identify", "--config", robot, "--free", c.free, c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q\n%s", c.free, err, c.want, out)
		}
	}
}

// A trial that begins at measured shafts and continues by commands shows what is between.
func TestShaftsAtTheBeginning(t *testing.T) {
	v := drivenTruth
	robot := apptest.Write(t, "driven.yaml", fmt.Sprintf(drivenFile, v[0].value, v[1].value, v[2].value, v[3].value, v[4].value))
	file := apptest.Write(t, "begins.csv", "bow:shaft_rad,bow:rad,tip_x,tip_y,tip_z\n0.1,,0,0,-0.2\n,0.2,0.01,0,-0.199\n,0.3,0.02,0,-0.198\n,0.4,0.03,0,-0.197\n")
	if out, err := attempt(rodRobot(), "identify", "--config", robot, "--starts", "1", "--free", "drives.joints.bow.gain", file); err != nil && strings.Contains(err.Error(), "every trial commands") {
		t.Errorf("%v\n%s", err, out)
	}
}

func mustNumber(t *testing.T, text string) (x float64) {
	t.Helper()
	if _, err := fmt.Sscan(text, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// TestShaftsInDegrees warns of measured shafts that turn where no motor goes, and of those that are missing beside others.
func TestShaftsInDegrees(t *testing.T) {
	v := drivenTruth
	robot := apptest.Write(t, "robot.yaml", fmt.Sprintf(drivenFile, v[0].value, v[1].value, v[2].value, v[3].value, v[4].value))
	for text, want := range map[string]string{
		"t,bow:shaft_rad,sway:rad,tip_x,tip_y,tip_z\n0,0,0,0,0,-0.2\n0.1,-28.65,0,0.02,0,-0.19\n": "the shaft of bow is measured at -28.65 rad, which is commanded from -3.142 to 3.142 rad: is it in degrees?",
		"bow:shaft_rad,sway:rad,tip_x,tip_y,tip_z\n28.65,0,0.02,0,-0.19\n":                        "measured at 28.65 rad",
		"t,bow:shaft_rad,sway:rad,tip_x,tip_y,tip_z\n0,0,0,0,0,-0.2\n0.1,3.5,0,0.02,0,-0.19\n":    "",
		"t,bow:shaft_rad,tip_x,tip_y,tip_z\n0,0,0,0,-0.2\n0.1,0.5,0.02,0,-0.19\n":                 "has the shaft of bow, but never that of sway, nor commands for it: it is predicted at rest",
		"t,bow:rad,tip_x,tip_y,tip_z\n0,0,0,0,-0.2\n0.1,0.5,0.02,0,-0.19\n":                       "",
	} {
		out := invoke(t, rodRobot(), "identify", "--config", robot, apptest.Write(t, "data.csv", text))
		if strings.Contains(out, "degrees") != strings.Contains(want, "rad") || strings.Contains(out, "predicted at rest") != strings.Contains(want, "at rest") || !strings.Contains(out, want) {
			t.Errorf("%q: %q; want %q", text, out, want)
		}
	}
}

// TestPulleysGoAlongRowsThatWereNotMeasured turns a motor in a row in which nothing was measured: the play of its pulley
// remembers that in the equilibria behind, as where it was measured.
func TestPulleysGoAlongRowsThatWereNotMeasured(t *testing.T) {
	robot := apptest.Write(t, "robot.yaml", fmt.Sprintf(drivenFile, 0., 0., 1., 0.2, 0.))
	const head = "bow:rad,tip_x,tip_y,tip_z\n0,0,0,-0.2\n"
	x := map[string]float64{}
	for name, rows := range map[string]string{"measured": "0.8,0.1,0,-0.1\n", "not measured": "0.8,,,\n", "never": ""} {
		points := filepath.Join(t.TempDir(), "points.csv")
		invoke(t, rodRobot(), "identify", "--config", robot, "--points", points, apptest.Write(t, "data.csv", head+rows+"0.5,0,0,-0.2\n"))
		p := readPoints(t, points)
		x[name] = p[len(p)-1].predicted[0]
	}
	if d := math.Abs(x["not measured"] - x["measured"]); !(d < 1e-8) {
		t.Errorf("the tip is at %g m behind a row that was not measured, at %g m behind one that was", x["not measured"], x["measured"])
	}
	if d := x["not measured"] - x["never"]; !(d > 1e-3) {
		t.Errorf("the tip is at %g m where the motor had turned further, at %g m where it had not: it should be further by most of the play", x["not measured"], x["never"])
	}
}
