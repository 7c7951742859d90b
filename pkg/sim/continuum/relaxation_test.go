package continuum_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Robots whose elements relax first, each by itself, come to the equilibria of those that begin with Newton's method, and as many
// of them come to one.
func TestRelaxationComesToTheSameEquilibria(t *testing.T) {
	t.Parallel()
	robots, found, both, other := testsize.Of[uint64](10, 50, 200), [2]int{}, 0, 0
	for seed := range robots {
		f, in := randomRobot(rand.New(rand.NewPCG(seed, 41)))
		for k := range in.Setpoints {
			in.Setpoints[k].Mode = force.TensionControl
		}
		var tip [2]spatial.Vec
		for k := range tip {
			e := implicitOf(t, f)
			if k == 1 { // what is not free of stress begins with Newton's method
				e.System.State.Strain[0].Angular.Z += 1e-12
			}
			if e.Equilibrate(in) != nil {
				continue
			}
			found[k]++
			tip[k] = tipPose(e.Model).P
		}
		if tip[0] == (spatial.Vec{}) || tip[1] == (spatial.Vec{}) {
			continue
		}
		both++
		if d := tip[0].Sub(tip[1]).Norm(); d > 1e-8 {
			other++
			t.Logf("robot %d: another equilibrium, %.3g m away", seed, d)
		}
	}
	t.Logf("%v equilibria found, %d of %d others", found, other, both)
	if found[0] < found[1] || other > both/100 {
		t.Errorf("%v equilibria found, %d of %d others; want as many, and none in a hundred", found, other, both)
	}
}

// BenchmarkEquilibriumFromStraight tells how many tangents and chords the search of the nitinol robot under four tendons takes, whose
// straight shape has two directions in which it buckles: one that begins with relaxation of its elements, and one that does not.
func BenchmarkEquilibriumFromStraight(b *testing.B) {
	for _, order := range orders() {
		for name, strain := range map[string]float64{"relaxation": 0, "Newton": 1e-12} {
			b.Run(fmt.Sprintf("order %d, %s", order, name), func(b *testing.B) {
				f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
				f.Rod.Order = order
				tangents, chords := 0, 0
				for b.Loop() {
					e := implicitOf(b, f)
					e.System.State.Strain[0].Angular.Z += strain
					equilibrate(b, e, pulling(2, 1, 0.5, 0.5))
					r := e.Report()
					tangents, chords = r.Iterations-r.Chords, r.Chords
				}
				b.ReportMetric(float64(tangents), "tangents")
				b.ReportMetric(float64(chords), "chords")
			})
		}
	}
}

// A search from straight that the first strategy ends allocates nothing.
func TestSearchesDoNotAllocate(t *testing.T) {
	e, in := implicitOf(t, wire(20, 0.0005, sideways, 0, 90, 180, 270)), pulling(2, 1, 0.5, 0.5)
	if n := testing.AllocsPerRun(10, func() {
		e.Reset()
		if err := e.Equilibrate(in); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%g allocations a search, want none", n)
	}
}
