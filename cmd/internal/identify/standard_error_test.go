package identify_test

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/cmd/internal/apptest"
)

// predicted are the coordinates of all points of a recording as a model predicts them, m.
func predicted(t *testing.T, model, data string) *mat.VecDense {
	t.Helper()
	points := filepath.Join(t.TempDir(), "points.csv")
	identified(t, rodRobot(), "--config", apptest.Write(t, "model.yaml", model), "--points", points, data)
	file, err := os.Open(points)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []float64
	for _, row := range rows[1:] {
		for _, cell := range row[len(row)-3:] {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, v)
		}
	}
	return mat.NewVecDense(len(all), all)
}

// TestStandardErrorsAreThoseOfTheNoise compares the standard errors of a robot drawn at random with what the noise, which is known here,
// makes of estimates by derivatives of its own, by central differences of predictions at the true numbers: no derivative, count
// of residuals or scale of the search is in these.
func TestStandardErrorsAreThoseOfTheNoise(t *testing.T) {
	many(t)
	const seed, noise = 11, 0.2e-3
	w := drawn(seed)
	data := w.record(t, seed)
	free := []struct {
		name string
		at   func(w *whole) *float64
		step float64
	}{
		{"rod.viscoelasticity[0].modulus_ratio", func(w *whole) *float64 { return &w.ratio }, 1e-3},
		{"rod.viscoelasticity[0].relaxation_time_s", func(w *whole) *float64 { return &w.tau }, 5e-3},
		{"rod.bending_friction[0].limit_nm", func(w *whole) *float64 { return &w.limit }, 3e-6},
		{"drives.joints.bow.lag_s", func(w *whole) *float64 { return &w.lag }, 1e-4},
		{"drives.joints.bow.gain", func(w *whole) *float64 { return &w.gain }, 6e-4},
		{"markers.mid.offset_m[0]", func(w *whole) *float64 { return &w.offset }, 1e-5},
		{"hardware.latency_s", func(w *whole) *float64 { return &w.latency }, 1e-4},
	}
	var slopes *mat.Dense
	args := []string{"--config", apptest.Write(t, "start.yaml", w.text(true)), "--starts", "1"}
	for k, p := range free {
		less, more := w, w
		*p.at(&less) -= p.step
		*p.at(&more) += p.step
		d := predicted(t, more.text(true), data)
		d.SubVec(d, predicted(t, less.text(true), data))
		if slopes == nil {
			slopes = mat.NewDense(d.Len(), len(free), nil)
		}
		for i := range d.Len() {
			slopes.Set(i, k, d.AtVec(i)/(2*p.step))
		}
		args = append(args, "--free", p.name)
	}
	var information, spread mat.Dense
	information.Mul(slopes.T(), slopes)
	if err := spread.Inverse(&information); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	for k, p := range free {
		want[p.name] = noise * math.Sqrt(spread.At(k, k))
	}
	for _, p := range identified(t, rodRobot(), append(args, data)...).Parameters {
		off := *p.StandardError/want[p.Name] - 1
		t.Logf("%s: standard error %.3g, by the noise %.3g: %+.1f %%", p.Name, *p.StandardError, want[p.Name], 100*off)
		if !(math.Abs(off) < 0.06) { // the noise of 1080 numbers is known to 2 %
			t.Errorf("%s: standard error %g, by the noise %g", p.Name, *p.StandardError, want[p.Name])
		}
	}
}
