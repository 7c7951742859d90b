package continuum_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
)

// TestWallsTooSharpForElementsAreTold demands that elements too long for the bend of a tube be
// told of, and short ones not.
func TestWallsTooSharpForElementsAreTold(t *testing.T) {
	for elements, warned := range map[int]bool{4: true, 200: false} {
		m := mustModelOf(t, fmt.Sprintf(`
rod: {length_m: 0.04, radius_m: 0.0003, elements: %d}
base: {position_m: [-0.045, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1]}
environment: {shapes: [{name: lumen, tube: {points_m: [[-0.05, 0, 0], [0.02, 0, 0], [0.0245, 0, 0.0015], [0.026, 0, 0.006], [0.026, 0, 0.02]], radius_m: 0.002}}]}
solver: {step_s: 0.001}`, elements))
		gauges := m.Gauges()
		values := make([]float64, len(gauges))
		m.Measure(values)
		warning := false
		for i := range gauges {
			if gauges[i].Key != "penetration_between_points_over_radius" {
				continue
			}
			if text := gauges[i].Warning(values[i]); text != "" {
				warning = true
				if !strings.Contains(text, "more elements") {
					t.Errorf("%d elements: %s", elements, text)
				}
			}
		}
		if warning != warned {
			t.Errorf("%d elements: told %v, want %v", elements, warning, warned)
		}
	}
}

// bow is a rod that a moment bends, which begins above a table and is let down on it by its base until it is pressed.
const bow = `
rod: {length_m: 0.1, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 1e10, shear_modulus_pa: 3.6e9, elements: 6, damping: {kelvin_voigt_s: 0.002}}
base: {position_m: [0, 0, 0.0215], direction: [0.696706709347165, 0, -0.717356090899523], normal: [0, 1, 0], velocity_m_per_s: [0, 0, -0.01], until_s: 0.4}
gravity_m_per_s2: [0, 0, 0]
loads: [{at_m: 0.1, moment_nm: [0, -0.0078, 0], frame: world}]
initial_state: equilibrium
environment: {shapes: [{name: table, plane: {point_m: [0, 0, 0]}}]}
solver: {step_s: 0.001}`

// letDown lets the bow down and returns how deep the rod is in the table, in its radii: by its
// centre line, by contact, and by the gauge of what lies between places of contact.
func letDown(t *testing.T, text string) (deepest, contactDepth, dip float64) {
	t.Helper()
	m := mustModelOf(t, text)
	for range 450 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	e := continuumtest.Of(t, m)
	if e.Contact.Summary().Count == 0 {
		t.Fatal("the rod does not touch the table")
	}
	const radius = 0.0005
	for _, p := range segments(continuumtest.Of(t, m), 16) {
		deepest = max(deepest, (radius-p.Z)/radius)
	}
	gauges := gaugesOf(m)
	return deepest, gauges["penetration_over_radius"], gauges["penetration_between_points_over_radius"]
}

// gaugesOf measures the gauges of a model.
func gaugesOf(m *continuum.Model) map[string]float64 {
	all, values := map[string]float64{}, make([]float64, len(m.Gauges()))
	m.Measure(values)
	for i, g := range m.Gauges() {
		all[g.Key] = values[i]
	}
	return all
}

// A rod that a moment bends touches at its nodes alone, and the gauge tells by how much it dips into
// the table between them.
func TestDipOfBentRodsIsTold(t *testing.T) {
	deepest, contactDepth, dip := letDown(t, bow)
	if !(deepest > 0.1) || !(math.Abs(deepest-contactDepth-dip) < 0.02*dip) {
		t.Errorf("%.3g radii in the table; contact says %.3g, the gauge %.3g", deepest, contactDepth, dip)
	}
}
