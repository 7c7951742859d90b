package offline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// TestMessagesAreShort wants errors that a reader takes in at a glance: not every topic
// of a recording, no more digits than a number has.
func TestMessagesAreShort(t *testing.T) {
	const most = 500 // characters: five lines
	const bench = "../../launch/examples/hil/bench.mcap"
	dir := t.TempDir()
	recording := filepath.Join(dir, "run.mcap") // with all topics of the node
	if _, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), "sim", "--duration", "0.1", "--out", recording); code != 0 {
		t.Fatal(errs)
	}
	file := filepath.Join(dir, "gpa.yaml")
	if err := os.WriteFile(file, []byte("rod: {youngs_modulus_pa: 16.6}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ program, args, want string }{
		{testbench.BuildMicrorobot(t), "replay " + recording, "has no commands for the built-in robot, which takes"},
		{testbench.BuildTendonsim(t), "compare " + recording, "no topic with the pose of the hardware"},
		{testbench.BuildTendonsim(t), "compare " + bench + " --sim-topic /nobody", "no topic /nobody"},
		{testbench.BuildTendonsim(t), "check " + file, "it looks like GPa: 1.66e+10 Pa"},
	} {
		_, errs, code := testbench.Run(t, c.program, strings.Fields(c.args)...)
		lines := strings.Split(strings.TrimSpace(errs), "\n")
		errs = lines[len(lines)-1] // replay has said before what becomes of commands that end
		if code != 2 || !strings.Contains(errs, c.want) || len(errs) > most {
			t.Errorf("%s: exit code %d, %d characters, want %q in at most %d:\n%s", c.args, code, len(errs), c.want, most, errs)
		}
	}
}
