package identify_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/identify"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
)

const markedText = `
rod: {length_m: 0.25, radius_m: 0.0055, density_kg_per_m3: 997.7, youngs_modulus_pa: %g, shear_modulus_pa: 7.2e6, elements: 10}
tendons: [{name: up, offset_m: [0.015, 0]}, {name: side, offset_m: [0, 0.015]}]
markers: [{name: mid, at_m: 0.13, offset_m: [0.02, 0.001]}, {name: end, offset_m: [0, 0, 0.008], weight: 0.5}]
hardware: {axes: y_up, position_m: [1, 0, 0], recordings: [{name: poses.csv, position_m: [0, 0, 0.01]}, {name: elsewhere.csv, latency_s: 1}]}
solver: {step_s: 0.001}
`

// markedRows are equilibria of the marked robot as a camera with its y axis up would have them.
func markedRows(t *testing.T) string {
	t.Helper()
	m, err := continuum.New(parseRod(t, fmt.Sprintf(markedText, trueE)))
	if err != nil {
		t.Fatal(err)
	}
	text, in := "up,side,mid_x_m,mid_y_m,mid_z_m,end_x,end_y,end_z,ok\n", sim.NewInputs(m)
	var port int
	for i, p := range m.Ports() {
		if p.Name == "markers_measured" {
			port = i
		}
	}
	v := make([]float64, 14)
	for i, pull := range [][]float64{{0, 0}, {1, 0}, {2, 1}, {0, 2}, {3, 2}, {1, 3}} {
		in.Set(0, pull)
		in.Advance(1e9)
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		m.Value(port, v)
		seen := func(p []float64) string { return fmt.Sprintf("%.12g,%.12g,%.12g", p[0], p[2]-0.01, -p[1]) }
		mid, ok := seen(v), 1
		switch i {
		case 2: // a spike
			mid, ok = "5,5,5", 0
		case 3: // hidden from the camera
			mid = ",,"
		}
		text += fmt.Sprintf("%g,%g,%s,%s,%d\n", pull[0], pull[1], mid, seen(v[7:]), ok)
	}
	return text
}

// A modulus is found from markers alone, although no tip was measured, in the axes, the frame and the rows that are said to
// be those of the recording.
func TestIdentifyByMarkers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "poses.csv")
	if err := os.WriteFile(file, []byte(markedRows(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	config := apptest.Write(t, "start.yaml", fmt.Sprintf(markedText, 0.8*trueE))
	name := filepath.Join(t.TempDir(), "report.json")
	out := invoke(t, rodRobot(), "identify", "--config", config, "--free", "rod.youngs_modulus_pa", "--starts", "1", "--report", name, file)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var r identify.Report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if v := r.Parameters[0].Value; math.Abs(v/trueE-1) > 1e-6 {
		t.Errorf("E = %g, want %g\n%s", v, trueE, out)
	}
	if len(r.Points) != 2 || r.Points[0].Name != "mid" || r.Points[0].Fitted.Poses != 4 || r.Points[1].Fitted.Poses != 5 || r.Fitted.Poses != 9 || r.Residuals != 27 {
		t.Errorf("points %+v, %d poses, %d residuals", r.Points, r.Fitted.Poses, r.Residuals)
	}
	if e := *r.Points[0].Fitted.Max; e > 1e-9 {
		t.Errorf("the first marker is off by %g m", e)
	}
	for _, want := range []string{"at mid", "elsewhere.csv, which is the name of no file here"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
}

// What hardware.recordings says of a name is for all files of that name, in whatever folders; that is said.
func TestRecordingsOfOneName(t *testing.T) {
	config := apptest.Write(t, "robot.yaml", rodText(trueE, trueG, trueMu)+"hardware: {recordings: [{name: run.csv, position_m: [1e-3, 0, 0]}]}\n")
	one, two := apptest.Write(t, "run.csv", "tip_x,tip_y,tip_z\n0.25,0,0\n"), apptest.Write(t, "run.csv", "tip_x,tip_y,tip_z\n0.24,0,0\n")
	const want = "hardware.recordings[0] is for run.csv, which is the name of 2 files here: it is for all of them"
	if out := invoke(t, rodRobot(), "identify", "--config", config, one, two); !strings.Contains(out, want) {
		t.Errorf("%q, want %q", out, want)
	}
	if out := invoke(t, rodRobot(), "identify", "--config", config, one); strings.Contains(out, "hardware.recordings") {
		t.Errorf("one file: %q", out)
	}
}

// A marker of weight 0 is predicted only: nothing of it is in the error of what was fitted.
func TestMarkerOfNoWeightIsPredicted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "poses.csv")
	if err := os.WriteFile(file, []byte(markedRows(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	unweighed := strings.Replace(markedText, "offset_m: [0.02, 0.001]", "offset_m: [0.03, 0.001], weight: 0", 1) // 10 mm off
	config := apptest.Write(t, "start.yaml", fmt.Sprintf(unweighed, 0.8*trueE))
	r := identified(t, rodRobot(), "--config", config, "--free", "rod.youngs_modulus_pa", "--starts", "1", file)
	if v := r.Parameters[0].Value; math.Abs(v/trueE-1) > 1e-6 {
		t.Errorf("E = %g, want %g", v, trueE)
	}
	if r.Fitted.Poses != 5 || r.HeldOut.Poses != 4 || *r.Fitted.Max > 1e-9 || *r.HeldOut.Max < 9e-3 {
		t.Errorf("fitted %+v, predicted %+v", r.Fitted, r.HeldOut)
	}
}

// Columns of markers that cannot be are refused with what is wrong.
func TestMarkerColumnsThatCannotBe(t *testing.T) {
	config := apptest.Write(t, "start.yaml", fmt.Sprintf(markedText, trueE))
	for text, want := range map[string]string{
		"up,mid_x,mid_y\n0,1,2\n":                    "marker mid lacks one of its columns",
		"up,mid_x,mid_x_m,mid_y,mid_z\n0,1,1,1,1\n":  "two columns of marker mid",
		"up,foot_x,foot_y,foot_z\n0,1,1,1\n":         `unknown column "foot_x"`,
		"up,mid_x,mid_y,mid_z\n0,1,,1\n":             "2 of the 3 coordinates of marker mid",
		"up,mid_x,mid_y,mid_z,ok\n0,1,1,1,0\n":       "nothing was measured",
		"up,tip_x,mid_x,mid_y,mid_z\n0,1,1,1,1\n":    "no column tip_y",
		"up,mid_x,mid_y,mid_z,ok\n0,1,1,1,yes\n":     "yes",
		"up,mid_x,mid_y,mid_z,tip_qx\n0,1,1,1,0.5\n": "no column tip_x",
	} {
		if out, err := attempt(rodRobot(), "identify", "--config", config, apptest.Write(t, "poses.csv", text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q\n%s", text, err, want, out)
		}
	}
}
