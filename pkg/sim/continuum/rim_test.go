package continuum_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/shape"
	"sinew/test/testsize"
)

// hanging is a rod that its base pushes out of the mouth of a tube, over which it hangs. The lip of the
// mouth is a tenth as large as its elements.
const hanging = `
rod: {length_m: 0.08, radius_m: 0.00025, density_kg_per_m3: 6450, youngs_modulus_pa: 6e8, shear_modulus_pa: 2.2e8, elements: 13, damping: {kelvin_voigt_s: 0.01, drag_per_s: 20}}
base: {position_m: [-0.08, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1], velocity_m_per_s: [0.05, 0, 0], until_s: 1.2}
gravity_m_per_s2: [0, 0, -9.80665]
environment: {shapes: [{name: introducer, tube: {points_m: [[-0.1, 0, 0], [0.004, 0, 0]], radius_m: 0.0012}}]}
solver: {step_s: 0.001}`

// hangingOutOfAMesh is a rod that its base pushes out of the mouth of the vessel of launch/worlds.
const hangingOutOfAMesh = `
rod: {length_m: 0.08, radius_m: 0.00025, density_kg_per_m3: 6450, youngs_modulus_pa: 3e8, shear_modulus_pa: 1.1e8, elements: 8, damping: {kelvin_voigt_s: 0.01, drag_per_s: 20}}
base: {position_m: [0.02, 0, 0], direction: [-1, 0, 0], normal: [0, 0, 1], velocity_m_per_s: [-0.01, 0, 0], until_s: 1}
gravity_m_per_s2: [0, 0, -9.80665]
environment: {shapes: [{name: vessel, mesh: {file: vessel.stl, inside: true}}]}
solver: {step_s: 0.001}`

// softened is a robot file with a rod of 50 MPa.
func softened(text string) string {
	return strings.NewReplacer("6e8", "5e7", "2.2e8", "1.8e7", "3e8", "5e7", "1.1e8", "1.8e7").Replace(text)
}

// deepestAtRims returns how deep the rod is in the first wall anywhere along its elements, over its
// radius, before a rim or less than a radius of the opening behind it.
func deepestAtRims(t *testing.T, m *continuum.Model, radius float64) (deepest float64) {
	t.Helper()
	wall, hint := &partsOf(m).Contact.Walls[0].Shape, new(shape.Hint)
	rims := wall.Rims()
	for _, p := range segments(continuumtest.Of(t, m), 256) {
		near := false
		for i := range rims {
			near = near || rims[i].HeightAbove(p) > -rims[i].Opening()
		}
		if at, ok := wall.At(p, hint); ok && near {
			deepest = max(deepest, (radius-at.D)/radius)
		}
	}
	return deepest
}

// rimContacts returns the number of contacts with the rims of the first wall.
func rimContacts(m *continuum.Model) (n int) {
	c := partsOf(m).Contact
	rims := c.Walls[0].Shape.Rims()
	for _, contact := range c.ListContacts(nil, 100) {
		for i := range rims {
			if contact.Force > 0 && rims[i].HeightAbove(contact.Point) > 1e-6 {
				n++
			}
		}
	}
	return n
}

// TestRodsDoNotCutRims pushes rods over the mouths of a tube and of a mesh. At the nodes alone they
// were up to 8 radii deep in the lips. What a mesh leaves is the difference of its field from the
// smooth rim.
func TestRodsDoNotCutRims(t *testing.T) {
	testsize.SkipInShort(t)
	for name, c := range map[string]struct {
		text    string
		allowed float64 // radii
	}{
		"tube": {hanging, 0.01}, "tube, 50 MPa": {softened(hanging), 0.01},
		"mesh": {hangingOutOfAMesh, 0.02}, "mesh, 50 MPa": {softened(hangingOutOfAMesh), 0.02},
	} {
		t.Run(name, func(t *testing.T) {
			m := inVessel(t, ownFolder, []byte(c.text))
			touching, most := 0, 0.0
			for range 130 {
				run(t, m, 0.01)
				touching += rimContacts(m)
				most = max(most, deepestAtRims(t, m, 0.00025))
			}
			if !(most <= c.allowed) {
				t.Errorf("%.3g radii in the lip, allowed: %g", most, c.allowed)
			}
			if touching < 50 {
				t.Errorf("the rod touches the rim %d times: the test tests nothing", touching)
			}
		})
	}
}

