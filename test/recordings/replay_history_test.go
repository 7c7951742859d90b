package recordings_test

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros/record"
	"sinew/test/peer/rospeer"
	"sinew/test/testbench"
)

// TestReplayOfSession: a replay of a session with two commanders, commands that were refused, an
// emergency stop and what came after does what was acted upon, and says what it cannot follow.
func TestReplayOfSession(t *testing.T) {
	t.Parallel()
	n := testbench.NewNetwork(t, "http://127.0.0.1:"+strconv.Itoa(testbench.FreePort(t))+"/")
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	file := filepath.Join(dir, "session.mcap")
	p := n.Start(program, "run", "--config", testbench.Absolute(t, testbench.TestRobot), "--ros", "ros1", "--master", "embedded", "--record", file, "_command_timeout_s:=.inf")
	n.WaitFor("the master", func() bool { _, err := n.Client().PID(t.Context()); return err == nil })
	a, b := rospeer.ROS1(t, n.URI, "/lab/a"), rospeer.ROS1(t, n.URI, "/lab/b")
	type rest struct {
		what string
		at   time.Duration
		want float64 // N
	}
	var rests []rest
	comesTo := func(what string, tension float64) {
		t.Helper()
		b.AwaitTension(tension)
		time.Sleep(300 * time.Millisecond)
		b.AwaitTension(tension)
		rests = append(rests, rest{what, time.Duration(time.Now().UnixNano()), tension})
	}
	b.AwaitState("ENABLED")
	stopA := a.StreamTension(1, 0)
	b.AwaitTension(1)
	stopB := b.StreamTension(2, 0)
	a.AwaitWarning("/lab/b refused; in command: /lab/a")
	stopA()
	stopB()
	comesTo("a is held, b was refused", 1)
	b.SendStateCommand("e_stop")
	a.AwaitState("FAULT")
	stopA = a.StreamTension(3, 0)
	comesTo("an emergency stop, and a is refused", 0)
	stopA()
	b.SendStateCommand("enable")
	a.AwaitState("ENABLED")
	comesTo("enabled, without commands", 0)
	b.SendStateCommand("take_command")
	stopB = b.StreamTension(2, 0)
	b.AwaitTension(2)
	stopB()
	comesTo("b commands", 2)
	b.SendStateCommand("pause")
	a.AwaitState("PAUSED")
	stopB = b.StreamTension(4, 0)
	comesTo("paused, and b is refused", 2)
	stopB()
	b.SendStateCommand("resume")
	a.AwaitState("ENABLED")
	comesTo("resumed", 2)
	b.SendStateCommand("disable")
	a.AwaitState("DISABLED")
	comesTo("disabled", 0)
	if err := n.Client().SetParam(testbench.Deadline(t), "/tendonsim/rates/marker_hz", 20.0); err != nil {
		t.Fatal(err)
	}
	p.Expect("parameter set")
	if code := p.End(time.Second); code != 0 {
		t.Fatalf("ended with %d:\n%s", code, p.Output())
	}

	out := filepath.Join(dir, "replay.mcap")
	over := filepath.Join(dir, "over.yaml")
	if err := os.WriteFile(over, []byte("command_timeout_s: .inf\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, report, code := testbench.Run(t, program, "replay", file, "--config", testbench.TestRobot, "--config", over, "--out", out)
	if code != 0 {
		t.Fatalf("replay ended with %d: %s", code, report)
	}
	testbench.Contains(t, "replay", report, "1 parameters were set while it was recorded")
	if strings.Contains(report, "were refused as") || strings.Contains(report, "went back") {
		t.Errorf("replay: %s", report)
	}
	for what, f := range map[string]string{"recorded": file, "replayed": out} {
		setpoints := testbench.ReadMessages(t, f)["/tendonsim/setpoint_js"]
		for _, r := range rests {
			if got := pullAt(setpoints, r.at); math.Abs(got-r.want) > 0.05 {
				t.Errorf("%s, %s: %.3f N, want %g", what, r.what, got, r.want)
			}
		}
	}
}

// pullAt is the tension of the first tendon by the newest of recorded messages at a time, N.
func pullAt(setpoints []record.Message, at time.Duration) float64 {
	newest := math.NaN()
	for _, m := range setpoints {
		if m.Time > at {
			break
		}
		newest = m.Message.(*sensor_msgs.JointState).Effort[0]
	}
	return newest
}
