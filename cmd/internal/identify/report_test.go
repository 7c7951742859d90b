package identify_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim/spatial"
)

// TestReportHasEveryRow writes both reports of a fit: the numbers have what was measured, and what was
// predicted in each row, with which the errors are those of the report; the page has pictures of them.
func TestReportHasEveryRow(t *testing.T) {
	robot := apptest.Write(t, "robot.yaml", movingText(trueE, trueG, 0))
	s := newSheet("up,tip_x,tip_y,tip_z", 5)
	at := spatial.Vec{X: 0.2, Z: -0.1}
	for i := range 6 {
		s.row([]float64{float64(i) / 2}, at, 1e-3)
	}
	dir := t.TempDir()
	numbers, page := filepath.Join(dir, "a.json"), filepath.Join(dir, "a.html")
	for range 2 { // over its own
		invoke(t, rodRobot(), "identify", "--config", robot, "--free", "youngs_modulus_pa", "--starts", "1", "--report", numbers, "--report", page, apptest.Write(t, "rows.csv", s.String()))
	}
	r := readReport(t, numbers)
	if len(r.Series) != 1 || len(r.Series[0].Row) != 6 {
		t.Fatalf("%+v", r.Series)
	}
	one, sum := r.Series[0], 0.0
	for i := range one.Row {
		if off := math.Abs(one.Measured[i][0] - at.X); off > 5e-3 || *one.Command[i][0] != float64(i)/2 || !one.Fitted[i] || !(*one.Load[i] > 0 == (i > 0)) {
			t.Errorf("row %d: measured %v, command %v, load %v", i, one.Measured[i], *one.Command[i][0], *one.Load[i])
		}
		for a := range 3 {
			d := one.Predicted[i][a] - one.Measured[i][a]
			sum += d * d
		}
	}
	if rms := math.Sqrt(sum / 6); math.Abs(rms-*r.Fitted.RMSE) > 1e-12 {
		t.Errorf("the rows have an RMSE of %g m, told are %g m", rms, *r.Fitted.RMSE)
	}
	text := readText(t, page)
	for _, w := range []string{"<title>Identification</title>", "<svg", "rod.youngs_modulus_pa", "rows.csv", "tell too little"} {
		if !strings.Contains(text, w) {
			t.Errorf("the page lacks %q", w)
		}
	}
	if _, err := attempt(rodRobot(), "identify", "--config", robot, "--report", filepath.Join(dir, "a.txt"), apptest.Write(t, "rows.csv", s.String())); err == nil || !strings.Contains(err.Error(), "ends in .json (all numbers) or .html") {
		t.Error(err)
	}
}
