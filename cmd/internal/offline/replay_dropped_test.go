package offline_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/apptest"
	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// TestReplayTellsWhatItDrops: of recorded commands that a robot does not take, the report says for each topic
// how many there were and why, and what the recorded robot refused itself.
func TestReplayTellsWhatItDrops(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.mcap")
	w, err := record.Create(file, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	say := func(after time.Duration, topic string, m msgs.Message) {
		s := ros.NewSample(m)
		s.Time = msgs.At(1_700_000_000*time.Second + after)
		w.Received(ros.Topic{Name: topic, Type: m.Type()}, s)
	}
	pull := func(n int, names ...string) msgs.Message {
		return &sensor_msgs.JointState{Name: names, Effort: make([]float64, n)}
	}
	say(0, "/arm/servo_jf", pull(3))
	say(time.Second/4, "/arm/servo_jf", pull(1, "left"))
	say(time.Second/2, "/arm/servo_jf", pull(2))
	say(time.Second/2, "/arm/servo_jf", pull(1, "right"))
	say(time.Second/2, "/arm/servo_jp", &geometry_msgs.PoseStamped{})
	say(time.Second/2, "/arm/magnet_pose", &geometry_msgs.PoseStamped{})
	say(time.Second/2, "/arm/magnet_pose", &geometry_msgs.PoseStamped{})
	say(time.Second/2, "/arm/measured_cp", &geometry_msgs.PoseStamped{}) // what this robot publishes is no command
	say(time.Second/2, "/camera/pose", &geometry_msgs.PoseStamped{})     // of no node
	say(time.Second, "/diagnostics", &diagnostic_msgs.DiagnosticArray{Status: []diagnostic_msgs.DiagnosticStatus{{
		Name:   "/arm: commands",
		Values: []diagnostic_msgs.KeyValue{{Key: "accepted", Value: "9"}, {Key: "unknown_name", Value: "1"}, {Key: "not_in_command", Value: "20"}, {Key: "stale", Value: "0"}},
	}}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, stderr := ok(t, "replay", file)
	for _, want := range []string{
		`warning: /arm/servo_jf: 2 of 4 commands were refused as unknown_name, the first at 0.250 s: no "left" here, only ["a" "b" "c"]`,
		"warning: /arm/servo_jf: 1 of 4 commands were refused as wrong_length, the first at 0.500 s: effort has 2 values, want 3",
		"warning: /arm/servo_jp: 1 messages (geometry_msgs/PoseStamped) are left out, as this robot takes it as sensor_msgs/JointState",
		"warning: /arm/magnet_pose: 2 messages (geometry_msgs/PoseStamped) are left out, as this robot neither takes nor publishes it",
		"while it was recorded, /arm itself refused 1 unknown_name, 20 not_in_command (/diagnostics); of these, what was not_in_command, not_enabled, stale or overflow",
	} {
		if strings.Count(stderr, want) != 1 {
			t.Errorf("told\n%swant once %q", stderr, want)
		}
	}
	for _, not := range []string{"measured_cp", "/camera"} {
		if strings.Contains(stderr, not) {
			t.Errorf("told of %q:\n%s", not, stderr)
		}
	}
}

// TestReplayTellsOfOtherNodes: commands for a second node are left out aloud, unless one was chosen.
func TestReplayTellsOfOtherNodes(t *testing.T) {
	file := recorded(t, map[string]time.Duration{"/fakesim/servo_jf": 0, "/robot/servo_jf": 0})
	const want = "the commands for /robot are left out; --node /robot replays those instead of /fakesim"
	if _, stderr := ok(t, "replay", file); !strings.Contains(stderr, want) {
		t.Errorf("told\n%swant %q", stderr, want)
	}
	_, stderr, err := apptest.Command(t, &apptest.Integrator{}, "replay", file, "--node", "/fakesim")
	if err != nil || strings.Contains(stderr, "left out") {
		t.Errorf("%v\n%s", err, stderr)
	}
}
