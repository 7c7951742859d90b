package node_test

import (
	"encoding/xml"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/test/testbench"
)

// latest keeps the newest message of a topic.
func latest[T any](t *testing.T, peer ros.Transport, topic ros.Topic) *atomic.Pointer[T] {
	t.Helper()
	var seen atomic.Pointer[T]
	if err := peer.Subscribe(topic, func(got ros.Received) {
		if m, ok := any(got.Message).(*T); ok {
			seen.Store(m)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return &seen
}

// TestMechanismNode: on either network a motor of an arm follows servo_jp by the name of its joint, links have topics of their own, and the
// description has them.
func TestMechanismNode(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	n.Start(testbench.BuildTendonsim(t), "run", "--config", testbench.Absolute(t, testbench.RobotFiles+"arm_with_rod.yaml"))
	target := 0.2
	for name, peer := range map[string]ros.Transport{"ROS 1": testbench.NewROS1Node(t, n), "ROS 2": testbench.NewROS2Node(t, domain)} {
		js := latest[sensor_msgs.JointState](t, peer, ros.Topic{Name: "/tendonsim/measured_js", Type: sensor_msgs.JointStateType})
		tip := latest[geometry_msgs.PoseStamped](t, peer, ros.Topic{Name: "/tendonsim/flexible/measured_cp", Type: geometry_msgs.PoseStampedType})
		hand := latest[geometry_msgs.PoseStamped](t, peer, ros.Topic{Name: "/tendonsim/forearm/measured_cp", Type: geometry_msgs.PoseStampedType})
		about := latest[std_msgs.String](t, peer, ros.Topic{Name: "/tendonsim/robot_description", Type: std_msgs.StringType, Latched: true})
		stop := repeat(t, peer, "/tendonsim/servo_jp", sensor_msgs.JointStateType, &sensor_msgs.JointState{Name: []string{"waist"}, Position: []float64{target}})
		n.WaitFor(name+": the waist turns to its command", func() bool {
			m := js.Load()
			if m == nil {
				return false
			}
			k := slices.Index(m.Name, "waist")
			return k >= 0 && math.Abs(m.Position[k]-target) < 0.01
		})
		n.WaitFor(name+": rod and body tell where they are", func() bool {
			p, q := tip.Load(), hand.Load()
			if p == nil || q == nil {
				return false
			}
			at := p.Pose.Position
			return math.Abs(math.Atan2(at.Y, at.X)-target) < 0.05 && q.Header.FrameID == "world"
		})
		n.WaitFor(name+": a description with the links", func() bool {
			m := about.Load()
			if m == nil {
				return false
			}
			var u struct {
				Links []struct {
					Name string `xml:"name,attr"`
				} `xml:"link"`
				Joints []struct {
					Name string `xml:"name,attr"`
				} `xml:"joint"`
			}
			if err := xml.Unmarshal([]byte(m.Data), &u); err != nil {
				t.Fatalf("%v\n%s", err, m.Data)
			}
			links, joints := map[string]bool{}, map[string]bool{}
			for _, l := range u.Links {
				links[l.Name] = true
			}
			for _, j := range u.Joints {
				joints[j.Name] = true
			}
			return links["world"] && links["tendonsim/flexible"] && links["tendonsim/forearm"] && joints["waist"]
		})
		stop()
		target = -target
	}
}
