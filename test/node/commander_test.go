package node_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/master"
	"sinew/test/peer/rospeer"
	"sinew/test/subprocess"
	"sinew/test/testbench"
)

// TestCommanders: nodes of both networks, of which one commands at a time.
func TestCommanders(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	program := testbench.BuildTendonsim(t)
	// a commander that a busy machine keeps from sending for a moment stays in command
	n.Start(program, "run", "--config", testbench.Absolute(t, testbench.TestRobot), "--ros", "both", "--master", "embedded", "_command_timeout_s:=3")
	n.WaitFor("the master", func() bool { _, err := n.Client().PID(t.Context()); return err == nil })
	a, b := rospeer.ROS1(t, n.URI, "/lab/a"), rospeer.ROS2(t, domain, "/lab/b")
	b.AwaitState("ENABLED")

	stopA := a.StreamTension(1, 0)
	b.AwaitTension(1)
	stopB := b.StreamTension(2, 0)
	a.AwaitWarning("/lab/b refused; in command: /lab/a")
	b.ExpectTension(1, 300*time.Millisecond)

	a.SendStateCommand("take_command")
	a.AwaitTension(2)
	a.ExpectTension(2, 300*time.Millisecond)

	stopB() // silent: a, which has been sending all the time, commands again
	a.AwaitTension(1)
	stopB = b.StreamTension(2, 0)
	a.ExpectTension(1, 300*time.Millisecond)
	stopA()
	a.AwaitTension(2)
	b.SendStateCommand("e_stop")
	a.AwaitState("FAULT")
	a.AwaitTension(0)
	stopB()

	b.SendStateCommand("enable")
	a.AwaitState("ENABLED")
	stopOld := a.StreamTension(3, time.Hour)
	a.AwaitWarning("stale")
	b.ExpectTension(0, 200*time.Millisecond)
	stopOld()

	b.SendStateCommand("pause")
	a.AwaitState("PAUSED")
	stopA = a.StreamTension(3, 0)
	a.ExpectTension(0, 200*time.Millisecond)
	stopA()
	b.SendStateCommand("resume")
	a.AwaitState("ENABLED")
	a.ExpectTension(0, 500*time.Millisecond)

	stopB = b.StreamTension(2, 0)
	a.AwaitTension(2)
	b.Leave() // the one that commands ends: the others command before the time-out
	stopB()
	stopA = a.StreamTension(1, 0)
	a.AwaitTension(1)
	stopA()
}

// TestLatchedRequest: what a node has said before the robot was there is not done.
func TestLatchedRequest(t *testing.T) {
	m, err := master.Start("127.0.0.1:0", master.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	n := testbench.NewNetwork(t, m.URI())
	a := rospeer.ROS1(t, n.URI, "/lab/a")
	p := a.Publisher("state_command", std_msgs.StringType, true)
	p.Publish(ros.NewSample(&std_msgs.String{Data: "enable"}))
	robot := n.Start(testbench.BuildTendonsim(t), "run", "--config", testbench.Absolute(t, testbench.TestRobot), "--ros", "ros1", "--disabled")
	a.AwaitState("DISABLED")
	a.Await("a listener", func(rospeer.Observation) bool { return p.HasSubscribers() })
	n.WaitFor("a word about it", func() bool { return strings.Contains(robot.Output(), "state_command refused") })
	a.AwaitState("DISABLED")
	p.Publish(ros.NewSample(&std_msgs.String{Data: "enable"}))
	a.AwaitState("ENABLED")
}

// TestStopDuringStep: FAULT comes within a moment of e_stop, not after the step.
func TestStopDuringStep(t *testing.T) {
	n, domain := testbench.NewROS2Network(t)
	n.Start(testbench.BuildTendonsim(t), "run", "--config", testbench.Absolute(t, testbench.TestRobot), "--ros", "ros2")
	a := rospeer.ROS2(t, domain, "/lab/a")
	a.AwaitState("ENABLED")
	const most = 250 * time.Millisecond // the step takes seconds
	var took []time.Duration
	for len(took) < 5 || len(took) < 20 && took[len(took)/2] > most {
		a.SendStateCommand("enable")
		a.AwaitState("ENABLED")
		a.SendStateCommand("pause")
		a.AwaitState("PAUSED")
		a.SendStateCommand("step 60000")
		time.Sleep(200 * time.Millisecond)
		w := subprocess.NewStopwatch()
		a.SendStateCommand("e_stop")
		a.AwaitState("FAULT")
		took = append(took, w.Stop())
		slices.Sort(took)
	}
	t.Logf("FAULT came %v after e_stop during a step of a minute", took)
	if took[len(took)/2] > most {
		t.Errorf("FAULT comes %v after e_stop, want at most %v", took, most)
	}
}
