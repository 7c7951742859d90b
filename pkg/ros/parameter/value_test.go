package parameter_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/ros/parameter"
)

// Ranges of whole numbers fit the sliders of rqt_reconfigure, or are in words.
func TestIntegerRanges(t *testing.T) {
	for _, c := range []struct {
		min, max float64
		ranged   bool
	}{{0, 5, true}, {math.MinInt32, math.MaxInt32, true}, {0, math.MaxInt32 + 1, false}, {math.MinInt32 - 1, 0, false}, {0, 1 << 53, false}, {1, math.Inf(1), false}} {
		d := parameter.Descriptor(&parameter.Parameter{Name: "n", Value: int64(1), Bounded: true, Min: c.min, Max: c.max, Constraints: "as told"})
		if len(d.IntegerRange) != 0 != c.ranged || d.AdditionalConstraints != "as told" {
			t.Errorf("%g to %g: %+v", c.min, c.max, d)
		}
		if c.ranged && (float64(d.IntegerRange[0].FromValue) != c.min || float64(d.IntegerRange[0].ToValue) != c.max) {
			t.Errorf("%g to %g: %+v", c.min, c.max, d.IntegerRange)
		}
	}
}

// Text that is a number, as Python writes it or a person types it, is that number: ros2 param load
// sends every number so that YAML 1.1 does not take for one.
func TestNumbersInText(t *testing.T) {
	for _, c := range []struct {
		from any
		like any
		want any // nil: no number
	}{
		{"1e-06", 1.0, 1e-6},
		{"1e2", 1.0, 100.0},
		{"1.5E+3", 1.0, 1500.0},
		{" -.5 ", 1.0, -0.5},
		{"inf", 1.0, math.Inf(1)},
		{"-.inf", 1.0, math.Inf(-1)},
		{"nan", 1.0, math.NaN()},
		{"1e2", int64(1), int64(100)},
		{"1e-2", int64(1), nil},
		{"inf", int64(1), nil},
		{"1e16", int64(1), nil}, // not every integer up there is a number in floating point
		{"fast", 1.0, nil},
		{"1e999", 1.0, nil},
		{"0x1p-2", 1.0, nil},
		{"1_000", 1.0, nil},
		{"infinity", 1.0, nil},
		{"", 1.0, nil},
		{"[0, 0.5, -1e-06]", []float64{}, []float64{0, 0.5, -1e-6}},
		{[]string{"1e-06", "inf"}, []float64{}, []float64{1e-6, math.Inf(1)}},
		{[]any{"1e-06", int64(0), 0.5}, []float64{}, []float64{1e-6, 0, 0.5}},
		{"[]", []float64{}, []float64{}},
		{"[0, x]", []float64{}, nil},
		{"[0, [1]]", []float64{}, nil},
		{"0, 1", []float64{}, nil},
		{"[" + strings.Repeat("1,", 1<<15) + "1]", []float64{}, nil},
		{[]bool{true}, []float64{}, nil},
		{1.0, int64(1), nil},
		{"true", true, nil},
		{"[a]", []string{}, nil},
	} {
		got, ok := parameter.Convert(c.from, c.like)
		if ok != (c.want != nil) || ok && !parameter.Same(got, c.want) {
			t.Errorf("%.30v for %T: %v, %v, want %v", c.from, c.like, got, ok, c.want)
		}
	}
}
