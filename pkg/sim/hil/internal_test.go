package hil

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Tests of what has no exported name.

// An estimate that is 0 to less than a millisecond is left in without a word where removing
// it makes the error larger, as of a motion beside itself; a wider one gives a warning.
func TestJudgeRemovalOfNothing(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		warned    bool
	}{{-3e-4, 2e-4, false}, {-3e-4, -1e-5, true}, {-0.08, 0.08, true}} {
		c1 := Comparison{Options: Options{Latency: LatencyAuto}, Recorded: new(Result), Removed: new(Result), Latency: new(Latency)}
		c1.Removed.Position.RMSE = 3e-6
		c1.Latency.Low, c1.Latency.High = c.low, c.high
		c1.judgeRemoval(-2e-5)
		if warned := len(c1.Warnings) > 0 && c1.Worse != nil; warned != c.warned || c1.Removed != c1.Recorded {
			t.Errorf("%g to %g s: warnings %q, worse %v", c.low, c.high, c1.Warnings, c1.Worse)
		}
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

// Two signals overlap by one point less for each lag.
func TestLagsPairWhatOverlaps(t *testing.T) {
	known := []bool{true, true, true}
	s := signals{a: make([]spatial.Vec, 3), b: make([]spatial.Vec, 3), aValid: known, bValid: known}
	l := s.lags(-3, 3, 1, 1)
	for i, want := range []float64{0, 1, 2, 3, 2, 1, 0} {
		if m := l.total(i, nil); m.n != want {
			t.Errorf("lag %g: %g pairs, want %g", l.lag(float64(i)), m.n, want)
		}
	}
}

func TestSlidingWindowAgreesWithItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	w := newSliding(0.5, 64)
	var ts, es []float64
	now := 0.0
	for range 5000 {
		now += 0.02 * r.Float64() * float64(r.IntN(3))
		e := math.Pow(10, -9+9*r.Float64()) // a subtraction would drown the small ones
		w.push(now, e)
		ts, es = append(ts, now), append(es, e)
		for ts[0] < now-0.5 || len(ts) > 64 {
			ts, es = ts[1:], es[1:]
		}
		sum, most := 0.0, 0.0
		for _, v := range es {
			sum += v * v
			most = max(most, v)
		}
		if want := math.Sqrt(sum / float64(len(es))); w.n != len(es) || w.maximum() != most || math.Abs(w.rms()-want) > 1e-13*want {
			t.Fatalf("t = %g: %d values, rms %g, max %g; want %d, %g, %g", now, w.n, w.rms(), w.maximum(), len(es), want, most)
		}
	}
}

// Whatever part of a ring is asked for, wrapped or not, it comes in order.
func TestRingCopiesItsLastSamples(t *testing.T) {
	r := newRing(7)
	for k := range 30 {
		r.push(float64(k), spatial.Pose{})
		for width := range 9 {
			got := r.appendLast(nil, float64(width))
			if want := min(width, k, 6) + 1; len(got) != want {
				t.Fatalf("after %d samples: %d of the last %d s, want %d", k+1, len(got), width, want)
			}
			for i := range got {
				if want := float64(k - len(got) + 1 + i); got[i].t != want {
					t.Fatalf("sample %d of %d is of %g s, want %g", i, len(got), got[i].t, want)
				}
			}
		}
	}
}

// TestLiveWithoutHardware: a comparison with hardware that never comes takes memory for the
// simulated poses alone.
func TestLiveWithoutHardware(t *testing.T) {
	l, err := NewLive(LiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if l.sim.data != nil {
		t.Error("memory is taken before the first sample")
	}
	l.Simulated(1, spatial.Pose{})
	if n := cap(l.hw.data) + cap(l.waiting.data) + cap(l.window.t) + cap(l.simCopy) + cap(l.hwCopy); n != 0 || l.sim.data == nil {
		t.Errorf("memory for %d samples is taken without hardware", n)
	}
	l.Hardware(1, spatial.Pose{}, false)
	if _, ok := l.Next(); !ok {
		t.Error("the first sample of the hardware is not compared")
	}
}

// Each option out of range is refused by its name, with what is allowed.
func TestOptionsOutOfRange(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{MaxGapS: -1}, "gap limit (s) = -1, allowed: [0, inf)"}, {Options{MaxGapS: nan}, "gap limit (s) = NaN"},
		{Options{LengthM: -1}, "length (m) = -1, allowed: [0, inf)"}, {Options{LengthM: inf}, "length (m) = +Inf"},
		{Options{ReachM: -1}, "reach (m) = -1, allowed: [0, inf)"}, {Options{ReachM: nan}, "reach (m) = NaN"},
		{Options{LatencyS: nan}, "latency (s) = NaN is not finite"}, {Options{LatencyS: -inf}, "latency (s) = -Inf is not finite"},
		{Options{Latency: "some"}, `latency "some", allowed: auto, fixed, none`},
	} {
		if err := c.o.complete(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
	var o Options
	if err := o.complete(); err != nil || o.Align != AlignNone || o.AlignRotation != RotationNone || o.Latency != LatencyAuto || o.MaxGapS != DefaultMaxGap || o.LengthM != 0 {
		t.Errorf("defaults %+v, %v", o, err)
	}
	o = Options{Align: AlignSE3, AlignRotation: RotationLeft, Latency: LatencyFixed, LatencyS: -0.5, MaxGapS: 3, LengthM: 1, ReachM: 2}
	if before := o; o.complete() != nil || o != before {
		t.Errorf("%+v became %+v", before, o)
	}
	pairs := []Pair{{Sim: spatial.IdentityPose(), Hw: spatial.IdentityPose()}}
	if _, err := align(pairs, "sim3", RotationNone); err == nil || !strings.Contains(err.Error(), `alignment "sim3", allowed: none, origin, se3`) {
		t.Errorf("an alignment that there is not: %v", err)
	}
	if _, err := align(pairs, AlignNone, "up"); err == nil || !strings.Contains(err.Error(), `alignment of rotations "up", allowed: none, left, right`) {
		t.Errorf("an alignment of rotations that there is not: %v", err)
	}
}
