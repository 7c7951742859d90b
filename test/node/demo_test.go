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
