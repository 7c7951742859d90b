package identify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/spatial"
)

// lumenFile is a guidewire with a soft front and a magnet at its tip before a vessel that turns by 90 degrees.
const lumenFile = `
rod:
  elements: 8
  density_kg_per_m3: 6450
  youngs_modulus_pa: 6e9
  shear_modulus_pa: 2.2e9
  damping: {kelvin_voigt_s: 0.02, drag_per_s: 60}
  sections:
    - {length_m: 0.06, radius_m: 0.00025}
    - {length_m: 0.02, radius_m: 0.00025, youngs_modulus_pa: %g, shear_modulus_pa: 1e7, density_kg_per_m3: 3000}
base: {position_m: [%g, 0, 0]}
magnets: [{name: tip, at_m: 0.08, moment_a_m2: [0, 0, %g]}]
markers: [{name: mid, at_m: 0.06}]
environment:
  shapes:
    - {name: introducer, tube: {points_m: [[-0.2, 0, 0], [0, 0, 0]], radius_m: 0.0012}, friction_coefficient: 0.02}
    - {name: vessel, friction_coefficient: %g, tube: {points_m: [[-0.01, 0, 0], [0, 0, 0], [0.01, 0, 0], [0.019, 0, 0.003], [0.026, 0, 0.010], [0.029, 0, 0.019], [0.029, 0, 0.029], [0.029, 0, 0.04]], radius_m: 0.0025}}
command_timeout_s: .inf
solver: {step_s: 0.001}
accept: [poisson_ratio]
`

const (
	lumenModulus, lumenMoment, lumenFriction = 3e7, 5e-4, 0.15
	lumenNoise                               = 2e-4         // m, of a coordinate
	before, away                             = -0.07, -0.16 // m, where the base is with the tip in the vessel, and far from it
)

// pushed is a motion of the guidewire as a camera sees it with noise: pushed in, turned to and fro by the
// field, drawn back and pushed in again.
func pushed(t *testing.T, base float64, steps int, seed uint64) (csv string, contacts float64) {
	t.Helper()
	const stepS, every = 0.001, 10
	m, err := continuum.New(parseRod(t, fmt.Sprintf(lumenFile, lumenModulus, base, lumenMoment, lumenFriction)))
	if err != nil {
		t.Fatal(err)
	}
	port := func(name string) int {
		return slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == name })
	}
	field, insertion, markers := port("field"), port("servo_insertion"), port("markers_measured")
	gauge := slices.IndexFunc(m.Gauges(), func(g sim.Gauge) bool { return g.Key == "contacts" })
	gauges, marker := make([]float64, len(m.Gauges())), make([]float64, 7)
	s := newSheet("t,insertion,bx,by,bz,mid_x,mid_y,mid_z,tip_x,tip_y,tip_z", seed)
	in := sim.NewInputs(m)
	for i := range steps {
		at := float64(i) * stepS
		if i%every == 0 {
			depth, b := 0.03, []float64{0, 0, 0.005}
			switch {
			case at > 0.65:
			case at > 0.5:
				depth = 0.015
			case at > 0.35:
				b = []float64{0, -0.01, 0}
			case at > 0.2:
				b = []float64{0, 0.01, 0}
			}
			m.Value(markers, marker)
			seen := spatial.VecAt(marker)
			numbers := []float64{at, depth, b[0], b[1], b[2]}
			for _, x := range []float64{seen.X, seen.Y, seen.Z} {
				numbers = append(numbers, x+lumenNoise*s.random.NormFloat64())
			}
			s.row(numbers, tipOf(m), lumenNoise)
			in.Set(insertion, []float64{depth, sim.Keep})
			in.Set(field, b)
		}
		in.Advance(stepS)
		if err := m.Step(stepS); err != nil {
			t.Fatal(err)
		}
		m.Measure(gauges)
		contacts = max(contacts, gauges[gauge])
	}
	return s.String(), contacts
}

// TestLumenRoundTrip finds the friction of a vessel, the moment of a magnet and the stiffness of a section from
// where a camera sees tip and a marker of a wire that is pushed to and fro.
func TestLumenRoundTrip(t *testing.T) {
	many(t)
	csv, contacts := pushed(t, before, 800, 5)
	if contacts < 2 {
		t.Fatalf("%g contacts at most: nothing rubs", contacts)
	}
	r := identified(t, rodRobot(), "--config", apptest.Write(t, "start.yaml", fmt.Sprintf(lumenFile, 1.3*lumenModulus, before, 0.8*lumenMoment, 0.5*lumenFriction)),
		"--free", "vessel.friction_coefficient", "--free", "moment.tip", "--free", "sections[1].youngs_modulus_pa", "--starts", "1", apptest.Write(t, "motion.csv", csv))
	r.expect(t, "environment.shapes.vessel.friction_coefficient", lumenFriction, 0.5)
	r.expect(t, "moment.tip", lumenMoment, 0.1)
	r.expect(t, "rod.sections[1].youngs_modulus_pa", lumenModulus, 0.1)
	if !(r.Difference > 1e-4) || !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "derivatives were taken over differences of up to") }) {
		t.Errorf("differences of %g, notes %q", r.Difference, r.Notes)
	}
}

// TestFrictionOfAVesselThatIsNotTouched demands that friction without influence be called that by its name, while
// what has an influence is found.
func TestFrictionOfAVesselThatIsNotTouched(t *testing.T) {
	many(t)
	csv, _ := pushed(t, away, 300, 6)
	file := apptest.Write(t, "start.yaml", fmt.Sprintf(lumenFile, lumenModulus, away, 0.8*lumenMoment, 0.5*lumenFriction))
	out := invoke(t, rodRobot(), "identify", "--config", file, "--free", "vessel.friction_coefficient", "--free", "moment.tip", "--starts", "1", apptest.Write(t, "motion.csv", csv))
	const want = "unidentifiable: environment.shapes.vessel.friction_coefficient has an infinite standard error: nothing that was measured changes with it"
	if !strings.Contains(out, want) || strings.Contains(out, "unidentifiable: moment.tip") {
		t.Errorf("no %q in\n%s", want, out)
	}
}
