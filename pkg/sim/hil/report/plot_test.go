package report

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
)

// The RMSE may be as large as a threshold, and no larger.
func TestPassedAtTheThreshold(t *testing.T) {
	d := document(t, hil.Options{LengthM: 0.25}, true)
	mm := 1e3 * d.Comparison.Removed.Position.RMSE
	percent := d.Comparison.Removed.Percent(d.Comparison.Removed.Position.RMSE)
	for _, c := range []struct {
		percent, mm float64
		want        bool
	}{{0, 0, true}, {0, mm, true}, {0, 0.999 * mm, false}, {percent, 0, true}, {0.999 * percent, 0, false}, {percent, mm, true}, {percent, 0.999 * mm, false}, {0.999 * percent, mm, false}} {
		d.MaxPercent, d.MaxMM = c.percent, c.mm
		if d.Passed() != c.want {
			t.Errorf("limits %g %% and %g mm: passed %t", c.percent, c.mm, !c.want)
		}
	}
}

// A curve is broken at values that are unknown, of either axis, and in gaps.
func TestCurveIsBroken(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x, y []float64
		gap  float64
		want string // commands
	}{
		{[]float64{0, 1, 2, 3}, []float64{0, 1, 2, 3}, 0, "MLLL"},
		{[]float64{0, 1, 2, 3}, []float64{0, nan, 2, 3}, 0, "MML"},
		{[]float64{0, nan, 2, 3}, []float64{0, 1, 2, 3}, 0, "MML"},
		{[]float64{0, 1, 3, 4}, []float64{0, 1, 2, 3}, 1.5, "MLML"},
		{[]float64{0, 1, 2, 4}, []float64{nan, nan, 2, 3}, 2, "ML"},
		{[]float64{0, 1}, []float64{nan, nan}, 0, ""},
	} {
		p := newPlot("", 200, 100, axis{low: 0, high: 4}, axis{low: 0, high: 4})
		p.b.Reset()
		p.curve("sim", c.x, c.y, c.gap)
		_, d, _ := strings.Cut(p.b.String(), ` d="`)
		got := strings.Map(func(r rune) rune {
			if r == 'M' || r == 'L' {
				return r
			}
			return -1
		}, d)
		if got != c.want || strings.Contains(d, "NaN") {
			t.Errorf("y = %g over x = %g: %s, want the commands %s", c.y, c.x, d, c.want)
		}
	}
}
