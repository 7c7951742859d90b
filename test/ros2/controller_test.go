package ros2_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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

// TestROS2Circle: the LQR of launch/examples/control takes the tip around a circle of 20 mm by what a late and noisy tracker measures.
func TestROS2Circle(t *testing.T) {
	t.Parallel()
	python := testbench.Rclpy(t)
	program := testbench.BuildTendonsim(t)
	n, _ := testbench.NewROS2Network(t)
	folder := testbench.Absolute(t, "../../launch/examples/control")
	n.With("PYTHONPATH="+installPackage(t, program), "PYTHONDONTWRITEBYTECODE=1")
	p := n.Start(program, "run", "--ros", "ros2", "--no-demo", "--config", testbench.Absolute(t, "../../launch/robots/nitinol.yaml"), "--config", filepath.Join(folder, "sensors.yaml"))
	p.Expect("ROS 2 ")
	controller := n.Start(python, filepath.Join(folder, "lqr.py"), "nitinol", "--ros")
	rms := regexp.MustCompile(`around the circle: ([0-9.]+) mm`)
	n.WaitFor("a round near the circle", func() bool {
		if !controller.Running() {
			t.Fatalf("the controller ended:\n%s", controller.Output())
		}
		for _, m := range rms.FindAllStringSubmatch(controller.Output(), -1) {
			if off, err := strconv.ParseFloat(m[1], 64); err == nil && off < 2 { // a busy computer misses periods
				return true
			}
		}
		return false
	})
	controller.Kill()
	p.End(testbench.WaitLimit)
}

// installPackage makes a folder with the package sinew as its wheel has it, around a program that is built already.
func installPackage(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	for from, to := range map[string]string{"../../python/sinew": "sinew", "../../launch/robots": "sinew/robots"} {
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sinew", "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(dir, "sinew", "bin", "tendonsim")); err != nil {
		t.Fatal(err)
	}
	return dir
}
