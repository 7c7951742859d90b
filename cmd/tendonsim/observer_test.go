package main_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/program"
	main "sinew/cmd/tendonsim"
	"sinew/pkg/sim"
)

const observed = `
rod: {length_m: 0.2, radius_m: 0.0005, elements: 3, element_order: 4, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, density_kg_per_m3: 6450, damping: {kelvin_voigt_s: 0.002}}
tendons:
  - {name: tendon_1, offset_m: [ 0.008, 0], disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0.0005}, tension_n: 2.0}
  - {name: tendon_2, offset_m: [0,  0.008], disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0}, tension_n: 1.0}
solver: {step_s: 0.001}
initial_state: equilibrium
sensors:
  - {name: tracker, rate_hz: 100, latency_s: 0.02, pose: {position_error: {noise: 0.0003}, rotation_error: {noise: 0.003}}}
  - {name: base, rate_hz: 500, load_cell: {base: true, force_error: {noise: 0.002}, torque_error: {noise: 0.0001}}}
observer:
  force: {walk_n: 0.3}
`

// folder has the robot file, and commands for it.
func folder(t *testing.T, robot string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"robot.yaml": robot, "pulls.csv": "t,tendon_1,tendon_2\n0,2,1\n0.1,3,1\n0.5,2,1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs the program in a folder, whose files arguments name by @NAME.
func run(t *testing.T, dir string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	for i := range args {
		if name, ok := strings.CutPrefix(args[i], "@"); ok {
			args[i] = filepath.Join(dir, name)
		}
	}
	var out, errs bytes.Buffer
	err = app.Run(main.Tendonsim(), args, &out, &errs)
	return out.String(), errs.String(), err
}

func ran(t *testing.T, dir string, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, err := run(t, dir, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", args[0], err, stderr)
	}
	return stdout, stderr
}

// column reads a column of a CSV.
func column(t *testing.T, text, name string) (all []float64) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.Index(rows[0], name)
	if i < 0 {
		t.Fatalf("no column %s among %v", name, rows[0])
	}
	for _, r := range rows[1:] {
		x, err := strconv.ParseFloat(r[i], 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all
}

// TestObserverOfAFile: a robot file with an observer gives columns of the estimate, and recordings that replay repeats.
func TestObserverOfAFile(t *testing.T) {
	dir := folder(t, observed)
	if text, _ := ran(t, dir, "check", "@robot.yaml"); !strings.Contains(text, ", observer of a force at the tip from tracker, base") {
		t.Errorf("check: %s", text)
	}
	text, _ := ran(t, dir, "sim", "--config", "@robot.yaml", "--commands", "@pulls.csv", "--duration", "0.3s")
	for _, axis := range []string{"x", "y", "z"} {
		tip, estimate := column(t, text, "tip_"+axis), column(t, text, "estimate."+axis)
		for i := range tip {
			if off := math.Abs(tip[i] - estimate[i]); off > 2e-3 {
				t.Errorf("row %d: the estimate of %s is off by %g m", i, axis, off)
			}
		}
		force, deviation := column(t, text, "estimate.force."+axis), column(t, text, "estimate.force."+axis+".deviation")
		last := len(force) - 1
		if !(deviation[last] > 0) || math.Abs(force[last]) > 4*deviation[last] {
			t.Errorf("the estimate of a force that is not there is %g ± %g", force[last], deviation[last])
		}
	}
	ran(t, dir, "sim", "--config", "@robot.yaml", "--commands", "@pulls.csv", "--duration", "0.3s", "--out", "@motion.mcap")
	again, report := ran(t, dir, "replay", "@motion.mcap")
	if !strings.Contains(report, "servo_jf") || strings.Contains(report, "refused") {
		t.Errorf("replay: %s", report)
	}
	if a, b := column(t, text, "estimate.x"), column(t, again, "estimate.x"); !slices.Equal(a, b) {
		t.Errorf("replayed %v\nwant %v", b, a)
	}
}

// TestObserverRefusesSilentSensors: the noise of sensors is the weight of their measurements.
func TestObserverRefusesSilentSensors(t *testing.T) {
	dir := folder(t, strings.Replace(observed, "rotation_error: {noise: 0.003}", "", 1))
	_, _, err := run(t, dir, "check", "@robot.yaml")
	if want := "robot.yaml:12: observer: the noise of value qx of sensor tracker is 0"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

const observedTip = `
sensors:
  - {name: tracker, rate_hz: 100, pose: {position_error: {noise: 3e-4}, rotation_error: {noise: 3e-3}}}
observer: {force: {walk_n: 0.3}, elements: 5}
`

// A robot file with an observer makes a model that has the robot's ports and derivatives, and an estimate of fewer nodes beside them; changed while it
// runs, too.
func TestObserverBesideARobot(t *testing.T) {
	f := program.Files(main.Build)()
	f.Merge("robot.yaml", []byte(observedTip))
	made, err := f.Make()
	if err != nil {
		t.Fatal(err)
	}
	if want := "observer of a force at the tip from tracker"; !strings.Contains(made.Describe, want) {
		t.Errorf("%q does not say %s", made.Describe, want)
	}
	again, err := made.NewModel()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []sim.Model{made.Model, again} {
		ports := m.Ports()
		find := func(name string) *sim.Port {
			i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == name })
			if i < 0 {
				t.Fatalf("no port %s", name)
			}
			return &ports[i]
		}
		if got := len(find("estimate/backbone").Labels); got != 6 {
			t.Errorf("%d nodes of the estimate, want 6", got)
		}
		if got := len(find("backbone").Labels); got == 6 {
			t.Error("the robot has as few elements as the observer")
		}
		if _, ok := sim.As[sim.Differentiable](m); !ok {
			t.Error("the observer hides the derivatives of the robot")
		}
		for range 30 {
			if err := m.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct{ text, want string }{
		{"sensors: [{name: tracker, rate_hz: 100, pose: {}}]\nobserver: {force: {}}", "robot.yaml:2: observer: the noise of value x of sensor tracker is 0"},
		{"sensors: [{name: eye, rate_hz: 100, camera: {points: [{name: a, at_m: 0.1}]}}]\nobserver: {force: {}}", "camera"},
	} {
		f := program.Files(main.Build)()
		f.Merge("robot.yaml", []byte(c.text))
		if _, err := f.Make(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// TestEstimate: from a recording of a robot that is pushed, the observer of a robot that is not finds the force, and where the tip was.
func TestEstimate(t *testing.T) {
	dir := folder(t, observed)
	for name, text := range map[string]string{
		"straight.yaml": "initial_state: straight", "pushed.yaml": "loads: [{at_m: 0.2, force_n: [0, 0.02, -0.01]}]", "blind.yaml": "observer: null",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	distances := regexp.MustCompile(`the tip is ([0-9.]+) mm rms, .* from (\S+) in \d+ samples; of the model without measurements ([0-9.]+) mm rms`)
	for _, file := range []string{"@p.mcap", "@p.bag"} {
		ran(t, dir, "sim", "--config", "@robot.yaml", "--config", "@straight.yaml", "--config", "@pushed.yaml", "--duration", "0.5s", "--out", file)
		text, report := ran(t, dir, "estimate", file, "--config", "@robot.yaml", "--config", "@straight.yaml")
		header, _, _ := strings.Cut(text, "\n")
		if want := "t,estimate.x,estimate.y,estimate.z,estimate.qx,"; !strings.HasPrefix(header, want) || strings.Contains(header, "tip_x") || strings.Contains(header, "tracker.") {
			t.Errorf("%s: columns %s, want those of the estimate, %s…", file, header, want)
		}
		for axis, want := range map[string]float64{"x": 0, "y": 0.02, "z": -0.01} {
			force, deviation := column(t, text, "estimate.force."+axis), column(t, text, "estimate.force."+axis+".deviation")
			last := len(force) - 1
			if off := math.Abs(force[last] - want); !(deviation[last] > 0) || off > 4*deviation[last] || off > 0.004 {
				t.Errorf("%s: force %s is %g ± %g, want %g", file, axis, force[last], deviation[last], want)
			}
		}
		found := distances.FindStringSubmatch(report)
		if found == nil {
			t.Fatalf("%s: %s", file, report)
		}
		estimate, _ := strconv.ParseFloat(found[1], 64)
		model, _ := strconv.ParseFloat(found[3], 64)
		if !(estimate < model/3) || found[2] != "/tendonsim/measured_cp" {
			t.Errorf("%s: %s", file, found[0])
		}
		if _, report := ran(t, dir, "estimate", file, "--config", "@robot.yaml", "--config", "@straight.yaml", "--truth", "-"); strings.Contains(report, "the tip is") {
			t.Errorf("--truth -: %s", report)
		}
	}
	if _, _, err := run(t, dir, "estimate", "@p.mcap", "--truth", "/nowhere"); err == nil || !strings.Contains(err.Error(), "no topic /nowhere") {
		t.Errorf("--truth /nowhere: %v", err)
	}
	if _, _, err := run(t, dir, "estimate", "@p.mcap", "--config", "@robot.yaml", "--config", "@blind.yaml"); err == nil || !strings.Contains(err.Error(), "observer") {
		t.Errorf("without an observer: %v", err)
	}
}
