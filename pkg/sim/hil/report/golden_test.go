package report

import (
	"bytes"
	"flag"
	"math"
	"os"
	"runtime"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

var update = flag.Bool("update", false, "write the golden pages anew")

// recordings are a simulation and a hardware that follow one tendon for 8 s, first
// by three cycles, then by a step after which the tip rings.
func recordings() (sim, hw *trajectory.Trajectory) {
	sim, hw = new(trajectory.Trajectory), new(trajectory.Trajectory)
	sim.Actuation.Names = []string{"left"}
	pull := func(t float64) float64 {
		if t < 6 {
			return 5e-3 * (1 - math.Cos(math.Pi*t))
		}
		return 8e-3
	}
	tip := func(t, lag, damping float64) spatial.Pose {
		y := 4 * pull(t-lag)
		if u := t - lag - 6; u > 0 {
			y -= 0.032 * math.Exp(-damping*u) * math.Cos(9*u)
		}
		return spatial.Pose{
			R: spatial.ExpRot(spatial.Vec{Z: 5 * y}),
			P: spatial.Vec{X: 0.2 - 2*y*y, Y: y, Z: 2e-3 * math.Sin(1.3*t)},
		}
	}
	for k := range 201 {
		t := 0.04 * float64(k)
		sim.Tip.Add(t, tip(t, 0.02, 1.2))
		hw.Tip.Add(t+0.005, tip(t+0.005, 0.05, 1.6).Mul(spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.02}), P: spatial.Vec{X: 1e-3}}))
		sim.Actuation.T = append(sim.Actuation.T, t)
		sim.Actuation.Pull = append(sim.Actuation.Pull, []float64{pull(t)})
		sim.Actuation.Tension = append(sim.Actuation.Tension, []float64{200 * pull(t-0.04)})
		if k%20 == 0 {
			for r, p := range map[*trajectory.Trajectory]spatial.Vec{sim: sim.Tip.Pose[k].P, hw: hw.Tip.Pose[k].P} {
				r.Shape.T = append(r.Shape.T, t)
				r.Shape.Nodes = append(r.Shape.Nodes, []spatial.Vec{{}, p.Scale(0.5), p})
			}
		}
	}
	hw.Actuation = sim.Actuation
	hw.Actuation.Pull, hw.Actuation.Tension = nil, nil
	for _, t := range sim.Actuation.T {
		hw.Actuation.Pull = append(hw.Actuation.Pull, []float64{pull(t) + 1e-4*math.Sin(7*t)})
		hw.Actuation.Tension = append(hw.Actuation.Tension, []float64{200*pull(t-0.06) + 0.05})
	}
	sim.Tip.Rotations, hw.Tip.Rotations = true, true
	return sim, hw
}

// The pages and metrics are, to the last character, those that somebody has looked at.
func TestGoldenPages(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("fused multiplication rounds coordinates differently")
	}
	for _, c := range []struct {
		name string
		doc  Document
		o    hil.Options
		edit func(sim, hw *trajectory.Trajectory)
	}{
		{"aligned", Document{Title: "Aligned", Simulation: "s.csv", Hardware: "h.csv", Robot: "a robot", Program: "test", Continuum: true, MaxPercent: 5, MaxMM: 20},
			hil.Options{LengthM: 0.2, Align: hil.AlignSE3, AlignRotation: hil.RotationLeft}, func(sim, hw *trajectory.Trajectory) {}},
		{"plain", Document{Title: "Plain", Simulation: "s.csv", Hardware: "h.csv", Continuum: true, MaxPercent: 0.1},
			hil.Options{Latency: hil.LatencyNone}, func(sim, hw *trajectory.Trajectory) {
				sim.Tip.Rotations = false
				sim.Shape, hw.Shape = trajectory.Shape{}, trajectory.Shape{}
				for _, a := range []*trajectory.Actuation{&sim.Actuation, &hw.Actuation} {
					a.Pull = nil
				}
			}},
		{"fixed", Document{Title: "Fixed", Simulation: "s.csv", Hardware: "h.csv"},
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
		sim, hw := recordings()
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
		if got := short(v); got != want {
			t.Errorf("short(%g) = %q, want %q", v, got, want)
		}
	}
}

// Without limits the error of the literature decides, where there is one.
func TestVerdictWithoutLimits(t *testing.T) {
	for _, c := range []struct {
		length    float64
		continuum bool
		passed    bool
	}{{0.2, true, true}, {0.01, true, false}, {0.2, false, false}, {0, true, false}} {
		sim, hw := recordings()
		o := hil.Options{LengthM: c.length, Align: hil.AlignSE3}
		o.Search.Resamples = 10
		got, err := hil.Compare(sim, hw, o)
		if err != nil {
			t.Fatal(err)
		}
		if v := (&Document{Continuum: c.continuum, Comparison: got}).verdict(); v.Passed != c.passed || v.Failed || v.Threshold != "" {
			t.Errorf("%+v: %+v", c, v)
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
		if low, high := covering(c.zero, c.values); !(math.Abs(low-c.low) < 1e-12 && math.Abs(high-c.high) < 1e-12) {
			t.Errorf("%v: from %g to %g, want %g to %g", c.values, low, high, c.low, c.high)
		}
	}
}
