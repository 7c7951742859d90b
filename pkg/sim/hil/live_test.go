package hil_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// feed gives both series to l in the order in which they would arrive and returns
// all errors.
func feed(l *hil.Live, sim, hw *trajectory.Poses, delay float64) (errs []hil.Error) {
	i := 0
	drain := func() {
		for e, ok := l.Next(); ok; e, ok = l.Next() {
			errs = append(errs, e)
		}
	}
	for k, t := range hw.T {
		for i < sim.Len() && sim.T[i] <= t+delay {
			l.Simulated(sim.T[i], sim.Pose[i])
			drain()
			i++
		}
		l.Hardware(t, hw.Pose[k], hw.Rotations)
		drain()
	}
	for ; i < sim.Len(); i++ {
		l.Simulated(sim.T[i], sim.Pose[i])
		drain()
	}
	return errs
}

// Whichever source is ahead, the errors are the same.
func TestLiveDoesNotDependOnArrival(t *testing.T) {
	sim := sampled(motion, 0, 3, 200)
	hw := noisy(sampled(late(motion, 0.01), 0.1, 2.9, 77), 1e-3, 1)
	var first []hil.Error
	for _, delay := range []float64{0.1, 0, -0.1} {
		l, err := hil.NewLive(hil.LiveOptions{LengthM: 0.25, WindowS: 1})
		if err != nil {
			t.Fatal(err)
		}
		errs := feed(l, &sim, &hw, delay)
		if len(errs) != hw.Len() {
			t.Fatalf("delay %g s: %d errors of %d samples; %+v", delay, len(errs), hw.Len(), l.Counts())
		}
		if first == nil {
			first = errs
			continue
		}
		for i := range errs {
			// NaN of latency is not equal to itself
			errs[i].Latency, first[i].Latency = 0, 0
			if errs[i] != first[i] {
				t.Fatalf("delay %g s, sample %d: %+v, want %+v", delay, i, errs[i], first[i])
			}
		}
	}
}

func TestLiveFollowsLatency(t *testing.T) {
	sim, hw := sampled(motion, 0, 20, 200), sampled(late(motion, 0.037), 0, 20, 100)
	l, err := hil.NewLive(hil.LiveOptions{LengthM: 0.25, Follow: true, WindowS: 8})
	if err != nil {
		t.Fatal(err)
	}
	half := hw.Len() / 2
	a, b := trajectory.Poses{T: hw.T[:half], Pose: hw.Pose[:half], Rotations: true}, trajectory.Poses{T: hw.T[half:], Pose: hw.Pose[half:], Rotations: true}
	before := feed(l, &trajectory.Poses{T: sim.T[:2000], Pose: sim.Pose[:2000]}, &a, 0)
	if e := before[len(before)-1]; e.Removed != 0 || !math.IsNaN(e.Latency) || e.RMSE < 1e-3 {
		t.Errorf("before the estimate: %+v", e)
	}
	if lat, err := l.Estimate(); err != nil || math.Abs(lat.Seconds-0.037) > 1e-3 {
		t.Fatalf("estimate %+v, %v", lat, err)
	}
	after := feed(l, &trajectory.Poses{T: sim.T[2000:], Pose: sim.Pose[2000:]}, &b, 0)
	if e := after[len(after)-1]; math.Abs(e.Removed-0.037) > 1e-3 || e.Latency != e.Removed || e.RMSE > 1e-4 || e.Percent > 0.04 {
		t.Errorf("after the estimate: %+v", e)
	}
}

func TestLiveCountsWhatItCannotUse(t *testing.T) {
	l, err := hil.NewLive(hil.LiveOptions{WindowS: 1, MaxGapS: 0.1, Capacity: 8})
	if err != nil {
		t.Fatal(err)
	}
	at := func(x float64) spatial.Pose { return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: x}} }
	l.Hardware(-1, at(0), false) // before the simulation
	l.Simulated(0, at(0))
	l.Simulated(0.05, at(math.NaN()))
	l.Simulated(0.1, at(1))
	l.Simulated(0.05, at(1))       // back
	l.Simulated(0.5, at(5))        // after a gap
	l.Hardware(0.05, at(0), false) // compared
	l.Hardware(0.3, at(0), false)  // in the gap
	l.Hardware(math.Inf(1), at(0), false)
	l.Hardware(0.4, at(0), false) // in the gap
	l.Hardware(0.6, at(0), false) // waits
	e, ok := l.Next()
	if !ok || e.T != 0.05 || math.Abs(e.Norm-0.5) > 1e-15 || !math.IsNaN(e.Rotation) || !math.IsNaN(e.Percent) || e.Samples != 1 {
		t.Errorf("error %+v, %t", e, ok)
	}
	if e, ok := l.Next(); ok {
		t.Errorf("an error of a sample that is ahead of the simulation: %+v", e)
	}
	want := hil.LiveCounts{Simulated: 5, Hardware: 6, Compared: 1, Gaps: 2, Early: 1, Backward: 1, NotFinite: 2}
	if got := l.Counts(); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	for i := range 9 {
		l.Hardware(1+float64(i), at(0), false) // one was waiting, 8 fit
	}
	l.Simulated(-5, at(0)) // a clock that starts anew
	if got := l.Counts(); got.Dropped != 2 || got.Restarts != 1 {
		t.Errorf("counts %+v", got)
	}
	for _, o := range []hil.LiveOptions{{WindowS: -1}, {LengthM: math.NaN()}, {MaxGapS: math.Inf(1)}, {LatencyS: math.NaN()}, {Capacity: 2}} {
		if _, err := hil.NewLive(o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

func TestLiveDoesNotAllocate(t *testing.T) {
	l, err := hil.NewLive(hil.LiveOptions{LengthM: 0.25, WindowS: 0.2, Capacity: 256})
	if err != nil {
		t.Fatal(err)
	}
	k := 0
	if n := testing.AllocsPerRun(2000, func() {
		now := float64(k) * 1e-3
		l.Simulated(now, motion(now))
		l.Hardware(now-5e-4, motion(now), true)
		if _, ok := l.Next(); !ok && k > 0 {
			t.Fatal("no error")
		}
		k++
	}); n != 0 {
		t.Errorf("%g allocations per sample", n)
	}
}
