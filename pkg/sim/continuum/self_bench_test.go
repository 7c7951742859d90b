package continuum_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sinew/pkg/sim/continuum/continuumtest"
)

// BenchmarkSelfContact lets a coil sink onto itself and spread there, again and again, with and without
// contact: real time is 1000 µs/step.
func BenchmarkSelfContact(b *testing.B) {
	for _, elements := range []int{20, 40, 100} {
		for _, contact := range []bool{false, true} {
			b.Run(fmt.Sprintf("n=%d contact=%v", elements, contact), func(b *testing.B) {
				const period = 2000 // steps
				m, err := modelOf(coilText(2, elements, contact))
				if err != nil {
					b.Fatal(err)
				}
				e := continuumtest.Of(b, m)
				start := make([]float64, m.StateLen())
				m.Save(start)
				times := make([]float64, 0, b.N)
				touching, iterations := 0, 0
				b.ReportAllocs()
				b.ResetTimer()
				for i := range b.N {
					if i%period == 0 {
						if err := m.Restore(start); err != nil {
							b.Fatal(err)
						}
					}
					begin := time.Now()
					if err := m.Step(1e-3); err != nil {
						b.Fatal(err)
					}
					times = append(times, time.Since(begin).Seconds()*1e6)
					if iterations += e.Stepper.Report().Iterations; contact {
						touching += e.Contact.Summary().Count / 2
					}
				}
				slices.Sort(times)
				b.ReportMetric(times[len(times)/2], "p50-µs")
				b.ReportMetric(times[len(times)*99/100], "p99-µs")
				b.ReportMetric(float64(touching)/float64(b.N), "couples/step")
				b.ReportMetric(float64(iterations)/float64(b.N), "iterations/step")
				b.ReportMetric(float64(e.Stepper.Counters().Divided), "divided")
			})
		}
	}
}
