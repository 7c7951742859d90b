package continuum_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// catheter is a short soft rod with a magnetised front, a magnet at its tip, and all kinds of
// fields.
const catheter = `
rod: {length_m: 0.05, radius_m: 0.0007, density_kg_per_m3: 1500, youngs_modulus_pa: 5e6, shear_modulus_pa: 1.7e6, elements: 12, damping: {kelvin_voigt_s: 0.002, drag_per_s: 2}}
magnets:
  - {name: skin, from_m: 0.02, to_m: 0.05, magnetization_a_per_m: [0, 0, 2e4]}
  - {name: tip, at_m: 0.05, moment_a_m2: [0.0002, 0, 0.003]}
field:
  uniform_t: [0, 0, 0.002]
  gradient_t_per_m: [0.02, 0, 0.01, 0, 0.03]
  rotating: {axis: [1, 0, 0], amplitude_t: 0.004, frequency_hz: 3}
  dipoles: [{name: arm, position_m: [0.06, 0.02, 0.15], moment_a_m2: [0, 0, 15]}]
tip: {mass_kg: 2e-5}
tendons: [{name: pull, offset_m: [0.003, 0], disks: {count: 3, first_m: 0.01, last_m: 0.03}}]
solver: {step_s: 0.001}
`

// portOf is the number of a port.
func portOf(t testing.TB, m *continuum.Model, name string) int {
	t.Helper()
	i := slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no port %s", name)
	}
	return i
}

// The motion converges with the second order of the formula, in a field that turns and with a
// magnet that moves.
func TestMagneticMotionIsOfSecondOrder(t *testing.T) {
	tip := func(h float64) spatial.Vec {
		m := newModel(t, parse(t, catheter))
		for range int(math.Round(0.06 / h)) {
			if err := m.Step(h); err != nil {
				t.Fatal(err)
			}
		}
		return tipPose(m).P
	}
	a, b, c := tip(1e-3), tip(5e-4), tip(2.5e-4)
	order := math.Log2(a.Sub(b).Norm() / b.Sub(c).Norm())
	t.Logf("changes %.3g and %.3g m: order %.2f", a.Sub(b).Norm(), b.Sub(c).Norm(), order)
	if !(order > 1.8) {
		t.Errorf("order %.2f, want 2", order)
	}
}

// A rod that is let go comes to rest in the equilibrium of statics, also far from straight.
func TestMagneticMotionEndsInEquilibrium(t *testing.T) {
	testsize.SkipInShort(t)
	const tolerance = 1e-7 // of the length
	cases, _ := magneticGolden(t)
	for i := range cases {
		f := cases[i].file(t, 10, 4)
		f.Rod.Damping = robotfile.Damping{Drag: 60, KelvinVoigt: 0.01}
		still := inEquilibrium(t, f)
		m := newModel(t, f)
		for range 4000 {
			if err := m.Step(1e-3); err != nil {
				t.Fatalf("%s: %v", cases[i].Name, err)
			}
		}
		if d := tipPose(m).P.Sub(tipPose(still).P).Norm() / f.Rod.Length; !(d < tolerance) {
			t.Errorf("%s: at rest %.3g L from equilibrium, tolerance %g", cases[i].Name, d, tolerance)
		}
	}
}

// A permanent magnet that comes too near is refused with a name and a place, and leaves the
// state as it was; one that is too near from the start is refused when the robot is made.
func TestFieldThatIsTooStrong(t *testing.T) {
	m := newModel(t, parse(t, catheter))
	before := make([]float64, m.StateLen())
	command(t, m, "magnet_pose", 0.05, 0, 0.005, 0, 0, 0, 1)
	var err error
	for range 500 {
		m.Save(before)
		if err = m.Step(1e-3); err != nil {
			break
		}
	}
	var strong *continuum.FieldError
	if !errors.As(err, &strong) || !(strong.Field > 1) || !(strong.ArcLength > 0.015) {
		t.Fatalf("a magnet at the rod: %v", err)
	}
	after := make([]float64, m.StateLen())
	m.Save(after)
	moved := 0
	for i := range after {
		if after[i] != before[i] {
			moved++
		}
	}
	if moved > 1 { // the count of steps that failed
		t.Errorf("the step that failed changed %d numbers of the state", moved)
	}
	// between two nodes of few elements of order 4, whose middles have dipoles
	f := parse(t, `
rod: {length_m: 0.1, radius_m: 0.001, elements: 2, element_order: 4}
magnets: [{name: all, from_m: 0, to_m: 0.1, magnetization_a_per_m: [0, 0, 1e4]}]
field: {dipoles: [{name: hand, position_m: [0.025, 0, 0.008], moment_a_m2: [0, 0, 6]}]}
solver: {method: implicit}
`)
	if _, err := continuum.New(f); !errors.As(err, &strong) || math.Abs(strong.ArcLength-0.025) > 0.026 {
		t.Errorf("a magnet at the middle of an element: %v", err)
	}
	f = parse(t, catheter)
	f.Field.Dipoles[0].Position = spatial.Vec{X: 0.05, Z: 0.005}
	if _, err := continuum.New(f); !errors.As(err, &strong) {
		t.Errorf("a magnet at the rod from the start: %v", err)
	}
}

