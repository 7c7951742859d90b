package identify_test

import (
	"math"
	"strings"
	"testing"

	command "sinew/cmd/internal/identify"
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
		if got := command.ShareText(&fit.Estimate{Value: c.value, StandardError: c.err}); got != c.want {
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
		if got := command.Significant(c.value, c.err); got != c.want {
			t.Errorf("%g ± %g: %s, want %s", c.value, c.err, got, c.want)
		}
	}
}

// What is searched in the logarithm is compared with its prior there: a tenth and ten times are as far.
func TestStandingBesidePrior(t *testing.T) {
	for _, c := range []struct {
		log               bool
		value, err, start float64
		want              string
	}{
		{true, 0.3, 0.01, 3, "x is 4.6 standard deviations from its prior"},
		{true, 12, 1, 12, ""}, // 2.8
		{true, 0.9, 0.43, 1, "x is what its prior says"},
		{false, 0.9, 0.43, 1, ""},
		{false, 12, 1, 12, "x is 6 standard deviations from its prior"},
		{false, 3, 1.4, 3, "x is what its prior says"},
	} {
		e := fit.Estimate{Parameter: fit.Parameter{Name: "x", Log: c.log, Start: c.start, Prior: &fit.Prior{Mean: 3, Sigma: 1.5}}, Value: c.value, StandardError: c.err, Identifiability: fit.Identified}
		if got := command.StandingText(&e); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
