package sim_test

import (
	"testing"

	"sinew/pkg/sim"
)

func TestGaugeWarns(t *testing.T) {
	g := sim.Gauge{Key: "gap", Unit: "m", Warn: 0.5, Hint: "too wide"}
	for value, want := range map[float64]string{
		0: "", 0.5: "", 0.75: "gap reached 0.75 m, above 0.5: too wide",
	} {
		if got := g.Warning(value); got != want {
			t.Errorf("%g: %q, want %q", value, got, want)
		}
	}
	if got := (&sim.Gauge{Key: "n", Warn: 1}).Warning(2); got != "n reached 2, above 1" {
		t.Errorf("without unit and hint: %q", got)
	}
	if got := (&sim.Gauge{Key: "n"}).Warning(2); got != "" {
		t.Errorf("a gauge that never warns says %q", got)
	}
}

// What a robot file accepts warns no more; other gauges do.
func TestAcceptedGauges(t *testing.T) {
	type name string
	gauges := []sim.Gauge{{Key: "a", Warn: 1, Accept: "alpha"}, {Key: "b", Warn: 1, Accept: "beta"}, {Key: "c", Warn: 1}}
	if got, want := gauges[0].Warning(2), "a reached 2, above 1 (accept: [alpha] if it is meant)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	sim.AcceptGauges(gauges, []name{"alpha", ""})
	for i, want := range []bool{false, true, true} {
		if got := gauges[i].Warning(2) != ""; got != want {
			t.Errorf("gauge %s warns %v, want %v", gauges[i].Key, got, want)
		}
	}
}
