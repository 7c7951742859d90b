package compare_test

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/apptest"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros/record"
)

// Where both motions have an attitude, its error is said in degrees.
func TestCompareSaysRotations(t *testing.T) {
	const half = 5 * math.Pi / 180 // of the error
	file := bothRecorded(t, ".mcap", "/sim/measured_cp", func(w *record.Writer, at time.Duration, x, y, z float64) {
		tell(w, "/hw/measured_cp", at, &geometry_msgs.PoseStamped{Header: header(at, "world"), Pose: geometry_msgs.Pose{
			Position:    geometry_msgs.Point{X: x + 0.003, Y: y, Z: z},
			Orientation: geometry_msgs.Quaternion{Z: math.Sin(half), W: math.Cos(half)},
		}})
	})
	var out strings.Builder
	if err := app.Run(fileRobot(), []string{"compare", file, "--latency", "none", "--out", t.TempDir()}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"samples    500 measured samples compared", "position   RMSE 3.000 mm", "rotation   RMSE 10.000 deg, max 10.000 deg"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output\n%s\nwant %q", out.String(), want)
		}
	}
}

// A report that cannot be written is an error, whichever of its files it is.
func TestCompareCannotWrite(t *testing.T) {
	sim, hw := apptest.Write(t, "sim.csv", pathCSV(100, 0, 0, 1)), apptest.Write(t, "hw.csv", pathCSV(100, 0, 0, 1))
	for _, name := range []string{"report.html", "metrics.json", "samples.csv", "sim.tum", "hw.tum"} {
		out := t.TempDir()
		if err := os.Mkdir(filepath.Join(out, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, _, err := apptest.Command(t, &apptest.Integrator{}, "compare", sim, hw, "--latency", "none", "--out", out); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a directory in the place of %s: error %v", name, err)
		}
	}
	if _, _, err := apptest.Command(t, &apptest.Integrator{}, "compare", sim, hw, "--latency", "none", "--out", sim); err == nil || !strings.Contains(err.Error(), "sim.csv") {
		t.Errorf("a file in the place of the directory: error %v", err)
	}
}

// A report that cannot be written takes nothing from the summary.
func TestSummaryWithoutReport(t *testing.T) {
	sim, hw := apptest.Write(t, "sim.csv", pathCSV(100, 0, 0, 1)), apptest.Write(t, "hw.csv", pathCSV(100, 0, 0, 1))
	out, _, err := apptest.Command(t, &apptest.Integrator{}, "compare", sim, hw, "--latency", "none", "--out", sim)
	if err == nil || !strings.Contains(out, "position   RMSE") || strings.Contains(out, "report ") {
		t.Errorf("%v\n%s", err, out)
	}
}
