package continuum_test

import (
	"fmt"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// BenchmarkImplicitStep is the nitinol robot at 1 kHz: real time is 1e6 ns. The motion is the
// first two seconds, again and again: without damping it is chaotic after that, and robots
// whose elements differ would be compared in motions that differ.
func BenchmarkImplicitStep(b *testing.B) {
	for _, c := range []struct{ n, order int }{{10, 2}, {20, 2}, {30, 2}, {50, 2}, {100, 2}, {10, 4}, {20, 4}, {40, 4}} {
		b.Run(fmt.Sprintf("nitinol/n=%d/order=%d", c.n, c.order), func(b *testing.B) {
			f := wire(c.n, 0.0005, sideways, 0, 90, 180, 270)
			f.Rod.Order = c.order
			e := implicitOf(b, f)
			in := pulling(0, 0, 0, 0)
			steps, iterations := 0, 0
			for b.Loop() {
				if steps%2000 == 0 {
					e.Reset()
				}
				sweep(in, float64(steps%2000)*1e-3)
				if err := e.Step(1e-3, in); err != nil {
					b.Fatal(err)
				}
				steps++
				iterations += e.Stepper.Report().Iterations
			}
			b.ReportMetric(float64(iterations)/float64(steps), "iterations/step")
			b.ReportMetric(float64(e.Stepper.Counters().Divided), "unconverged")
			b.ReportAllocs()
		})
	}
}

// BenchmarkLongStep is steps of 12.5 ms of a thin light rod, from rest under tensions at once, again and again: elements of order 4 take as
// many iterations as those of order 2.
func BenchmarkLongStep(b *testing.B) {
	for _, order := range orders() {
		b.Run(fmt.Sprintf("order=%d", order), func(b *testing.B) {
			f := wire(10, 0.0005, sideways, 0, 90, 180, 270)
			f.Rod.Order = order
			f.Rod.Section = &robotfile.Section{Area: 7.85e-5, I1: 4.9e-14, I2: 4.9e-14, J: 9.8e-14}
			f.Rod.Density /= 100
			f.Rod.Damping.KelvinVoigt = 0.002
			e, in := implicitOf(b, f), pulling(2, 1, 0.5, 0.5)
			steps, iterations := 0, 0
			for b.Loop() {
				if steps%40 == 0 {
					e.Reset()
				}
				if err := e.Step(12.5e-3, in); err != nil {
					b.Fatal(err)
				}
				steps++
				iterations += e.Stepper.Report().Iterations
			}
			b.ReportMetric(float64(iterations)/float64(steps), "iterations/step")
		})
	}
}

// BenchmarkImplicitStatic is the equilibrium from straight: of the nitinol robot, with elements of order 2
// and with half as many of order 4, and of two segments with 20 disks and six tendons.
func BenchmarkImplicitStatic(b *testing.B) {
	ten := wire(10, 0.0005, sideways, 0, 90, 180, 270)
	ten.Rod.Order = 4
	for _, c := range []struct {
		name string
		file *robotfile.Continuum
		in   *inputs
	}{
		{"nitinol, 10 of order 4", ten, pulling(2, 1, 0.5, 0.5)},
		{"nitinol", wire(20, 0.0005, sideways, 0, 90, 180, 270), pulling(2, 1, 0.5, 0.5)},
		{"two segments", twoSegments(20), pulling(2, 0.5, 0, 0.5, 2, 0)},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := implicitOf(b, c.file)
			for b.Loop() {
				e.Reset()
				if err := e.Equilibrate(c.in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(e.Stepper.Report().Iterations), "iterations")
			b.ReportMetric(float64(e.Stepper.Report().Rejects), "rejects")
		})
	}
}

// BenchmarkMagneticStep is a rod without tendons, straight and then in a field that turns:
// without magnets, with one at its tip, and with one on every node beside a permanent magnet.
func BenchmarkMagneticStep(b *testing.B) {
	const rod = `{rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 2e7, shear_modulus_pa: 7e6, elements: 40, damping: {drag_per_s: 2, kelvin_voigt_s: 0.002}}, solver: {step_s: 0.001}`
	const turning = `field: {rotating: {axis: [1, 0, 0], amplitude_t: 0.005, frequency_hz: 2}`
	for _, c := range []struct{ name, magnets string }{
		{"none", "}"},
		{"tip", ", magnets: [{name: a, at_m: 0.1, moment_a_m2: [0, 0, 0.004]}], " + turning + "}}"},
		{"all nodes", ", magnets: [{name: a, from_m: 0, to_m: 0.1, magnetization_a_per_m: [0, 0, 1e4]}], " + turning + ", dipoles: [{position_m: [0.1, 0, 0.2], moment_a_m2: [0, 0, 20]}]}}"},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := newModel(b, parse(b, rod+c.magnets))
			for b.Loop() {
				if err := m.Step(1e-3); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
		})
	}
}
