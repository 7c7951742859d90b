package identify_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"sinew/cmd/internal/apptest"
)

// pointRow is a row of --points.
type pointRow struct {
	file, row, t, name, kind string
	measured, predicted      [3]float64
}

func (r *pointRow) error() float64 {
	return math.Hypot(math.Hypot(r.predicted[0]-r.measured[0], r.predicted[1]-r.measured[1]), r.predicted[2]-r.measured[2])
}

func readPoints(t *testing.T, file string) (rows []pointRow) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	all, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all[1:] {
		row := pointRow{file: r[0], row: r[1], t: r[2], name: r[3], kind: r[4]}
		for k := range 3 {
			for i, to := range []*float64{&row.measured[k], &row.predicted[k]} {
				if *to, err = strconv.ParseFloat(r[5+3*i+k], 64); err != nil {
					t.Fatal(err)
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// --points has every point that was measured, with the errors that the report sums up, of the
// fits of --leave-one-out as well.
func TestPoints(t *testing.T) {
	robot, files := threeTrials(t)
	points := filepath.Join(t.TempDir(), "points.csv")
	r := identified(t, rodRobot(), "--config", robot, "--free", "youngs_modulus_pa", "--starts", "1", "--leave-one-out", "--hold-out", files[2], "--points", points, files[0], files[1])
	squares, count := map[string]float64{}, map[string]int{}
	for _, row := range readPoints(t, points) {
		if row.name != "tip" || row.t != "" {
			t.Errorf("%+v: a point %q at t %q, want the tip of an equilibrium", row, row.name, row.t)
		}
		squares[row.kind] += row.error() * row.error()
		count[row.kind]++
	}
	for kind, want := range map[string]float64{"fitted": *r.Fitted.RMSE, "held_out": *r.HeldOut.RMSE, "left_out": *r.LeaveOneOut.Pooled} {
		if got := math.Sqrt(squares[kind] / float64(count[kind])); math.Abs(got/want-1) > 1e-4 {
			t.Errorf("%s: %d points, RMSE %g m, reported %g m", kind, count[kind], got, want)
		}
	}
	if count["fitted"] != 8 || count["held_out"] != 4 || count["left_out"] != 8 {
		t.Errorf("points %v, want 8 fitted, 4 held out and 8 left out", count)
	}
}

// Points of markers are in the world, and those that were not seen or are not to be used are
// left out.
func TestPointsOfMarkers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "poses.csv")
	if err := os.WriteFile(file, []byte(markedRows(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	points := filepath.Join(t.TempDir(), "points.csv")
	invoke(t, rodRobot(), "identify", "--config", apptest.Write(t, "robot.yaml", fmt.Sprintf(markedText, trueE)), "--points", points, file)
	rows := readPoints(t, points)
	if len(rows) != 9 {
		t.Fatalf("%d points, want 9", len(rows))
	}
	for _, row := range rows {
		if row.row == "3" || row.row == "4" && row.name == "mid" || row.error() > 1e-7 || row.kind != "held_out" {
			t.Errorf("%+v: error %g m", row, row.error())
		}
	}
	if mid := rows[0]; mid.name != "mid" || math.Abs(mid.measured[0]-0.13) > 5e-3 {
		t.Errorf("the marker of the straight robot is at %v, want about x = 0.13 m in the world", mid.measured)
	}
}
