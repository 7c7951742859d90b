package offline_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/exitcode"
	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// sparse are commands with pauses longer than the timeout of the tests, 0.2 s.
const sparse = "t, a\n0, 1\n0.1, 2\n0.6, 3\n"

const timeout = "_command_timeout_s:=0.2"

// TestCommandsThatEnd: sim and the replay of its recording do the same, bit by bit, with
// and without watchdog, and say in their first line which it is.
func TestCommandsThatEnd(t *testing.T) {
	rows := apptest.Write(t, "commands.csv", sparse)
	for _, ext := range []string{".mcap", ".bag"} {
		for flag, c := range map[string]struct{ last, first string }{
			// a: 1 N for 0.1 s (7 steps), 2 N up to the next row, 3 N to the end
			"--no-watchdog": {"\n1,2.28125,", "commands are held until the next"},
			// the same, but every row acts for 0.2 s: 13 periods of 1/64 s
			"--watchdog": {"\n1,1.125,", "commands that are not repeated within 0.2 s expire"},
		} {
			recording := filepath.Join(t.TempDir(), "x"+ext)
			csv, stderr := ok(t, "sim", timeout, "--duration", "1s", "--commands", rows, "--sample-every", "1", flag)
			if !strings.HasPrefix(stderr, "fakesim: "+c.first) || !strings.Contains(csv, c.last) {
				t.Errorf("sim %s says %q and writes\n%s", flag, stderr, csv)
			}
			if trips := strings.Contains(stderr, "its safe values are applied; 2 times"); trips != (flag == "--watchdog") {
				t.Errorf("sim %s says %q", flag, stderr)
			}
			ok(t, "sim", timeout, "--duration", "1s", "--commands", rows, "--out", recording, flag)
			again, stderr := ok(t, "replay", timeout, recording, "--sample-hz", "64")
			if again != csv {
				t.Errorf("%s: sim %s wrote\n%sits replay\n%s", ext, flag, csv, again)
			}
			if !strings.HasPrefix(stderr, "fakesim: "+c.first) {
				t.Errorf("%s: replay says %q", ext, stderr)
			}
			other := map[string]string{"--watchdog": "--no-watchdog", "--no-watchdog": "--watchdog"}[flag]
			if turned, _ := ok(t, "replay", timeout, recording, "--sample-hz", "64", other); turned == csv {
				t.Errorf("%s: %s changes nothing", ext, other)
			}
		}
	}
}

// TestSimHoldsCommands without being asked to: there is no watchdog in sim.
func TestSimHoldsCommands(t *testing.T) {
	rows := apptest.Write(t, "commands.csv", sparse)
	held, _ := ok(t, "sim", timeout, "--duration", "1s", "--commands", rows, "--no-watchdog")
	if csv, _ := ok(t, "sim", timeout, "--duration", "1s", "--commands", rows); csv != held {
		t.Errorf("sim wrote\n%swant\n%s", csv, held)
	}
}

// TestReplayOfHardwareHasAWatchdog, as the node beside the hardware has.
func TestReplayOfHardwareHasAWatchdog(t *testing.T) {
	file := recorded(t, map[string]time.Duration{"/fakesim/servo_jf": 0})
	csv, stderr := ok(t, "replay", timeout, file, "--sample-hz", "1")
	if !strings.HasSuffix(csv, "\n1,0.203125,0,0,0,0,0\n") || !strings.Contains(stderr, "no command to tendons for 0.2 s (command_timeout_s): its safe values are applied; 1 times") {
		t.Errorf("%s: %q", csv, stderr)
	}
}

// TestReplayOfRefusedCommands: if no command acts, the replay has failed, and says why.
func TestReplayOfRefusedCommands(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.bag")
	w, err := record.Create(file, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	say := func(at time.Duration, names ...string) {
		s := ros.NewSample(&sensor_msgs.JointState{Name: names, Effort: make([]float64, len(names))})
		s.Time = msgs.At(1_700_000_000*time.Second + at)
		w.Received(ros.Topic{Name: "/fakesim/servo_jf", Type: sensor_msgs.JointStateType}, s)
	}
	say(0, "x")
	say(time.Second/2, "y", "a")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, stderr, err := apptest.Command(t, &apptest.Integrator{}, "replay", file)
	if exitcode.Code(err) != exitcode.Failed || !strings.Contains(err.Error(), "every command of "+file+" was refused") || !strings.Contains(err.Error(), "2 commands: unknown_name") {
		t.Errorf("error %v; %q", err, stderr)
	}
}
