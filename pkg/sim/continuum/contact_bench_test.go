package continuum_test

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// restingWire is clamped at a height over a table, on which the rest of it lies.
const restingWire = `
rod: {elements: 100, length_m: 0.4, radius_m: 0.00025, density_kg_per_m3: 6450, youngs_modulus_pa: 60.0e9, shear_modulus_pa: 23.0e9, damping: {kelvin_voigt_s: 0.002, drag_per_s: 50}}
base: {position_m: [0, 0, %g], direction: [1, 0, 0], normal: [0, 0, 1]}
%s
solver: {method: implicit, step_s: 0.001}`

const restingTable = `environment: {friction_coefficient: 0.3, shapes: [{name: table, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}`

// BenchmarkContacts tells what a contact with friction costs: by how much longer a step takes of a
// rod at rest of which more nodes lie on a table. The first rod has no table, and no weight. The
// least time of a step is what the machine does not disturb.
func BenchmarkContacts(b *testing.B) {
	few, fewest := 0, 0.0 // contacts of the first rod that has any, and its time
	for _, height := range []float64{math.Inf(1), 0.03, 0.01, 0.003, 0.001, 0.0003} {
		world := restingTable
		if math.IsInf(height, 1) {
			height, world = 0.03, "gravity_m_per_s2: [0, 0, 0]"
		}
		m := newModel(b, parse(b, fmt.Sprintf(restingWire, height, world)))
		for range 1500 { // to rest
			if err := m.Step(1e-3); err != nil {
				b.Fatal(err)
			}
		}
		contacts := 0
		if c := partsOf(m).Contact; c != nil {
			contacts = c.Summary().Count
		}
		b.Run(fmt.Sprintf("%d contacts", contacts), func(b *testing.B) {
			least, total, steps := math.Inf(1), 0, 0
			for b.Loop() {
				begin := time.Now()
				if err := m.Step(1e-3); err != nil {
					b.Fatal(err)
				}
				least = min(least, time.Since(begin).Seconds()*1e6)
				total, steps = total+m.Report().Iterations, steps+1
			}
			switch {
			case few == 0:
				few, fewest = contacts, least
			case contacts > few:
				b.ReportMetric((least-fewest)/float64(contacts-few), "µs/contact")
			}
			b.ReportMetric(least, "least-µs/step")
			b.ReportMetric(float64(total)/float64(steps), "iterations/step")
		})
	}
}

// BenchmarkFallInAVessel tells how many iterations a step takes in which a catheter falls onto a wall along its length, and slides
// there, at most and in the mean, and how many steps are taken in parts.
func BenchmarkFallInAVessel(b *testing.B) {
	m := inVessel(b, ownFolder, []byte(nitinolCatheter))
	start := save(m)
	steps := 0
	for b.Loop() {
		if steps%120 == 0 {
			if err := m.Restore(start); err != nil {
				b.Fatal(err)
			}
		}
		step(b, m, 1e-3, 1)
		steps++
	}
	b.ReportMetric(gaugeOf(m, "newton_iterations_mean"), "iterations/step")
	b.ReportMetric(gaugeOf(m, "newton_iterations_max"), "iterations-max/step")
	b.ReportMetric(float64(m.Report().Divided), "divided")
}
