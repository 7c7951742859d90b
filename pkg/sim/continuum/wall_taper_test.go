package continuum_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
)

// coneOn is a cone that a force bends down onto a convex shape.
func coneOn(t *testing.T, n, order int, shape string) *continuum.Model {
	t.Helper()
	return mustModelOf(t, fmt.Sprintf(`
rod: {density_kg_per_m3: 1100, youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, elements: %d, element_order: %d, damping: {kelvin_voigt_s: 0.05, drag_per_s: 5}, sections: [{length_m: 0.1, radius_m: [0.006, 0.001]}]}
base: {position_m: [0, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1]}
gravity_m_per_s2: [0, 0, 0]
loads: [{at_m: 0.1, force_n: [0, 0, -0.02]}]
environment: {shapes: [{name: it, %s}]}
solver: {step_s: 0.001}`, n, order, shape))
}

// TestConesTouchConvexShapes presses a cone onto a ball and a capsule across it, and demands the force and
// the tip of a fine mesh from coarse ones.
func TestConesTouchConvexShapes(t *testing.T) {
	for _, at := range []float64{0.043, 0.0451, 0.047} {
		for name, shape := range map[string]string{
			"ball":    fmt.Sprintf("sphere: {center_m: [%g, 0, -0.0552], radius_m: 0.05}", at),
			"capsule": fmt.Sprintf("capsule: {from_m: [%g, -0.02, -0.0552], to_m: [%g, 0.02, -0.0552], radius_m: 0.05}", at, at),
		} {
			var force, tip float64
			for _, n := range []int{160, 80, 40, 20, 10} {
				m := coneOn(t, n, 4, shape)
				if err := m.Equilibrate(); err != nil {
					t.Fatal(err)
				}
				f, z := partsOf(m).Contact.TotalWrench(basePose(m).P).Force.Norm(), positionOf(t, m, n).Z
				t.Logf("%s at %g m, %d elements: %.6f N, tip at %.5f mm", name, at, n, f, 1e3*z)
				if n == 160 {
					force, tip = f, z
					continue
				}
				if math.Abs(f-force) > 1e-4 || math.Abs(z-tip) > 1e-5 {
					t.Errorf("%s at %g m, %d elements: %.5f N and a tip at %.4f mm, with 160 elements %.5f N, %.4f mm", name, at, n, f, 1e3*z, force, 1e3*tip)
				}
			}
		}
	}
}
