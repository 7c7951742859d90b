package node_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/test/peer/ddspeer"
	"sinew/test/testbench"
	"sinew/test/tools/vessels"
)

// guidewireFile is the robot that launch/examples/steer_guidewire.py steers.
const guidewireFile = "../../launch/worlds/guidewire.yaml"

// steer lets the controller of launch/examples push a guidewire into either branch of its
// vessel, in real time, with a reset between. tip is where this test sees it.
func steer(t *testing.T, n *testbench.Network, node *testbench.Process, reset func(), tip func() spatial.Vec, python string) {
	t.Helper()
	for i, c := range []struct {
		branch string
		side   float64 // of y
	}{{"left", 1}, {"right", -1}} {
		if i > 0 {
			reset()
			n.WaitFor("the wire outside", func() bool { return tip().X < 0.015 })
		}
		controller := n.Start(python, testbench.Absolute(t, "../../launch/examples/steer_guidewire.py"), c.branch)
		if code := controller.Wait(testbench.WaitLimit); code != 0 {
			t.Errorf("%s: the controller ended with %d:\n%s%s", c.branch, code, controller.Output(), node.Output())
		}
		t.Logf("%s: %s", c.branch, strings.TrimSpace(controller.Output()))
		n.WaitFor("the pose that the controller has seen last", func() bool { return tip().X > 0.06 })
		at := tip()
		if excess := vessels.Guidewire().Excess(at); at.Y*c.side < 0.005 || excess > 0 {
			t.Errorf("%s: the tip is at %v m, %.3g m outside of the vessel", c.branch, at, excess)
		}
	}
}

// TestSteerGuidewireROS1 uses rospy.
func TestSteerGuidewireROS1(t *testing.T) {
	t.Parallel()
	const python = "/usr/bin/python3" // the one that Debian's ROS is for
	testbench.Need(t, "rostopic", "rosservice", python)
	if out, err := exec.Command(python, "-c", "import rospy").CombinedOutput(); err != nil {
		t.Skipf("rospy is not installed: %s", out)
	}
	n := testbench.NewNetwork(t, "http://localhost:"+strconv.Itoa(testbench.FreePort(t))+"/")
	r := &testbench.Robot{TipView: &testbench.TipView{}, Network: n, Program: testbench.BuildTendonsim(t), Node: "/tendonsim"}
	r.Process = n.Start(r.Program, "run", "--ros", "ros1", "--view", "off", "--config", testbench.Absolute(t, guidewireFile))
	n.Watch(r)
	n.WaitFor("a pose", func() bool { return r.Tip.Load() != nil })
	tip := func() spatial.Vec {
		p := r.Tip.Load().Pose.Position
		return spatial.Vec{X: p.X, Y: p.Y, Z: p.Z}
	}
	reset := func() { n.Run("rosservice", "call", "/tendonsim/reset") }
	steer(t, n.With("ROS_VERSION=1"), r.Process, reset, tip, python)
	if code := r.End(testbench.WaitLimit); code != 0 {
		t.Errorf("ended with %d:\n%s", code, r.Output())
	}
}

// TestSteerGuidewireROS2 uses rclpy.
func TestSteerGuidewireROS2(t *testing.T) {
	t.Parallel()
	python := testbench.Rclpy(t)
	n, domain := testbench.NewROS2Network(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--view", "off", "--config", testbench.Absolute(t, guidewireFile))
	p.Expect("ENABLED")
	viewer := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	viewer.Tell("pose rt/tendonsim/measured_cp rv")
	tip := func() (at spatial.Vec) {
		if all := testbench.Poses(t, viewer); len(all) > 0 {
			at = spatial.VecAt(all[len(all)-1].Position[:])
		}
		return at
	}
	n.WaitFor("a pose", func() bool { return tip().X > 0 })
	reset := func() { viewer.Tell("string rt/tendonsim/state_command reset") }
	steer(t, n.With("ROS_VERSION=2"), p, reset, tip, python)
	if code := p.End(testbench.WaitLimit); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
}
