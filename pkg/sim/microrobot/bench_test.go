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
			benchmarkSteps(b, m)
			b.ReportMetric(m.last.Substeps, "substeps")
		})
	}
}

// BenchmarkSwarm is how the time of a step grows with the number of robots: magnetic
// spheres in a rotating field, with and without interaction.
func BenchmarkSwarm(b *testing.B) {
	const text = `{body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [1e-11, 0, 0]}}, solver: {method: %s},
  field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.005, frequency_hz: 2}}, swarm: {count: %d, spacing_m: 3e-4, interaction: %s}}`
	for _, k := range []struct {
		interaction string
		counts      []int
	}{
		{"none", []int{1, 10, 100, 1000, 10_000}},
		{"full", []int{1, 10, 50, 100, 150, 200, 300, 400}},
	} {
		for _, method := range []string{"lie-euler", "rkmk4"} {
			for _, n := range k.counts {
				b.Run(fmt.Sprintf("%s/%s/%d", k.interaction, method, n), func(b *testing.B) {
					benchmarkSteps(b, newModel(b, fmt.Sprintf(text, method, n, k.interaction)))
					b.ReportMetric(1e-3/(b.Elapsed().Seconds()/float64(b.N)), "x-real-time")
				})
			}
		}
	}
}

// benchmarkSteps takes steps of 1 ms, from the start again after each second, so that
// the robots do not drift into other conditions.
func benchmarkSteps(b *testing.B, m *Model) {
	start := make([]float64, m.StateLen())
	m.Save(start)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%1000 == 0 {
			if err := m.Restore(start); err != nil {
				b.Fatal(err)
			}
		}
		if err := m.Step(1e-3); err != nil {
			b.Fatal(err)
		}
	}
}
