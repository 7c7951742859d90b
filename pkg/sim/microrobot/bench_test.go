package microrobot

import (
	"fmt"
	"testing"
)

// benchmarks are robots of growing demands.
var benchmarks = []struct{ name, text string }{
	{"spheroid, rotating field, gradient, force", fmt.Sprintf(spheroid6DOF, "rkmk4")},
	{"the same, lie-euler", fmt.Sprintf(spheroid6DOF, "lie-euler")},
	{"the same, cg4", fmt.Sprintf(spheroid6DOF, "cg4")},
	{"helix with coupling", fmt.Sprintf(helix, 8.)},
	{"sphere near a wall", `{body: {shape: {sphere_m: 5e-5}, magnet: {}, position_m: [0, 0, 7e-5]}, walls: [{plane: {}}],
  field: {rotating: {axis: [0, 1, 0], amplitude_t: 0.0005, frequency_hz: 5}}}`},
	{"Brownian sphere", "{body: {shape: {sphere_m: 5e-6}}, fluid: {brownian: true}}"},
}

func BenchmarkStep(b *testing.B) {
	for _, k := range benchmarks {
		b.Run(k.name, func(b *testing.B) {
			m := newModel(b, k.text)
			start := make([]float64, m.StateLen())
			m.Save(start)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%1000 == 0 { // the robot must not drift into other conditions
					if err := m.Restore(start); err != nil {
						b.Fatal(err)
					}
				}
				if err := m.Step(1e-3); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(m.last.Substeps, "substeps")
		})
	}
}
