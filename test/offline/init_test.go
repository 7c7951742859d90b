package offline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/launch/robots"
	"sinew/test/testbench"
)

// TestInit wants the files of every robot that comes with a program to be written, to be
// checked without a word, and its commands to be taken by sim as they are.
func TestInit(t *testing.T) {
	for _, program := range []string{testbench.BuildTendonsim(t), testbench.BuildMicrorobot(t)} {
		name := filepath.Base(program)
		listed, _, code := testbench.RunIn(t, ".", program, "robots")
		if code != 0 {
			t.Errorf("%s robots: exit code %d", name, code)
		}
		for _, r := range robots.Of(name) {
			dir := t.TempDir()
			testbench.Contains(t, name+" robots", listed, r.Name, r.Size, r.Shows)
			out, errs, code := testbench.RunIn(t, dir, program, "init", r.Name)
			file, commands := r.Name+".yaml", r.Name+"_commands.csv"
			if code != 0 {
				t.Fatalf("%s init %s: exit code %d, %s", name, r.Name, code, errs)
			}
			sim := []string{"sim", "--config", file}
			if r.Commands() != nil {
				sim = append(sim, "--commands", commands)
			}
			testbench.Contains(t, "init "+r.Name, out, file, name+" "+strings.Join(sim, " ")+" --duration")
			if _, errs, code := testbench.RunIn(t, dir, program, "check", file); code != 0 || withoutSnap(errs) != "" {
				t.Errorf("check of %s: exit code %d, %s", file, code, errs)
			}
			_, errs, code = testbench.RunIn(t, dir, program, append(sim, "--duration", "20ms", "--out", "out.csv")...)
			if code != 0 || strings.Contains(withoutSnap(errs), "warning") {
				t.Errorf("sim of %s: exit code %d, %s", file, code, errs)
			}
		}
	}
}

// withoutSnap leaves out the lines about disks at the nearest nodes, where the example of
// TendonForces has them in method reference.
func withoutSnap(errs string) string {
	var left []string
	for line := range strings.Lines(errs) {
		if !strings.Contains(line, "are at the nearest nodes in method reference") {
			left = append(left, line)
		}
	}
	return strings.Join(left, "")
}

// TestInitKeepsFiles wants files that are there to stay as they are, both or none to be
// written, and --force to replace them.
func TestInitKeepsFiles(t *testing.T) {
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	mine := []byte("# mine\n")
	for _, there := range []string{"silicone.yaml", "silicone_commands.csv"} {
		path := filepath.Join(dir, there)
		if err := os.WriteFile(path, mine, 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs, code := testbench.RunIn(t, dir, program, "init")
		if code != 2 {
			t.Errorf("%s is there: exit code %d, want 2", there, code)
		}
		testbench.Contains(t, "init", errs, "--out "+there+" exists", "--force")
		if text, err := os.ReadFile(path); err != nil || string(text) != string(mine) {
			t.Errorf("%s is now %q, %v", there, text, err)
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 1 {
			t.Errorf("%s is there, but %q were written", there, files)
		}
		if _, errs, code := testbench.RunIn(t, dir, program, "init", "--force"); code != 0 {
			t.Errorf("--force: exit code %d, %s", code, errs)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) == string(mine) {
			t.Errorf("--force leaves %q, %v", text, err)
		}
		for _, name := range []string{"silicone.yaml", "silicone_commands.csv"} {
			_ = os.Remove(filepath.Join(dir, name))
		}
	}
}

func TestInitMistakes(t *testing.T) {
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	for _, c := range []struct{ args, want string }{
		{"init swimmer", "swimmer is a robot of the other program; use microrobot init swimmer"},
		{"init nitnol", `unknown robot "nitnol"; allowed: silicone, nitinol, segments`},
		{"init nitnol", "did you mean nitinol?"},
		{"init --out robot.txt", "a robot file ends in .yaml"},
		{"init --out missing/robot.yaml", "directory missing does not exist"},
	} {
		_, errs, code := testbench.RunIn(t, dir, program, strings.Fields(c.args)...)
		if code != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d, %q lacks %q", c.args, code, errs, c.want)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); files != nil {
		t.Errorf("mistakes wrote %q", files)
	}
}

// TestParamsAreTheBuiltinRobot wants the robot that a program simulates without a file
// from what init and params write, to the last bit, and params to take single values.
func TestParamsAreTheBuiltinRobot(t *testing.T) {
	for _, program := range []string{testbench.BuildTendonsim(t), testbench.BuildMicrorobot(t)} {
		name, dir := filepath.Base(program), t.TempDir()
		if _, errs, code := testbench.RunIn(t, dir, program, "init", "--out", "mine.yaml"); code != 0 {
			t.Fatalf("%s init: exit code %d, %s", name, code, errs)
		}
		params, _, _ := testbench.RunIn(t, dir, program, "params")
		if err := os.WriteFile(filepath.Join(dir, "params.yaml"), []byte(params), 0o600); err != nil {
			t.Fatal(err)
		}
		simulate := func(args ...string) string {
			out, errs, code := testbench.RunIn(t, dir, program, append([]string{"sim", "--duration", "0.2", "--commands", "mine_commands.csv"}, args...)...)
			if code != 0 {
				t.Errorf("%s sim %q: exit code %d, %s", name, args, code, errs)
			}
			return out
		}
		want := simulate()
		for _, file := range []string{"mine.yaml", "params.yaml"} {
			if got := simulate("--config", file); got != want {
				t.Errorf("%s sim --config %s differs from sim without a file", name, file)
			}
		}
	}
	params, _, _ := testbench.Run(t, testbench.BuildTendonsim(t), "params", "_rod/length_m:=0.3")
	testbench.Contains(t, "params", params, "  length_m: 0.3 ", "(default 0.25)")
}
