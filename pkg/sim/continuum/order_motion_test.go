package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Motions converge in order 4 with the elements: halving them divides what is left to
// the limit by 16, at a step that all meshes share.
func TestFourthOrderOfMotions(t *testing.T) {
	const steps, dt = 60, 1e-3
	const stretchError = 1e-7 // of the length: what is left of order 2 where thrust stretches a rod
	released := pulling()
	released.Tip.Force = spatial.Vec{X: 1, Y: 0.7}
	for _, c := range []struct {
		name   string
		file   func(n int) *robotfile.Continuum
		before *inputs // in whose equilibrium it starts; nil: straight
		in     *inputs
		fourth float64 // error at 20 elements at most, of the length
	}{
		{"release", func(n int) *robotfile.Continuum { return wire(n, 0, spatial.Vec{}) }, released, pulling(), 4e-6},
		{"step of a tendon", func(n int) *robotfile.Continuum { return wire(n, 0.0005, sideways, 0, 90) }, nil, pulling(1, 0.5), 2e-6},
		{"step of a tendon on a soft arm", softArm, nil, pulling(2, 1), 5e-7},
	} {
		tips := func(n, order int) (all []spatial.Vec) {
			f := c.file(n)
			f.Rod.Order = order
			f.Rod.Damping.KelvinVoigt = 1e-3
			e := implicitOf(t, f)
			converged(e)
			if c.before != nil {
				equilibrate(t, e, c.before)
			}
			for range steps {
				if err := e.Step(dt, c.in); err != nil {
					t.Fatal(err)
				}
				all = append(all, tipAt(e))
			}
			return all
		}
		limit := tips(80, 4)
		miss := func(n, order int) float64 {
			sum := 0.0
			for i, p := range tips(n, order) {
				sum += p.Sub(limit[i]).Norm2()
			}
			return math.Sqrt(sum/steps) / c.file(n).Rod.Length
		}
		e20, e40, second := miss(20, 4), miss(40, 4), miss(40, 2)
		order := math.Log2(e20 / e40)
		t.Logf("%s: rms %.3g and %.3g L with 20 and 40 elements, order %.2f; %.3g L with 40 of order 2", c.name, e20, e40, order, second)
		if !(order > 3.6 || e40 < stretchError) || !(e20 <= c.fourth) || !(second > 3*e20) {
			t.Errorf("%s: rms %.3g and %.3g L with 20 and 40 elements, order %.2f, with 40 of order 2 %.3g L; want at most %g, order 4, a third of that of order 2",
				c.name, e20, e40, order, second, c.fourth)
		}
	}
}

// An undamped robot that is let go gains no energy with elements of either order: the most
// that it has in a tenth of a second, it does not have in the next.
func TestReleasedRobotsGainNoEnergy(t *testing.T) {
	for _, order := range orders() {
		f := wire(20, 0.0005, spatial.Vec{}, 0, 90)
		f.Rod.Order = order
		e := implicitOf(t, f)
		equilibrate(t, e, pulling(2, 1))
		kinetic, elastic := e.Energy()
		start := kinetic + elastic
		before, in := start, pulling(0, 0)
		for tenth := range 10 {
			most := 0.0
			for range 100 {
				if err := e.Step(1e-3, in); err != nil {
					t.Fatal(err)
				}
				kinetic, elastic = e.Energy()
				most = max(most, kinetic+elastic)
			}
			if !(most < before) {
				t.Errorf("order %d: up to %.12g J in tenth %d, %.12g J before", order, most, tenth+1, before)
			}
			before = most
		}
		t.Logf("order %d: %.3g of %.3g J are left after 1 s", order, before, start)
		if !(before > 1e-2*start) {
			t.Errorf("order %d: %.3g of %.3g J are left after 1 s: the test shows little", order, before, start)
		}
	}
}
