package sim_test

import (
	"math"
	"testing"

	"sinew/pkg/sim"
)

// A strict port refuses what another one would clamp.
func TestStrictPortsRefuse(t *testing.T) {
	port := sim.Port{Name: "field", Kind: sim.Field, Direction: sim.In, Min: []float64{-1, -1, -1}, Max: []float64{1, 1, 1}}
	for _, c := range []struct {
		name   string
		strict bool
		v      []float64
		want   sim.CommandStatus
	}{
		{"clamped", false, []float64{0, 5, 0}, sim.Clamped},
		{"refused above", true, []float64{0, 5, 0}, sim.OutOfRange},
		{"refused below", true, []float64{0, -1.001, 0}, sim.OutOfRange},
		{"on the bounds", true, []float64{1, -1, 0}, sim.Accepted},
		{"keep", true, []float64{sim.Keep, 1, sim.Keep}, sim.Accepted},
		{"not finite comes first", true, []float64{5, math.NaN(), 0}, sim.NotFinite},
		{"infinite", true, []float64{0, 0, math.Inf(1)}, sim.NotFinite},
	} {
		port.Strict = c.strict
		if got := sim.NewLimits(&port).Check(c.v); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if sim.OutOfRange.OK() || sim.OutOfRange.Err() == nil {
		t.Error("out_of_range is no refusal")
	}
}

// Beyond what is plausible a command is refused, between that and the bounds it is clamped, whatever the
// order of the values.
func TestImplausibleValuesAreRefused(t *testing.T) {
	port := sim.Port{
		Name: "coil_currents", Kind: sim.Currents, Direction: sim.In, Labels: []string{"a", "b"},
		Min: []float64{-20, -20}, Max: []float64{20, 20}, Plausible: []float64{500, 10},
	}
	for _, c := range []struct {
		v    []float64
		want sim.CommandStatus
	}{
		{[]float64{20, 10}, sim.Accepted},
		{[]float64{500, 0}, sim.Clamped},
		{[]float64{-501, 0}, sim.OutOfRange},
		{[]float64{0, 11}, sim.OutOfRange},
		{[]float64{501, sim.Keep}, sim.OutOfRange},
		{[]float64{501, 9}, sim.OutOfRange},
		{[]float64{30, 11}, sim.OutOfRange},
		{[]float64{501, math.NaN()}, sim.NotFinite},
	} {
		if got := sim.NewLimits(&port).Check(c.v); got != c.want {
			t.Errorf("%v: %v, want %v", c.v, got, c.want)
		}
	}
}
