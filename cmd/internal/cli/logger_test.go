package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/pkg/ros/naming"
)

// A peer that sends nonsense all the time does not fill the log, and is not silent.
func TestLogOfAFlood(t *testing.T) {
	var out bytes.Buffer
	log := cli.NewLogger(&out)
	for i := range 2500 {
		log.Info("connection refused", zap.Int("peer", i))
	}
	log.Warn("something else")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != cli.LogLines+3+1 {
		t.Errorf("%d lines of 2501:\n%s", len(lines), out.String())
	}
	if !strings.Contains(lines[cli.LogLines], "connection refused (written 10 times in 5s: further lines like this are left out; 1 so far)") {
		t.Errorf("line %q", lines[cli.LogLines])
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, "something else") {
		t.Errorf("the last line is %q", last)
	}
}

// The log has the level of --log-level and goes to the end of the file of __log as well. A
// file that cannot be written and a logger that is not here give errors.
func TestLogAsROSWantsIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "node.log")
	write := func(line string) (stderr, written string) {
		args, err := naming.ParseArgs(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		log := (&cli.Env{Args: args, Stderr: &out}).Logger("/lab/left", nil)
		log.Debug("fine")
		log.Info("usual")
		log.Error("wrong")
		data, _ := os.ReadFile(file) // without __log there is none
		return out.String(), string(data)
	}
	shown := func(text string) string {
		var words []string
		for _, word := range []string{"fine", "usual", "wrong"} {
			if strings.Contains(text, word) {
				words = append(words, word)
			}
		}
		return strings.Join(words, " ")
	}
	for line, want := range map[string]string{
		"": "usual wrong", "--ros-args --log-level debug": "fine usual wrong",
		"--ros-args --log-level lab.left:=ERROR": "wrong", "--ros-args --log-level fatal": "",
	} {
		if got, _ := write(line); shown(got) != want {
			t.Errorf("%s: %q, want %s", line, got, want)
		}
	}
	first, _ := write("__log:=" + file)
	second, both := write("__log:=" + file + " --ros-args --log-level debug")
	if both != first+second || shown(both) != "fine usual wrong" {
		t.Errorf("the file has %q, stderr had %q", both, first+second)
	}
	if got, _ := write("__log:=" + filepath.Join(file, "x")); !strings.Contains(got, "the log is not written to the file of __log") || shown(got) != "usual wrong" {
		t.Errorf("a file that cannot be: %q", got)
	}
	if got, _ := write("--ros-args --log-level rcl:=debug"); !strings.Contains(got, `"rcl"`) || !strings.Contains(got, "lab.left") || shown(got) != "usual wrong" {
		t.Errorf("a logger that is not here: %q", got)
	}
}
