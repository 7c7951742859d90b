package sweep_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/launch/robots"
	"sinew/pkg/sim/robotfile"
)

// robot moves with its first tendon's tension, and fails at a friction above 0.5 after 1 s.
func robot() program.Robot {
	r := apptest.Robot(nil)
	r.File = program.Files(made)
	r.Builtin = robots.Of("tendonsim")
	r.Shape = &program.Shape{Path: "initial_state", Value: "equilibrium", Port: "backbone"}
	return r
}

func made(f *robotfile.Continuum) (*program.Instance, error) {
	m := &apptest.Integrator{Tensions: [3]float64{f.Tendons[0].Tension}}
	if f.Tendons[0].Friction > 0.5 {
		m.Fail = 1
	}
	return &program.Instance{Model: m, Timing: program.Timing{StepS: 1.0 / 64, ControlHz: 64, PublishHz: 64, MarkerHz: 16}}, nil
}

// do runs a verb.
func do(args ...string) (stderr string, err error) {
	var out, errs bytes.Buffer
	err = app.Run(robot(), args, &out, &errs)
	return errs.String(), err
}

// must runs a verb that succeeds.
func must(t *testing.T, args ...string) string {
	t.Helper()
	stderr, err := do(args...)
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return stderr
}

func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// journalOf is what a kill after n samples of one row each would have left of a file.
func journalOf(t *testing.T, csv string, n int) string {
	t.Helper()
	var about map[string]any
	if err := json.Unmarshal([]byte(text(t, csv+".json")), &about); err != nil {
		t.Fatal(err)
	}
	delete(about, "sha256")
	head, err := json.Marshal(about)
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.SplitAfter(text(t, csv), "\n")[1:]
	journal := string(head) + "\n"
	for i, row := range rows[:n] {
		journal += fmt.Sprintf("%d %d %08x 0\n%s", i, len(row), crc32.ChecksumIEEE([]byte(row)), row)
	}
	return journal
}

var study = []string{"sweep", "--vary", "tension.long_up=linspace(0,4,5)", "--vary", "youngs_modulus_pa=lognormal(16e6,0.1)", "--samples", "23", "--duration", "2"}

func with(more ...string) []string { return append(append([]string{}, study...), more...) }

// A sample is a row of its values and of what the robot did, exactly.
func TestRows(t *testing.T) {
	out := filepath.Join(t.TempDir(), "s.csv")
	must(t, "sweep", "--vary", "tension.long_up=linspace(0,4,3)", "--duration", "2", "--sample-hz", "1", "--out", out)
	want := `sample,tension.long_up,t,x,y,z,a,b,c,warning,error
0,0,0,0,0,0,0,0,0,,
0,0,1,0,0,0,0,0,0,,
0,0,2,0,0,0,0,0,0,,
1,2,0,0,0,0,2,0,0,,
1,2,1,2,0,0,2,0,0,,
1,2,2,4,0,0,2,0,0,,
2,4,0,0,0,0,4,0,0,,
2,4,1,4,0,0,4,0,0,,
2,4,2,8,0,0,4,0,0,,
`
	if got := text(t, out); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if _, err := os.Stat(out + ".part"); err == nil {
		t.Error("the samples are left in .part, too")
	}
}

// Any number of workers and of shards make the same bytes, and merge adds nothing to them.
func TestWorkersAndShards(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.csv")
	must(t, with("--out", whole, "--workers", "1")...)
	many := filepath.Join(dir, "many.csv")
	must(t, with("--out", many, "--workers", "7")...)
	merged := filepath.Join(dir, "merged.csv")
	args := []string{"merge", "--out", merged}
	for _, i := range []string{"3/4", "1/4", "4/4", "2/4", "2/4"} { // one twice
		part := filepath.Join(dir, "part"+strings.ReplaceAll(i, "/", "of")+".csv")
		must(t, with("--out", part, "--shard", i)...)
		args = append(args, part)
	}
	must(t, args...)
	for _, name := range []string{many, merged} {
		if text(t, name) != text(t, whole) {
			t.Errorf("%s differs from that of one worker", name)
		}
		if text(t, name+".json") != text(t, whole+".json") {
			t.Errorf("%s.json differs from that of one worker", name)
		}
	}
}

// What a kill leaves, a row cut off included, is gone on with: finished samples are not
// computed again.
func TestGoesOn(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.csv")
	must(t, with("--out", whole)...)
	// as it was when the program was killed after ten samples, in the middle of the eleventh
	journal := journalOf(t, whole, 10) + "10 999 01234567 0\n10,4,1.6"
	out := filepath.Join(dir, "again.csv")
	if err := os.WriteFile(out+".part", []byte(journal), 0o600); err != nil {
		t.Fatal(err)
	}
	stderr := must(t, with("--out", out)...)
	if !strings.Contains(stderr, "the last 26 bytes, of samples that were not finished, are dropped") {
		t.Errorf("no word of the sample that was cut off: %q", stderr)
	}
	if !strings.Contains(stderr, "13 samples") || !strings.Contains(stderr, "10 were there already") {
		t.Errorf("it says %q", stderr)
	}
	if text(t, out) != text(t, whole) {
		t.Error("the file differs from that of one run")
	}
	if again := must(t, with("--out", out)...); !strings.Contains(again, "has all 23 samples") {
		t.Errorf("a third time it says %q", again)
	}
}

