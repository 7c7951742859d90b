package offline_test

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sinew/test/subprocess"
	"sinew/test/testbench"
)

// TestOutputsSpareInputs: no verb writes onto what it reads, whatever that is called, and
// with --force neither. Before, each of these lost its input and ended with 0.
func TestOutputsSpareInputs(t *testing.T) {
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	robot, pulls, recording, poses := at("robot.yaml"), at("pulls.csv"), at("x.mcap"), at("poses.csv")
	for file, text := range map[string]string{
		robot: testbench.ReadFile(t, testbench.RobotFiles+"nitinol_robot.yaml"),
		pulls: "t,tendon_1\n0,0\n0.01,0.5\n",
		poses: "tendon_1,tip_x,tip_y,tip_z\n0,0,0,0.2\n0.1,0.01,0,0.19\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, errs, code := testbench.Run(t, program, "sim", "--config", robot, "--duration", "0.1s", "--commands", pulls, "--out", recording); code != 0 {
		t.Fatal(errs)
	}
	if err := os.Symlink("pulls.csv", at("link.csv")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(pulls, at("hard.csv")); err != nil {
		t.Fatal(err)
	}
	before := testbench.ListDir(t, dir)
	sim := []string{"sim", "--config", robot, "--duration", "0.1s", "--commands", pulls}
	for _, args := range [][]string{
		append(sim, "--out", pulls), append(sim, "--out", at("link.csv")), append(sim, "--out", at("hard.csv")),
		append(sim, "--stats", pulls), append(sim, "--out", robot),
		{"static", "--config", robot, "--out", robot},
		{"replay", "--config", robot, recording, "--out", recording},
		{"identify", "--config", robot, "--free", "youngs_modulus_pa", "--out", poses, poses},
		{"identify", "--config", robot, "--free", "youngs_modulus_pa", "--report", robot, poses},
		{"run", "--config", robot, "--ros", "off", "--duration", "0.1s", "--record", recording},
	} {
		kept := map[string]string{robot: testbench.ReadFile(t, robot), pulls: testbench.ReadFile(t, pulls), recording: testbench.ReadFile(t, recording), poses: testbench.ReadFile(t, poses)}
		force := append(args, "--force")
		if args[0] == "run" { // --force is for this one
			force = args
		}
		_, errs, code := testbench.Run(t, program, force...)
		if code != 2 || errs == "" {
			t.Errorf("%v: exit code %d, want 2: %s", args, code, errs)
		}
		for file, text := range kept {
			if testbench.ReadFile(t, file) != text {
				t.Fatalf("%v changed %s", args, file)
			}
		}
		if now := testbench.ListDir(t, dir); now != before {
			t.Errorf("%v left %q", args, now)
		}
	}
}

// TestOutputsReplaceTheirOwn: a verb writes again what it wrote, of any format, and asks
// for --force before anything else.
func TestOutputsReplaceTheirOwn(t *testing.T) {
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	robot := testbench.RobotFiles + "nitinol_robot.yaml"
	recording, data := at("x.mcap"), at("data.csv")
	if _, errs, code := testbench.Run(t, program, "sim", "--config", robot, "--duration", "0.1s", "--out", recording, "--commands", testbench.WriteFile(t, "p.csv", "t,tendon_1\n0,0\n0.05,0.1\n")); code != 0 {
		t.Fatal(errs)
	}
	if err := os.WriteFile(data, []byte("tendon_1,tip_x,tip_y,tip_z\n0,0.2,0,0\n0.1,0.19,0,0.01\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sim := []string{"sim", "--config", robot, "--duration", "0.1s"}
	for _, c := range []struct {
		args   []string
		output string
	}{
		{append(sim, "--out", at("a.csv")), at("a.csv")},
		{append(sim, "--out", at("a.mcap")), at("a.mcap")},
		{append(sim, "--out", at("a.bag")), at("a.bag")},
		{append(sim, "--out", at("b.csv"), "--stats", at("a.json")), at("a.json")},
		{[]string{"static", "--config", robot, "--out", at("s.csv")}, at("s.csv")},
		{[]string{"static", "--config", robot, "--out", at("s.csv"), "--jacobian", at("j.csv")}, at("j.csv")},
		{[]string{"replay", "--config", robot, recording, "--out", at("r.csv")}, at("r.csv")},
		{[]string{"replay", "--config", robot, recording, "--out", at("r.bag")}, at("r.bag")},
		{[]string{"compare", recording, recording, "--sim-topic", "/tendonsim/measured_cp", "--hw-topic", "/tendonsim/measured_cp", "--out", at("cmp")}, at("cmp/samples.csv")},
		{[]string{"identify", "--config", robot, "--free", "youngs_modulus_pa", "--starts", "1", "--out", at("e.yaml"), data}, at("e.yaml")},
		{[]string{"identify", "--config", robot, "--report", at("e.json"), data}, at("e.json")},
	} {
		for range 2 { // over its own
			if _, errs, code := testbench.Run(t, program, c.args...); code != 0 {
				t.Fatalf("%v: exit code %d: %s", c.args, code, errs)
			}
		}
		const theirs = "t,tip_x,tip_y,tip_z\n0,0.1,0.2,0.3\n"
		if err := os.WriteFile(c.output, []byte(theirs), 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs, code := testbench.Run(t, program, c.args...)
		if code != 2 || !strings.Contains(errs, "--force") || testbench.ReadFile(t, c.output) != theirs {
			t.Errorf("%v over a foreign file: exit code %d, want 2: %s", c.args, code, errs)
		}
		if _, errs, code := testbench.Run(t, program, append(c.args, "--force")...); code != 0 || testbench.ReadFile(t, c.output) == theirs {
			t.Errorf("%v --force: exit code %d: %s", c.args, code, errs)
		}
	}
	// a recording of run happens once
	live := at("live.mcap")
	if _, errs, code := testbench.Run(t, program, "run", "--config", robot, "--ros", "off", "--duration", "0.3s", "--record", live); code != 0 {
		t.Fatal(errs)
	}
	if _, errs, code := testbench.Run(t, program, append(sim, "--out", live)...); code != 2 || !strings.Contains(errs, "--force") {
		t.Errorf("sim over a recording of run: exit code %d, want 2: %s", code, errs)
	}
	if names := testbench.ListDir(t, dir); strings.Contains(names, ".part") {
		t.Errorf("left behind: %s", names)
	}
}

// TestFailuresKeepWhatWasThere: a verb that fails leaves the file that it would have
// replaced. Before, a replay that failed removed it.
func TestFailuresKeepWhatWasThere(t *testing.T) {
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	old := filepath.Join(dir, "old.mcap")
	if _, errs, code := testbench.Run(t, program, "sim", "--duration", "0.05s", "--out", old); code != 0 {
		t.Fatal(errs)
	}
	before := testbench.ReadFile(t, old)
	other := testbench.WriteFile(t, "other.mcap", "no recording")
	for _, args := range [][]string{
		{"replay", other, "--out", old},
		{"replay", old, "--out", old + ".bag"}, // no commands in it
		{"sim", "--duration", "0.05s", "--commands", other, "--out", old},
		{"sim", "--duration", "0.05s", "--out", old, "--stats", filepath.Join(dir, "no", "folder.json")},
	} {
		if _, errs, code := testbench.Run(t, program, args...); code == 0 {
			t.Errorf("%v: exit code 0: %s", args, errs)
		}
		if names := testbench.ListDir(t, dir); names != "old.mcap" || testbench.ReadFile(t, old) != before {
			t.Errorf("%v left %s", args, names)
		}
	}
	_, errs, code := testbench.Run(t, program, "sim", "--duration", "0.5s", "--sample-every", "1", "--out", "/dev/full")
	if code != 1 || strings.Count(errs, "--out /dev/full: no space left on device") != 1 {
		t.Errorf("exit code %d, want 1: %s", code, errs)
	}
}

// TestInterruptKeepsWholeRows: Ctrl-C, SIGTERM and the SIGHUP of a terminal that closes end
// sim within a second, with whole rows under the name, and a word of where they end.
func TestInterruptKeepsWholeRows(t *testing.T) {
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	hangups := make(chan os.Signal, 1) // under nohup they are ignored, by what is started here, too, unless they are taken
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		out := filepath.Join(dir, "x.csv")
		cmd := exec.Command(program, "sim", "--duration", "1e9", "--sample-every", "1", "--out", out)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(testbench.WaitLimit); ; time.Sleep(10 * time.Millisecond) {
			parts, _ := filepath.Glob(filepath.Join(dir, ".x.csv.*.part")) // beside the name
			if info, err := os.Stat(strings.Join(parts, "")); err == nil && info.Size() > 1<<16 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("no rows on the disk: %s", testbench.ListDir(t, dir))
			}
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("the file has its name before it is whole")
		}
		w := subprocess.NewStopwatch()
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil || w.Stop() > time.Second {
			t.Errorf("%v: %v after %v: %s", sig, err, w.Read(), errs.String())
		}
		text := testbench.ReadFile(t, out)
		header, rows := testbench.ParseCSV(t, text) // which refuses rows of another length
		last := rows[len(rows)-1]
		if !strings.HasSuffix(text, "\n") || len(last) != len(header) || !strings.Contains(errs.String(), "interrupted at t = ") || !strings.Contains(errs.String(), out) {
			t.Errorf("%v: %d rows; %s", sig, len(rows), errs.String())
		}
		at, _, _ := strings.Cut(strings.SplitAfter(errs.String(), "interrupted at t = ")[1], " ")
		if v, err := strconv.ParseFloat(at, 64); err != nil || v < last[0]-1e-3*last[0] {
			t.Errorf("%v: the last row is of %g s, said is %s s", sig, last[0], at)
		}
		if names := testbench.ListDir(t, dir); names != "x.csv" {
			t.Errorf("%v left %s", sig, names)
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
	}
}
