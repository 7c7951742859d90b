package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// binWidth is the relative half width of a bin, 1/64, and room for rounding.
const binWidth = 1.0/64 + 1e-6

func TestHistogramQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() time.Duration{
		"log-normal": func() time.Duration { return time.Duration(70e3 * math.Exp(rng.NormFloat64())) },
		"uniform":    func() time.Duration { return time.Duration(rng.Int64N(1e6)) },
		"wide":       func() time.Duration { return time.Duration(math.Exp(rng.Float64() * math.Log(6e10))) },
		"constant":   func() time.Duration { return 12345 },
		"tiny":       func() time.Duration { return time.Duration(rng.Int64N(40)) },
	} {
		var h Histogram
		var all []time.Duration
		for range 10_007 {
			d := draw()
			h.Add(d)
			all = append(all, d)
		}
		slices.Sort(all)
		for _, q := range []float64{0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1} {
			want := all[max(0, int(math.Ceil(q*float64(len(all))))-1)]
			got := h.Quantile(q)
			if (got - want).Abs().Seconds() > binWidth*want.Seconds() {
				t.Errorf("%s: quantile %v = %v, want %v", name, q, got, want)
			}
		}
		if h.Max() != all[len(all)-1] || h.Count() != uint64(len(all)) {
			t.Errorf("%s: max %v, count %d", name, h.Max(), h.Count())
		}
	}
}

func TestHistogramEdges(t *testing.T) {
	var h Histogram
	if h.Quantile(0.5) != 0 || h.Max() != 0 {
		t.Error("an empty histogram has a quantile")
	}
	h.Add(-5)
	h.Add(math.MaxInt64)
	if h.Quantile(0) != 0 || h.Max() != math.MaxInt64 || h.Quantile(1) < time.Minute {
		t.Errorf("from %v to %v", h.Quantile(0), h.Quantile(1))
	}
	h.Reset()
	if h.Count() != 0 || h.Quantile(1) != 0 {
		t.Error("not empty after Reset")
	}
	for d := time.Duration(1); d < 1<<40; d += d/7 + 1 {
		if i, j := bin(d), bin(d+1); j < i || j > i+1 {
			t.Fatalf("bins of %d and %d ns: %d, %d", d, d+1, i, j)
		}
	}
}

// Rates and quantiles forget what is older than a second.
func TestStatsWindow(t *testing.T) {
	s, m, c := newFake(t, fakeOptions())
	m.cost = func(step float64) time.Duration {
		if step < 4*fakeHz {
			return 100 * time.Microsecond
		}
		return 50 * time.Microsecond
	}
	c.late = func(int) time.Duration { return 70 * time.Microsecond }
	if st := s.Stats(); st.Rate != 0 || st.StepP50 != 0 {
		t.Errorf("before the start: %+v", st)
	}
	pacer := NewPacer(c, fakeHz)
	s.meter.since = c.now
	run := func(n int) Stats {
		for range n {
			s.meter.tick(pacer.Wait())
			s.loop.period(1)
		}
		return s.Stats()
	}
	near := func(got, want float64) bool { return math.Abs(got-want) <= binWidth*want }
	first := run(fakeHz)
	if !near(first.StepP50, 100e-6) || !near(first.StepP99, 100e-6) || first.StepMax != 100e-6 {
		t.Errorf("step time %v, %v, %v", first.StepP50, first.StepP99, first.StepMax)
	}
	if !near(first.LatenessP50, 70e-6) || !near(first.LatenessP99, 70e-6) || first.LatenessMax != 70e-6 {
		t.Errorf("lateness %v, %v, %v", first.LatenessP50, first.LatenessP99, first.LatenessMax)
	}
	if half := run(fakeHz / 2); half.StepMax != first.StepMax {
		t.Error("half a second is not a new window")
	}
	if last := run(fakeHz); last.StepMax != 50e-6 || !near(last.Rate, fakeHz) || !near(last.RealTimeFactor, 1) {
		t.Errorf("%+v", last)
	}
	ask(t, s, "pause")
	run(2 * fakeHz)
	if paused := s.Stats(); paused.RealTimeFactor != 0 || paused.Rate != 0 || paused.State != Paused {
		t.Errorf("paused: %+v", paused)
	}
}

// The lateness of the whole run keeps what the last second has forgotten.
func TestLatenessOfTheRun(t *testing.T) {
	s, _, c := newFake(t, fakeOptions())
	c.late = func(n int) time.Duration {
		switch {
		case n == 3:
			return 2 * time.Millisecond
		case n < 2*fakeHz:
			return 20 * time.Microsecond
		}
		return 10 * time.Microsecond
	}
	pacer := NewPacer(c, fakeHz)
	s.meter.since = c.now
	for range int(3*fakeHz) + 2 {
		s.meter.tick(pacer.Wait())
		s.loop.period(1)
	}
	st := s.Stats()
	near := func(got, want float64) bool { return math.Abs(got-want) <= binWidth*want }
	if st.LatenessMax > 50e-6 || st.Run.Max != 2e-3 || !near(st.Run.P999, 2e-3) || !near(st.Run.P99, 20e-6) || !near(st.Run.P50, 20e-6) {
		t.Errorf("last second %v, run %+v", st.LatenessMax, st.Run)
	}
}
