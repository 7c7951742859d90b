package test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A swarm of which a step takes hours is told of in a moment: neither the whole swarm is
// stepped, nor are its five thousand million pairs gone through to build it.
func TestCheckEstimatesCost(t *testing.T) {
	program := buildMicrorobot(t)
	check := func(count int, interaction string) (stdout, stderr string, cpu time.Duration) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "swarm.yaml")
		text := fmt.Sprintf("body: {shape: {sphere_m: 50e-6}, magnet: {moment_a_m2: [1e-12, 0, 0]}}\nswarm: {count: %d, spacing_m: 500e-6, interaction: %s}\n", count, interaction)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "check", file)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, &errs)
		}
		return out.String(), errs.String(), cmd.ProcessState.UserTime()
	}
	out, errs, cpu := check(100_000, "full")
	if !strings.Contains(out, ": ok: ") || !strings.Contains(errs, "times too slow for 1000 Hz here") || !strings.Contains(errs, "estimated from 1000 of 100000 robots") {
		t.Errorf("%s%s", out, errs)
	}
	const most = 4 * time.Second // the pairs alone take 10
	if cpu > most {
		t.Errorf("check took %v of a processor, want %v at most", cpu, most)
	}
	if out, errs, _ := check(2, "none"); errs != "" || !strings.Contains(out, "keeps real time at 1000 Hz here") {
		t.Errorf("%s%s", out, errs)
	}
}
