package microrobot_test

import (
	"fmt"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/simtest"
	"sinew/test/testsize"
)

// TestContract tests the contract of sim.Model for all methods and everything that a robot file of a microrobot may
// have; package simtest tests the robots that come with the programs.
func TestContract(t *testing.T) {
	testsize.SkipInShort(t)
	commands := simtest.Amplitudes{Field: 2e-3, Gradient: 0.02, Frequency: 2, Force: 1e-15, Moment: 1e-20, Speed: 1e-6}
	cases := []struct {
		name, text string
		step       float64 // s
		steps      int
		commands   simtest.Amplitudes
	}{
		{"everything", everything, 1e-3, 60, commands},
		{"everything, following", strings.Replace(everything, "1e-15, 0]", "1e-9, 0]", 1), 1e-3, 60, commands},
		{"helix", fmt.Sprintf(microrobot.Helix, 8.), 1e-3, 60, commands},
		{"linear", `{body: {shape: {sphere_m: 1e-4}, magnet: {}}, field: {interpolation: linear}}`, 1e-3, 60, commands},
		{"swarm", `{body: {shape: {sphere_m: 1e-4}, magnet: {}}, swarm: {count: 5, spacing_m: 1e-3}}`, 1e-3, 30, commands},
		{"implicit swarm", fmt.Sprintf(microrobot.Neodymium, 5, 8e-5, ", fluid: {brownian: true}"), 1e-4, 6, simtest.Amplitudes{}},
		{"touching", microrobot.Driven + microrobot.Tube, 1e-3, 400, simtest.Amplitudes{}},
		{"touching with inertia", "dynamics: inertial\n" + microrobot.Driven + microrobot.Tube, 1e-3, 400, simtest.Amplitudes{}},
		{"swarm that touches", "swarm: {count: 8, spacing_m: 5e-4, interaction: none}\n" + microrobot.Driven + microrobot.Tube, 1e-3, 400, simtest.Amplitudes{}},
	}
	add := func(name, text string, commands simtest.Amplitudes) {
		cases = append(cases, struct {
			name, text string
			step       float64
			steps      int
			commands   simtest.Amplitudes
		}{name, text, 1e-3, 60, commands})
	}
	for _, method := range []string{"cg4", "lie-euler", "rkmk4"} {
		add("spheroid, "+method, fmt.Sprintf(microrobot.Spheroid6DOF, method), commands)
	}
	for _, s := range inertialSolvers {
		add("inertial, "+s.name, fmt.Sprintf(swimmer, s.name), simtest.Amplitudes{Force: 1e-5, Moment: 2e-10})
	}
	for _, k := range microrobot.Swarms[3:] { // with interaction
		cases = append(cases, struct {
			name, text string
			step       float64
			steps      int
			commands   simtest.Amplitudes
		}{"swarm " + k.Name, k.Text, 1e-5, 6, simtest.Amplitudes{}})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := microrobot.NewModel(t, c.text).Robot()
			simtest.Contract(t, func() (sim.Model, error) { return r.NewModel(), nil }, simtest.Motion{Step: c.step, Steps: c.steps, Command: c.commands.Command})
		})
	}
}
