package continuum_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// among is a rod among shapes of four kinds, all of it at random.
func among(t *testing.T, r *rand.Rand) func() *continuum.Model {
	t.Helper()
	n, radius, young := 6+r.IntN(20), 2e-4*math.Pow(10, r.Float64()), 1e7*math.Pow(1e3, r.Float64())
	text := fmt.Sprintf(`
rod: {length_m: 0.1, radius_m: %g, density_kg_per_m3: 1500, youngs_modulus_pa: %g, shear_modulus_pa: %g, elements: %d, element_order: %d, damping: {kelvin_voigt_s: 0.002, drag_per_s: 5}}
environment: {friction_coefficient: %g, shapes: [
 {name: wire, capsule: {from_m: [0.05, -0.1, -0.01], to_m: [0.05, 0.1, -0.01], radius_m: %g}},
 {name: ball, sphere: {center_m: [0.08, 0.01, 0.02], radius_m: %g}},
 {name: table, plane: {point_m: [0, 0, -0.03]}},
 {name: lumen, tube: {points_m: [[-0.02, 0, 0], [0.02, 0, 0], [0.03, 0.001, 0]], radius_m: 0.004}}]}
solver: {step_s: 0.001}`, radius, young, young/3, n, []int{2, 4}[r.IntN(2)], 0.5*r.Float64(), 5e-5*math.Pow(30, r.Float64()), 1e-3*math.Pow(10, r.Float64()))
	return func() *continuum.Model { return mustModelOf(t, text) }
}

// TestRestoredAmongMovedShapes moves shapes about at random beside two rods of which one is
// restored now and then from what the other saves, and demands that they go on in the same bits:
// also where it is the looks of steps before that tell a rod of the walls around it.
func TestRestoredAmongMovedShapes(t *testing.T) {
	testsize.SkipInShort(t)
	for _, seed := range []uint64{3, 29, 38} {
		r := rand.New(rand.NewPCG(seed, 99))
		model := among(t, r)
		m, twin := model(), model()
		vec := func(scale float64) spatial.Vec {
			return spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(scale)
		}
		for i := range 450 {
			for _, name := range []string{"wire", "ball", "table", "lumen"} {
				if i%20 != 0 || r.IntN(3) > 0 {
					continue
				}
				g := spatial.Pose{R: spatial.ExpRot(vec(0.1)), P: vec(map[bool]float64{true: 5e-4, false: 5e-3}[name == "lumen"])}
				command(t, m, name+"/pose", poseValues(g)...)
				command(t, twin, name+"/pose", poseValues(g)...)
			}
			step(t, m, 1e-3, 1)
			step(t, twin, 1e-3, 1)
			state := save(m)
			if !slices.Equal(state, save(twin)) {
				t.Fatalf("seed %d: not the same bits after step %d", seed, i)
			}
			if i%37 == 0 {
				if err := twin.Restore(state); err != nil {
					t.Fatal(err)
				}
			}
		}
		if continuumtest.Of(t, m).Contact.FrictionUpdates() == 0 {
			t.Errorf("seed %d: the rod touches nothing", seed)
		}
	}
}
