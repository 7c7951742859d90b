package microrobot

import (
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Loads beyond all measure give velocities that overflow before the step fails: values and
// gauges stay finite.
func TestValuesStayFinite(t *testing.T) {
	for _, text := range []string{
		`{body: {shape: {sphere_m: 1e-6}, load: {force_n: [1e305, 0, 0]}}}`,
		`{body: {shape: {sphere_m: 1e-6}, load: {force_n: [1e305, 0, 0]}}, walls: [{plane: {normal: [-1, 0, 0], point_m: [1, 0, 0]}}]}`,
	} {
		m := newModel(t, text)
		if v, _ := m.engine.Velocity(); spatial.IsFinite(v.Norm()) {
			t.Fatalf("%v does not overflow", v)
		}
		for i, p := range m.Ports() {
			v := make([]float64, p.Width())
			if p.Direction == sim.Out {
				if m.Value(i, v); !spatial.AllFinite(v) {
					t.Errorf("%s: %v", p.Name, v)
				}
			}
		}
		g := make([]float64, len(m.Gauges()))
		m.Measure(g)
		if !spatial.AllFinite(g) {
			t.Errorf("gauges %v", g)
		}
		if v := gauge(t, m, "reynolds_number"); v != math.MaxFloat64 {
			t.Errorf("Reynolds number %g", v)
		}
		if err := m.Step(1e-3); err == nil {
			t.Error("no error")
		}
	}
}
