package continuum_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
)

// lyingFromItsBase is a rod that lies on a table from its base on, whose centre is at a height, m.
func lyingFromItsBase(t *testing.T, n, order int, height float64, more string) *continuum.Model {
	t.Helper()
	return mustModelOf(t, fmt.Sprintf(`
rod: {length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 6450, youngs_modulus_pa: 1e9, shear_modulus_pa: 0.36e9, elements: %d, element_order: %d, damping: {kelvin_voigt_s: 0.005, drag_per_s: 20}}
base: {position_m: [0, 0, %.9g], direction: [1, 0, 0], normal: [0, 0, 1]%s}
environment: {friction_coefficient: 0.3, shapes: [{name: table, plane: {}}]}
solver: {step_s: 0.001}`, n, order, height, more))
}

// weightOf is the weight of the rod, N.
func weightOf(m *continuum.Model) float64 {
	return partsOf(m).System.Rod.ElementMass * float64(partsOf(m).System.Rod.Elements) * 9.80665
}

// TestARodLiesOnAWallFromItsBaseOn demands that a base on a table carry the half of an element that is
// nearest to it, whatever the mesh, wherever it is between the place at which contact begins and the
// depth with a warning.
func TestARodLiesOnAWallFromItsBaseOn(t *testing.T) {
	for _, height := range []float64{0.001, 0.0010005, 0.000997} {
		eachOfMeshes(t, []int{10, 20, 40, 80}, func(t *testing.T, n, order int) {
			m := lyingFromItsBase(t, n, order, height, "")
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
			share := baseForce(t, m).Z / weightOf(m)
			t.Logf("base at %g m, %d elements of order %d: %.4f of the weight", height, n, order, share)
			if math.Abs(share-0.5/float64(n)) > 0.2/float64(n) {
				t.Errorf("base at %g m, %d elements of order %d: the base carries %.3f of the weight, want %.3f", height, n, order, share, 0.5/float64(n))
			}
		})
	}
}

// TestPushAlongAWallFromTheBaseOn demands that a rod which lies on a table from its base on take the
// friction of its weight to push, whatever the mesh.
func TestPushAlongAWallFromTheBaseOn(t *testing.T) {
	eachOfMeshes(t, []int{20, 40, 80}, func(t *testing.T, n, order int) {
		const speed = 0.01
		m := lyingFromItsBase(t, n, order, 0.001, fmt.Sprintf(", velocity_m_per_s: [%g, 0, 0], until_s: 1", speed))
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		run(t, m, 0.5)
		w := weightOf(m)
		drag := 20 * speed * w / 9.80665
		share := (baseForce(t, m).X - drag) / (0.3 * w)
		t.Logf("%d elements of order %d: push of %.4f μ W", n, order, share)
		if math.Abs(share-1) > 0.6/float64(n) { // the base carries half an element
			t.Errorf("%d elements of order %d: the push is %.3f of friction times weight, want 1 but for half an element", n, order, share)
		}
	})
}

// TestABaseInAWallIsTold demands that a base inside a wall give a warning with the name of the wall, the key
// and the depth, and one that only stands at a wall, upright or lying, not.
func TestABaseInAWallIsTold(t *testing.T) {
	for _, c := range []struct {
		name, base string
		warned     bool
	}{
		{"lying on the table", "position_m: [0, 0, 0.001], direction: [1, 0, 0], normal: [0, 0, 1]", false},
		{"upright on the table", "position_m: [0, 0, 0], direction: [0, 0, 1], normal: [1, 0, 0]", false},
		{"leaning on the table", "position_m: [0, 0, 0], direction: [0.6, 0, 0.8], normal: [-0.8, 0, 0.6]", false},
		{"lying 5 % deep", "position_m: [0, 0, 0.00095], direction: [1, 0, 0], normal: [0, 0, 1]", true},
		{"upright, with an end that is 2 % of its radius deep", "position_m: [0, 0, -0.00002], direction: [0, 0, 1], normal: [1, 0, 0]", false},
	} {
		m := mustModelOf(t, `
rod: {length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 6450, youngs_modulus_pa: 1e9, shear_modulus_pa: 0.36e9, elements: 20, damping: {kelvin_voigt_s: 0.005}}
base: {`+c.base+`}
environment: {shapes: [{name: wall, plane: {point_m: [0, 0, -1]}}, {name: table, plane: {}}]}
solver: {step_s: 0.001}`)
		gauges := m.Gauges()
		values := make([]float64, len(gauges))
		m.Measure(values)
		i := slices.IndexFunc(gauges, func(g sim.Gauge) bool { return g.Key == "base_penetration_over_radius" })
		text := gauges[i].Warning(values[i])
		if (text != "") != c.warned {
			t.Errorf("%s: told %q", c.name, text)
		}
		for _, part := range []string{"reached 0.05,", "base.position_m", "5e-05 m deep in table", "base_in_wall"} {
			if c.warned && !strings.Contains(text, part) {
				t.Errorf("%s: %q does not say %q", c.name, text, part)
			}
		}
	}
}

// TestABaseComesToAWallSmoothly lets the base down from above the place where contact begins to where it is
// too deep, and demands that the push on the table change without a jump, and that a rod which is restored
// on the way go on to the same bits.
func TestABaseComesToAWallSmoothly(t *testing.T) {
	m := lyingFromItsBase(t, 20, 2, 0.001002, ", velocity_m_per_s: [0, 0, -4e-6], until_s: 10")
	if err := m.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	was, largest := baseForce(t, m).Z, 0.0
	for i := range 2000 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		if i%200 == 50 {
			other := lyingFromItsBase(t, 20, 2, 0.001002, ", velocity_m_per_s: [0, 0, -4e-6], until_s: 10")
			state := make([]float64, m.StateLen())
			m.Save(state)
			if err := errors.Join(other.Restore(state), other.Step(1e-3), m.Step(1e-3)); err != nil {
				t.Fatal(err)
			}
			wantSameContacts(t, m, other)
		}
		now := baseForce(t, m).Z
		largest = max(largest, math.Abs(now-was))
		was = now
	}
	if w := weightOf(m); largest > 0.02*w {
		t.Errorf("the force of the base jumps by %.2g of the weight in a step", largest/w)
	} else {
		t.Logf("largest change in a step: %.2g of the weight; at the end, %g m deep, %.3g", largest/w, 0.001-basePose(m).P.Z, was/w)
	}
}
