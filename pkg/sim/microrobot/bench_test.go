package microrobot_test

import (
	"fmt"
	"testing"

	"sinew/pkg/sim/microrobot"
)

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
					microrobot.Steps(b, microrobot.NewModel(b, fmt.Sprintf(text, method, n, k.interaction)))
					b.ReportMetric(1e-3/(b.Elapsed().Seconds()/float64(b.N)), "x-real-time")
				})
			}
		}
	}
}