// TestDipsBesideMouthsAreTold compares the gauge of what lies between contact points with how deep a
// rod of 50 MPa is in the tube, in which its elements bend as they land.
func TestDipsBesideMouthsAreTold(t *testing.T) {
	const radius = 0.00025
	m, most := mustModelOf(t, strings.Replace(softened(hanging), "elements: 13", "elements: 8", 1)), 0.0
	wall, hint := &partsOf(m).Contact.Walls[0].Shape, new(shape.Hint)
	for i := range 260 {
		run(t, m, 0.005)
		deepest := 0.0
		for _, p := range segments(continuumtest.Of(t, m), 256) {
			if at, ok := wall.At(p, hint); ok {
				deepest = max(deepest, (radius-at.D)/radius)
			}
		}
		gauges := gaugesOf(m)
		if gauge := gauges["penetration_between_points_over_radius"] + gauges["penetration_over_radius"]; math.Abs(deepest-gauge) > 0.02+0.05*deepest {
			t.Errorf("%.3g radii in the tube at %.3g s, the gauge says %.3g", deepest, 0.005*float64(i+1), gauge)
		}
		most = max(most, deepest)
	}
	if !(most > 0.1) {
		t.Errorf("%.3g radii in the tube: the test tests nothing", most)
	}
}

// TestRodsAtRimsConverge compares the equilibria of a rod that hangs over a mouth with that of eight
// times the elements. At the nodes alone the tip was 1.2 mm off.
func TestRodsAtRimsConverge(t *testing.T) {
	const tolerance = 1e-3 // of the length
	text := strings.Replace(hanging, "[-0.08, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1], velocity_m_per_s: [0.05, 0, 0], until_s: 1.2",
		"[-0.043, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1]", 1) + "\ninitial_state: equilibrium"
	fine := mustModelOf(t, strings.Replace(text, "elements: 13", "elements: 104", 1))
	for _, elements := range []int{13, 26} {
		m := mustModelOf(t, strings.Replace(text, "elements: 13", fmt.Sprintf("elements: %d", elements), 1))
		if d := tipPose(m).P.Sub(tipPose(fine).P).Norm() / 0.08; d > tolerance {
			t.Errorf("%d elements: the tip is %.2g of the length off, allowed: %g", elements, d, tolerance)
		}
		if d := deepestAtRims(t, m, 0.00025); d > 0.01 {
			t.Errorf("%d elements: %.2g radii deep", elements, d)
		}
	}
}

// TestRimsPressAsTheBeamSays bends a cantilever over the rim of a tube, between two of its nodes, by a
// force at its tip. The rim takes what the deflection of the beam there needs.
func TestRimsPressAsTheBeamSays(t *testing.T) {
	const (
		radius, bore, lip = 0.0005, 0.0012, 0.0006 // m
		length, mouth     = 0.1, 0.05              // m, from the clamp
		load              = 0.05                   // N
		young             = 6e10                   // Pa
		ei                = young * math.Pi / 4 * radius * radius * radius * radius
		tolerance         = 3e-3 // small deflections, and a thousandth of the radius deep
		around            = lip + radius
	)
	m := mustModelOf(t, fmt.Sprintf(`
rod: {length_m: %g, radius_m: %g, density_kg_per_m3: 6450, youngs_modulus_pa: %g, shear_modulus_pa: 2.3e10, elements: 5, damping: {kelvin_voigt_s: 0.01}}
base: {position_m: [0, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1]}
gravity_m_per_s2: [0, 0, 0]
loads: [{at_m: %g, force_n: [0, 0, %g], moment_nm: [0, 0, 0], frame: world}]
environment: {shapes: [{name: tube, tube: {points_m: [[-0.01, 0, 0], [%g, 0, 0]], radius_m: %g}}]}
initial_state: equilibrium
solver: {step_s: 0.001}`, length, radius, young, length, -load, mouth, bore))
	force, slope := 0.0, 0.0
	for range 50 {
		a := mouth + around*math.Sin(slope)
		deflection := bore + lip - around*math.Cos(slope)
		force = (load*a*a*(3*length-a)/(6*ei) - deflection) * 3 * ei / (a * a * a)
		slope = (load*a*(2*length-a) - force*a*a) / (2 * ei)
	}
	contact := partsOf(m).Contact
	got := contact.TotalWrench(tipPose(m).P).Force.Z
	if math.Abs(got-force) > tolerance*force {
		t.Errorf("the rim presses with %.5g N, the beam says %.5g N", got, force)
	}
	if f := baseForce(t, m).Z; math.Abs(f-(load-got)) > 1e-6*load {
		t.Errorf("the clamp holds with %.6g N, load and rim say %.6g N", f, load-got)
	}
	if n := contact.Summary().Count; n != 1 {
		t.Errorf("%d contacts, want that of the rim", n)
	}
}

