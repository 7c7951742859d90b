package ros2_test

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/launch/robots"
	"sinew/pkg/sim/robotfile"
	"sinew/test/testbench"
)

// TestROS2ControlArmDescription: the motors of the arm for ros2_control are those of its robot file.
func TestROS2ControlArmDescription(t *testing.T) {
	u := expandFile(t, "arm.urdf.xacro", "node:=/lab/left")
	r, _ := robots.Find("arm_with_rod")
	f, err := robotfile.Parse[robotfile.Mechanism]("arm_with_rod.yaml", r.File())
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Joints) != 3 || len(u.Control.Joints) != 3 || u.param("joint_commands_topic") != "/lab/left/servo_jp" || u.param("trigger_joint_command_threshold") != "-1" {
		t.Fatalf("%+v", u)
	}
	controllers, err := os.ReadFile("../../launch/ros2_control/arm_controllers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	testbench.Contains(t, "controllers", string(controllers), "joints: [waist, shoulder, elbow]", "joint_trajectory_controller/JointTrajectoryController")
	for i, j := range u.Joints {
		want := &f.Joints[i]
		parent, _ := want.Parent.Link()
		if parent = "lab/left/" + parent; want.Parent.World {
			parent = "world"
		}
		low, high := want.Bounds(0)
		if l := j.Limit; j.Name != want.Name || j.Type != string(want.Type) || j.Parent.Link != parent || l.Lower != low || l.Upper != high || l.Effort != want.Motor.PositionControl.MaxEffort {
			t.Errorf("joint %+v, in the robot file %+v", j, want)
		}
		at := 0.0
		if len(want.Position) > 0 {
			at = want.Position[0]
		}
		c := u.Control.Joints[i]
		if initial, err := strconv.ParseFloat(value(c.Command.Params, "initial_value"), 64); err != nil || initial != at || c.Name != want.Name || c.Command.Name != "position" {
			t.Errorf("interfaces %+v, the robot file begins at %g", c, at)
		}
	}
}

// TestROS2ControlArm: a trajectory, as joint_trajectory_controller samples it, moves the arm that carries a rod.
func TestROS2ControlArm(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	u := expandFile(t, "arm.urdf.xacro")
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo", "--config", testbench.Absolute(t, "../../launch/robots/arm_with_rod.yaml"))
	p.Expect("ENABLED")
	s := newTopicSystem(n, u, domain)
	begin, end := []float64{0, -0.8, 1}, []float64{0.6, -0.5, 1.4} // rad
	const way, length = 3 * time.Second, 6 * time.Second
	s.drive(length, func(since time.Duration) {
		x := min(1, since.Seconds()/way.Seconds())
		share := x * x * x * (10 + x*(6*x-15)) // the quintic of a trajectory from rest to rest
		for i := range s.commands {
			s.commands[i] = begin[i] + share*(end[i]-begin[i])
		}
	})
	for i, j := range u.Control.Joints {
		if at := s.state(j.Name, "position"); math.Abs(at-end[i]) > 0.02 {
			t.Errorf("%s is at %.4g rad, want %g rad", j.Name, at, end[i])
		}
	}
	for _, bad := range []string{"refused", "clamped"} {
		if strings.Contains(p.Output(), bad) {
			t.Errorf("%q:\n%s", bad, p.Output())
		}
	}
	p.End(testbench.WaitLimit)
}
