package test

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

// testRobot settles within a second and publishes at 1 kHz.
const testRobot = "testdata/ros1_robot.yaml"

// robot is a running tendonsim.
type robot struct {
	*process
	*view
	n       *network
	program string
	node    string // resolved name
}

// view is what a subscriber sees of a robot.
type view struct {
	tip            atomic.Pointer[geometry_msgs.PoseStamped]
	messages, gaps atomic.Int64 // that came, and jumps in their numbers
}

// in is the same robot for a subtest.
func (r *robot) in(n *network) *robot {
	return &robot{r.process, r.view, n, r.program, r.node}
}

// startRobot runs tendonsim with the test robot as a node, waits until it is
// registered, and watches its tip.
func (n *network) startRobot(program, node string, args ...string) *robot {
	n.t.Helper()
	r := &robot{view: &view{}, n: n, program: program, node: node}
	r.process = n.start(program, append([]string{"run", "--config", absolute(n.t, testRobot)}, args...)...)
	n.watch(r)
	return r
}

// launchPackage makes a package of what is in launch/ with the program beside
// it, and has roslaunch find it.
func (n *network) launchPackage(program string) (dir string) {
	n.t.Helper()
	dir = n.t.TempDir()
	files := []string{program}
	for _, name := range []string{"package.xml", "tendonsim.launch", "tendonsim.rviz"} {
		files = append(files, absolute(n.t, filepath.Join("../launch", name)))
	}
	for _, file := range files {
		if err := os.Symlink(file, filepath.Join(dir, filepath.Base(file))); err != nil {
			n.t.Fatal(err)
		}
	}
	n.with("ROS_PACKAGE_PATH=" + dir)
	return dir
}

// launch runs a launch file of our package, which starts the robot node.
func (n *network) launch(program, node, file string, args ...string) *robot {
	n.t.Helper()
	r := &robot{view: &view{}, n: n, program: program, node: node}
	r.process = n.start("roslaunch", append([]string{"sinew_bringup", file}, args...)...)
	n.watch(r)
	return r
}

// absolute is a path for programs that run elsewhere.
func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// watch waits until a robot is complete and follows its tip.
func (n *network) watch(r *robot) {
	n.t.Helper()
	n.waitFor(r.node, func() bool {
		if r.process != nil && !r.Running() {
			n.t.Fatalf("%s ended:\n%s", r.node, r.Output())
		}
		s, err := n.client().SystemState(n.t.Context())
		return err == nil && len(s.Publishers[r.node+"/measured_cp"]) == 1 && len(s.Services[r.node+"/reset"]) == 1
	})
	var last uint32
	listen(n, r.node, r.node+"/measured_cp", func(m *geometry_msgs.PoseStamped) {
		if last != 0 && m.Header.Seq != last+1 {
			r.gaps.Add(1)
		}
		last = m.Header.Seq
		r.messages.Add(1)
		r.tip.Store(m)
	})
	n.waitFor("the first pose of "+r.node, func() bool { return r.tip.Load() != nil })
}

// tipNear is how exactly the moving robot must meet its equilibrium: what is
// left of the motion after it settled, below 0.01 % of the length.
const tipNear = 2e-5 // m

// settles waits until the tip rests at a point.
func (r *robot) settles(what string, want [3]float64) {
	r.n.t.Helper()
	distance := func() float64 {
		p := r.tip.Load().Pose.Position
		return math.Hypot(math.Hypot(p.X-want[0], p.Y-want[1]), p.Z-want[2])
	}
	for deadline := time.Now().Add(waitLimit); distance() > tipNear; time.Sleep(pollPeriod) {
		if time.Now().After(deadline) {
			r.n.t.Fatalf("%s: the tip is at %v, %.2g m from %v", what, r.tip.Load().Pose.Position, distance(), want)
		}
	}
}

// equilibrium simulates offline where the test robot's tip comes to rest under
// two tensions (N).
func (r *robot) equilibrium(up, left float64) [3]float64 {
	t := r.n.t
	t.Helper()
	commands := filepath.Join(t.TempDir(), "commands.csv")
	if err := os.WriteFile(commands, fmt.Appendf(nil, "t,up,left\n0,%g,%g\n", up, left), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(r.program, "sim", "--config", testRobot, "--duration", "3s", "--sample-hz", "1", "--commands", commands, "--out", "-").Output()
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

// straight is where the tip is without tensions.
var straight = [3]float64{0.25, 0, 0}

// publish sends a message with rostopic, 50 times a second, until stopped.
func (n *network) publish(topic, kind, message string) (stop func()) {
	p := n.start("rostopic", "pub", "-r", "50", topic, kind, message)
	return func() { p.End(waitLimit) }
}
