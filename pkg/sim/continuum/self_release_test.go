package continuum_test

import (
	"fmt"
	"testing"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// coilOnFloor is a coil that lies on itself and on a floor with friction, and has a tendon; it lacks
// the order of its elements.
const coilOnFloor = `
rod: {length_m: 0.5, radius_m: 0.003, density_kg_per_m3: 1100, youngs_modulus_pa: 1e8, shear_modulus_pa: 4e7, elements: 30, element_order: %d, precurvature_per_m: [25, 0, 0.75], damping: {kelvin_voigt_s: 0.01}}
base: {direction: [1, 0, 0], normal: [0, 0, 1]}
tendons: [{name: pull, offset_m: [0.002, 0], disks: {count: 10, first_m: 0.05, last_m: 0.5}, tension_n: 0}]
environment: {self_contact: true, friction_coefficient: 0.3, shapes: [{name: floor, plane: {point_m: [0, 0, -0.0031]}}]}
solver: {step_s: 0.001}`

// TestCoilsReleasedOnAFloorSettle pulls that coil by its tendon, lets go of it at once, and demands that everything comes to rest, on both.
func TestCoilsReleasedOnAFloorSettle(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	for _, order := range orders() {
		m := mustModelOf(t, fmt.Sprintf(coilOnFloor, order))
		e := continuumtest.Of(t, m)
		moved := e.NodePose(30).P
		for _, tension := range []float64{0, 0.5, 0} {
			command(t, m, "servo_jf", tension)
			run(t, m, 1.5)
			tip := e.NodePose(30).P
			if d := tip.Sub(moved).Norm(); d < 1e-3 {
				t.Errorf("order %d, %g N: the tip moves by %.3g m, too little to prove anything", order, tension, d)
			}
			moved = tip
		}
		touches := map[int]int{}
		for _, c := range e.Contact.ListContacts(make([]contact.Contact, 0, 100), 100) {
			touches[c.Wall]++
		}
		kinetic, elastic := e.Energy()
		t.Logf("order %d: kinetic %.3g J, elastic %.3g J, touches %v", order, kinetic, elastic, touches)
		if !(kinetic < 1e-6*elastic) || len(touches) != 2 {
			t.Errorf("order %d: kinetic energy %.3g J beside %.3g J elastic, touches by wall %v", order, kinetic, elastic, touches)
		}
	}
}

// TestEquilibriaTouchThemselves demands that the equilibrium of a coil on itself be where it
// comes to rest.
func TestEquilibriaTouchThemselves(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	for _, order := range orders() {
		m := coil(t, order, 30, "")
		run(t, m, 4)
		other := coil(t, order, 30, "initial_state: equilibrium")
		a, b := continuumtest.Of(t, m).Contact.Summary(), continuumtest.Of(t, other).Contact.Summary()
		if d := tipPose(m).P.Sub(tipPose(other).P).Norm(); d > 2e-5 || b.Count < 4 {
			t.Errorf("order %d: tips are %.3g m apart; %+v at rest, %+v in equilibrium", order, d, a, b)
		}
	}
}

// TestSelfContactIsFrameIndifferent turns the floor, gravity and a coil that is pulled on both, and
// demands the same strains.
func TestSelfContactIsFrameIndifferent(t *testing.T) {
	testsize.SkipInShort(t)
	turn, shift := spatial.ExpRot(spatial.Vec{X: 0.7, Y: -1.1, Z: 0.4}), spatial.Vec{X: 0.3, Y: -0.2, Z: 0.1}
	for _, order := range orders() {
		plain := parse(t, fmt.Sprintf(coilOnFloor, order))
		a, b := newModel(t, plain), newModel(t, turnedWorld(plain, turn, shift))
		touching := 0
		for i := range 400 {
			if i == 200 {
				command(t, a, "servo_jf", 0.5)
				command(t, b, "servo_jf", 0.5)
			}
			run(t, a, 1e-3)
			run(t, b, 1e-3)
			touching += continuumtest.Of(t, a).Contact.Summary().Count
		}
		worst := 0.0
		for e, x := range continuumtest.Of(t, a).System.State.Strain {
			y := continuumtest.Of(t, b).System.State.Strain[e]
			worst = max(worst, x.Angular.Sub(y.Angular).Norm(), x.Linear.Sub(y.Linear).Norm()/plain.Rod.Length)
		}
		if !(worst < 1e-9) || touching < 1000 {
			t.Errorf("order %d: strains differ by %.3g after %d contacts", order, worst, touching)
		}
	}
}
