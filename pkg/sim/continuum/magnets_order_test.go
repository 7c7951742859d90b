package continuum

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// halfMagnetised is a soft rod of which the front is magnetised, obliquely, in a field.
func halfMagnetised(t testing.TB, rod, field string, n, order int) *robotfile.Continuum {
	t.Helper()
	return parse(t, fmt.Sprintf(`{rod: {length_m: 0.05, density_kg_per_m3: 1100, youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, elements: %d, element_order: %d, %s},
  gravity_m_per_s2: [0, 0, 0], magnets: [{name: front, from_m: 0.02, to_m: 0.05, magnetization_a_per_m: [5e3, 0, 6e4]}], field: {%s}}`, n, order, rod, field))
}

// fieldsOfRods are fields that bend such a rod far.
var fieldsOfRods = map[string]string{
	"uniform":                "uniform_t: [-1e-3, 2e-3, 3e-3]",
	"gradient":               "uniform_t: [0, 1e-3, 2e-3], gradient_t_per_m: [0.04, -0.03, 0.05, -0.02, 0.06], gradient_center_m: [0.02, 0, 0.01]",
	"beside a strong magnet": "dipoles: [{position_m: [0.03, 0.06, 0.06], moment_a_m2: [3, 5, 8]}]",
}

// What is magnetised over a stretch bends a rod with the order of its elements: halving them
// divides the error by 16, of a rod that tapers too, and in motion.
func TestMagnetisedStretchesAreOfFourthOrder(t *testing.T) {
	for shape, rod := range map[string]string{"uniform rod": "radius_m: 0.0005", "thick rod": "radius_m: 0.002",
		"cone": "sections: [{length_m: 0.05, radius_m: [0.0007, 0.0004]}]"} {
		for name, field := range fieldsOfRods {
			if shape == "thick rod" {
				field = map[string]string{"uniform": "uniform_t: [-4e-3, 8e-3, 12e-3]"}[name]
				if field == "" {
					continue
				}
			}
			at := func(n, order int) spatial.Vec {
				return tipPose(inEquilibrium(t, halfMagnetised(t, rod, field, n, order))).P
			}
			limit := at(160, 4)
			miss := func(n, order int) float64 { return at(n, order).Sub(limit).Norm() / 0.05 }
			few, more, second := miss(10, 4), miss(20, 4), miss(20, 2)
			order := math.Log2(few / more)
			t.Logf("%s, %s: %.3g and %.3g L at 10 and 20 elements, order %.2f; %.3g L at 40; %.3g L with 20 of order 2; tip at %.3g L", shape, name, few, more, order, miss(40, 4), second, limit.Scale(20))
			if !(order > 3.6) || !(second > 20*more) {
				t.Errorf("%s, %s: %.3g and %.3g L at 10 and 20 elements, order %.2f, %.3g L with 20 of order 2; want order 4 and a twentieth of that",
					shape, name, few, more, order, second)
			}
		}
	}
}

// In a field that changes, too.
func TestMagnetisedStretchesAreOfFourthOrderInMotion(t *testing.T) {
	const steps = 40
	tips := func(n, order int) (all []spatial.Vec) {
		f := halfMagnetised(t, "radius_m: 0.0005, damping: {kelvin_voigt_s: 2e-3}",
			"uniform_t: [0, 0, 1e-3], rotating: {axis: [1, 0, 0], amplitude_t: 4e-3, frequency_hz: 8}, dipoles: [{position_m: [0.03, 0.06, 0.06], moment_a_m2: [1, 2, 3]}]", n, order)
		m := newModel(t, f)
		converged(m.engine.(*implicit))
		for range steps {
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
			all = append(all, tipPose(m).P)
		}
		return all
	}
	limit := tips(80, 4)
	miss := func(n, order int) float64 {
		sum := 0.0
		for i, p := range tips(n, order) {
			sum += p.Sub(limit[i]).Norm2()
		}
		return math.Sqrt(sum/steps) / 0.05
	}
	few, more, second := miss(10, 4), miss(20, 4), miss(20, 2)
	order := math.Log2(few / more)
	t.Logf("rms %.3g and %.3g L with 10 and 20 elements, order %.2f; %.3g L with 20 of order 2", few, more, order, second)
	if !(order > 3.6) || !(second > 10*more) {
		t.Errorf("rms %.3g and %.3g L with 10 and 20 elements, order %.2f; %.3g L with 20 of order 2; want order 4 and a tenth of that", few, more, order, second)
	}
}

// Borders of what is magnetised are nodes, wherever they are.
func TestBordersOfMagnetsAreNodes(t *testing.T) {
	f := parse(t, `{rod: {length_m: 0.05, radius_m: 0.0005, density_kg_per_m3: 1100, youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, elements: 9},
  magnets: [{name: front, from_m: 0.0173, to_m: 0.0391, magnetization_a_per_m: [0, 0, 6e4]}]}`)
	r := newModel(t, f).robot
	for _, s := range []float64{0.0173, 0.0391} {
		if got := r.rod.ArcLengths[r.rod.Node(s)]; math.Abs(got-s) > 1e-15 {
			t.Errorf("the node at the border %g m is at %.17g m", s, got)
		}
	}
	sum := spatial.Vec{}
	for _, list := range [][]spatial.Vec{r.moments, r.middles} {
		for _, m := range list {
			sum = sum.Add(m)
		}
	}
	if want := 6e4 * math.Pi * 0.0005 * 0.0005 * (0.0391 - 0.0173); math.Abs(sum.Z-want) > 1e-12*want {
		t.Errorf("%.17g A m² in all, want %.17g", sum.Z, want)
	}
}
