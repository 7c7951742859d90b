package hil

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Motions that do not happen at the same time say nothing about a latency.
func TestLatencyNeedsMotionAtOneTime(t *testing.T) {
	during := func(from, to float64) func(float64) spatial.Pose {
		return func(t float64) spatial.Pose {
			if t < from || t > to {
				return spatial.Pose{}
			}
			return motion(t)
		}
	}
	early, late := sampled(during(0, 1), 0, 10, 100), sampled(during(11, 12), 4, 12, 100)
	if l, err := EstimateLatency(&early, &late, LatencyOptions{}); !errors.Is(err, ErrNoMotion) {
		t.Errorf("%+v, %v", l, err)
	}
}

// One sample that is missing is worth a warning.
func TestWarningOfOneMissingSample(t *testing.T) {
	sim, hw := sampled(motion, 0, 8, 100), sampled(motion, 0, 8, 100)
	hw.T, hw.Pose = slices.Delete(hw.T, 400, 401), slices.Delete(hw.Pose, 400, 401)
	c, err := Compare(&trajectory.Trajectory{Tip: sim}, &trajectory.Trajectory{Tip: hw}, Options{LengthM: 0.25, Latency: LatencyNone})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "Hardware: about 1 of 801 samples are missing in 1 gaps") {
		t.Errorf("%q", c.Warnings)
	}
}

// A step is a quick and large change before a hold.
func TestStepsByHand(t *testing.T) {
	var ramp []float64
	for i := range 33 {
		ramp = append(ramp, 0.03*float64(i+1))
	}
	hold := func(x float64, n int) []float64 { return slices.Repeat([]float64{x}, n) }
	for _, c := range []struct {
		name string
		x    []float64 // every 10 ms
		want []step
	}{
		{"at once", slices.Concat(hold(0, 10), hold(1, 50)), []step{{start: 0.09, end: 0.59}}},
		{"in three samples", slices.Concat(hold(0, 10), []float64{0.4, 0.8}, hold(1, 50)), []step{{start: 0.09, end: 0.61}}},
		{"down", slices.Concat(hold(1, 10), hold(0, 50)), []step{{start: 0.09, end: 0.59}}},
		{"two", slices.Concat(hold(0, 10), hold(1, 50), hold(0.5, 50)), []step{{start: 0.09, end: 0.59}, {start: 0.59, end: 1.09}}},
		{"with a stop on the way", slices.Concat(hold(0, 10), hold(0.5, 2), hold(1, 50)), []step{{start: 0.11, end: 0.61}}},
		{"held too short", slices.Concat(hold(0, 10), hold(1, 20), hold(0, 20)), nil},
		{"slow", slices.Concat(hold(0, 10), ramp, hold(1, 50)), nil},
		{"small", slices.Concat(hold(0, 10), hold(0.15, 50), []float64{0.3, 0.45, 0.6, 0.75, 0.9, 1}), nil},
		{"measured for five seconds", slices.Concat(hold(0, 10), hold(1, 800)), []step{{start: 0.09, end: 5.09}}},
		{"never", hold(3, 100), nil},
	} {
		ts := make([]float64, len(c.x))
		for i := range ts {
			ts[i] = 0.01 * float64(i)
		}
		got := findSteps("a", Pull, ts, c.x)
		same := slices.EqualFunc(got, c.want, func(a, b step) bool {
			return a.tendon == "a" && a.quantity == Pull && math.Abs(a.start-b.start) < 1e-9 && math.Abs(a.end-b.end) < 1e-9
		})
		if !same {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// A response lasts until another tendon moves, and steps in short order are one motion.
func TestResponsesOfSeveralTendons(t *testing.T) {
	hold := func(x float64, n int) []float64 { return slices.Repeat([]float64{x}, n) }
	a := &trajectory.Actuation{Names: []string{"a", "b", "idle"}}
	first := slices.Concat(hold(0, 100), hold(5, 300))                 // at 0.99 s
	second := slices.Concat(hold(1, 200), hold(3, 200))                // at 1.99 s
	pull := slices.Concat(hold(0, 100), hold(2e-3, 200), hold(0, 100)) // what the tension of a makes
	for i := range first {
		a.T = append(a.T, 0.01*float64(i))
		a.Tension = append(a.Tension, []float64{first[i], second[i], 0})
		a.Pull = append(a.Pull, []float64{pull[i], 0, 0})
	}
	steps := allSteps(a)
	want := []step{{"a", Tension, 0.99, 3.99}, {"b", Tension, 1.99, 3.99}}
	same := func(x, y step) bool {
		return x.tendon == y.tendon && x.quantity == y.quantity && math.Abs(x.start-y.start) < 1e-9 && math.Abs(x.end-y.end) < 1e-9
	}
	if !slices.EqualFunc(steps, want, same) {
		t.Errorf("steps %+v, want %+v", steps, want)
	}
	if until := stillUntil(a, want[0]); math.Abs(until-2) > 1e-9 {
		t.Errorf("another tendon moves at %g s, want 2 s", until)
	}
	if until := stillUntil(a, want[1]); !math.IsInf(until, 1) {
		t.Errorf("after the step of b another tendon moves at %g s", until)
	}

	r := &Result{LatencyS: 0.5}
	for k := range 450 {
		now := 0.01 * float64(k)
		p := spatial.Vec{X: 0.2}
		if k > 150 { // half a second after a, on the clock of the hardware
			p.Y = 0.03 * min(1, float64(k-150)/20)
		}
		if k > 250 {
			p.Z = 0.04 * min(1, float64(k-250)/20)
		}
		r.Pairs = append(r.Pairs, Pair{T: now, Sim: spatial.Pose{P: p}, Hw: spatial.Pose{P: p.Scale(0.9)}})
	}
	got := responses(a, r)
	if len(got) != 2 || got[0].Tendon != "a" || got[1].Tendon != "b" || math.Abs(got[0].WayM-0.03) > 1e-12 || math.Abs(got[1].WayM-0.04) > 1e-12 || got[0].AtS != want[0].start {
		t.Fatalf("%+v", got)
	}
	for i, p := range got { // of 0.2 s from beginning to end, four fifths
		if math.Abs(p.Sim.RiseS-0.16) > 1e-9 || math.Abs(p.Hw.RiseS-0.16) > 1e-9 || p.Sim.Overshoot > 1e-9 {
			t.Errorf("response %d: %+v, %+v", i, p.Sim, p.Hw)
		}
	}
	// b moves with a: the motion of the tip belongs to neither alone
	for i := range a.T {
		a.Tension[i][1] = first[min(len(first)-1, i+5)]
	}
	if got := responses(a, r); len(got) != 0 {
		t.Errorf("two tendons at once: %+v", got)
	}
	still := &Result{Pairs: r.Pairs[:100]}
	if p, ok := respond(step{"a", Tension, 0, 0.9}, still); ok {
		t.Errorf("a tip that stands still responds: %+v", p)
	}
	if p, ok := respond(step{"a", Tension, 1.5, 1.58}, r); ok {
		t.Errorf("eight samples make a response: %+v", p)
	}
}
