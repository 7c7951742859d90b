package multibody_test

import (
	"math"
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

// TestReactionAtAStop: a bar that begins at a stop, without an equilibrium before, is carried from t = 0 on.
func TestReactionAtAStop(t *testing.T) {
	m := mustModel(t, parse(t, "bar", `
bodies: [{name: bar, mass_kg: 1, inertia_kg_m2: [0.001, 0.01, 0.01], center_of_mass_m: [0.2, 0, 0]}]
joints: [{name: hinge, type: revolute, parent: {world: true}, child: {body: bar}, axis: [0, 1, 0], limits: {min: -1, max: 0}}]
`))
	const weight = 9.80665
	for range 3 {
		v := value(t, m, "hinge/measured_cf")
		if math.Abs(v[2]-weight) > 1e-6 || math.Abs(v[4]+0.2*weight) > 1e-6 {
			t.Errorf("the hinge does %v N, N m to the bar; want %g N and %g N m", v, weight, -0.2*weight)
		}
		march(t, m, nil, 1e-3, 1)
	}
}
