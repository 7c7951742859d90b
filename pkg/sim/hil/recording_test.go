package hil_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// recorded is a good recording of 2 s with a tendon and a shape.
func recorded() *trajectory.Trajectory {
	r := &trajectory.Trajectory{Tip: sampled(motion, 0, 2, 100)}
	r.Actuation.Names = []string{"a"}
	for k := range 21 {
		now := 0.1 * float64(k)
		r.Actuation.T = append(r.Actuation.T, now)
		r.Actuation.Pull = append(r.Actuation.Pull, []float64{1e-3 * now})
		r.Shape.T = append(r.Shape.T, now)
		r.Shape.Nodes = append(r.Shape.Nodes, []spatial.Vec{{}, {X: 0.1}, {X: 0.2, Y: now}})
	}
	return r
}

func TestBadTendonsAndShapes(t *testing.T) {
	if _, err := hil.Compare(recorded(), recorded(), hil.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		edit func(r *trajectory.Trajectory)
		want string
	}{
		{"poses are missing", func(r *trajectory.Trajectory) { r.Tip.Pose = r.Tip.Pose[1:] }, "201 stamps, but 200 poses"},
		{"the first stamp is not finite", func(r *trajectory.Trajectory) { r.Tip.T[0] = math.Inf(-1) }, "sample 0: its stamp"},
		{"a mirrored orientation", func(r *trajectory.Trajectory) { r.Tip.Pose[3].R = spatial.Diag3(spatial.Vec{X: -1, Y: -1, Z: -1}) }, "sample 3 (t = 0.03 s): the orientation"},
		{"rows are missing", func(r *trajectory.Trajectory) { r.Actuation.Pull = r.Actuation.Pull[1:] }, "21 stamps, but 20 rows"},
		{"a value is missing", func(r *trajectory.Trajectory) { r.Actuation.Pull[2] = nil }, "row 2 (t = 0.2 s) has 0 values for 1"},
		{"a pull is not finite", func(r *trajectory.Trajectory) { r.Actuation.Pull[2][0] = math.NaN() }, "row 2 (t = 0.2 s): the value of tendon a is NaN"},
		{"tendons repeat a stamp", func(r *trajectory.Trajectory) { r.Actuation.T[1] = 0 }, "tendons, row 1: time does not ascend, from 0 s to 0 s"},
		{"tendons go back", func(r *trajectory.Trajectory) { r.Actuation.T[4] = 0.25 }, "tendons, row 4: time does not ascend, from 0.3 s to 0.25 s"},
		{"shapes are missing", func(r *trajectory.Trajectory) { r.Shape.Nodes = r.Shape.Nodes[1:] }, "21 stamps, but 20 shapes"},
		{"shapes repeat a stamp", func(r *trajectory.Trajectory) { r.Shape.T[1] = 0 }, "shape 1: time does not ascend, from 0 s to 0 s"},
		{"shapes go back", func(r *trajectory.Trajectory) { r.Shape.T[4] = 0.25 }, "shape 4: time does not ascend, from 0.3 s to 0.25 s"},
		{"a node is missing", func(r *trajectory.Trajectory) { r.Shape.Nodes[5] = r.Shape.Nodes[5][1:] }, "shape 5 (t = 0.5 s) has 2 nodes"},
		{"one node", func(r *trajectory.Trajectory) { r.Shape.T, r.Shape.Nodes = []float64{1}, [][]spatial.Vec{{{}}} }, "shape 0 (t = 1 s) has 1 nodes"},
		{"a node is not finite", func(r *trajectory.Trajectory) { r.Shape.Nodes[5][1].Z = math.Inf(1) }, "shape 5 (t = 0.5 s): node 1 is not finite"},
	} {
		for i, who := range []string{"simulation", "hardware"} {
			both := []*trajectory.Trajectory{recorded(), recorded()}
			c.edit(both[i])
			if got, err := hil.Compare(both[0], both[1], hil.Options{}); err == nil || got != nil || !strings.HasPrefix(err.Error(), who+": "+c.want) {
				t.Errorf("%s of the %s: %v, want %q", c.name, who, err, c.want)
			}
		}
	}
}

// Two nodes make a shape, and a shape at one instant is compared.
func TestSmallestShape(t *testing.T) {
	sim, hw := recorded(), recorded()
	hw.Shape = trajectory.Shape{T: []float64{1}, Nodes: [][]spatial.Vec{{{}, {X: 0.2, Y: 1.25}}}}
	c, err := hil.Compare(sim, hw, hil.Options{Latency: hil.LatencyNone})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Shape) != 2 || c.Shape[0].Max != 0 || !(math.Abs(c.Shape[1].Max-0.25) <= 1e-12) || !math.IsNaN(c.Shape[1].ArcM) {
		t.Errorf("shape errors %+v, want 0 and 0.25 m", c.Shape)
	}
}

