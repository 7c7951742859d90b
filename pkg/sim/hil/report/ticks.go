package report

import (
	"math"
	"strconv"
)

// scale maps values onto pixels.
type scale struct {
	low, high float64 // values
	from, to  float64 // pixels
}

func (s scale) at(v float64) float64 {
	return s.from + (v-s.low)/(s.high-s.low)*(s.to-s.from)
}

// ticks returns round values within the scale, about n of them, and the number of
// decimals to print them with.
func (s scale) ticks(n int) (values []float64, decimals int) {
	step := niceStep((s.high - s.low) / float64(n))
	decimals = max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	for k := math.Ceil(s.low/step - 1e-9); k*step <= s.high+1e-9*step; k++ {
		values = append(values, k*step+0) // + 0 makes −0 positive
	}
	return values, decimals
}

// niceStep returns 1, 2 or 5 times a power of ten, about x.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	switch f := x / power; {
	case f < 1.5:
		return power
	case f < 3.5:
		return 2 * power
	case f < 7.5:
		return 5 * power
	}
	return 10 * power
}

// covering returns a range that holds all values with a margin; includeZero makes 0
// its lower end when all are positive.
func covering(includeZero bool, series ...[]float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range series {
		for _, v := range s {
			if !math.IsNaN(v) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	if includeZero {
		low = math.Min(low, 0)
	}
	if !(high >= low) {
		return 0, 1
	}
	if high-low < 1e-9*math.Max(1e-3, math.Abs(high)) {
		high, low = high+0.5*math.Max(1e-3, math.Abs(high)), low-0.5*math.Max(1e-3, math.Abs(low))
	}
	const margin = 0.06
	d := margin * (high - low)
	if includeZero && low == 0 {
		return 0, high + d
	}
	return low - d, high + d
}

// pixel prints a coordinate with a tenth of a pixel.
func pixel(v float64) string { return strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64) }

// fixed prints a value with decimals, with a true minus sign.
func fixed(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if len(s) > 1 && s[0] == '-' {
		return "−" + s[1:]
	}
	return s
}
