package continuum

import (
	"fmt"
	"testing"

	"sinew/pkg/sim/robotfile"
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
