package hil_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

func TestBadRecordings(t *testing.T) {
	good := sampled(motion, 0, 2, 100)
	change := func(f func(s *trajectory.Poses)) trajectory.Poses {
		s := sampled(motion, 0, 2, 100)
		f(&s)
		return s
	}
	for _, c := range []struct {
		name string
		hw   trajectory.Poses
		want []string
	}{
		{"no overlap", sampled(motion, 100, 102, 100), []string{"do not overlap", "from 0 s to 2 s", "from 100 s to 102 s"}},
		{"backward", change(func(s *trajectory.Poses) { s.T[50] = 0.25 }), []string{"hardware: sample 50", "time goes back", "0.25 s"}},
		{"repeated", change(func(s *trajectory.Poses) { s.T[50] = s.T[49] }), []string{"samples 49 and 50", "same stamp"}},
		{"NaN", change(func(s *trajectory.Poses) { s.Pose[7].P.Y = math.NaN() }), []string{"hardware: sample 7 (t = 0.07 s)", "not finite"}},
		{"NaN stamp", change(func(s *trajectory.Poses) { s.T[7] = math.NaN() }), []string{"sample 7", "stamp"}},
		{"far away", change(func(s *trajectory.Poses) { s.Pose[7].P.Y = -1e300 }), []string{"hardware: sample 7", "beyond 1e+06 m"}},
		{"no rotation", change(func(s *trajectory.Poses) { s.Pose[9].R = spatial.Mat3{} }), []string{"sample 9", "not a rotation"}},
		{"three samples", change(func(s *trajectory.Poses) { s.T, s.Pose = s.T[:3], s.Pose[:3] }), []string{"3 samples", "at least 4"}},
		{"mm", change(func(s *trajectory.Poses) {
			for i := range s.Pose {
				s.Pose[i].P = s.Pose[i].P.Scale(1000)
			}
		}), []string{"hardware", "1000 times", "in mm?"}},
	} {
		_, err := hil.Compare(&trajectory.Trajectory{Tip: good}, &trajectory.Trajectory{Tip: c.hw}, hil.Options{})
		if err == nil {
			t.Errorf("%s: accepted", c.name)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: the error %q lacks %q", c.name, err, w)
			}
		}
	}
	// both in mm: only the robot's reach tells
	mm := change(func(s *trajectory.Poses) {
		for i := range s.Pose {
			s.Pose[i].P = s.Pose[i].P.Scale(1000)
		}
	})
	if _, err := hil.Compare(&trajectory.Trajectory{Tip: mm}, &trajectory.Trajectory{Tip: mm}, hil.Options{ReachM: 0.5}); err == nil || !strings.Contains(err.Error(), "in mm?") {
		t.Errorf("both in mm: %v", err)
	}
	// samples too far apart
	if _, err := hil.Compare(&trajectory.Trajectory{Tip: good}, &trajectory.Trajectory{Tip: sampled(motion, 0.003, 2, 100)}, hil.Options{MaxGapS: 0.001}); err == nil || !strings.Contains(err.Error(), "gaps of the simulation longer than 0.001 s") {
		t.Errorf("gaps: %v", err)
	}
	for _, o := range []hil.Options{{Align: "sim3"}, {AlignRotation: "up"}, {Latency: "some"}, {Latency: hil.LatencyFixed, LatencyS: math.NaN()}, {MaxGapS: -1}, {LengthM: math.Inf(1)}, {Search: hil.LatencyOptions{MaxS: -1}}} {
		if _, err := hil.Compare(&trajectory.Trajectory{Tip: good}, &trajectory.Trajectory{Tip: good}, o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

// A fixed latency can be what makes recordings overlap.
func TestFixedLatencyShifts(t *testing.T) {
	sim, hw := sampled(motion, 0, 2, 100), sampled(late(motion, 10), 10, 12, 100)
	c, err := hil.Compare(&trajectory.Trajectory{Tip: sim}, &trajectory.Trajectory{Tip: hw}, hil.Options{Latency: hil.LatencyFixed, LatencyS: 10})
	if err != nil {
		t.Fatal(err)
	}
	if c.Removed.Position.Max > 1e-12 || len(c.Removed.Pairs) < 199 {
		t.Errorf("%d pairs, %g m", len(c.Removed.Pairs), c.Removed.Position.Max)
	}
	if _, err := hil.Compare(&trajectory.Trajectory{Tip: sim}, &trajectory.Trajectory{Tip: hw}, hil.Options{}); !errors.Is(err, hil.ErrNoOverlap) {
		t.Error(err)
	}
}

// The numbers are those of their definitions on errors that are known: 1 … 100 mm
// along x.
func TestSummaryByHand(t *testing.T) {
	var sim, hw trajectory.Poses
	for k := 1; k <= 100; k++ {
		p := spatial.Vec{X: 0.2, Y: 0.01 * float64(k%7)}
		sim.Add(float64(k), spatial.Pose{P: p.Add(spatial.Vec{X: 1e-3 * float64(k)})})
		hw.Add(float64(k), spatial.Pose{P: p})
	}
	c, err := hil.Compare(&trajectory.Trajectory{Tip: sim}, &trajectory.Trajectory{Tip: hw}, hil.Options{Latency: hil.LatencyNone, LengthM: 0.25, MaxGapS: 2})
	if err != nil {
		t.Fatal(err)
	}
	r := c.Removed
	// Σk = 5050, Σk² = 338350; 95 % of the way from the 1st to the 100th is 95.05
	want := hil.Summary{RMSE: math.Sqrt(3383.5), Mean: 50.5, Median: 50.5, Std: math.Sqrt(3383.5 - 50.5*50.5), P95: 95.05, Max: 100}
	got := r.Position.Scale(1e3)
	for name, v := range map[string][2]float64{
		"RMSE": {got.RMSE, want.RMSE}, "mean": {got.Mean, want.Mean}, "median": {got.Median, want.Median},
		"std": {got.Std, want.Std}, "p95": {got.P95, want.P95}, "max": {got.Max, want.Max},
		"bias": {1e3 * r.Bias.X, 50.5}, "axis RMSE": {1e3 * r.AxisRMSE.X, want.RMSE}, "percent": {r.Percent(r.Position.Max), 40},
	} {
		if !(math.Abs(v[0]-v[1]) <= 1e-10) {
			t.Errorf("%s = %.12g, want %.12g", name, v[0], v[1])
		}
	}
	if r.Bias.Y != 0 || r.Bias.Z != 0 || !math.IsNaN(r.Angle.RMSE) {
		t.Errorf("bias %v, angle %g", r.Bias, r.Angle.RMSE)
	}
}

// Rotations about a fixed axis differ by the difference of their angles.
func TestRotationErrorByHand(t *testing.T) {
	spin := func(rate, lead float64) func(float64) spatial.Pose {
		return func(t float64) spatial.Pose {
			return spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: rate*t + lead}), P: spatial.Vec{X: t}}
		}
	}
	sim, hw := sampled(spin(2, 0.1), 0, 3, 100), sampled(spin(2, 0), 0.0033, 2.9, 60)
	c, err := hil.Compare(&trajectory.Trajectory{Tip: sim}, &trajectory.Trajectory{Tip: hw}, hil.Options{Latency: hil.LatencyNone})
	if err != nil {
		t.Fatal(err)
	}
	if a := c.Removed.Angle; !(math.Abs(a.RMSE-0.1) <= 1e-12 && math.Abs(a.Max-0.1) <= 1e-12) {
		t.Errorf("angle RMSE %.15g, max %.15g rad, want 0.1", a.RMSE, a.Max)
	}
}

