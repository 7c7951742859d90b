package report_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/hil/diagnosis"
	"sinew/pkg/sim/hil/report"
	"sinew/pkg/sim/spatial"
)

// fitted is a point that lags behind its prediction by 50 ms, and equilibria with an offset.
func fitted() []*diagnosis.Series {
	motion := &diagnosis.Series{Recording: report.Hostile, Point: "tip", Commands: &diagnosis.Track{Names: []string{"left & right"}}}
	still := &diagnosis.Series{Recording: "still.csv", Point: "tip", Static: true, Commands: &diagnosis.Track{Names: motion.Commands.Names}}
	for i := range 120 {
		t := 0.05 * float64(i)
		at := func(t float64) spatial.Vec { return spatial.Vec{X: 0.02 * math.Sin(2*t), Z: 0.2} }
		v := at(t + 1e-3).Sub(at(t - 1e-3)).Scale(500)
		motion.Rows = append(motion.Rows, diagnosis.Row{Index: i, T: t, At: t, Predicted: at(t), Measured: at(t).AddScaled(-0.05, v), Velocity: v, Load: 1, Weight: 1, Fitted: true})
		motion.Commands.T, motion.Commands.U = append(motion.Commands.T, t), append(motion.Commands.U, []float64{math.Sin(2 * t)})
	}
	for i := range 5 {
		u := float64(i)
		p := spatial.Vec{X: 0.01 * u, Z: 0.2}
		still.Rows = append(still.Rows, diagnosis.Row{Index: i, At: u, Predicted: p, Measured: p.Add(spatial.Vec{Y: 1e-3}), Load: math.NaN()})
		still.Commands.T, still.Commands.U = append(still.Commands.T, u), append(still.Commands.U, []float64{u})
	}
	return []*diagnosis.Series{motion, still}
}

// TestFitPage checks what the page of an identification says and draws: curves of a motion, points of
// equilibria, residuals along the velocity, and the effect in words.
func TestFitPage(t *testing.T) {
	series := fitted()
	f := &report.Fit{Title: "A " + report.Hostile, Robot: report.Hostile, Program: "test", LengthM: 0.2, RMS: 1e-3, HeldOut: math.NaN(), LeftOut: math.NaN(), Expected: 2e-3,
		Tables: []report.TitledTable{{"Found", report.Table{Header: []string{"a"}, Rows: [][]string{{report.Hostile}}}}}, Notes: []string{report.Hostile}, Series: series, Effects: diagnosis.Find(series, nil)}
	var b bytes.Buffer
	if err := f.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	text, svgs := selfContained(t, b.Bytes())
	for _, w := range []string{"Lag", "0.05 s later", report.Hostile, "still.csv", "(predicted)", "Expected on other motions", "tip 1.00 mm"} {
		if !strings.Contains(text, w) {
			t.Errorf("the page lacks %q", w)
		}
	}
	if strings.Contains(text, "RMSE, predicted") {
		t.Error("the page tells an error that is not known")
	}
	// along the velocity, and over the command; of two recordings x, y, z, the error, three paths and a loop
	// each; no tensions that never change
	if want := 2 + 2*(3+1+3+1); svgs != want {
		t.Errorf("%d figures, want %d", svgs, want)
	}
	page := b.String()
	if n := strings.Count(page, `<path class="curve apart"`); n != 5*(3+3+1) {
		t.Errorf("%d lines between predictions and measurements of equilibria", n)
	}
	f.Effects, f.Untried = nil, ""
	b.Reset()
	if err := f.WriteHTML(&b); err != nil || !strings.Contains(b.String(), "Nothing that the model leaves out") {
		t.Error("the page does not say that nothing was found", err)
	}
	f.Untried = "too few"
	b.Reset()
	if err := f.WriteHTML(&b); err != nil || !strings.Contains(b.String(), "Too few.") {
		t.Error("the page does not say that nothing was tried", err)
	}
}

// Means of equal numbers of points, by x.
func TestMeans(t *testing.T) {
	var x, y []float64
	for i := range 32 {
		x, y = append(x, float64(31-i)), append(y, 2*float64(31-i))
	}
	if mx, my := report.Means(x, y); len(mx) != 4 || mx[0] != 3.5 || my[3] != 2*27.5 {
		t.Errorf("%g %g", mx, my)
	}
	if mx, _ := report.Means(x[:7], y[:7]); mx != nil {
		t.Error("means of seven points")
	}
}
