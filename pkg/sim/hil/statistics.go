package hil

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Summary describes a set of errors, all ≥ 0, in their unit.
type Summary struct {
	RMSE   float64 // root mean square
	Mean   float64
	Median float64
	Std    float64 // standard deviation of the population
	P95    float64 // 95th percentile
	Max    float64
}

// summarize describes values. Without values, all numbers are NaN.
func summarize(values []float64) Summary {
	if len(values) == 0 {
		nan := math.NaN()
		return Summary{nan, nan, nan, nan, nan, nan}
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	mean, std := stat.PopMeanStdDev(values, nil)
	return Summary{RMSE: rms(values), Mean: mean, Median: quantile(sorted, 0.5), Std: std, P95: quantile(sorted, 0.95), Max: sorted[len(sorted)-1]}
}

// Scale returns s in a unit that is 1/factor of the present one.
func (s Summary) Scale(factor float64) Summary {
	return Summary{factor * s.RMSE, factor * s.Mean, factor * s.Median, factor * s.Std, factor * s.P95, factor * s.Max}
}

// rms returns the root mean square.
func rms(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(values)))
}

// quantile returns the q-quantile of ascending numbers, 0 ≤ q ≤ 1, interpolated
// linearly between them (type 7 of Hyndman and Fan, as numpy does). Without numbers
// it is NaN.
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
