package node_test

import (
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
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

// TestPushesOnLinks: on either network a wrench lifts the ball of a gripper, whichever frame it is in, and without commands it ends and
// the ball falls.
func TestPushesOnLinks(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	n.Start(testbench.BuildTendonsim(t), "run", "--config", testbench.Absolute(t, testbench.RobotFiles+"gripper_with_ball.yaml"), "--no-demo")
	push := func(frame string, force float64) *geometry_msgs.WrenchStamped {
		return &geometry_msgs.WrenchStamped{Header: std_msgs.Header{FrameID: frame}, Wrench: geometry_msgs.Wrench{Force: geometry_msgs.Vector3{Z: force}}}
	}
	const weight, topic = 0.03 * 9.80665, "/tendonsim/ball/external_wrench"
	for frame, peer := range map[string]ros.Transport{"world": testbench.NewROS1Node(t, n), "tendonsim/ball": testbench.NewROS2Node(t, domain)} {
		ball := latest[geometry_msgs.PoseStamped](t, peer, ros.Topic{Name: "/tendonsim/ball/measured_cp", Type: geometry_msgs.PoseStampedType})
		finger := latest[geometry_msgs.PoseStamped](t, peer, ros.Topic{Name: "/tendonsim/finger_left/measured_cp", Type: geometry_msgs.PoseStampedType})
		height := func(of *atomic.Pointer[geometry_msgs.PoseStamped]) float64 {
			if m := of.Load(); m != nil {
				return m.Pose.Position.Z
			}
			return math.NaN()
		}
		n.WaitFor("the ball lies, before a push in frame "+frame, func() bool { return math.Abs(height(ball)-0.02) < 1e-3 })
		stop := repeat(t, peer, topic, geometry_msgs.WrenchStampedType, push(frame, 1.1*weight))
		n.WaitFor("the ball rises in frame "+frame, func() bool { return height(ball) > 0.03 })
		stop()
		n.WaitFor("without commands it falls", func() bool { return math.Abs(height(ball)-0.02) < 1e-3 })
		before := height(finger)
		stop = repeat(t, peer, "/tendonsim/finger_left/external_wrench", geometry_msgs.WrenchStampedType, push("world", 0.3))
		n.WaitFor("a finger is compressed or bent", func() bool { return height(finger) > before+1e-4 })
		stop()
		n.WaitFor("it is let go", func() bool { return height(finger) < before+1e-4 })
	}
}

// carriage is a mechanism on a commanded body.
const carriage = `
rods: [{name: wire, length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, elements: 4, damping: {kelvin_voigt_s: 0.01}}]
bodies: [{name: cart, motion: commanded, position_m: [0, 0, 0]}]
joints: [{name: mount, type: fixed, parent: {body: cart}, child: {rod: wire, at_m: 0}}]
solver: {step_s: 0.002}
rates: {control_hz: 500, publish_hz: 100, marker_hz: 20}
`

// TestFleetOnMovingBodies: of a fleet of mechanisms each moves with the body that is commanded, and the others stay.
func TestFleetOnMovingBodies(t *testing.T) {
	t.Parallel()
	n, _ := testbench.NewROS2Network(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "fleet.yaml")
	for name, text := range map[string]string{
		file:                                "robots: [{name: left, config: carriage.yaml}, {name: right, config: carriage.yaml}]\n",
		filepath.Join(dir, "carriage.yaml"): carriage,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros1", "--robots", file)
	peer := testbench.NewROS1Node(t, n)
	at := map[string]*atomic.Pointer[geometry_msgs.PoseStamped]{}
	for _, robot := range []string{"left", "right"} {
		at[robot] = latest[geometry_msgs.PoseStamped](t, peer, ros.Topic{Name: "/" + robot + "/wire/measured_cp", Type: geometry_msgs.PoseStampedType})
	}
	is := func(robot string, x float64) bool {
		m := at[robot].Load()
		return m != nil && math.Abs(m.Pose.Position.X-x) < 1e-3
	}
	n.WaitFor("both robots stand", func() bool { return is("left", 0) && is("right", 0) })
	to := geometry_msgs.Pose{Position: geometry_msgs.Point{X: 0.3}, Orientation: geometry_msgs.Quaternion{W: 1}}
	stop := repeat(t, peer, "/right/cart/pose", geometry_msgs.PoseStampedType, &geometry_msgs.PoseStamped{Header: std_msgs.Header{FrameID: "world"}, Pose: to})
	n.WaitFor("the right one has moved, the left one has not", func() bool { return is("right", 0.3) && is("left", 0) })
	stop()
}
