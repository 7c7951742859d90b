package multibody_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/simtest"
)

// tendonLaws are what tendons of one rod have, as robot files say it, and what they are commanded.
var tendonLaws = []struct {
	name, keys string
	command    float64 // of the tension, N, or the pull, m, after t = 0
}{
	{"given tension", "tension_n: 2", 2.2},
	{"friction", "tension_n: 2, friction_coefficient: 0.3", 2.2},
	{"friction springs", "tension_n: 2, friction_coefficient: 0.3, friction_springs: [{share: 1, displacement_m: 2e-5}, {share: 2, displacement_m: 1e-4}]", 2.2},
	{"elastic", "pull_m: 0.004, stiffness_n_per_m: 2000", 0.0042},
	{"inextensible", "pull_m: 0.004, stiffness_n_per_m: .inf", 0.0042},
	{"slack", "pull_m: -0.004, stiffness_n_per_m: 2000", 0.0042},
	{"at the largest tension", "pull_m: 0.02, stiffness_n_per_m: 20000, limits: {max_tension_n: 3}", 0.0042},
	{"elastic with friction", "pull_m: 0.004, stiffness_n_per_m: 2000, friction_coefficient: 0.2", 0.0042},
	{"pushes", "pull_m: -0.003, stiffness_n_per_m: 2000, min_tension_n: -20", -0.0032},
	{"pushes, inextensible", "pull_m: -0.003, stiffness_n_per_m: .inf, min_tension_n: -20", -0.0032},
	{"pushes with friction", "pull_m: -0.003, stiffness_n_per_m: 2000, min_tension_n: -20, friction_coefficient: 0.2", -0.0032},
	{"pushes with friction springs", "pull_m: -0.003, stiffness_n_per_m: 2000, min_tension_n: -20, friction_coefficient: 0.2, friction_springs: [{share: 1, displacement_m: 2e-5}, {share: 2, displacement_m: 1e-4}]", -0.0032},
	{"at the least tension", "pull_m: -0.02, stiffness_n_per_m: 20000, min_tension_n: -1", -0.0195},
	{"may push", "tension_n: 2, min_tension_n: -3", -2.2},
	{"may push with friction", "tension_n: 2, min_tension_n: -3, friction_coefficient: 0.3", -2.2},
}

const (
	rodText    = "length_m: 0.2, radius_m: 0.0005, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, density_kg_per_m3: 6450, elements: 20, damping: {kelvin_voigt_s: 0.001}"
	tendonText = "offset_m: [0.008, 0.001], disks: {count: 5, first_m: 0.04, last_m: 0.2, mass_kg: 0.0005}"
	otherText  = "{name: other, %s offset_m: [-0.002, 0.008], disks: {count: 2, first_m: 0.1, last_m: 0.2, mass_kg: 0}, tension_n: 1, stiffness_n_per_m: 1e4}"
	startText  = "{position_m: [0, 0, 0], direction: [0, 0, 1], normal: [1, 0, 0]"
	solverText = "initial_state: equilibrium\nsolver: {step_s: 0.001}\n"
)

// oneRod returns a rod with tendons as continuum simulates it, and as a mechanism.
func oneRod(t testing.TB, keys string) (rod, mechanism equilibrator) {
	t.Helper()
	text := fmt.Sprintf("rod: {%s}\nbase: %s}\ntendons: [{name: cord, %s, %s}, "+otherText+"]\n"+solverText, rodText, startText, tendonText, keys, "")
	m := continuumtest.New(t, continuumtest.Parse(t, text)).Model
	text = fmt.Sprintf("rods: [{name: rod, %s}]\njoints: [{name: clamp, type: fixed, parent: {world: true}, child: {rod: rod, at_m: 0}}]\n"+
		"tendons: [{name: cord, rod: rod, %s, %s}, "+otherText+"]\n"+solverText, rodText, tendonText, keys, "rod: rod,")
	return m, mustModel(t, parse(t, "rods", text))
}

// equilibrator is a model that finds equilibria.
type equilibrator interface {
	sim.Model
	Equilibrate() error
}

