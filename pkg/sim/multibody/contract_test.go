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
	data, err := os.ReadFile("../robotfile/testdata/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, name, string(data))
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

func TestModelContract(t *testing.T) {
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			f := read(t, name)
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
