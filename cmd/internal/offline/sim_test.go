package offline_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/apptest"
)

func TestSimHoldsCommandsBetweenRows(t *testing.T) {
	rows := apptest.Write(t, "commands.csv", "t, a, b\n0, 1, 0\n# a comment\n0.5, 3, 64\n")
	out, warnings, err := apptest.Command(t, &apptest.Integrator{}, "sim", "--duration", "1s", "--sample-hz", "2", "--commands", rows)
	if err != nil {
		t.Fatal(err)
	}
	// a: 1 N until 0.5 s, then 3 N; b: 64 N is clamped to the limit of 10 N
	want := "t,x,y,z,a,b,c\n0,0,0,0,0,0,0\n0.5,0.5,0,0,1,0,0\n1,2,5,0,3,10,0\n"
	if out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
	if !strings.Contains(warnings, "1 command rows: clamped; the first values beyond their limits: "+rows+":4: b = 64, allowed: at most 10") {
		t.Errorf("no word of the clamped command: %q", warnings)
	}
}

// Commands that all come behind the end, as on a clock of their own or in milliseconds, give a warning.
func TestCommandsBehindTheEnd(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"t,a\n0,1\n500,2\n1000,3\n", "warning: 1 of the 3 rows of commands act until the end at 1 s, the next at 500 s: is t in s"},
		{"t,a\n1700000000,1\n1700000000.1,2\n", "warning: 0 of the 2 rows of commands act until the end at 1 s, the next at 1.7e+09 s"},
		{"t,a\n0,1\n0.5,2\n1000,3\n", ""},
		{"t,a\n0,1\n4,2\n8,3\n", ""}, // of which somebody wants to see the beginning
		{"t,a\n0,1\n", ""},
	} {
		_, warnings, err := apptest.Command(t, &apptest.Integrator{}, "sim", "--duration", "1s", "--commands", apptest.Write(t, "commands.csv", c.rows))
		if err != nil || strings.Contains(warnings, "act until") != (c.want != "") || !strings.Contains(warnings, c.want) {
			t.Errorf("%q: %q, %v; want %q", c.rows, warnings, err, c.want)
		}
	}
}

// Commands that alternate faster than the steps are named.
func TestCommandsBetweenSteps(t *testing.T) {
	for rows, warns := range map[string]bool{"t,a\n0,1\n0.2,3\n0.201,1\n0.4,3\n": true, "t,a\n0,1\n0.2,3\n0.22,1\n0.4,3\n": false} {
		_, warnings, err := apptest.Command(t, &apptest.Integrator{}, "sim", "--duration", "1s", "--commands", apptest.Write(t, "commands.csv", rows))
		if err != nil || strings.Contains(warnings, "rows of commands, which alternate faster") != warns {
			t.Errorf("%q: %q, %v", rows, warnings, err)
		}
	}
}

func TestSimRepeatsBits(t *testing.T) {
	args := []string{"sim", "--duration", "0.3", "--sample-every", "1"}
	first, _, err := apptest.Command(t, &apptest.Integrator{Tensions: [3]float64{1.0 / 3, 0.1, 7}}, args...)
	if err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(first, "\n"); rows != 1+1+20 { // header, t = 0, 19 steps and a shorter one
		t.Errorf("%d lines", rows)
	}
	again, _, _ := apptest.Command(t, &apptest.Integrator{Tensions: [3]float64{1.0 / 3, 0.1, 7}}, args...)
	if first != again {
		t.Error("two runs differ")
	}
}

func TestSimReportsFailure(t *testing.T) {
	out, _, err := apptest.Command(t, &apptest.Integrator{Fail: 0.5}, "sim", "--duration", "1")
	if !errors.Is(err, apptest.ErrFake) || !strings.Contains(err.Error(), "t = 0.5 s") {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(out, "\n0.5,") {
		t.Error("the rows before the failure are lost")
	}
}

// Allocations of slow steps are counted over fewer of them, and the stats say so.
func TestStatsOfSlowSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("2 s")
	}
	dir := t.TempDir()
	file, start := filepath.Join(dir, "stats.json"), time.Now()
	if _, _, err := apptest.Command(t, &apptest.Integrator{Takes: 20 * time.Millisecond}, "sim", "--duration", "0.1", "--stats", file, "--out", filepath.Join(dir, "x.csv")); err != nil {
		t.Fatal(err)
	}
	var stats struct {
		Steps int `json:"allocation_steps"`
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &stats)
	}
	if took := time.Since(start); err != nil || stats.Steps < 1 || stats.Steps > 101 || took > time.Minute {
		t.Errorf("%v: %d steps counted in %v: %s", err, stats.Steps, took, data)
	}
}

func TestSimWritesStats(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stats.json")
	_, _, err := apptest.Command(t, &apptest.Integrator{}, "sim", "--duration", "10", "--stats", file, "--out", filepath.Join(t.TempDir(), "x.csv"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"steps": 640`, `"simulated_s": 10`, `"wall_s"`, `"real_time_factor"`, `"step_us_p50"`, `"step_us_p99"`,
		`"step_us_max"`, `"allocations_per_step": 0`, `"newton_iterations_mean": 2.5`} {
		if !strings.Contains(string(data), key) {
			t.Errorf("stats lack %s:\n%s", key, data)
		}
	}
	if strings.Contains(string(data), "allocation_steps") {
		t.Error("stats tell of fewer steps than usual")
	}
	if strings.Contains(string(data), "something_else") {
		t.Error("stats have a gauge that is not the solver's")
	}
}

// Statistics that cannot be written take nothing from the samples.
func TestSamplesWithoutStats(t *testing.T) {
	dir := t.TempDir()
	samples, stats := filepath.Join(dir, "x.csv"), filepath.Join(dir, "stats.json")
	if os.Symlink("/dev/full", stats) != nil {
		t.Skip("needs /dev/full")
	}
	_, _, err := apptest.Command(t, &apptest.Integrator{}, "sim", "--duration", "1s", "--out", samples, "--stats", stats)
	if err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("a full disk: %v", err)
	}
	if text, err := os.ReadFile(samples); err != nil || !strings.Contains(string(text), "\n1,") {
		t.Errorf("the samples: %v\n%s", err, text)
	}
}
