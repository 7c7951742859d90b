package identify

import (
	"math"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

// A standard error is given in percent of the value up to a hundred times the value;
// where there is no such number there is none.
func TestShareText(t *testing.T) {
	for _, c := range []struct {
		value, err float64
		want       string
	}{
		{200, 1, "0.5 %"}, {-200, 1, "0.5 %"}, {1, 0.5, "50 %"}, {1, 0, "0 %"}, {2, 200, "1e+04 %"}, {2, 201, ""},
		{0, 1, ""}, {0, 0, ""}, {1, math.NaN(), ""}, {1, math.Inf(1), ""},
	} {
		if got := shareText(&fit.Estimate{Value: c.value, StandardError: c.err}); got != c.want {
			t.Errorf("%g ± %g: %q, want %q", c.value, c.err, got, c.want)
		}
	}
}

// A value has the digits that its standard error leaves and one more, three at least
// and ten at most.
func TestSignificantDigits(t *testing.T) {
	for _, c := range []struct {
		value, err float64
		want       string
	}{
		{1234.56789, 1, "1234.6"}, {1234.56789, 9.9, "1234.6"}, {1234.56789, 10, "1235"}, {-1234.56789, 10, "-1235"},
		{1234.56789, 1e6, "1.23e+03"}, {0.00123456789, 1e-6, "0.0012346"}, {1.23456789012345, 1e-30, "1.23456789"},
		{1.23456789012345, 0, "1.23456789"}, {1.23456789012345, math.NaN(), "1.23456789"}, {1.23456789012345, math.Inf(1), "1.23456789"}, {0, 1, "0"},
	} {
		if got := significant(c.value, c.err); got != c.want {
			t.Errorf("%g ± %g: %s, want %s", c.value, c.err, got, c.want)
		}
	}
}
