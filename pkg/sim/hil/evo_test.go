package hil_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// readTUM reads lines of "t x y z qx qy qz qw".
func readTUM(t *testing.T, file string) trajectory.Poses {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := trajectory.Poses{Rotations: true}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var at float64
		var p spatial.Vec
		var q spatial.Quat
		if _, err := fmt.Sscan(lines.Text(), &at, &p.X, &p.Y, &p.Z, &q.X, &q.Y, &q.Z, &q.W); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		s.Add(at, spatial.Pose{R: q.Normalized().Rot(), P: p})
	}
	return s
}

// The errors are those of evo 1.38.1, the usual tool for trajectories, without and
// with alignment. testdata/evo is made by test/bench/peers/evo/make.sh from the sample
// recordings.
func TestAgreesWithEvo(t *testing.T) {
	const same = 1e-9
	type statistics struct{ RMSE, Mean, Median, Std, Max float64 }
	type errors struct {
		Translation statistics `json:"translation_m"`
		Rotation    statistics `json:"rotation_rad"`
	}
	var golden struct{ None, SE3 errors }
	data, err := os.ReadFile("testdata/evo/ape.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	sim, hw := readTUM(t, "testdata/evo/sim.tum"), readTUM(t, "testdata/evo/hw.tum")
	for _, c := range []struct {
		align hil.Alignment
		want  errors
	}{{hil.AlignNone, golden.None}, {hil.AlignSE3, golden.SE3}} {
		got, err := hil.Compare(&trajectory.Trajectory{Tip: sim}, &trajectory.Trajectory{Tip: hw}, hil.Options{Align: c.align, Latency: hil.LatencyNone})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(got.Removed.Pairs); n != hw.Len() {
			t.Errorf("%s: %d of %d samples compared", c.align, n, hw.Len())
		}
		for _, v := range []struct {
			name string
			got  hil.Summary
			want statistics
		}{{"translation", got.Removed.Position, c.want.Translation}, {"rotation", got.Removed.Angle, c.want.Rotation}} {
			a := [5]float64{v.got.RMSE, v.got.Mean, v.got.Median, v.got.Std, v.got.Max}
			b := [5]float64{v.want.RMSE, v.want.Mean, v.want.Median, v.want.Std, v.want.Max}
			for i, name := range []string{"RMSE", "mean", "median", "std", "max"} {
				if math.Abs(a[i]-b[i]) > same || b[i] == 0 {
					t.Errorf("%s, %s, %s: %.12g, evo has %.12g", c.align, v.name, name, a[i], b[i])
				}
			}
		}
	}
}
