package sim

import (
	"math"
	"testing"
)

// A strict port refuses what another one would clamp.
func TestStrictPortsRefuse(t *testing.T) {
	port := Port{Name: "field", Kind: Field, Direction: In, Min: []float64{-1, -1, -1}, Max: []float64{1, 1, 1}}
	for _, c := range []struct {
		name   string
		strict bool
		v      []float64
		want   CommandStatus
	}{
		{"clamped", false, []float64{0, 5, 0}, Clamped},
		{"refused above", true, []float64{0, 5, 0}, OutOfRange},
		{"refused below", true, []float64{0, -1.001, 0}, OutOfRange},
		{"on the bounds", true, []float64{1, -1, 0}, Accepted},
		{"keep", true, []float64{Keep, 1, Keep}, Accepted},
		{"not finite comes first", true, []float64{5, math.NaN(), 0}, NotFinite},
		{"infinite", true, []float64{0, 0, math.Inf(1)}, NotFinite},
	} {
		port.Strict = c.strict
		if got := NewLimits(&port).Check(c.v); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if OutOfRange.OK() || OutOfRange.Err() == nil {
		t.Error("out_of_range is no refusal")
	}
}
