package report_test

import (
	"bytes"
	"flag"
	"math"
	"os"
	"runtime"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/hil/report"
	"sinew/pkg/sim/trajectory"
)

var update = flag.Bool("update", false, "write the golden pages anew")

// The pages and metrics are, to the last character, those that somebody has looked at.
func TestGoldenPages(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("fused multiplication rounds coordinates differently")
	}
	for _, c := range []struct {
		name string
		doc  report.Document
		o    hil.Options
		edit func(sim, hw *trajectory.Trajectory)
	}{
		{"aligned", report.Document{Title: "Aligned", Simulation: "s.csv", Hardware: "h.csv", Robot: "a robot", Program: "test", Continuum: true, MaxPercent: 5, MaxMM: 20},
			hil.Options{LengthM: 0.2, Align: hil.AlignSE3, AlignRotation: hil.RotationLeft}, func(sim, hw *trajectory.Trajectory) {}},
		{"plain", report.Document{Title: "Plain", Simulation: "s.csv", Hardware: "h.csv", Continuum: true, MaxPercent: 0.1},
			hil.Options{Latency: hil.LatencyNone}, func(sim, hw *trajectory.Trajectory) {
				sim.Tip.Rotations = false
				sim.Shape, hw.Shape = trajectory.Shape{}, trajectory.Shape{}
				for _, a := range []*trajectory.Actuation{&sim.Actuation, &hw.Actuation} {
					a.Pull = nil
				}
			}},
		{"fixed", report.Document{Title: "Fixed", Simulation: "s.csv", Hardware: "h.csv"},
			hil.Options{LengthM: 2e-3, Latency: hil.LatencyFixed, LatencyS: 0.03, Align: hil.AlignOrigin}, func(sim, hw *trajectory.Trajectory) {
				for _, r := range []*trajectory.Trajectory{sim, hw} {
					r.Actuation, r.Shape = trajectory.Actuation{}, trajectory.Shape{}
					for i := range r.Tip.Pose {
						r.Tip.Pose[i].P = r.Tip.Pose[i].P.Scale(0.01)
					}
				}
				hw.Tip.T, hw.Tip.Pose = append(hw.Tip.T[:50], hw.Tip.T[65:]...), append(hw.Tip.Pose[:50], hw.Tip.Pose[65:]...)
			}},
	} {
		sim, hw := report.Recordings()
		c.edit(sim, hw)
		c.o.Search.Resamples = 50
		var err error
		if c.doc.Comparison, err = hil.Compare(sim, hw, c.o); err != nil {
			t.Fatal(err)
		}
		for kind, write := range map[string]func(*bytes.Buffer) error{
			"html": func(b *bytes.Buffer) error { return c.doc.WriteHTML(b) },
			"json": func(b *bytes.Buffer) error { return c.doc.WriteMetrics(b) },
		} {
			var got bytes.Buffer
			if err := write(&got); err != nil {
				t.Fatal(err)
			}
			compare(t, "testdata/"+c.name+"."+kind, got.Bytes())
		}
	}
}

// compare fails at the first place where got is not the text of a file.
func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	if at < len(got) || at < len(want) {
		t.Errorf("%s: byte %d: %q, want %q", file, at, excerpt(got, at), excerpt(want, at))
	}
}

func excerpt(b []byte, at int) []byte { return b[max(0, at-60):min(len(b), at+60)] }

func TestShortNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		100: "100", 99.94: "99.9", 10: "10.0", 9.994: "9.99", 1: "1.00", 0.9994: "0.999", 0.001: "0.001", 0.00099: "0.00099",
		1e-9: "1e-09", 0.9e-9: "0", 0: "0", -12.34: "−12.3", math.NaN(): "–",
	} {
		if got := report.Short(v); got != want {
			t.Errorf("short(%g) = %q, want %q", v, got, want)
		}
	}
}

// Axes have a margin of 6 % at both ends, but none below a zero that was asked for.
func TestCovering(t *testing.T) {
	for _, c := range []struct {
		zero      bool
		values    []float64
		low, high float64
	}{{false, []float64{0, 10}, -0.6, 10.6}, {true, []float64{5, 10}, 0, 10.6}, {true, []float64{-10, 10}, -11.2, 11.2}, {false, []float64{5, 10}, 4.7, 10.3},
		{false, []float64{5, 5}, 2.2, 7.8}, {false, []float64{-5, -5}, -7.8, -2.2}, {true, []float64{0, 0}, -0.56e-3, 0.56e-3}, {false, []float64{math.NaN()}, 0, 1}, {false, nil, 0, 1}, {false, []float64{math.NaN(), 0, 10}, -0.6, 10.6}} {
		if low, high := report.Covering(c.zero, c.values); !(math.Abs(low-c.low) < 1e-12 && math.Abs(high-c.high) < 1e-12) {
			t.Errorf("%v: from %g to %g, want %g to %g", c.values, low, high, c.low, c.high)
		}
	}
}
