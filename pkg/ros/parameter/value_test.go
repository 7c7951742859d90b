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

// Text that was meant as numbers is refused with what to write.
func TestHints(t *testing.T) {
	for _, c := range []struct {
		text string
		like any
		want string
	}{
		{"1e-3", 1.0, "; write 0.001"},
		{"1e2", 1.0, "; write 100.0"},
		{"1e2", int64(1), "; write 100"},
		{"1e-2", int64(1), ""},
		{"fast", 1.0, ""},
		{"1e999", 1.0, ""},
		{"nan", 1.0, ""},
		{"[0, 0.5, -1]", []float64{}, "; write [0.0, 0.5, -1.0]"},
		{"[0, x]", []float64{}, ""},
		{"0, 1", []float64{}, ""},
		{"[]", []float64{}, ""},
		{"1e2", "text", ""},
		{"[" + strings.Repeat("1,", 200) + "1]", []float64{}, ""},
	} {
		if got := parameter.Hint(c.text, c.like); got != c.want {
			t.Errorf("%.20s for %T: %q, want %q", c.text, c.like, got, c.want)
		}
	}
}
