package offline_test

import (
	"math"
	"path/filepath"
	"testing"

	"sinew/test/testbench"
)

// commandedMechanism has every kind of command of a mechanism in a table: a tension, an effort, and the
// coordinates of a motor and of a prescribed motion.
const commandedMechanism = `
rods: [{name: finger, ` + wireRod + `}]
bodies:
  - {name: hand, motion: fixed}
  - {name: link, mass_kg: 0.1, inertia_kg_m2: [1e-5, 1e-4, 1e-4], center_of_mass_m: [0.05, 0, 0]}
  - {name: slider, mass_kg: 0.2, inertia_kg_m2: [1e-5, 1e-5, 1e-5]}
  - {name: wheel, mass_kg: 0.2, inertia_kg_m2: [1e-5, 1e-5, 1e-5]}
joints:
  - {name: wrist, type: revolute, axis: [0, 1, 0], parent: {body: hand}, child: {body: link}, motor: {position: {stiffness: 20, damping: 0.5, max_effort: 2}}}
  - {name: mount, type: fixed, parent: {body: link, position_m: [0.1, 0, 0], orientation_xyzw: [0, 0.70710678118654757, 0, 0.70710678118654757]}, child: {rod: finger, at_m: 0}}
  - {name: rail, type: prismatic, axis: [1, 0, 0], parent: {world: true, position_m: [0, 1, 0]}, child: {body: slider}, motor: {prescribed: true}}
  - {name: axle, type: revolute, axis: [1, 0, 0], parent: {body: slider}, child: {body: wheel}, motor: {effort: {max_effort: 1}}}
tendons: [{name: flexor, rod: finger, offset_m: [0.008, 0], disks: {count: 5, first_m: 0.04, last_m: 0.2}, tension_n: 1}]
initial_state: equilibrium
solver: {step_s: 0.001}
`

// TestReplayOfMechanism: given its own commands, a mechanism does what it did, to the bit.
func TestReplayOfMechanism(t *testing.T) {
	program, folder := testbench.BuildTendonsim(t), t.TempDir()
	file := testbench.WriteFile(t, "robot.yaml", commandedMechanism)
	commands := testbench.WriteFile(t, "commands.csv", "t,flexor,axle,wrist:rad,rail:m\n0,2,0.001,0.1,0\n0.1,3,-0.002,0.3,0.01\n0.2,1,0,-0.1,0.02\n")
	recording := filepath.Join(folder, "m.mcap")
	run := func(args ...string) (header []string, rows [][]float64) {
		out, errs, code := testbench.Run(t, program, args...)
		if code != 0 {
			t.Fatalf("%v: exit code %d, %s", args, code, errs)
		}
		if out == "" {
			return nil, nil
		}
		return testbench.ParseCSV(t, out)
	}
	run("sim", file, "--commands", commands, "--duration", "0.4s", "--out", recording)
	header, want := run("sim", file, "--commands", commands, "--duration", "0.4s")
	_, got := run("replay", recording)
	if len(want) != 41 || len(got) != len(want) {
		t.Fatalf("%d rows replayed, %d simulated, want 41", len(got), len(want))
	}
	for i := range want {
		for k := range header {
			if got[i][k] != want[i][k] && !(header[k] == "t" && math.Abs(got[i][k]-want[i][k]) < 1e-12) {
				t.Fatalf("t = %g s: %s is %.17g in the replay, %.17g in the simulation", want[i][0], header[k], got[i][k], want[i][k])
			}
		}
	}
	for k, name := range header { // every command moves something
		moved := false
		for i := range want {
			moved = moved || want[i][k] != want[0][k]
		}
		switch name {
		case "finger.tip_x", "wrist", "rail", "axle", "flexor":
			if !moved {
				t.Errorf("%s has not moved", name)
			}
		}
	}
}
