package continuum_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/spatial"
)

// scaledContact are contact problems whose lengths and times are in proportion to a scale, and gravity to its inverse: stresses and speeds
// are the same, and so is the motion over the length.
var scaledContact = []struct {
	name  string
	steps int
	text  func(scale float64, order int) string
}{
	// The rod falls onto a table while its base moves to the side, rubs there and comes to rest.
	{"table", 1500, func(s float64, order int) string {
		return fmt.Sprintf(`
rod: {length_m: %g, radius_m: %g, density_kg_per_m3: 1000, youngs_modulus_pa: 1e5, shear_modulus_pa: 3e4, elements: 12, element_order: %d, damping: {kelvin_voigt_s: %g, drag_per_s: %g}}
base: {position_m: [0, 0, %g], velocity_m_per_s: [0, 0.1, 0], until_s: %g}
gravity_m_per_s2: [0, 0, %g]
environment: {friction_coefficient: 0.5, shapes: [{name: table, plane: {}}]}
solver: {step_s: %g}`, 0.2*s, 0.004*s, order, 0.01*s, 1/s, 0.03*s, 0.8*s, -0.9/s, 0.001*s)
	}},
	// The rod is pushed into the bend of a tube.
	{"tube", 1000, func(s float64, order int) string {
		var points []string
		for i := range 9 {
			points = append(points, fmt.Sprintf("[%.12g, 0, 0]", s*(-0.02+0.01*float64(i))))
		}
		for degree := 5; degree <= 70; degree += 5 {
			a := float64(degree) * math.Pi / 180
			points = append(points, fmt.Sprintf("[%.12g, 0, %.12g]", s*(0.06+0.15*math.Sin(a)), -s*0.15*(1-math.Cos(a))))
		}
		return fmt.Sprintf(`
rod: {length_m: %g, radius_m: %g, density_kg_per_m3: 1000, youngs_modulus_pa: 1e6, shear_modulus_pa: 3e5, elements: 12, element_order: %d, damping: {kelvin_voigt_s: %g, drag_per_s: %g}}
base: {position_m: [%g, 0, 0], velocity_m_per_s: [0.08, 0, 0], until_s: %g}
gravity_m_per_s2: [0, 0, 0]
environment: {friction_coefficient: 0.2, shapes: [{name: tube, tube: {points_m: [%s], radius_m: %g}}]}
solver: {step_s: %g}`, 0.1*s, 0.003*s, order, 0.01*s, 20/s, -0.015*s, 0.8*s, strings.Join(points, ", "), 0.006*s, 0.001*s)
	}},
}

// A contact problem with friction has the same motion over the length at all scales.
func TestContactIsTheSameAtAllScales(t *testing.T) {
	const allowed = 1e-4 // of the length, rms
	for _, c := range scaledContact {
		for _, order := range orders() {
			shapes := func(scale float64) (all []spatial.Vec) {
				m := mustModelOf(t, c.text(scale, order))
				for i := range c.steps {
					step(t, m, 1e-3*scale, 1)
					if i%10 == 9 {
						for _, node := range []int{6, 12} {
							all = append(all, positionOf(t, m, node).Scale(1/scale))
						}
					}
				}
				if n := continuumtest.Of(t, m).Contact.Summary().Count; n == 0 {
					t.Errorf("%s, order %d, scale %g: %d contacts at the end", c.name, order, scale, n)
				}
				return all
			}
			whole, length := shapes(1), 0.2
			if c.name == "tube" {
				length = 0.1
			}
			for _, scale := range []float64{0.1, 0.01, 0.001} {
				sum := 0.0
				for i, p := range shapes(scale) {
					sum += p.Sub(whole[i]).Norm2()
				}
				rms := math.Sqrt(sum/float64(len(whole))) / length
				t.Logf("%s, order %d: scale %g differs by %.2g of the length", c.name, order, scale, rms)
				if !(rms < allowed) {
					t.Errorf("%s, order %d: scale %g differs by %.3g of the length, allowed %g", c.name, order, scale, rms, allowed)
				}
			}
		}
	}
}

// Friction follows normal forces within a step on fine meshes and stiff walls, too: what is negligible is a share of the force that bends
// the rod, of neither the length of an element nor the stiffness of the wall.
func TestFrictionFollowsForcesOnFineMeshes(t *testing.T) {
	for _, c := range []struct {
		elements  int
		stiffness string
	}{{20, ""}, {400, ""}, {20, "stiffness_n_per_m: 1e11, "}} {
		t.Run(fmt.Sprintf("%d elements, %s", c.elements, c.stiffness), func(t *testing.T) {
			m := mustModelOf(t, fmt.Sprintf(`
rod: {length_m: 0.2, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 20e9, elements: %d, damping: {kelvin_voigt_s: 0.002, drag_per_s: 2}}
base: {position_m: [0, 0, 0.00055], velocity_m_per_s: [0, 0.1, 0], until_s: 1}
gravity_m_per_s2: [0, 0, -0.1]
environment: {%sfriction_coefficient: 0.5, shapes: [{name: table, plane: {}}]}
solver: {step_s: 0.001}`, c.elements, c.stiffness))
			step(t, m, 1e-3, 300)
			n := gaugeOf(m, "contact_repeats")
			t.Logf("%g steps are solved again", n)
			if n == 0 {
				t.Error("no step is solved again, though the rod lands while its base moves to the side")
			}
		})
	}
}
