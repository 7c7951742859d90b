package continuum_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
)

// TestJacobianByTheFieldOfMagnetisedRods compares the derivative of the tip by the uniform field with differences of whole equilibria, of
// a rod that is magnetised along a stretch: with elements of order 4 the field also acts in the middles of elements. The compliance of the
// tip, the derivative by its load, is symmetric.
func TestJacobianByTheFieldOfMagnetisedRods(t *testing.T) {
	const change, tolerance = 1e-5, 1e-6 // T; relative
	model := func(y float64) *continuum.Model {
		f, err := robotfile.Parse[robotfile.Continuum]("magnetised.yaml", []byte(fmt.Sprintf(`
rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1200, youngs_modulus_pa: 6e6, shear_modulus_pa: 2e6, elements: 8, element_order: 4}
base: {direction: [1, 0, 0], normal: [0, 0, 1]}
magnets: [{name: skin, from_m: 0.05, to_m: 0.1, magnetization_a_per_m: [0, 0, 3e4]}]
field: {uniform_t: [0.001, %.17g, 0.003]}
tendons: []
`, y)))
		if err != nil {
			t.Fatal(err)
		}
		m, err := continuum.New(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		return m
	}
	j, err := model(0.002).Jacobian()
	if err != nil {
		t.Fatal(err)
	}
	more, less := tipOf(t, model(0.002+change)), tipOf(t, model(0.002-change))
	k := slices.Index(j.Inputs, "field.y")
	for i := range more {
		want := (more[i] - less[i]) / (2 * change)
		if got := j.Values[i][k]; math.Abs(got-want) > tolerance*math.Abs(want)+1e-6 {
			t.Errorf("%s by field.y is %.9g m/T, differences say %.9g m/T", j.Outputs[i], got, want)
		}
	}
	first := slices.Index(j.Inputs, "tip_force.x")
	for a := range 3 {
		for b := range a {
			if p, q := j.Values[a][first+b], j.Values[b][first+a]; math.Abs(p-q) > 1e-9*(math.Abs(p)+math.Abs(q)) {
				t.Errorf("%s by %s is %.12g m/N, the other way round %.12g m/N", j.Outputs[a], j.Inputs[first+b], p, q)
			}
		}
	}
}