// TestRimsRubByTheirCoefficient draws a rod back over the rim on which it hangs: friction is the
// coefficient times the normal force.
func TestRimsRubByTheirCoefficient(t *testing.T) {
	const mu = 0.3
	text := strings.NewReplacer("radius_m: 0.0012}", "radius_m: 0.0012}, friction_coefficient: 0.3",
		"[-0.08, 0, 0]", "[-0.035, 0, 0]", "[0.05, 0, 0], until_s: 1.2", "[-0.02, 0, 0], until_s: 10").Replace(hanging)
	m := mustModelOf(t, text)
	run(t, m, 0.5)
	normal, friction := 0.0, 0.0
	for range 100 {
		run(t, m, 0.001)
		for _, c := range partsOf(m).Contact.ListContacts(nil, 100) {
			normal += c.Force
			friction += c.Friction.Norm()
		}
	}
	if ratio := friction / normal; math.Abs(ratio-mu) > 0.01*mu {
		t.Errorf("friction over normal forces is %.4g, want %g", ratio, mu)
	}
}

// TestRimsCreateNoEnergy lets a rod without damping fall onto a rim and swing there.
func TestRimsCreateNoEnergy(t *testing.T) {
	const allowed = 2e-6 // of the weight times the length, as with self-contact
	for _, formula := range []int{1, 2} {
		m := mustModelOf(t, strings.NewReplacer("kelvin_voigt_s: 0.01, drag_per_s: 20", "kelvin_voigt_s: 0", "[-0.08, 0, 0]", "[-0.04, 0, 0]",
			", velocity_m_per_s: [0.05, 0, 0], until_s: 1.2", "").Replace(hanging))
		e := continuumtest.Of(t, m)
		scale := 6450 * math.Pi * 0.00025 * 0.00025 * 0.08 * 9.80665 * 0.08
		start := energy(t, m, standard)
		before, touching := start, 0
		for i := range 500 {
			if formula == 1 {
				e.Stepper.Restart()
			}
			step(t, m, 1e-3, 1)
			now := energy(t, m, standard)
			if now > before+allowed*scale || now > start {
				t.Fatalf("formula of order %d: the energy grows by %.3g of the weight in step %d", formula, (now-before)/scale, i)
			}
			before = now
			touching += e.Contact.Summary().Count
		}
		if touching < 300 {
			t.Errorf("%d contacts are too few to prove anything", touching)
		}
	}
}

// TestRimsAreSavedAndRestored continues a rod that slides over a rim with friction from a saved state.
func TestRimsAreSavedAndRestored(t *testing.T) {
	text := strings.NewReplacer("radius_m: 0.0012}", "radius_m: 0.0012}, friction_coefficient: 0.3").Replace(hanging)
	m, other := mustModelOf(t, text), mustModelOf(t, text)
	for range 12 {
		run(t, m, 0.1)
		state := make([]float64, m.StateLen())
		m.Save(state)
		if err := other.Restore(state); err != nil {
			t.Fatal(err)
		}
		wantSameContacts(t, m, other)
		if a, b := baseWrench(m), baseWrench(other); a != b {
			t.Fatalf("wrench of the base %v, restored %v", a, b)
		}
		run(t, m, 0.02)
		run(t, other, 0.02)
		if a, b := tipPose(m), tipPose(other); a != b {
			t.Fatalf("tip at %v, restored at %v", a, b)
		}
	}
}
