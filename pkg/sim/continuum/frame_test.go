package continuum_test

import (
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// wholeWorld is a rod with tendon and magnets that act on one another, in a field with a gradient
// and beside a permanent magnet, among walls of all kinds but meshes, with friction; it is
// pushed along and falls.
const wholeWorld = `
rod: {length_m: 0.08, radius_m: 0.0007, density_kg_per_m3: 1500, youngs_modulus_pa: 5e6, shear_modulus_pa: 1.7e6, elements: 16, damping: {kelvin_voigt_s: 0.002, drag_per_s: 2}}
base: {position_m: [0, 0, 0.004], velocity_m_per_s: [0.02, 0, 0], until_s: 0.3}
tendons: [{name: pull, offset_m: [0.002, 0.001], disks: {count: 3, first_m: 0.02, last_m: 0.06}, tension_n: 0.02}]
tip: {mass_kg: 2e-5}
magnets:
  - {name: skin, from_m: 0.02, to_m: 0.04, magnetization_a_per_m: [0, 0, 2e4]}
  - {name: tip, at_m: 0.08, moment_a_m2: [0.0002, 0, 0.003]}
magnets_interact: true
field:
  uniform_t: [0, 0.002, 0.001]
  gradient_t_per_m: [0.02, 0, 0.01, 0, 0.03]
  gradient_center_m: [0.01, 0, 0]
  dipoles: [{name: arm, position_m: [0.06, 0.02, 0.15], moment_a_m2: [0, 0, 15]}]
environment:
  friction_coefficient: 0.3
  shapes:
    - {name: table, plane: {point_m: [0, 0, -0.001], normal: [0, 0, 1]}}
    - {name: ball, sphere: {center_m: [0.07, 0.003, -0.001], radius_m: 0.003}}
    - {name: bar, capsule: {from_m: [0.05, -0.02, 0], to_m: [0.05, 0.02, 0], radius_m: 0.001}}
    - {name: lumen, tube: {points_m: [[-0.02, 0, 0.004], [0.005, 0, 0.004], [0.02, 0.001, 0.0045]], radius_m: 0.0012}}
solver: {step_s: 0.001}
`

// Robot, field, shapes and gravity turned together deform in the same way, at rest and in motion
// that sticks and slips on every wall.
func TestWholeWorldIsFrameIndifferent(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	turn, shift := spatial.ExpRot(spatial.Vec{X: 0.7, Y: -1.1, Z: 0.4}), spatial.Vec{X: 0.3, Y: -0.2, Z: 0.1}
	for _, order := range orders() {
		plain := parse(t, wholeWorld)
		plain.Rod.Order = order
		a, b := newModel(t, plain), newModel(t, turnedWorld(plain, turn, shift))
		want := func(what string) {
			t.Helper()
			x, y := continuumtest.Of(t, a).System.State.Strain, continuumtest.Of(t, b).System.State.Strain
			worst := 0.0
			for e := range x {
				worst = max(worst, x[e].Angular.Sub(y[e].Angular).Norm(), x[e].Linear.Sub(y[e].Linear).Norm()/plain.Rod.Length)
			}
			if !(worst < 1e-9) {
				t.Errorf("order %d, %s: strains differ by %.3g", order, what, worst)
			}
		}
		for _, m := range []*continuum.Model{a, b} { // where round-off decides in which way a step is solved, the tolerance tells
			continuumtest.Of(t, m).Stepper.Refine(1e-7, 1)
		}
		touched := map[int]bool{}
		for i := range 320 {
			run(t, a, 1e-3)
			run(t, b, 1e-3)
			for _, c := range continuumtest.Of(t, a).Contact.ListContacts(nil, 100) {
				touched[c.Wall] = true
			}
			if i%80 == 79 {
				want("in motion")
			}
		}
		if len(touched) != len(plain.Environment.Shapes) {
			t.Errorf("order %d: the rod touches the walls %v only", order, touched)
		}
		for _, m := range []*continuum.Model{a, b} {
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
		}
		want("at rest")
	}
}
