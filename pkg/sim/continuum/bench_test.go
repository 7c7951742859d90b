package continuum_test

import (
	"fmt"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// BenchmarkStep steps the silicone rod of TendonForces with four tendons of nine
// disks each.
func BenchmarkStep(b *testing.B) {
	for _, method := range []robotfile.RodMethod{robotfile.Reference, robotfile.Explicit} {
		for _, n := range []int{20, 100} {
			b.Run(fmt.Sprintf("%s/n=%d", method, n), func(b *testing.B) {
				f := readRun(b, "soft_n20").file()
				f.Rod.Elements = n
				f.Solver = robotfile.RodSolver{Method: method, Step: 1e-5}
				m := newModel(b, f)
				b.ReportAllocs()
				for b.Loop() {
					if err := m.Step(1e-5); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// What derivatives cost beside a step.
func BenchmarkDerivatives(b *testing.B) {
	for _, n := range []int{20, 100} {
		m, err := continuum.New(wire(n, 0.001, spatial.Vec{Z: -9.81}, 0, 90, 180, 270))
		if err != nil {
			b.Fatal(err)
		}
		m.Command(0, []float64{1, 0.2, 0, 0})
		for range 50 {
			if err := m.Step(1e-3); err != nil {
				b.Fatal(err)
			}
		}
		for name, do := range map[string]func() error{
			"Step":      func() error { return m.Step(1e-3) },
			"Jacobian":  func() error { _, err := m.Jacobian(); return err },
			"Tangent":   func() error { _, err := m.Tangent(); return err },
			"Linearise": func() error { _, err := m.Linearise(1e-3); return err },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for range b.N {
					if err := do(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
