package node_test

import (
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/test/testbench"
)

// TestDemoGivesWayAndResumes: on either network a rotating field from a stock message ends
// the demo and acts, the log has its end, and state_command demo lets the robot move again.
func TestDemoGivesWayAndResumes(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	node := n.Start(testbench.BuildMicrorobot(t), "run")
	node.Expect("moves until the first command")
	for name, peer := range map[string]ros.Transport{"ROS 1": testbench.NewROS1Node(t, n), "ROS 2": testbench.NewROS2Node(t, domain)} {
		before := len(node.Output())
		says := func(what string) {
			n.WaitFor(name+": "+what, func() bool { return strings.Contains(node.Output()[before:], what) })
		}
		var seen atomic.Pointer[sensor_msgs.MagneticField]
		if err := peer.Subscribe(ros.Topic{Name: "/microrobot/field_at_robot", Type: sensor_msgs.MagneticFieldType}, func(got ros.Received) {
			seen.Store(got.Message.(*sensor_msgs.MagneticField))
		}); err != nil {
			t.Fatal(err)
		}
		stop := repeat(t, peer, "/microrobot/rotating_field_array", std_msgs.Float64MultiArrayType,
			&std_msgs.Float64MultiArray{Data: []float64{0, 0, 1, 0.003, 5, 0.001}})
		n.WaitFor(name+": 3 mT that rotate about z and 1 mT along it", func() bool {
			m := seen.Load()
			if m == nil {
				return false
			}
			b := m.MagneticField
			return math.Abs(math.Hypot(b.X, b.Y)-0.003) < 1e-9 && math.Abs(b.Z-0.001) < 1e-9
		})
		says("state_command demo resumes it")
		stop()
		says("no command to field for 0.5 s (command_timeout_s): its safe values are applied")
		stop = repeat(t, peer, "/microrobot/state_command", std_msgs.StringType, &std_msgs.String{Data: "demo"})
		says("the demo moves the robot until another source commands")
		says("the demo is running already")
		stop()
	}
	if code := node.End(testbench.WaitLimit); code != 0 {
		t.Errorf("exit code %d: %s", code, node.Output())
	}
}

// TestDemoEndsWithAStop: who enables a robot right after an emergency stop, or later, does not start its demo again; a pause only
// holds it.
func TestDemoEndsWithAStop(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	node := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2")
	node.Expect("moves until the first command")
	peer := testbench.NewROS2Node(t, domain)
	var greatest atomic.Uint64 // bits of the greatest tension since it was set to 0, N
	if err := peer.Subscribe(ros.Topic{Name: "/tendonsim/setpoint_js", Type: sensor_msgs.JointStateType}, func(got ros.Received) {
		for _, tension := range got.Message.(*sensor_msgs.JointState).Effort {
			if tension > math.Float64frombits(greatest.Load()) {
				greatest.Store(math.Float64bits(tension))
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	requests, err := peer.Advertise(ros.Topic{Name: "/tendonsim/state_command", Type: std_msgs.StringType})
	if err != nil {
		t.Fatal(err)
	}
	request := func(text string) { requests.Publish(ros.NewSample(&std_msgs.String{Data: text})) }
	moves := func() bool { return math.Float64frombits(greatest.Load()) > 0.1 }
	n.WaitFor("the demo", moves)
	for _, hold := range []time.Duration{0, 300 * time.Millisecond} {
		before := len(node.Output())
		says := func(what string) {
			n.WaitFor(what, func() bool { return strings.Contains(node.Output()[before:], what) })
		}
		request("pause")
		time.Sleep(300 * time.Millisecond)
		greatest.Store(0)
		request("resume")
		n.WaitFor("the demo after a pause", moves)
		request("e_stop")
		time.Sleep(hold)
		request("enable")
		says("the robot was stopped: the demo has ended; state_command demo resumes it")
		n.WaitFor("tensions that have ended", func() bool {
			greatest.Store(0)
			time.Sleep(200 * time.Millisecond)
			return !moves()
		})
		time.Sleep(time.Second)
		if moves() {
			t.Fatalf("enabled %v after an emergency stop, the demo pulls with %g N", hold, math.Float64frombits(greatest.Load()))
		}
		request("demo")
		n.WaitFor("the demo when it is requested", moves)
	}
	if code := node.End(testbench.WaitLimit); code != 0 {
		t.Errorf("exit code %d: %s", code, node.Output())
	}
}

// repeat publishes a message at 20 Hz until stop is called.
func repeat(t *testing.T, peer ros.Transport, topic string, of *msgs.Type, m msgs.Message) (stop func()) {
	t.Helper()
	p, err := peer.Advertise(ros.Topic{Name: topic, Type: of})
	if err != nil {
		t.Fatal(err)
	}
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ended:
				return
			case <-time.After(50 * time.Millisecond):
				p.Publish(ros.NewSample(m))
			}
		}
	}()
	return func() {
		close(ended)
		<-done
	}
}