// A motion that only one of them makes in m is refused, whichever it is.
func TestUnitsOfTheSimulation(t *testing.T) {
	metres, millimetres := recorded(), recorded()
	for i := range millimetres.Tip.Pose {
		millimetres.Tip.Pose[i].P = millimetres.Tip.Pose[i].P.Scale(1000)
	}
	if _, err := hil.Compare(millimetres, metres, hil.Options{}); err == nil || !strings.Contains(err.Error(), "simulation: its positions span") || !strings.Contains(err.Error(), "1000 times") {
		t.Errorf("a simulation in mm: %v", err)
	}
	// what stands still has no units
	still := recorded()
	for i := range still.Tip.Pose {
		still.Tip.Pose[i].P = spatial.Vec{X: 0.2}
	}
	if _, err := hil.Compare(metres, still, hil.Options{}); err != nil {
		t.Errorf("a hardware that stands still: %v", err)
	}
}

// A quaternion may be off by the rounding of what measured it.
func TestRotationOfQuaternions(t *testing.T) {
	half := math.Sqrt(0.5)
	for _, c := range []struct {
		scale float64
		ok    bool
	}{{1, true}, {1.0099, true}, {0.9901, true}, {1.0101, false}, {0.9899, false}, {0, false}, {math.NaN(), false}} {
		m := trajectory.Rotation(0, 0, half*c.scale, half*c.scale)
		if !c.ok {
			if m != (spatial.Mat3{}) {
				t.Errorf("length %g: %v, want the zero matrix", c.scale, m)
			}
			continue
		}
		if p := m.Apply(spatial.Vec{X: 1}); p.Sub(spatial.Vec{Y: 1}).Norm() > 1e-15 {
			t.Errorf("length %g: a quarter turn about z takes x to %v", c.scale, p)
		}
	}
}

// Errors of tendons are taken at the stamps of the hardware, with the simulation
// interpolated between its own.
func TestTendonErrorsByHand(t *testing.T) {
	sim, hw := recorded(), recorded()
	sim.Actuation.Names, hw.Actuation.Names = []string{"a", "alone"}, []string{"other", "a"}
	hw.Actuation.T = nil
	hw.Actuation.Pull = nil
	for i := range sim.Actuation.Pull {
		sim.Actuation.Pull[i] = append(sim.Actuation.Pull[i], 1)
		sim.Actuation.T[i] += 5 // away from 0, so that sums differ from differences
	}
	sim.Tip, hw.Tip = sampled(motion, 5, 7, 100), sampled(motion, 5, 7, 100)
	sim.Shape, hw.Shape = trajectory.Shape{}, trajectory.Shape{}
	// before, at both ends, 3/10 and 1/2 between stamps, after: off by 100, 1, 2, 3, 4, 100 mm
	for _, v := range [][2]float64{{4.9, 100}, {5, 1}, {5.13, 2}, {6.05, 3}, {7, 4}, {7.1, 100}} {
		hw.Actuation.T = append(hw.Actuation.T, v[0])
		hw.Actuation.Pull = append(hw.Actuation.Pull, []float64{7, 1e-3*(v[0]-5) - 1e-3*v[1]})
	}
	c, err := hil.Compare(sim, hw, hil.Options{Latency: hil.LatencyNone})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.ActuationErrors) != 1 {
		t.Fatalf("%+v, want the errors of tendon a", c.ActuationErrors)
	}
	e := c.ActuationErrors[0]
	if want := 1e-3 * math.Sqrt((1+4+9+16)/4.); e.Tendon != "a" || e.Quantity != hil.Pull || !(math.Abs(e.RMSE-want) <= 1e-12 && math.Abs(e.Max-4e-3) <= 1e-12) {
		t.Errorf("%+v, want RMSE %g and largest 0.004 m", e, want)
	}
}

// What a fixed latency leaves to compare may be too little.
func TestFixedLatencyLeavesTooLittle(t *testing.T) {
	c, err := hil.Compare(recorded(), recorded(), hil.Options{Latency: hil.LatencyFixed, LatencyS: 1.98})
	if err == nil || c != nil || !strings.Contains(err.Error(), "only 3 of 201 samples") {
		t.Errorf("%v, want that only 3 samples can be compared", err)
	}
}

// An interval of exactly 1.5 median ones is no gap, a longer one is.
func TestGapsBegin(t *testing.T) {
	for last, gaps := range map[float64]int{11: 0, 11.01: 1} {
		s := trajectory.Poses{T: []float64{0, 2, 4, 6, 8, last}}
		if h := hil.HealthInTest(&s); h.Gaps != gaps || h.Missing != gaps {
			t.Errorf("an interval of %g s after ones of 2 s: %+v, want %d gaps", last-8, h, gaps)
		}
	}
}

