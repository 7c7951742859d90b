package microrobot_test

import (
	"fmt"
	"testing"

	"sinew/pkg/sim/microrobot"
)

// BenchmarkInertial is a step of a levitated magnet with drag, field, gradient and weight,
// by every method.
func BenchmarkInertial(b *testing.B) {
	for _, s := range inertialSolvers {
		b.Run(s.name[len("method: "):], func(b *testing.B) {
			m := microrobot.NewModel(b, fmt.Sprintf(`{dynamics: inertial, solver: {%s, step_s: 1e-3}, fluid: {viscosity_pa_s: 1.8e-5, density_kg_per_m3: 1.2},
				body: {shape: {sphere_m: 0.01}, mass_kg: 0.035, magnet: {moment_a_m2: [0, 0, 4.8]}},
				field: {uniform_t: [1e-4, 0, 5e-3], gradient_t_per_m: [-0.03575, 0, 0, -0.03575, 0]}}`, s.name))
			start := make([]float64, m.StateLen())
			m.Save(start)
			b.ReportAllocs()
			for i := range b.N {
				if i%100 == 0 { // no load holds it
					if err := m.Restore(start); err != nil {
						b.Fatal(err)
					}
				}
				if err := m.Step(1e-3); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
