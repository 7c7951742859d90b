package continuum_test

import (
	"math"
	"testing"
)

// The first gauges of every method are the kinetic energy, the elastic energy and the
// largest strain of the robot as it moves.
func TestEnergiesAreMeasured(t *testing.T) {
	for name, m := range testedMethods(t) {
		values := make([]float64, len(m.Gauges()))
		gauge := func(key string) float64 {
			for i := range values {
				values[i] = math.NaN() // Measure writes them all
			}
			m.Measure(values)
			for i, g := range m.Gauges() {
				if g.Key == key {
					return values[i]
				}
			}
			t.Fatalf("%s: no gauge %s", name, key)
			return 0
		}
		kinetic, elastic := m.Energy()
		if got := gauge("kinetic_energy"); got != kinetic || !(got > 0) {
			t.Errorf("%s: kinetic energy %g J, want %g", name, got, kinetic)
		}
		if got := gauge("elastic_energy"); got != elastic || !(got > 0) || got == kinetic {
			t.Errorf("%s: elastic energy %g J, want %g beside %g", name, got, elastic, kinetic)
		}
		if got := gauge("max_strain"); got != m.MaxStrain() || !(got > 0) {
			t.Errorf("%s: strain %g, want %g", name, got, m.MaxStrain())
		}
	}
}
