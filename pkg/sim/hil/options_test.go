package hil_test

import (
	"errors"
	"math"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// One whole cycle, from one upward passage of the middle to the next, is a loop; less is
// none.
func TestSmallestLoop(t *testing.T) {
	circle := func(turns float64) (pairs []hil.Pair, x, y []float64) {
		for k := range int(200*turns) + 1 {
			now := float64(k) * 0.01
			a := 2*math.Pi*now/2 - 0.6*math.Pi // begins below the middle
			pairs, x, y = append(pairs, hil.Pair{T: now}), append(x, 3*math.Sin(a)), append(y, 2*math.Cos(a))
		}
		return pairs, x, y
	}
	for _, c := range []struct {
		turns  float64
		cycles int
	}{{1.1, 0}, {1.75, 1}, {2.1, 1}, {2.75, 2}} {
		l, ok := hil.LoopInTest(circle(c.turns))
		if ok != (c.cycles > 0) || l.Cycles != c.cycles || ok && math.Abs(l.Area-6*math.Pi) > 0.05 {
			t.Errorf("%g turns: %t, %d cycles of %g; want %d of %g", c.turns, ok, l.Cycles, l.Area, c.cycles, 6*math.Pi)
		}
	}
	// a slow rise before a quick fall is no part of the cycles after it
	var pairs []hil.Pair
	var x, y []float64
	add := func(vx, vy float64) {
		pairs, x, y = append(pairs, hil.Pair{T: 0.01 * float64(len(x))}), append(x, vx), append(y, vy)
	}
	for k := range 200 {
		add(-3+0.03*float64(k), 0)
	}
	for range 50 {
		add(3, 0)
	}
	for k := range 521 {
		a := math.Pi*0.01*float64(k) - math.Pi/2
		add(3*math.Sin(a), 2*math.Cos(a))
	}
	if l, ok := hil.LoopInTest(pairs, x, y); !ok || l.Cycles != 2 || math.Abs(l.Area-6*math.Pi) > 0.05 {
		t.Errorf("after a step: %t, %d cycles of %g; want 2 of %g", ok, l.Cycles, l.Area, 6*math.Pi)
	}
}

// Three samples tell no latency.
func TestFewSamplesForALatency(t *testing.T) {
	sim := sampled(motion, 0, 12, 100)
	four := sampled(motion, 2, 8, 0.5)
	three := trajectory.Poses{T: four.T[:3], Pose: four.Pose[:3]}
	if _, err := hil.EstimateLatency(&sim, &three, hil.LatencyOptions{}); !errors.Is(err, hil.ErrNoMotion) {
		t.Errorf("three samples of the hardware: %v", err)
	}
	if _, err := hil.EstimateLatency(&three, &sim, hil.LatencyOptions{}); !errors.Is(err, hil.ErrNoMotion) {
		t.Errorf("three samples of the simulation: %v", err)
	}
	for _, o := range []hil.LatencyOptions{{MaxS: -1}, {MaxS: math.Inf(1)}, {MaxS: math.NaN()}, {Resamples: -1}} {
		if _, err := hil.EstimateLatency(&sim, &sim, o); err == nil || errors.Is(err, hil.ErrNoMotion) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// Only tendons that move, and that the tip follows, have a loop.
func TestLoopsOfTendonsThatTheTipFollows(t *testing.T) {
	r := &hil.Result{}
	a := &trajectory.Actuation{Names: []string{"a", "still", "other"}}
	for k := range 801 {
		now := 0.01 * float64(k)
		pull := 5e-3 * (1 - math.Cos(math.Pi*now))
		a.T = append(a.T, now)
		a.Pull = append(a.Pull, []float64{pull, 1e-3, 5e-3 * (1 - math.Cos(math.Sqrt2*math.Pi*now+1))})
		p := spatial.Pose{P: spatial.Vec{X: 0.2, Y: 4 * pull}}
		r.Pairs = append(r.Pairs, hil.Pair{T: now, Sim: p, Hw: p})
	}
	got := hil.Loops(a, a, r)
	if len(got) != 1 || got[0].Tendon != "a" || got[0].Quantity != hil.Pull || got[0].Sim.Cycles != 3 || !(got[0].Sim.Area < 1e-9) {
		t.Errorf("%+v, want the loop of a alone", got)
	}
	if got := hil.Loops(a, &trajectory.Actuation{Names: []string{"a"}}, r); len(got) != 0 {
		t.Errorf("a hardware that tells no pulls: %+v", got)
	}
}

// A response is measured from where it begins, wherever that is and in whichever
// direction it goes; noise is none.
func TestTransientFromAnywhere(t *testing.T) {
	ramp := func(from, to float64) (ts, y []float64) {
		for k := range 101 {
			ts = append(ts, 0.01*float64(k))
			y = append(y, from+(to-from)*min(1, float64(k)/20))
		}
		return ts, y
	}
	for _, c := range [][2]float64{{0, 1}, {5, 7}, {5, 3}, {-5, -7}, {-2, 2}, {3, -3}} {
		if got := hil.TransientInTest(ramp(c[0], c[1])); !(math.Abs(got.RiseS-0.16) < 1e-9) || !(got.Overshoot < 1e-12) || !math.IsNaN(got.FrequencyHz) {
			t.Errorf("from %g to %g: %+v, want a rise of 0.16 s", c[0], c[1], got)
		}
	}
	ts, y := ramp(2, 3)
	y[30] = 3.25
	if got := hil.TransientInTest(ts, y); !(math.Abs(got.Overshoot-0.25) < 1e-12) {
		t.Errorf("%+v, want an overshoot of a quarter", got)
	}
	for i := range y {
		y[i] = 2 + 0.01*float64(i%2)
	}
	if got := hil.TransientInTest(ts, y); !math.IsNaN(got.RiseS) || !math.IsNaN(got.Overshoot) {
		t.Errorf("noise: %+v", got)
	}
	flat, same := ramp(4, 4)
	if got := hil.TransientInTest(flat, same); !math.IsNaN(got.RiseS) {
		t.Errorf("nothing: %+v", got)
	}
}
