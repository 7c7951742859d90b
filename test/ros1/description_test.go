package ros1_test

import (
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"sinew/msgs/sensor_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros1"
	"sinew/test/testbench"
)

// robotStatePublisher is where Debian has it.
const robotStatePublisher = "/usr/lib/robot_state_publisher/robot_state_publisher"

// parameter is a text on the parameter server, empty without.
func parameterText(n *testbench.Network, key string) string {
	v, _, _ := n.Client().Param(testbench.Deadline(n.T), key)
	text, _ := v.(string)
	return text
}

// The description is on the parameter server while the node runs: a node that died has left one
// that its successor replaces, and what users have set there stays.
func TestROS1Description(t *testing.T) {
	t.Parallel()
	testbench.WithEachMaster(t, func(t *testing.T, n *testbench.Network) {
		const key, limit = "/tendonsim/robot_description", `effort="%" velocity`
		appears := func(max string) {
			t.Helper()
			want := strings.Replace(limit, "%", max, 1)
			n.WaitFor(key+" with "+want, func() bool { return strings.Contains(parameterText(n, key), want) })
		}
		node := startNode(n)
		appears("8")
		testbench.Contains(t, key, parameterText(n, key), `<link name="tendonsim/base"/>`, `<joint name="long_up" type="prismatic">`)
		if err := n.Client().DeleteParam(testbench.Deadline(t), key); err != nil {
			t.Fatal(err)
		}
		appears("8") // the node's own again
		node.Kill()
		appears("8") // no later value
		node = startNode(n, "_tendons/long_up/limits/max_tension_n:=5")
		appears("5")
		if err := n.Client().SetParam(testbench.Deadline(t), "/tendonsim/tendons/long_up/limits/max_tension_n", 6.5); err != nil {
			t.Fatal(err)
		}
		appears("6.5") // as the limit was set while it runs
		node.End(testbench.WaitLimit)
		n.ExpectParameter(key, nil)
		if err := n.Client().SetParam(testbench.Deadline(t), key, "<robot/>"); err != nil {
			t.Fatal(err)
		}
		node = startNode(n)
		node.End(testbench.WaitLimit)
		n.ExpectParameter(key, "<robot/>")
		if strings.Contains(node.Output(), "parameter is no key") {
			t.Errorf("a description of the user's is taken for a parameter:\n%s", node.Output())
		}
		node = startNode(n, "~robot_description:=/robot_description")
		n.WaitFor("a remapped description", func() bool { return strings.Contains(parameterText(n, "/robot_description"), "long_up") })
		node.End(testbench.WaitLimit)
		n.ExpectParameter("/robot_description", nil)
	})
}

// TestRobotStatePublisher: the real one reads the description and moves the tendons' frames by
// measured_js.
func TestRobotStatePublisher(t *testing.T) {
	t.Parallel()
	testbench.Need(t, robotStatePublisher)
	port := testbench.FreePort(t)
	n, _ := testbench.StartRosmaster(t, port)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros1", "--no-demo", "__ns:=/lab", "__name:=left")
	n.WaitFor("the description", func() bool { return parameterText(n, "/lab/left/robot_description") != "" })
	n.Start(robotStatePublisher, "__ns:=/lab/left", "joint_states:=measured_js")
	peer, err := ros1.New(ros1.Options{Node: "/peer", Master: naming.Master{Host: "127.0.0.1", Port: port}, Host: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	var joints atomic.Pointer[sensor_msgs.JointState]
	err = peer.Subscribe(ros.Topic{Name: "/lab/left/measured_js", Type: sensor_msgs.JointStateType}, func(got ros.Received) {
		if !got.SenderLeft {
			joints.Store(got.Message.(*sensor_msgs.JointState))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var pull atomic.Uint64 // bits of what the frame of long_up says, m
	err = peer.Subscribe(ros.Topic{Name: "/tf", Type: tf2_msgs.TFMessageType}, func(got ros.Received) {
		if got.SenderLeft {
			return
		}
		for _, f := range got.Message.(*tf2_msgs.TFMessage).Transforms {
			if f.ChildFrameID == "lab/left/long_up" && f.Header.FrameID == "lab/left/base" {
				pull.Store(math.Float64bits(-f.Transform.Translation.Z))
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	to, err := peer.Advertise(ros.Topic{Name: "/lab/left/servo_jf", Type: sensor_msgs.JointStateType})
	if err != nil {
		t.Fatal(err)
	}
	n.WaitFor("the frame of a pulled tendon", func() bool {
		to.Publish(ros.NewSample(&sensor_msgs.JointState{Name: []string{"long_up"}, Effort: []float64{3}}))
		m, shown := joints.Load(), math.Float64frombits(pull.Load())
		if m == nil {
			return false
		}
		is := m.Position[slices.Index(m.Name, "long_up")]
		return is > 1e-3 && math.Abs(shown-is) < 0.1*is // frames are some periods old
	})
	p.End(testbench.WaitLimit)
}
