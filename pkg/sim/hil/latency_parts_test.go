package hil_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/hil"
)

func TestChoosePeak(t *testing.T) {
	for _, c := range []struct {
		name      string
		c         []float64
		top       int
		ambiguous bool
	}{
		{"at the beginning", []float64{1, 0.5, 0.2, 0.1, 0}, 0, false},
		{"at the end", []float64{0, 0.5, 0.2, 0.1, 1}, 4, false},
		{"one", []float64{0, 0.5, 1, 0.5, 0}, 2, false},
		{"one as high, nearer to the middle", []float64{0, 1, 0.5, 0.99, 0.5, 0, 0}, 3, true},
		{"one as high, farther away", []float64{0, 0.99, 0.5, 1, 0.5, 0, 0}, 3, true},
		{"one lower", []float64{0, 1, 0.5, 0.97, 0.5, 0, 0}, 1, false},
		{"no valley", []float64{0, 1, 0.95, 0.99, 0.5, 0, 0}, 1, false},
		{"none", []float64{math.NaN(), math.NaN()}, -1, false},
	} {
		if top, ambiguous := hil.ChoosePeak(c.c); top != c.top || ambiguous != c.ambiguous {
			t.Errorf("%s: %d, %t; want %d, %t", c.name, top, ambiguous, c.top, c.ambiguous)
		}
	}
}

// Recordings that share one instant, or none, say nothing about a latency.
func TestLatencyNeedsCommonTime(t *testing.T) {
	for _, start := range []float64{2, 2.5} {
		sim, hw := sampled(motion, 0, 2, 100), sampled(motion, start, start+2, 100)
		if l, err := hil.EstimateLatency(&sim, &hw, hil.LatencyOptions{}); !errors.Is(err, hil.ErrNoMotion) {
			t.Errorf("a hardware that begins at %g s: %+v, %v; want ErrNoMotion", start, l, err)
		}
	}
}

// An extreme is complete where the sign changes, or where less than half is left.
func TestExtremesByHand(t *testing.T) {
	for _, c := range []struct {
		name     string
		z        []float64
		at, size []float64
	}{
		{"decay", []float64{-1, -0.5, 0.3, 0.6, 0.2, -0.4, -0.1}, []float64{0, 3, 5}, []float64{1, 0.6, 0.4}},
		{"two fifths left", []float64{-1, 0.5, 0.2}, []float64{0, 1}, []float64{1, 0.5}},
		{"half left", []float64{-1, 0.5, 0.25}, []float64{0}, []float64{1}},
		{"the first is the last", []float64{1, 0.1}, []float64{0}, []float64{1}},
		{"at its height", []float64{-1, 0.3, 0.5}, []float64{0}, []float64{1}},
		{"noise", []float64{0.05, -0.05, 0.05}, nil, nil},
	} {
		ts := make([]float64, len(c.z))
		for i := range ts {
			ts[i] = float64(i)
		}
		if at, size := hil.Extremes(ts, c.z, 0.05); !slices.Equal(at, c.at) || !slices.Equal(size, c.size) {
			t.Errorf("%s: %v at %v, want %v at %v", c.name, size, at, c.size, c.at)
		}
	}
}
