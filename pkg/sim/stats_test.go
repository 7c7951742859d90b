package sim_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sinew/pkg/sim"
)

func TestHistogramQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() time.Duration{
		"log-normal": func() time.Duration { return time.Duration(70e3 * math.Exp(rng.NormFloat64())) },
		"uniform":    func() time.Duration { return time.Duration(rng.Int64N(1e6)) },
		"wide":       func() time.Duration { return time.Duration(math.Exp(rng.Float64() * math.Log(6e10))) },
		"constant":   func() time.Duration { return 12345 },
		"tiny":       func() time.Duration { return time.Duration(rng.Int64N(40)) },
	} {
		var h sim.Histogram
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
			if (got - want).Abs().Seconds() > sim.BinWidth*want.Seconds() {
				t.Errorf("%s: quantile %v = %v, want %v", name, q, got, want)
			}
		}
		if h.Max() != all[len(all)-1] || h.Count() != uint64(len(all)) {
			t.Errorf("%s: max %v, count %d", name, h.Max(), h.Count())
		}
	}
}

func TestHistogramEdges(t *testing.T) {
	var h sim.Histogram
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
		if i, j := sim.Bin(d), sim.Bin(d+1); j < i || j > i+1 {
			t.Fatalf("bins of %d and %d ns: %d, %d", d, d+1, i, j)
		}
	}
}
