package report_test

import (
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/hil/report"
)

// The RMSE may be as large as a threshold, and no larger.
func TestPassedAtTheThreshold(t *testing.T) {
	d := report.DocumentInTest(t, hil.Options{LengthM: 0.25}, true)
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