// Other methods refuse magnets by name.
func TestMagnetsNeedImplicit(t *testing.T) {
	for method, want := range map[robotfile.RodMethod]error{robotfile.Explicit: continuum.ErrNotInExplicit, robotfile.Reference: continuum.ErrNotInReference} {
		f := parse(t, catheter)
		f.Solver.Method, f.Solver.Step = method, 1e-6
		if _, err := continuum.New(f); !errors.Is(err, want) {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// A field command turns the rod, and the watchdog's takes the field away: the rod straightens.
func TestFieldCommandsBendTheRod(t *testing.T) {
	f := parse(t, `{rod: {length_m: 0.05, radius_m: 0.0005, density_kg_per_m3: 1100, youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, damping: {drag_per_s: 60, kelvin_voigt_s: 0.01}},
  gravity_m_per_s2: [0, 0, 0], magnets: [{name: tip, at_m: 0.05, moment_a_m2: [0, 0, 0.002]}]}`)
	m := newModel(t, f)
	in := sim.NewInputs(m)
	run := func(steps int) {
		for range steps {
			in.Advance(1e-3)
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
	}
	if v := in.Set(portOf(t, m, "field"), []float64{0, 0, 0.002}); v != sim.Accepted {
		t.Fatal(v)
	}
	run(4000)
	// tip_dipole_perpendicular_field of the golden file
	within(t, "tip", numbers(tipPose(m).P), []float64{0.04151092585774, 0, 0.02368026214988}, 1e-6)
	b := make([]float64, 3)
	m.Value(portOf(t, m, "field_at_tip"), b)
	within(t, "field at the tip", b, []float64{0, 0, 0.002}, 1e-15)
	still := newModel(t, f)
	command(t, still, "field", 0, 0, 0.002)
	if err := still.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	within(t, "tip in equilibrium under the command", numbers(tipPose(still).P), numbers(tipPose(m).P), 1e-6)
	in.Release("field")
	run(4000)
	within(t, "tip without commands", numbers(tipPose(m).P), []float64{0.05, 0, 0}, 1e-6)
	if v := in.Set(portOf(t, m, "field"), []float64{0, 0, 2}); v != sim.OutOfRange {
		t.Errorf("2 mT given as 2: %v", v)
	}
}

// The picture has an arrow for every magnet of the rod, along its moment in the middle of its
// place, a sphere and an arrow for each around it, and one for the field.
func TestSceneOfMagnets(t *testing.T) {
	m := newModel(t, parse(t, catheter))
	var scene sim.Scene
	m.Draw(&scene)
	var names []string
	for _, a := range scene.Arrows {
		names = append(names, a.Name)
	}
	if want := []string{"external_force", "skin", "tip", "magnet", "field"}; !slices.Equal(names, want) {
		t.Fatalf("arrows %v, want %v", names, want)
	}
	along := func(a sim.Arrow) spatial.Vec { return a.To.Sub(a.From).Unit() }
	within(t, "skin", numbers(along(scene.Arrows[1])), []float64{1, 0, 0}, 1e-12)
	within(t, "middle of the skin", numbers(scene.Arrows[1].From.Add(scene.Arrows[1].To).Scale(0.5)), []float64{0.035, 0, 0}, 0.06)
	within(t, "arm", numbers(along(scene.Arrows[3])), []float64{0, 0, 1}, 1e-12)
	b := make([]float64, 3)
	m.Value(portOf(t, m, "field_at_tip"), b)
	within(t, "field", numbers(along(scene.Arrows[4])), numbers(spatial.VecAt(b).Unit()), 1e-12)
	if len(scene.Spheres) != 1 || scene.Spheres[0].Pose.P != (spatial.Vec{X: 0.06, Y: 0.02, Z: 0.15}) {
		t.Errorf("spheres %v", scene.Spheres)
	}
}
