package test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSweepSurvivesKills kills a sweep twice, without warning and with SIGTERM, and goes on:
// the file is that of a sweep which nobody disturbed, and that of four shards merged.
func TestSweepSurvivesKills(t *testing.T) {
	t.Parallel()
	program, dir := buildTendonsim(t), t.TempDir()
	study := func(out string, more ...string) []string {
		return append([]string{"sweep", "--vary", "youngs_modulus_pa=lognormal(16e6,0.1)", "--vary", "tension.long_up=linspace(0,4,20)",
			"--vary", "tip.mass_kg=uniform(0,0.02)", "--samples", "120", "--duration", "0.1", "--out", filepath.Join(dir, out)}, more...)
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	must := func(args ...string) string {
		_, errs, code := run(t, program, args...)
		if code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, errs)
		}
		return errs
	}
	must(study("whole.csv")...)
	for i, end := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		cmd := exec.Command(program, study("killed.csv", "--workers", "1")...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		part := filepath.Join(dir, "killed.csv.part")
		samples := func() int { // without the first line, two lines each
			data, _ := os.ReadFile(part)
			return max(0, bytes.Count(data, []byte("\n"))-1) / 2
		}
		for wanted, since := 30*(i+1), time.Now(); samples() < wanted && time.Since(since) < time.Minute; {
			time.Sleep(5 * time.Millisecond)
		}
		if err := cmd.Process.Signal(end); err != nil {
			t.Fatalf("%v: it was over: %s", err, &errs)
		}
		err := cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); end == syscall.SIGTERM && (code != 1 || !strings.Contains(errs.String(), "the same command goes on")) {
			t.Errorf("after SIGTERM: exit code %d, %v, %s", code, err, &errs)
		}
		if n := samples(); n < 30*(i+1) || n >= 120 {
			t.Fatalf("%d samples after %v", n, end)
		}
	}
	if errs := must(study("killed.csv")...); !strings.Contains(errs, "were there already") {
		t.Errorf("the third run says %q", errs)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("the kills have left %q, %v", left, err)
	}
	merge := []string{"merge", "--out", filepath.Join(dir, "merged.csv")}
	for i := range 4 {
		name := "part" + strconv.Itoa(i) + ".csv"
		must(study(name, "--shard", strconv.Itoa(i)+"/4")...)
		merge = append(merge, filepath.Join(dir, name))
	}
	must(merge...)
	for _, name := range []string{"killed.csv", "merged.csv"} {
		if !bytes.Equal(read(name), read("whole.csv")) {
			t.Errorf("%s differs from what one run writes", name)
		}
	}
}
