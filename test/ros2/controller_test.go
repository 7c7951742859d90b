package ros2_test

import (
	"math"
	"testing"

	"sinew/test/peer/ddspeer"
	"sinew/test/testbench"
)

// TestROS2Controller closes a loop around the built-in robot with the example
// controller for rclpy.
func TestROS2Controller(t *testing.T) {
	t.Parallel()
	python := testbench.Rclpy(t)
	const y, z, near = 0.05, 0.08, 1e-3 // m, the example's target, and how near is there
	n, domain := testbench.NewROS2Network(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo")
	p.Expect("ROS 2 ")
	viewer := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	viewer.Tell("pose rt/tendonsim/measured_cp rv")
	controller := n.Start(python, testbench.Absolute(t, "../../launch/examples/controller_ros2.py"))
	stays := func(within float64) func() bool {
		return func() bool {
			if !controller.Running() {
				t.Fatalf("the controller ended:\n%s", controller.Output())
			}
			all := testbench.Poses(t, viewer)
			for _, s := range all[max(0, len(all)-100):] {
				if math.Hypot(s.Position[1]-y, s.Position[2]-z) > within {
					return false
				}
			}
			return len(all) >= 100
		}
	}
	n.WaitFor("the tip on its way", stays(20*near))
	n.WaitFor("the tip at its target", stays(near))
	controller.Kill()
	if code := p.End(testbench.WaitLimit); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
}

// TestROS2Grasp: the example for rclpy grasps a ball with two soft fingers, lifts it and puts it down.
func TestROS2Grasp(t *testing.T) {
	t.Parallel()
	python := testbench.Rclpy(t)
	n, _ := testbench.NewROS2Network(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo", "--config", testbench.Absolute(t, "../../launch/robots/gripper_with_ball.yaml"))
	p.Expect("ROS 2 ")
	script := n.Start(python, testbench.Absolute(t, "../../launch/examples/grasp_ros2.py"))
	script.Expect("the ball was lifted to 0.09")
	script.Expect("lies at 0.020 m")
	p.End(testbench.WaitLimit)
}