// TestTendonsAgreeWithOneRod: shape, pulls and tensions of a rod with tendons as a mechanism, in the first equilibrium, in motion,
// and in the equilibrium after it, in which friction has a history.
func TestTendonsAgreeWithOneRod(t *testing.T) {
	for _, c := range tendonLaws {
		t.Run(c.name, func(t *testing.T) {
			rod, mech := oneRod(t, c.keys)
			compare := func(what string, force float64) {
				t.Helper()
				end, ends := value(t, rod, "measured_cp"), value(t, mech, "rod/measured_cp")
				js, others := value(t, rod, "measured_js"), value(t, mech, "measured_js")
				near(t, what+": end", ends[:3], end[:3], 1e-9)
				near(t, what+": pulls", others[:2], js[:2], 1e-9)
				near(t, what+": tensions", others[4:], js[4:], force)
			}
			both := func(steps int) {
				t.Helper()
				for _, m := range []sim.Model{rod, mech} {
					march(t, m, nil, 0.001, steps)
				}
			}
			compare("equilibrium", 1e-9)
			both(3) // at rest, so that both have the same past
			port, command := "servo_jf", []float64{c.command, 0.9}
			if strings.Contains(c.keys, "pull_m") {
				port, command = "servo_jp", []float64{c.command, 0.001}
			}
			for _, m := range []sim.Model{rod, mech} {
				m.Command(portOf(t, m, port, sim.In), command)
			}
			both(12)
			compare("motion", 1e-7)
			for _, m := range []equilibrator{rod, mech} {
				if err := m.Equilibrate(); err != nil {
					t.Fatal(err)
				}
			}
			compare("equilibrium after motion", 1e-8)
		})
	}
}

// TestTendonModelContract: tendons under length control with friction, of an arm with a motor and without.
func TestTendonModelContract(t *testing.T) {
	const cord = "name: cord, rod: rod, " + tendonText + ", pull_m: 0.001, stiffness_n_per_m: 2000, friction_coefficient: 0.2"
	for name, text := range map[string]string{
		"alone": "rods: [{name: rod, " + rodText + "}]\njoints: [{name: clamp, type: fixed, parent: {world: true}, child: {rod: rod, at_m: 0}}]\n" +
			"tendons: [{" + cord + "}]\n" + solverText,
		"with a motor": "rods: [{name: rod, " + rodText + "}]\njoints: [{name: clamp, type: revolute, parent: {world: true}, child: {rod: rod, at_m: 0}, " +
			"motor: {position: {stiffness: 5, damping: 0.1}}}]\ntendons: [{" + cord + "}]\n" + solverText,
	} {
		t.Run(name, func(t *testing.T) {
			r, err := multibody.NewRobot(parse(t, "rods", text), multibody.Files{})
			if err != nil {
				t.Fatal(err)
			}
			simtest.Contract(t, func() (sim.Model, error) { return r.NewModel() }, simtest.Motion{
				Step: 0.001, Steps: 60, Command: command, Exercised: []string{"newton_iterations"},
			})
		})
	}
}

// near fails unless all of got are within tolerance of want.
func near(t testing.TB, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tolerance) {
			t.Errorf("%s: %.12g, want %.12g: off by %.3g, tolerance %.3g", what, got, want, d, tolerance)
			return
		}
	}
}

// TestDerivativesByPulls are those by differences of equilibria, and refuses those by numbers after a motion with friction.
func TestDerivativesByPulls(t *testing.T) {
	_, m := oneRod(t, "pull_m: 0.004, stiffness_n_per_m: 2000")
	mech := m.(*multibody.Model)
	j, err := mech.Jacobian()
	if err != nil {
		t.Fatal(err)
	}
	const d = 1e-5
	port := portOf(t, m, "servo_jp", sim.In)
	end := func(pull float64) []float64 {
		m.Command(port, []float64{pull, sim.Keep})
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		return value(t, m, "rod/measured_cp")[:3]
	}
	low, high := end(0.004-d), end(0.004+d)
	var got, want []float64
	for k := range 3 {
		got, want = append(got, j.Values[k][0]), append(want, (high[k]-low[k])/(2*d))
	}
	if near(t, "end by the pull", got, want, 1e-4); j.InputUnits[0] != "m" || math.Abs(want[0]) < 1 {
		t.Errorf("%s in %s moves the end by %v", j.Inputs[0], j.InputUnits[0], want)
	}
	_, m = oneRod(t, "tension_n: 1, friction_coefficient: 0.1")
	mech = m.(*multibody.Model)
	if err := m.Step(1e-3); err != nil {
		t.Fatal(err)
	}
	if _, err := mech.Jacobian(sim.Varied{Name: "x", Lower: m, Upper: m, Difference: 1}); err == nil || !strings.Contains(err.Error(), `the friction of tendon "cord" follows`) {
		t.Errorf("by a number, after a motion with friction: error %v", err)
	}
	if _, err := mech.Tangent(); err != nil {
		t.Errorf("in motion with friction: error %v", err)
	}
}