// Samples of another sweep are neither mixed in nor lost.
func TestOtherSweeps(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "s.csv")
	must(t, with("--out", out)...)
	before := text(t, out)
	if _, err := do(with("--out", out, "--seed", "2")...); exitcode.Code(err) != exitcode.Mistake || text(t, out) != before {
		t.Errorf("another seed: %v", err)
	}
	if err := os.WriteFile(out+".part", []byte(journalOf(t, out, 3)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(out + ".json"); err != nil {
		t.Fatal(err)
	}
	_, err := do(with("--out", out, "--seed", "2")...)
	if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "--seed was 1") {
		t.Errorf("a journal of another seed: %v", err)
	}
	must(t, with("--out", out, "--seed", "2", "--force")...)
	if text(t, out) == before {
		t.Error("--force and another seed: the same samples")
	}
	foreign := filepath.Join(dir, "f.csv")
	if err := os.WriteFile(foreign+".part", []byte("my notes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := do(with("--out", foreign)...); exitcode.Code(err) != exitcode.Mistake || text(t, foreign+".part") != "my notes\n" {
		t.Errorf("a file of somebody else: %v", err)
	}
}

// A sample that fails is a row that says why, the others are computed, and the exit code is 1.
func TestFailures(t *testing.T) {
	out := filepath.Join(t.TempDir(), "s.csv")
	args := []string{"sweep", "--vary", "tendons.long_up.friction_coefficient=values(0,0.9,0.2)", "--vary", "youngs_modulus_pa=values(16e6,-1)", "--duration", "2", "--out", out}
	for range 2 { // computed, and there already
		_, err := do(args...)
		if exitcode.Code(err) != exitcode.Failed || !strings.Contains(err.Error(), "4 samples failed (column error), the first: sample 1: ") {
			t.Errorf("error %v", err)
		}
	}
	rows := strings.Split(text(t, out), "\n")
	for i, want := range map[int]string{
		1: "0,0,16000000,2,", 2: `,"--vary: rod.youngs_modulus_pa: -1 Pa is out of range; allowed: [100, 1e13] Pa`,
		3: "2,0.90000000000000002,16000000,1,,,,,,,,the fake model fails as requested at t = 1 s", 5: "4,0.20000000000000001,16000000,2,",
	} {
		if !strings.Contains(rows[i], want) {
			t.Errorf("row %d is %q, want %q in it", i, rows[i], want)
		}
	}
	var about struct{ Failed int }
	if err := json.Unmarshal([]byte(text(t, out+".json")), &about); err != nil || about.Failed != 4 {
		t.Errorf("%d failed samples, %v", about.Failed, err)
	}
}

// Merge refuses parts that are missing, of another sweep or changed, and writes nothing.
func TestMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	part := func(i string, more ...string) string {
		name := filepath.Join(dir, "p"+i+strings.Join(more, "")+".csv")
		must(t, with(append([]string{"--out", name, "--shard", i + "/3"}, more...)...)...)
		return name
	}
	a, b, c := part("0"), part("1"), part("2")
	other := part("2", "--seed", "7")
	changed := part("2", "--workers", "1")
	if err := os.WriteFile(changed, []byte(strings.Replace(text(t, changed), "\n2,", "\n5,", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	lonely := filepath.Join(dir, "lonely.csv")
	if err := os.WriteFile(lonely, []byte(text(t, c)), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, parts := range map[string][]string{
		"7 of 23 samples are missing: 2, 5, 8, 11, 14, 17, 20; nothing is written": {a, b},
		"are not of one sweep: --seed was 7":                                       {a, b, other},
		"is not as sweep wrote it":                                                 {a, b, changed},
		"lonely.csv.json":                                                          {a, b, lonely},
	} {
		out := filepath.Join(dir, "out.csv")
		_, err := do(append([]string{"merge", "--out", out}, parts...)...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("something is written")
		}
	}
	if _, err := do("merge", "--out", a, a, b, c); exitcode.Code(err) != exitcode.Mistake {
		t.Errorf("onto a part: %v", err)
	}
}

// Mistakes of the command line are found before anything is computed.
func TestMistakes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "s.csv")
	for want, args := range map[string][]string{
		"no such number in the robot file; nearest are":                     {"--vary", "youngs=linspace(1,2,3)"},
		"no such item tabel: tendons has ":                                  {"--vary", "tendons.tabel.friction_coefficient=values(0,1)"},
		"both decide about rod.youngs_modulus_pa":                           {"--vary", "youngs_modulus_pa=values(1)", "--vary", "rod.youngs_modulus_pa=values(2)"},
		"has several components":                                            {"--vary", "offset_m=values(0.01)"},
		"how many samples are to be drawn must be said":                     {"--vary", "youngs_modulus_pa=normal(1,1)"},
		"sets rod.youngs_modulus_pa, which --vary youngs_modulus_pa varies": {"--vary", "youngs_modulus_pa=values(1e6)", "_rod/youngs_modulus_pa:=2e6"},
		`--shard "5/4"`:                                  {"--vary", "youngs_modulus_pa=values(1e6)", "--shard", "5/4"},
		"--sample-hz 0: want a number above 0":           {"--vary", "youngs_modulus_pa=values(1e6)", "--sample-hz", "0", "--duration", "1"},
		"--sample-hz and --commands are of a simulation": {"--vary", "youngs_modulus_pa=values(1e6)", "--sample-hz", "3"},
	} {
		all := append([]string{"sweep", "--out", out}, args...)
		if want[0] != '-' || strings.HasPrefix(want, "--shard") {
			all = append(all, "--duration", "1")
		}
		_, err := do(all...)
		if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
