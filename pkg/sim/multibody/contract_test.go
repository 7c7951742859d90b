package multibody_test

import (
	"math"
	"os"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/simtest"
)

// files are those of mechanisms, by their names in package robotfile.
var files = []string{"six_leg_robot", "gripper_with_ball", "tendon_hand", "arm_with_rod", "y_tree", "thrown_ring", "double_pendulum"}

func read(t testing.TB, name string) *robotfile.Mechanism {
	t.Helper()
	return parse(t, name, textOf(t, name))
}

// textOf returns the text of a file.
func textOf(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("../robotfile/testdata/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func parse(t testing.TB, name, text string) *robotfile.Mechanism {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Mechanism](name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func newModel(f *robotfile.Mechanism) (*multibody.Model, error) {
	r, err := multibody.NewRobot(f, multibody.Files{})
	if err != nil {
		return nil, err
	}
	return r.NewModel()
}

func mustModel(t testing.TB, f *robotfile.Mechanism) *multibody.Model {
	t.Helper()
	m, err := newModel(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// portOf returns the number of a port.
func portOf(t testing.TB, m sim.Model, name string, d sim.Direction) int {
	t.Helper()
	for i, p := range m.Ports() {
		if p.Name == name && p.Direction == d {
			return i
		}
	}
	t.Fatalf("no port %s", name)
	return 0
}

// value returns the values of an Out port.
func value(t testing.TB, m sim.Model, name string) []float64 {
	t.Helper()
	i := portOf(t, m, name, sim.Out)
	v := make([]float64, m.Ports()[i].Width())
	m.Value(i, v)
	return v
}

// command moves what can be moved by a little.
func command(p *sim.Port, phase float64, v []float64) bool {
	wave := math.Sin(2 * math.Pi * phase)
	switch p.Kind {
	case sim.Pose:
		v[0] += 0.01 * wave
		return true
	case sim.Tension:
		for i := range v {
			v[i] = math.Min(v[i]+0.5*wave*wave, p.Max[i])
		}
		return true
	case sim.TendonLength:
		for i := range v {
			v[i] += 1e-3 * wave
		}
		return true
	case sim.Wrench:
		for i := range 3 {
			v[i] = 0.01 * wave
			v[3+i] = 1e-5 * wave
		}
		v[6] = math.Round(phase)
		return true
	case sim.JointState:
		for i := range v {
			v[i] = max(p.Min[i], min(p.Max[i], v[i]+0.05*wave))
		}
		return true
	}
	return false
}

// sensed is a pendulum of a body and a rod with sensors of all kinds that mechanisms have.
const sensed = `
bodies: [{name: bob, mass_kg: 0.1, inertia_kg_m2: [1e-5, 1e-5, 1e-5], position_m: [0.1, 0, 0]}]
rods: [{name: tail, length_m: 0.1, radius_m: 0.002, density_kg_per_m3: 2000, youngs_modulus_pa: 1e7, elements: 4}]
joints:
  - {name: hinge, type: revolute, axis: [0, 1, 0], parent: {world: true}, child: {body: bob, position_m: [-0.1, 0, 0]}, motor: {position: {stiffness: 1, damping: 0.01}}}
  - {name: weld, type: fixed, parent: {body: bob}, child: {rod: tail, at_m: 0}}
markers: [{name: m1, body: bob, position_m: [0, 0.01, 0]}]
sensors:
  - {name: tracker, rate_hz: 250, latency_s: 0.005, dropout: 0.1, pose: {rod: tail, at_m: 0.06, position_error: {noise: 1e-4}}}
  - {name: chip, rate_hz: 1000, imu: {body: bob, position_m: [0.01, 0, 0], angular_velocity_error: {bias_walk: 0.01}}}
  - {name: fbg, rate_hz: 100, strain: {rod: tail, stations_m: [0.03]}}
  - {name: cell, rate_hz: 500, load_cell: {joint: weld}}
  - {name: encoder, rate_hz: 500, encoder: {joints: [hinge], backlash: 0.01}}
  - {name: amplifier, rate_hz: 500, current: {friction: 0.01}}
  - {name: cameras, rate_hz: 60, markers: {names: [m1]}}
solver: {step_s: 0.001}
`

func TestModelContract(t *testing.T) {
	for _, name := range append(files, "sensed") {
		t.Run(name, func(t *testing.T) {
			var f *robotfile.Mechanism
			if name == "sensed" {
				f = parse(t, name, sensed)
			} else {
				f = read(t, name)
			}
			r, err := multibody.NewRobot(f, multibody.Files{})
			if err != nil {
				t.Fatal(err)
			}
			simtest.Contract(t, func() (sim.Model, error) { return r.NewModel() }, simtest.Motion{
				Step: f.Solver.Step, Steps: 60, Command: command, Exercised: []string{"newton_iterations"},
			})
		})
	}
}
