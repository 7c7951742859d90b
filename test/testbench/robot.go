package testbench

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
)

// TestRobot settles within a second and publishes at 1 kHz.
const TestRobot = "../testdata/ros1_robot.yaml"

// Robot is a running tendonsim.
type Robot struct {
	*Process
	*TipView
	Network *Network
	Program string
	Node    string // resolved name
}

// TipView is what a subscriber sees of a robot.
type TipView struct {
	Tip            atomic.Pointer[geometry_msgs.PoseStamped]
	Messages, Gaps atomic.Int64 // that came, and jumps in their numbers
}

// In is the same robot for a subtest.
func (r *Robot) In(n *Network) *Robot {
	return &Robot{r.Process, r.TipView, n, r.Program, r.Node}
}

// StartRobot runs tendonsim with the test robot as a node, waits until it is
// registered, and watches its tip.
func (n *Network) StartRobot(program, node string, args ...string) *Robot {
	n.T.Helper()
	r := &Robot{TipView: &TipView{}, Network: n, Program: program, Node: node}
	r.Process = n.Start(program, append([]string{"run", "--config", Absolute(n.T, TestRobot)}, args...)...)
	n.Watch(r)
	return r
}

// LaunchPackage makes a package of what is in launch/ with the program beside
// it, and has roslaunch find it.
func (n *Network) LaunchPackage(program string) (dir string) {
	n.T.Helper()
	dir = n.T.TempDir()
	files := []string{program}
	for _, name := range []string{"package.xml", "tendonsim.launch", "tendonsim.rviz"} {
		files = append(files, Absolute(n.T, filepath.Join("../../launch", name)))
	}
	for _, file := range files {
		if err := os.Symlink(file, filepath.Join(dir, filepath.Base(file))); err != nil {
			n.T.Fatal(err)
		}
	}
	n.With("ROS_PACKAGE_PATH=" + dir)
	return dir
}

// Launch runs a launch file of our package, which starts the robot node.
func (n *Network) Launch(program, node, file string, args ...string) *Robot {
	n.T.Helper()
	r := &Robot{TipView: &TipView{}, Network: n, Program: program, Node: node}
	r.Process = n.Start("roslaunch", append([]string{"sinew_bringup", file}, args...)...)
	n.Watch(r)
	return r
}

// Absolute is a path for programs that run elsewhere.
func Absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Watch waits until a robot is complete and follows its tip.
func (n *Network) Watch(r *Robot) {
	n.T.Helper()
	n.WaitFor(r.Node, func() bool {
		if r.Process != nil && !r.Running() {
			n.T.Fatalf("%s ended:\n%s", r.Node, r.Output())
		}
		s, err := n.Client().SystemState(n.T.Context())
		return err == nil && len(s.Publishers[r.Node+"/measured_cp"]) == 1 && len(s.Services[r.Node+"/reset"]) == 1
	})
	var last uint32
	Listen(n, r.Node, r.Node+"/measured_cp", func(m *geometry_msgs.PoseStamped) {
		if last != 0 && m.Header.Seq != last+1 {
			r.Gaps.Add(1)
		}
		last = m.Header.Seq
		r.Messages.Add(1)
		r.Tip.Store(m)
	})
	n.WaitFor("the first pose of "+r.Node, func() bool { return r.Tip.Load() != nil })
}

// TipTolerance is how exactly the moving robot must meet its equilibrium: what is
// left of the motion after it settled, below 0.01 % of the length.
const TipTolerance = 2e-5 // m

// WaitForTip waits until the tip rests at a point.
func (r *Robot) WaitForTip(what string, want [3]float64) {
	r.Network.T.Helper()
	distance := func() float64 {
		p := r.Tip.Load().Pose.Position
		return math.Hypot(math.Hypot(p.X-want[0], p.Y-want[1]), p.Z-want[2])
	}
	for deadline := time.Now().Add(WaitLimit); distance() > TipTolerance; time.Sleep(PollPeriod) {
		if time.Now().After(deadline) {
			r.Network.T.Fatalf("%s: the tip is at %v, %.2g m from %v", what, r.Tip.Load().Pose.Position, distance(), want)
		}
	}
}

// Equilibrium simulates offline where the test robot's tip comes to rest under
// two tensions (N).
func (r *Robot) Equilibrium(up, left float64) [3]float64 {
	t := r.Network.T
	t.Helper()
	commands := filepath.Join(t.TempDir(), "commands.csv")
	if err := os.WriteFile(commands, fmt.Appendf(nil, "t,up,left\n0,%g,%g\n", up, left), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(r.Program, "sim", "--config", TestRobot, "--duration", "3s", "--sample-hz", "1", "--commands", commands, "--out", "-").Output()
	if err != nil {
		t.Fatalf("tendonsim sim: %v\n%s", err, out)
	}
	rows, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
	if err != nil || len(rows) < 5 {
		t.Fatalf("tendonsim sim: %v\n%s", err, out)
	}
	var tip [3]float64
	for i := range tip {
		if tip[i], err = strconv.ParseFloat(rows[len(rows)-1][1+i], 64); err != nil {
			t.Fatal(err)
		}
	}
	return tip
}

// StraightTip is where the tip is without tensions.
var StraightTip = [3]float64{0.25, 0, 0}

// Publish sends a message with rostopic, 50 times a second, until stopped.
func (n *Network) Publish(topic, kind, message string) (stop func()) {
	p := n.Start("rostopic", "pub", "-r", "50", topic, kind, message)
	return func() { p.End(WaitLimit) }
}
