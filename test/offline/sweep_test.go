package offline_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sinew/test/testbench"
)

// TestSweepSurvivesKills kills a sweep twice, without warning and with SIGTERM, and resumes it:
// the file is that of a sweep without interruptions, and that of four shards merged.
func TestSweepSurvivesKills(t *testing.T) {
	for _, ext := range []string{".csv", ".mcap"} {
		t.Run(ext, func(t *testing.T) {
			t.Parallel()
			survivesKills(t, ext)
		})
	}
}

func survivesKills(t *testing.T, ext string) {
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
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
		_, errs, code := testbench.Run(t, program, args...)
		if code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, errs)
		}
		return errs
	}
	must(study("whole" + ext)...)
	for i, end := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		cmd := exec.Command(program, study("killed"+ext, "--workers", "1")...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		part := filepath.Join(dir, "killed"+ext+".part")
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
		if code := cmd.ProcessState.ExitCode(); end == syscall.SIGTERM && (code != 1 || !strings.Contains(errs.String(), "the same command continues")) {
			t.Errorf("after SIGTERM: exit code %d, %v, %s", code, err, &errs)
		}
		if n := samples(); n < 30*(i+1) || n >= 120 {
			t.Fatalf("%d samples after %v", n, end)
		}
	}
	if errs := must(study("killed" + ext)...); !strings.Contains(errs, "were there already") {
		t.Errorf("the third run says %q", errs)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("the kills have left %q, %v", left, err)
	}
	merge := []string{"merge", "--out", filepath.Join(dir, "merged"+ext)}
	for i := range 4 {
		name := "part" + strconv.Itoa(i) + ext
		must(study(name, "--shard", strconv.Itoa(i)+"/4")...)
		merge = append(merge, filepath.Join(dir, name))
	}
	must(merge...)
	for _, name := range []string{"killed" + ext, "merged" + ext} {
		if !bytes.Equal(read(name), read("whole"+ext)) {
			t.Errorf("%s differs from what one run writes", name)
		}
	}
}

// TestSweepRecording reads a recording of samples with the library of the format: each sample is
// a message of the sweep's own type, with the numbers of the CSV.
func TestSweepRecording(t *testing.T) {
	t.Parallel()
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, out := range []string{"samples.mcap", "samples.csv"} {
		if _, errs, code := testbench.Run(t, program, "sweep", "--vary", "tension.long_up=linspace(0,4,5)", "--vary", "tip.mass_kg=values(0,0.01)",
			"--duration", "0.1", "--sample-hz", "20", "--out", file(out)); code != 0 {
			t.Fatalf("exit code %d: %s", code, errs)
		}
	}
	f := testbench.ReadWithLibrary(t, file("samples.mcap"))
	topic := f.Topics["/samples"]
	if f.Profile != "ros2" || len(f.Topics) != 1 || topic.Type != "sinew_sweep/msg/Sample" || topic.Messages != 10 || topic.First != "0" || topic.Last != "9000000000" {
		t.Errorf("the library found %+v", f)
	}
	testbench.Contains(t, "the attached robot file", f.Attachments["robot.yaml"], "  youngs_modulus_pa: 1", "name: long_up")
	testbench.Contains(t, "metadata", f.Metadata["sinew"]["sweep"], `"vary":["tension.long_up=linspace(0,4,5)","tip.mass_kg=values(0,0.01)"]`, `"samples":10`)

	text, err := os.ReadFile(file("samples.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names, rows := rows[0], rows[len(rows)-3:] // of the last sample
	for c, name := range names {
		got := topic.Sample[strings.ReplaceAll(name, ".", "_")]
		var want any = rows[2][c]
		switch {
		case name == "sample": // too large for a number of JavaScript
		case c <= 2:
			want = number(t, rows[2][c])
		case c < len(names)-2:
			want = []any{number(t, rows[0][c]), number(t, rows[1][c]), number(t, rows[2][c])}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s of the last sample is %v, in the CSV %v", name, got, want)
		}
	}
}

func number(t *testing.T, cell string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