// Each warning stands only where its reason does.
func TestWarnings(t *testing.T) {
	sine := func(t float64) spatial.Pose {
		return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 0.05 * math.Sin(2*math.Pi*t)}}
	}
	line := func(f func(float64) spatial.Pose) *trajectory.Trajectory {
		return &trajectory.Trajectory{Tip: sampled(f, 0, 8, 100)}
	}
	words := map[string]string{
		"ambiguous": "repeats itself", "wide": "95 % interval", "frame": "Alignment: ", "left out": "were not compared",
		"missing": "are missing", "jitter": "jitter by", "length": "length is unknown", "unreliable": "none was removed",
	}
	jittered := line(motion)
	for i := range jittered.Tip.T {
		jittered.Tip.T[i] += 0.004 * float64(i%2)
	}
	for _, c := range []struct {
		name    string
		sim, hw *trajectory.Trajectory
		o       hil.Options
		want    []string
	}{
		{"nothing", line(motion), line(late(motion, 0.02)), hil.Options{LengthM: 0.25}, nil},
		{"periodic", line(sine), line(late(sine, 0.02)), hil.Options{LengthM: 0.25}, []string{"ambiguous"}},
		{"on a line", line(sine), line(sine), hil.Options{LengthM: 0.25, Align: hil.AlignSE3, Latency: hil.LatencyNone}, []string{"frame"}},
		{"no length", line(motion), line(motion), hil.Options{}, []string{"length"}},
		{"a late start", line(motion), &trajectory.Trajectory{Tip: sampled(motion, 1, 10, 100)}, hil.Options{LengthM: 0.25, Latency: hil.LatencyNone}, []string{"left out"}},
		{"jitter", jittered, line(motion), hil.Options{LengthM: 0.25, Latency: hil.LatencyNone}, []string{"jitter"}},
	} {
		got, err := hil.Compare(c.sim, c.hw, c.o)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(got.Warnings, "\n")
		for key, text := range words {
			if strings.Contains(all, text) != slices.Contains(c.want, key) {
				t.Errorf("%s: the warnings %q; want only those of %q", c.name, got.Warnings, c.want)
			}
		}
		if len(got.Warnings) != len(c.want) {
			t.Errorf("%s: %d warnings, want %d: %q", c.name, len(got.Warnings), len(c.want), got.Warnings)
		}
	}
}

// TestPositionsInThePlane: of hardware without z, x and y are compared and aligned.
func TestPositionsInThePlane(t *testing.T) {
	sim, hw := recorded(), recorded()
	hw.Tip.Planar = true
	for i := range hw.Tip.Pose {
		hw.Tip.Pose[i].P = hw.Tip.Pose[i].P.Add(spatial.Vec{X: 0.003, Y: 0.004})
		hw.Tip.Pose[i].P.Z = 0
	}
	for align, want := range map[hil.Alignment]float64{hil.AlignNone: 0.005, hil.AlignOrigin: 0, hil.AlignSE3: 0} {
		c, err := hil.Compare(sim, hw, hil.Options{Latency: hil.LatencyNone, Align: align})
		if err != nil {
			t.Fatal(err)
		}
		if rmse := c.Removed.Position.RMSE; !(math.Abs(rmse-want) < 1e-9) || c.Removed.AxisRMSE.Z > 1e-9 {
			t.Errorf("%s: %g m, of axes %v; want %g", align, rmse, c.Removed.AxisRMSE, want)
		}
	}
	if sim.Tip.Pose[3].P.Z == 0 {
		t.Error("the simulation was changed")
	}
}

// TestUnitsOfWhatIsStuck: a body that moves much less than its model is compared, with a warning; one whose positions are as many times
// larger as there are um in a m is refused.
func TestUnitsOfWhatIsStuck(t *testing.T) {
	scaled := func(factor float64) *trajectory.Trajectory {
		m := recorded()
		for i := range m.Tip.Pose {
			m.Tip.Pose[i].P = m.Tip.Pose[i].P.Scale(factor)
		}
		return m
	}
	for factor, want := range map[float64]string{1. / 114: "Units: the positions of the simulation span", 130: "Units: the positions of the hardware span", 0.5: ""} {
		c, err := hil.Compare(recorded(), scaled(factor), hil.Options{Latency: hil.LatencyNone})
		if err != nil {
			t.Errorf("%g: %v", factor, err)
			continue
		}
		if warnings := strings.Join(c.Warnings, "\n"); strings.Contains(warnings, "Units:") != (want != "") || !strings.Contains(warnings, want) {
			t.Errorf("%g: %q, want %q", factor, warnings, want)
		}
	}
	if _, err := hil.Compare(recorded(), scaled(1e6), hil.Options{}); err == nil || !strings.Contains(err.Error(), "are they in um?") {
		t.Errorf("in um: %v", err)
	}
}
