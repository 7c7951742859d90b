package main

import (
	"slices"
	"time"
)

// Spread describes a set of measured numbers.
type Spread struct {
	Count int     `json:"count"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p99.9"`
	Max   float64 `json:"max"`
}

// spread sorts x.
func spread(x []float64) Spread {
	if len(x) == 0 {
		return Spread{}
	}
	slices.Sort(x)
	return Spread{len(x), quantile(x, 0.5), quantile(x, 0.9), quantile(x, 0.99), quantile(x, 0.999), x[len(x)-1]}
}

// quantile returns the q-quantile of sorted numbers, by the nearest rank.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func median(x []float64) float64 { return spread(slices.Clone(x)).P50 }

// slope returns the slope of the straight line fitted to y over t by least squares,
// in units of y per minute.
func slope(t []time.Time, y []float64) float64 {
	if len(t) < 2 {
		return 0
	}
	var mt, my float64
	minutes := func(i int) float64 { return t[i].Sub(t[0]).Minutes() }
	for i := range y {
		mt += minutes(i) / float64(len(y))
		my += y[i] / float64(len(y))
	}
	var over, under float64
	for i := range y {
		over += (minutes(i) - mt) * (y[i] - my)
		under += (minutes(i) - mt) * (minutes(i) - mt)
	}
	if under == 0 {
		return 0
	}
	return over / under
}

// series are the numbers of one key of what the process held.
func series(s []second, key string, scale float64) []float64 {
	y := make([]float64, len(s))
	for i, x := range s {
		y[i] = scale * x.held[key]
	}
	return y
}

// times are those of seconds.
func times(s []second) []time.Time {
	t := make([]time.Time, len(s))
	for i, x := range s {
		t[i] = x.usage.at
	}
	return t
}
