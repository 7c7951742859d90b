package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// TestImpactsAreThoseOfShorterSteps lets a rod that is clamped beside a floor fall onto it, in
// steps of 1 ms and less. Without damping of the impact shorter steps throw its tip higher and
// higher.
func TestImpactsAreThoseOfShorterSteps(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	const length, samples, between = 0.6, 20, 0.05
	path := func(order int, step float64) (tips []spatial.Vec) {
		m := mustModelOf(t, `
rod: {length_m: 0.6, radius_m: 0.01, density_kg_per_m3: 997.7, youngs_modulus_pa: 1.66e6, shear_modulus_pa: 5.5e5, elements: 12, element_order: `+string(rune('0'+order))+`, damping: {kelvin_voigt_s: 0.01}}
environment: {shapes: [{name: floor, plane: {point_m: [0, 0, -0.1]}}]}
gravity_m_per_s2: [0, 0, -9.80665]
initial_state: straight
solver: {method: implicit}
`)
		for range samples {
			for range int(math.Round(between / step)) {
				if err := m.Step(step); err != nil {
					t.Fatal(err)
				}
			}
			tips = append(tips, tipPose(m).P)
		}
		return tips
	}
	for _, order := range orders() {
		finest := path(order, 5e-5)
		for _, c := range []struct{ step, allowed float64 }{{1e-3, 2e-4}, {2e-4, 5e-5}, {1e-4, 5e-5}} {
			sum := 0.0
			for i, p := range path(order, c.step) {
				sum += p.Sub(finest[i]).Norm2()
			}
			off := math.Sqrt(sum/samples) / length
			t.Logf("order %d, steps of %g s: tip off by %.3g of the length (rms)", order, c.step, off)
			if !(off < c.allowed) {
				t.Errorf("order %d, steps of %g s: tip off by %.3g of the length (rms), allowed %g", order, c.step, off, c.allowed)
			}
		}
	}
}
