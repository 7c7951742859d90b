package continuum_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
)

// twoMagnets is a straight rod free of weight with magnets of so much along d1, d2, d3 at 20 mm
// and at its tip, at 50 mm.
func twoMagnets(young float64, order int, a, b string) string {
	return fmt.Sprintf(`
rod: {length_m: 0.05, radius_m: 0.0005, density_kg_per_m3: 1500, youngs_modulus_pa: %g, shear_modulus_pa: %g, elements: 20, element_order: %d, damping: {kelvin_voigt_s: 0.002, drag_per_s: 20}}
gravity_m_per_s2: [0, 0, 0]
magnets: [{name: a, at_m: 0.02, moment_a_m2: %s}, {name: b, at_m: 0.05, moment_a_m2: %s}]
magnets_interact: true
solver: {step_s: 0.001}`, young, young/2.8, order, a, b)
}

// Two magnets along the rod pull one another with 6 k m²/d⁴ and stretch what is between them,
// two across it push with 3 k m²/d⁴; the base feels neither, at rest and in motion.
func TestTwoMagnetsOfARodPullOneAnother(t *testing.T) {
	const k, m1, m2 = 1e-7, 0.004, 0.006
	for _, order := range orders() {
		for _, c := range []struct {
			a, b  string
			force float64 // over k m1 m2/d⁴; positive: pulls
		}{
			{"[0, 0, 0.004]", "[0, 0, 0.006]", 6},
			{"[0, 0, 0.004]", "[0, 0, -0.006]", -6},
			{"[0.004, 0, 0]", "[0.006, 0, 0]", -3},
			{"[0, 0.004, 0]", "[0, -0.006, 0]", 3},
		} {
			m := newModel(t, parse(t, twoMagnets(1e7, order, c.a, c.b)))
			if err := m.Equilibrate(); err != nil {
				t.Fatalf("%s, %s: %v", c.a, c.b, err)
			}
			e := continuumtest.Of(t, m)
			d := e.System.State.Pose[20].P.Sub(e.System.State.Pose[8].P).Norm()
			force := c.force * k * m1 * m2 / (d * d * d * d)
			section := e.System.Rod.Stiffness.Shear.Z
			for i := range 20 {
				strain := e.System.State.Pose[i+1].P.Sub(e.System.State.Pose[i].P).Norm()/0.0025 - 1
				want := 0.0
				if i >= 8 {
					want = -force / section
				}
				if math.Abs(strain-want) > 1e-9*math.Abs(force/section) {
					t.Errorf("%s, %s, order %d: element %d is stretched by %.6g, want %.6g", c.a, c.b, order, i, strain, want)
				}
			}
			for what, move := range map[string]func(){"at rest": func() {}, "in motion": func() { run(t, m, 0.1) }} {
				move()
				if w := baseWrench(m); w.Force.Norm() > 1e-9*math.Abs(force) || w.Moment.Norm() > 1e-11*math.Abs(force) {
					t.Errorf("%s, %s, order %d, %s: the base holds %v against forces of %g N between magnets", c.a, c.b, order, what, w, force)
				}
			}
		}
	}
}

// bentMagnets is a soft rod that two magnets across and one along it bend out of the plane, with
// a magnetised stretch at its tip, in a field and under its weight.
const bentMagnets = `
rod: {length_m: 0.05, radius_m: 0.0007, density_kg_per_m3: 1500, youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, elements: 20, element_order: 4, damping: {kelvin_voigt_s: 0.01, drag_per_s: 60}}
magnets:
  - {name: a, at_m: 0.01, moment_a_m2: [0.009, 0, 0.012]}
  - {name: b, at_m: 0.025, moment_a_m2: [0, 0.012, -0.009]}
  - {name: tip, from_m: 0.04, to_m: 0.05, magnetization_a_per_m: [2e4, 0, 8e4]}
magnets_interact: true
field: {uniform_t: [0.001, 0, 0.004]}
initial_state: equilibrium
solver: {step_s: 0.001}`