// Live gives the numbers of Compare on the same data.
func TestLiveAgreesWithCompare(t *testing.T) {
	const same = 1e-9
	sim := sampled(motion, 0, 4, 200)
	hw := noisy(sampled(turned(late(motion, 0.037), spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: 0.05})}), 0.1, 3.9, 1000), 5e-4, 5)
	for _, latency := range []float64{0, 0.037} {
		c, err := hil.Compare(&trajectory.Trajectory{Tip: sim}, &trajectory.Trajectory{Tip: hw}, hil.Options{Latency: hil.LatencyFixed, LatencyS: latency, LengthM: 0.25})
		if err != nil {
			t.Fatal(err)
		}
		l, err := hil.NewLive(hil.LiveOptions{LengthM: 0.25, LatencyS: latency, WindowS: 100})
		if err != nil {
			t.Fatal(err)
		}
		errs := feed(l, &sim, &hw, 0.004)
		r := c.Removed
		if len(errs) != len(r.Pairs) {
			t.Fatalf("live compared %d samples, compare %d", len(errs), len(r.Pairs))
		}
		for i, e := range errs {
			if d := e.Position.Sub(r.Error[i]).Norm(); !(d <= same && math.Abs(e.Rotation-r.Rotation[i]) <= same && math.Abs(e.Percent-r.Percent(r.Error[i].Norm())) <= same) {
				t.Fatalf("sample %d: live %+v, compare %v, %g rad", i, e, r.Error[i], r.Rotation[i])
			}
		}
		if e := errs[len(errs)-1]; !(math.Abs(e.RMSE-r.Position.RMSE) <= same) || e.Max != r.Position.Max || e.Samples != len(r.Pairs) {
			t.Errorf("live RMSE %g, max %g of %d; compare %+v", e.RMSE, e.Max, e.Samples, r.Position)
		}
	}
}

func TestHealthCountsWhatIsMissing(t *testing.T) {
	s := sampled(motion, 0, 10, 100)
	var holed trajectory.Poses
	for i := range s.T {
		if i < 300 || i >= 330 {
			holed.Add(s.T[i], s.Pose[i])
		}
	}
	h := hil.HealthInTest(&holed)
	if h.Missing != 30 || h.Gaps != 1 || math.Abs(h.RateHz-100) > 1e-6 || math.Abs(h.LongestS-0.31) > 1e-9 || h.JitterS > 1e-9 {
		t.Errorf("%+v", h)
	}
	c, err := hil.Compare(&trajectory.Trajectory{Tip: holed}, &trajectory.Trajectory{Tip: s}, hil.Options{LengthM: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	if c.Removed.InGaps < 29 || !strings.Contains(strings.Join(c.Warnings, "\n"), "30 of 1001 samples are missing in 1 gaps") {
		t.Errorf("in gaps %d; warnings %q", c.Removed.InGaps, c.Warnings)
	}
}

// One stamp far off is a gap, not a reason to fill the memory.
func TestStampFarOff(t *testing.T) {
	sim, hw := sampled(motion, 0, 4, 100), sampled(motion, 0, 4, 100)
	sim.Add(1e12, motion(4))
	hw.Add(1e12, motion(4))
	c, err := hil.Compare(&trajectory.Trajectory{Tip: sim}, &trajectory.Trajectory{Tip: hw}, hil.Options{LengthM: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	if c.Removed.Position.Max > 1e-12 || len(c.Warnings) == 0 {
		t.Errorf("largest error %g m; warnings %q", c.Removed.Position.Max, c.Warnings)
	}
}
