package multibody_test

import (
	"testing"

	"sinew/pkg/sim/spatial"
)

// TestReactionOnTheChild: a bracket carries what it holds, in the axes of the child and about its origin, which is neither the joint's
// nor the centre of mass.
func TestReactionOnTheChild(t *testing.T) {
	m := mustModel(t, parse(t, "bracket", `
bodies: [{name: lamp, mass_kg: 2, inertia_kg_m2: [0.1, 0.1, 0.1], center_of_mass_m: [0.1, 0, 0], position_m: [1, 2, 3], orientation_xyzw: [0, 0, 0.70710678118654757, 0.70710678118654757]}]
joints: [{name: bracket, type: fixed, parent: {world: true, position_m: [1, 2.3, 3]}, child: {body: lamp, position_m: [0.3, 0, 0], orientation_xyzw: [0, 0, -0.70710678118654757, 0.70710678118654757]}}]
gravity_m_per_s2: [0, 3, -10]
`))
	march(t, m, nil, 1e-3, 10)
	v := value(t, m, "bracket/measured_cf")
	force, moment := spatial.Vec{X: -6, Z: 20}, spatial.Vec{Y: -2} // y of the world is x of the lamp
	if d := spatial.VecAt(v).Sub(force).Norm() + spatial.VecAt(v[3:]).Sub(moment).Norm(); d > 1e-6 {
		t.Errorf("the bracket does %v N, N m to the lamp; want %v, %v", v, force, moment)
	}
	for _, p := range m.Ports() {
		if p.Name == "bracket/measured_cf" && (p.Silent || p.Frames[0] != "lamp") {
			t.Errorf("it is in the frames %v, silent %v", p.Frames, p.Silent)
		}
	}
}
