package compare_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
)

// markedCSV has two points of the motion of pathCSV; a camera with its y axis up sees what is measured. Of the hardware
// the second one is 3 mm off along x, and every tenth row is a spike.
func markedCSV(camera bool) string {
	var b strings.Builder
	b.WriteString("t,low_x,low_y,low_z,high_x_mm,high_y_mm,high_z_mm,ok\n")
	for k := range 600 {
		t, ok, spike := float64(k)/100, 1, 0.0
		x, y, z := path(t)
		off := 0.0
		if camera {
			y, z = z, -y // seen by the camera
			off = 3
			if k%10 == 7 {
				ok, spike = 0, 50
			}
		}
		fmt.Fprintf(&b, "%.6f,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f,%d\n", t, x, y, z+spike, 1e3*x+off, 1e3*y, 1e3*z, ok)
	}
	return b.String()
}

// Where a marker takes the place of the tip, rows in which it was not seen have their tensions.
func TestCompareAMarkerThatIsHidden(t *testing.T) {
	text := func(hidden int) string {
		b := "t,low_x,low_y,low_z,pull\n"
		for k := range 300 {
			at := float64(k) / 100
			x, y, z := path(at)
			low := fmt.Sprintf("%.9f,%.9f,%.9f", x, y, z)
			if k%10 < hidden {
				low = "NaN,NaN,NaN"
			}
			b += fmt.Sprintf("%.6f,%s,%.9f\n", at, low, 1+math.Sin(at))
		}
		return b
	}
	out := filepath.Join(t.TempDir(), "result")
	summary, _, err := apptest.Command(t, &apptest.Integrator{}, "compare", apptest.Write(t, "sim.csv", text(0)), apptest.Write(t, "hw.csv", text(3)), "--length-m", "0.25", "--latency", "none", "--max-gap", "100ms", "--out", out)
	if err != nil {
		t.Fatal(err)
	}
	m := metricsOf(t, out)
	if one := m["markers"].([]any)[0].(map[string]any); metric(t, one, "samples") != 210 || metric(t, one, "rmse_m") > 1e-9 {
		t.Errorf("%+v\n%s", one, summary)
	}
	if a := m["actuation"].([]any); len(a) != 1 || metric(t, a[0].(map[string]any), "rmse") > 1e-9 {
		t.Errorf("actuation %+v", a)
	}
}

// TestZerosInOtherAxes: a tracker writes 0 for what it does not see, in its own axes.
func TestZerosInOtherAxes(t *testing.T) {
	text := func(shift float64, hidden bool) string {
		b := "t,tip_x,tip_y,tip_z\n"
		for k := range 400 {
			at := 0.01 * float64(k)
			p := fmt.Sprintf("%.9f,%.9f,%.9f", 0.1+0.02*math.Sin(at)-shift, 0.03*math.Cos(2*at), 0.2)
			if hidden && k >= 200 && k < 230 {
				p = "0,0,0"
			}
			b += fmt.Sprintf("%.6f,%s\n", at, p)
		}
		return b
	}
	config := apptest.Write(t, "hw.yaml", "hardware: {position_m: [0.05, 0, 0]}")
	out := filepath.Join(t.TempDir(), "result")
	summary, errs, err := apptest.Command(t, &apptest.Integrator{}, "compare", apptest.Write(t, "sim.csv", text(0, false)), apptest.Write(t, "hw.csv", text(0.05, true)),
		"--config", config, "--length-m", "0.25", "--latency", "none", "--out", out)
	if err != nil {
		t.Fatal(err)
	}
	if v := metric(t, metricsOf(t, out), "as_recorded", "position", "rmse_m"); v > 1e-8 || !strings.Contains(summary+errs, "30 samples are exactly 0") {
		t.Errorf("RMSE %g m\n%s%s", v, summary, errs)
	}
}

// Markers are compared one by one and pooled, without a pose of the tip, in the axes of the recording and without the rows
// that are not to be used.
func TestCompareMarkers(t *testing.T) {
	sim, hw := apptest.Write(t, "sim.csv", markedCSV(false)), apptest.Write(t, "hw.csv", markedCSV(true))
	config := apptest.Write(t, "hw.yaml", "hardware: {axes: y_up, recordings: [{name: hw.csv, latency_s: 0}]}")
	out := filepath.Join(t.TempDir(), "result")
	text, _, err := apptest.Command(t, &apptest.Integrator{}, "compare", sim, hw, "--config", config, "--length-m", "0.25", "--latency", "none", "--out", out)
	if err != nil {
		t.Fatal(err)
	}
	m := metricsOf(t, out)
	markers := m["markers"].([]any)
	for i, want := range []float64{0, 0.003} {
		one := markers[i].(map[string]any)
		if v := metric(t, one, "rmse_m"); math.Abs(v-want) > 1e-8 {
			t.Errorf("%v: RMSE %g m, want %g", one["name"], v, want)
		}
		if n := metric(t, one, "samples"); n != 540 {
			t.Errorf("%v: %g samples, want 540", one["name"], n)
		}
	}
	if v, want := metric(t, m, "markers_pooled", "rmse_percent_of_length"), 1.2/math.Sqrt2; math.Abs(v-want) > 1e-6 {
		t.Errorf("pooled %g %%, want %g", v, want)
	}
	for _, want := range []string{"marker     low: RMSE 0.000 mm", "marker     high: RMSE 3.000 mm (1.200 %)", "60 rows in which ok is 0 were left out", "is that of marker high"} {
		if !strings.Contains(text, want) {
			t.Errorf("the summary lacks %q:\n%s", want, text)
		}
	}
}
