package hil

import "math"

// quantile returns the q-quantile of ascending numbers, 0 ≤ q ≤ 1, interpolated
// linearly between them (type 7 of Hyndman and Fan, as numpy does); NaN of none.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	h := q * float64(len(sorted)-1)
	i := int(h)
	if i >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}
