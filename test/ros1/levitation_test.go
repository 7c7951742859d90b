package ros1_test

import (
	"math"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/test/testbench"
)

// TestLevitation lets the controller of launch/examples lift a magnet of 35 g from the
// table and hold it in the air, through real ROS 1 topics. One control period follows one
// command, so that a busy machine makes the test slower and nothing else.
func TestLevitation(t *testing.T) {
	const python = "/usr/bin/python3" // the one that Debian's ROS is for
	testbench.Need(t, "rostopic", python)
	if out, err := exec.Command(python, "-c", "import rospy").CombinedOutput(); err != nil {
		t.Skipf("rospy is not installed: %s", out)
	}
	const (
		height = 0.03   // m, of the controller's target
		most   = 1e-4   // m from there; the camera's noise is 1e-5 m and the controller amplifies it
		rise   = 1000   // control periods of 1 ms to get there
		hold   = 4000   // to stay there
		lost   = 0.0104 // m: on the table
	)
	n := testbench.NewNetwork(t, "http://localhost:"+strconv.Itoa(testbench.FreePort(t))+"/")
	n.With(testbench.GeneratePython(t))
	r := &testbench.Robot{TipView: &testbench.TipView{}, Network: n, Program: testbench.BuildMicrorobot(t), Node: "/microrobot"}
	r.Process = n.Start(r.Program, "run", "--config", testbench.Absolute(t, "../../launch/robots/levitation.yaml"), "--no-demo", "--lockstep")
	c := n.Start(python, testbench.Absolute(t, "../../launch/examples/levitation.py"))
	n.WaitFor("the controller", func() bool {
		s, err := n.Client().SystemState(n.T.Context())
		return err == nil && len(s.Subscribers[r.Node+"/sensors/camera"]) == 1
	})
	n.Watch(r) // there is no pose before the controller's first command

	var mu sync.Mutex
	periods, worst, lowest := 0, 0.0, math.Inf(1)
	testbench.Listen(n, r.Node, r.Node+"/measured_cp", func(m *geometry_msgs.PoseStamped) {
		mu.Lock()
		defer mu.Unlock()
		if periods++; periods > rise {
			p := m.Pose.Position
			worst = math.Max(worst, math.Hypot(math.Hypot(p.X, p.Y), p.Z-height))
			lowest = math.Min(lowest, p.Z)
		}
	})
	begun := time.Now()
	for deadline := begun.Add(5 * time.Minute); ; time.Sleep(testbench.PollPeriod) {
		mu.Lock()
		done := periods >= rise+hold
		mu.Unlock()
		if done {
			break
		}
		if !c.Running() || time.Now().After(deadline) {
			t.Fatalf("%d control periods of %d:\n%s%s", periods, rise+hold, c.Output(), r.Output())
		}
	}
	mu.Lock()
	defer mu.Unlock()
	t.Logf("%d periods in %.1f s; at most %.3g m from the target", periods, time.Since(begun).Seconds(), worst)
	if worst > most || lowest < lost {
		t.Errorf("the magnet was up to %.3g m from the target (allowed %g m), its lowest height %.3g m", worst, most, lowest)
	}
}
