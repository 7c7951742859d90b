package offline_test

import (
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// TestIdentifyMechanism: numbers of a mechanism are found by their paths, from the pose of the end of its rod, and
// the overlay that is written makes the robot that moved.
func TestIdentifyMechanism(t *testing.T) {
	program, folder := testbench.BuildTendonsim(t), t.TempDir()
	begin := testbench.WriteFile(t, "begin.yaml", commandedMechanism)
	truth := testbench.WriteFile(t, "truth.yaml", strings.NewReplacer("mass_kg: 0.1,", "mass_kg: 0.08,", "youngs_modulus_pa: 60e9", "youngs_modulus_pa: 55e9").Replace(commandedMechanism))
	commands := testbench.WriteFile(t, "commands.csv", "t,flexor,wrist:rad\n0,2,0.1\n0.1,3,0.3\n0.25,1,-0.1\n")
	measured, overlay, again := filepath.Join(folder, "measured.csv"), filepath.Join(folder, "fitted.yaml"), filepath.Join(folder, "again.csv")
	run := func(args ...string) string {
		out, errs, code := testbench.Run(t, program, args...)
		if code != 0 {
			t.Fatalf("%v: exit code %d, %s", args, code, errs)
		}
		return out
	}
	run("sim", truth, "--commands", commands, "--duration", "0.4s", "--out", measured)
	run("identify", begin, measured, "--commands", commands, "--free", "rods.finger.youngs_modulus_pa", "--free", "bodies.link.mass_kg", "--starts", "1", "--out", overlay)
	run("sim", begin, overlay, "--commands", commands, "--duration", "0.4s", "--out", again)
	_, want := testbench.ParseCSV(t, testbench.ReadFile(t, measured))
	header, got := testbench.ParseCSV(t, testbench.ReadFile(t, again))
	for i := range want {
		for k := range header {
			if d := got[i][k] - want[i][k]; d > 1e-8 || d < -1e-8 {
				t.Fatalf("t = %g s: %s is %.9g, was %.9g", want[i][0], header[k], got[i][k], want[i][k])
			}
		}
	}
}
