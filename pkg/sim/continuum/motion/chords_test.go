package motion_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
)

// chordFile is a robot on which chordFile acts that the method of chords knows.
const chordFile = `
rod:
  length_m: 0.2
  density_kg_per_m3: 1100
  youngs_modulus_pa: 2e6
  precurvature_per_m: [1, -2, 3]
  elements: 12
  element_order: ORDER
  damping: {kelvin_voigt_s: 0.004, drag_per_s: 0.5, quadratic_drag_kg_per_m2: 0.2}
  sections:
    - {length_m: 0.08, radius_m: [0.005, 0.004]}
    - {length_m: 0.12, radius_m: 0.004, inner_radius_m: 0.002}
tip: {mass_kg: 0.004, inertia_kg_m2: [1e-6, 2e-6, 1e-6], center_of_mass_m: [0.002, -0.001, 0.006]}
tendons:
  - {name: a, offset_m: [0.008, 0], disks: {count: 5, first_m: 0.04, last_m: 0.2, mass_kg: 0.001}TENDON}
  - {name: b, offset_m: [0, 0.008], twist_rad_per_m: 5, disks: {count: 3, first_m: 0.05, last_m: 0.15, mass_kg: 0}}
loads: [{at_m: 0.13, force_n: [0, 0.01, 0.02], moment_nm: [0.001, 0, 0.0005], frame: body}, {force_n: [0.01, 0, 0]}]
magnets: [{name: m, at_m: 0.2, moment_a_m2: [0, 0.01, 0.02]}]
field: {uniform_t: [0.01, 0.02, 0], dipoles: [{position_m: [0.2, 0.1, 0.1], moment_a_m2: [0, 0, 20]}]}
disk_force: FORCE
ENVIRONMENT
`

// chordRobot is that of chordFile, changed.
func chordRobot(t *testing.T, order int, force, tendon, environment string) *continuumtest.Robot {
	t.Helper()
	r := strings.NewReplacer("ORDER", strconv.Itoa(order), "FORCE", force, "TENDON", tendon, "ENVIRONMENT", environment)
	return continuumtest.New(t, continuumtest.Parse(t, r.Replace(chordFile)))
}

// An increment by the method of chords is of the residual of the iterate, to round-off, with
// the tangent of the one before.
func TestChordsHaveTheResidual(t *testing.T) {
	for _, c := range []struct{ force, environment string }{
		{force: "full"},
		{force: "transverse"},
		{"full", "environment: {friction_coefficient: 0.3, shapes: [{name: ball, sphere: {center_m: [0.19, 0, -0.034], radius_m: 0.02}}]}"},
	} {
		force := c.force
		for _, order := range []int{2, 4} {
			e := chordRobot(t, order, force, "", c.environment)
			in := continuumtest.Pulling(2, 1)
			w := e.Contact
			for k := 0; k < 5 || w != nil && (k < 20 || w.Summary().Count == 0); k++ {
				if k == 50 {
					t.Fatal("nothing touches the ball")
				}
				if err := e.Step(1e-3, in); err != nil {
					t.Fatal(err)
				}
			}
			in.Setpoints[0].Tension = 2.4
			e.Act(in)
			e.Stepper.Predict(e.Stepper.Begin(1e-3))
			m := e.Stepper.Iteration()
			m.Assemble(0)
			first, _, _ := m.Increment()
			m.Move(1)
			if !m.ChordResidual() {
				t.Fatal("no residual for the method of chords")
			}
			got := make([][]float64, len(e.System.State.Pose))
			for i, w := range e.System.Wrenches() {
				got[i] = append(continuumtest.Numbers(w.Force), continuumtest.Numbers(w.Moment)...)
			}
			chord, ok := m.ChordIncrement()
			if !ok {
				t.Fatal("no increment by the method of chords")
			}
			m.Assemble(0)
			for i, w := range e.System.Wrenches() {
				for j, x := range append(continuumtest.Numbers(w.Force), continuumtest.Numbers(w.Moment)...) {
					if !(math.Abs(got[i][j]-x) < 1e-12) { // N and N m; the elements carry some 10 N
						t.Errorf("%s, order %d, node %d: residual %v of component %d, assembled %v", force, order, i, got[i][j], j, x)
					}
				}
			}
			second, _, _ := m.Increment()
			t.Logf("%s, order %d: increments of %.3g, then %.3g by the method of chords and %.3g by Newton's", force, order, first, chord, second)
			if !(math.Abs(chord/second-1) < 0.1) || !(second < first/20) {
				t.Errorf("%s, order %d: increments of %g, then %g by the method of chords and %g by Newton's", force, order, first, chord, second)
			}
			e.Stepper.Revert()
		}
	}
}

// Tendons that stick, slip or have a given length, and what goes far beside a wall, have a tangent of
// each iterate.
func TestChordsAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		name, tendon, environment string
		tension                   float64 // of tendon a, N; 0: it is pulled
	}{
		{"friction", ", friction_coefficient: 0.2", "", 0.2},
		{"length control", ", stiffness_n_per_m: 1e4", "", 0},
		{"a large increment beside a wall", "", "environment: {shapes: [{name: floor, plane: {point_m: [0, 0, -1], normal: [0, 0, 1]}}]}", 8},
	} {
		e := chordRobot(t, 4, "full", c.tendon, c.environment)
		in := continuumtest.Pulling(c.tension, 0.1)
		if c.tension == 0 {
			in.ControlLength(0, 0.0001)
		}
		e.Act(in)
		e.Stepper.Predict(e.Stepper.Begin(1e-3))
		m := e.Stepper.Iteration()
		m.Assemble(0)
		m.Increment()
		m.Move(1)
		if m.ChordResidual() {
			t.Errorf("%s: an increment by the method of chords", c.name)
		}
	}
}