// The tangent of magnets that act on one another is exact, also between nodes far apart: near
// the solution the residual falls by the square. In motion the rod comes to rest there.
func TestMutualMagnetsInEquilibrium(t *testing.T) {
	m := newModel(t, parse(t, bentMagnets))
	e := continuumtest.Of(t, m)
	alone := newModel(t, parse(t, strings.Replace(bentMagnets, "magnets_interact: true", "", 1)))
	if d := tipPose(m).P.Sub(tipPose(alone).P).Norm(); d < 3e-4 {
		t.Fatalf("acting on one another moves the tip by %g m: too little for a test", d)
	}
	rest, tip := save(m), tipPose(m).P
	for kick, want := range map[float64]int{1e-3: 3, 1e-5: 2} {
		if err := m.Restore(rest); err != nil {
			t.Fatal(err)
		}
		for k := range e.System.State.Strain {
			e.System.State.Strain[k].Angular.X += kick
			e.System.State.Strain[k].Angular.Y -= kick
		}
		e.System.State.UpdatePoses()
		e.System.UpdateKinematics()
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		if got := e.Stepper.Report().Iterations; got > want || got == 0 {
			t.Errorf("kicked by %g: back in equilibrium after %d iterations, want at most %d", kick, got, want)
		}
	}
	moving := newModel(t, parse(t, strings.Replace(bentMagnets, "initial_state: equilibrium", "", 1)))
	run(t, moving, 4)
	if d := tipPose(moving).P.Sub(tip).Norm() / 0.05; d > 1e-7 {
		t.Errorf("at rest %.3g L from equilibrium, allowed 1e-7", d)
	}
	if n, mean := moving.Report(), gaugeOf(moving, "newton_iterations_mean"); n.Divided > 0 || mean > 4 {
		t.Errorf("%d steps took %g iterations each, %d were divided", n.Steps, mean, n.Divided)
	}
}

// Magnets that fall into one another end in an error that names them, in motion and in the
// search for an equilibrium; those that do so from the start, or share a node, are refused.
func TestMagnetsThatCollapse(t *testing.T) {
	// a field of a tenth of a millitesla tells them to which side
	soft := strings.Replace(twoMagnets(1e5, 4, "[0, 0, 0.02]", "[0, 0, 0.02]"), "drag_per_s: 20", "drag_per_s: 200", 1) + "\nfield: {uniform_t: [0, 1e-4, 2e-5]}"
	m := newModel(t, parse(t, soft))
	var err error
	for range 2000 {
		if err = m.Step(1e-3); err != nil {
			break
		}
	}
	if still := newModel(t, parse(t, soft)).Equilibrate(); still == nil {
		t.Error("an equilibrium of magnets that fall into one another")
	}
	var touch *continuum.MagnetsTouchError
	if !errors.As(err, &touch) {
		t.Errorf("in motion: error is %v, want a MagnetsTouchError", err)
	} else if touch.Magnets != [2]string{"a", "b"} || touch.Distance >= touch.Allowed || math.Abs(touch.Allowed-2*math.Cbrt(3*0.02e-6/(4*math.Pi))) > 1e-12 {
		t.Errorf("in motion: %+v", touch)
	}
	if _, err := modelOf(strings.Replace(soft, "at_m: 0.02", "at_m: 0.047", 1)); !errors.As(err, &touch) {
		t.Errorf("magnets in one another from the start: %v", err)
	}
	if _, err := modelOf(strings.Replace(soft, "at_m: 0.02", "at_m: 0.05", 1)); err == nil || !strings.Contains(err.Error(), "magnets a and b are both on the node at 0.05 m") {
		t.Errorf("magnets on one node: %v", err)
	}
	if _, err := modelOf("magnets_interact: true"); err == nil || !strings.Contains(err.Error(), "two magnets or more") {
		t.Errorf("no magnets that interact: %v", err)
	}
}
