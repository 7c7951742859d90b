package ros2_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/test/peer/ddspeer"
	"sinew/test/testbench"
)

// fleetRobot is a small robot that publishes at 200 Hz.
const fleetRobot = `rod: {length_m: 0.25, radius_m: 0.0055, density_kg_per_m3: 997.7, youngs_modulus_pa: 16.6e6, shear_modulus_pa: 7.2e6, elements: 5, damping: {kelvin_voigt_s: 0.01, drag_per_s: 1}}
tendons:
  - {name: a, offset_m: [0.015, 0], disks: {count: 4, first_m: 0.06, last_m: 0.24, mass_kg: 0.002}}
  - {name: b, offset_m: [-0.015, 0], disks: {count: 4, first_m: 0.06, last_m: 0.24}}
solver: {step_s: 0.005}
rates: {control_hz: 200, publish_hz: 200, marker_hz: 20}
command_timeout_s: 0.5
`

// writeFleet writes a fleet file with the lines of its robots, and robot.yaml beside it.
func writeFleet(t *testing.T, robots ...string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "fleet.yaml")
	for name, text := range map[string]string{
		file:                             "robots:\n  - " + strings.Join(robots, "\n  - ") + "\n",
		filepath.Join(dir, "robot.yaml"): fleetRobot,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// TestFiftyRobots: fifty robots of one program publish at 200 Hz, each to a Cyclone DDS subscriber of its own, and
// nothing is lost.
func TestFiftyRobots(t *testing.T) {
	const (
		robots  = 50
		hz      = 200.0
		seconds = 10.0
		// settle is how long both sides may tell each other of 4750 endpoints; a volatile subscription may miss what
		// comes before its participant knows the writer
		settle = 3 * time.Second
	)
	n, domain := testbench.NewROS2Network(t)
	var lines []string
	for i := range robots {
		lines = append(lines, fmt.Sprintf("{name: robot_%02d, namespace: /lab, config: robot.yaml}", i))
	}
	program := testbench.BuildTendonsim(t)
	p := n.Start(program, "run", "--ros", "ros2", "--robots", writeFleet(t, lines...))
	them := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	them.Raise(t)
	p.ExpectWithin("robots:", time.Minute)
	for i := range robots {
		them.Tell("count rt/lab/robot_%02d/measured_cp rv", i)
	}
	// counts are those since the subscriptions, asked for so many times
	counts := func(times int) map[string]poseCount {
		them.Tell("counts")
		n.WaitFor("counts", func() bool { return len(them.Lines("counted")) == times })
		all := map[string]poseCount{}
		for _, line := range them.Lines("count ") { // the last of each topic
			var c poseCount
			var topic string
			if _, err := fmt.Sscanf(line, "count %s %d %g %d", &topic, &c.poses, &c.last, &c.lost); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			all[topic] = c
		}
		return all
	}
	asked := 0
	n.WaitFor("poses of all", func() bool {
		asked++
		for _, c := range counts(asked) {
			if c.poses == 0 {
				return false
			}
		}
		return true
	})
	time.Sleep(settle)
	first, said := counts(asked+1), len(p.Output())
	begun, before := time.Now(), processorTimeOf(t, p.PID())
	time.Sleep(time.Duration(seconds * float64(time.Second)))
	used := (processorTimeOf(t, p.PID()) - before).Seconds() / time.Since(begun).Seconds()
	missing, poses := 0, 0
	all := counts(asked + 2)
	slow := strings.Contains(p.Output()[said:], "too slow: messages to it are dropped")
	if len(all) != robots {
		t.Fatalf("%d robots are counted", len(all))
	}
	for topic, c := range all {
		was := first[topic]
		got := c.poses - was.poses
		if c.lost > was.lost || got < seconds*hz/10 {
			t.Errorf("%s: %d poses, and DDS says that %d were lost", topic, got, c.lost-was.lost)
		}
		missing += max(0, int(math.Round((c.last-was.last)*hz))-got)
		poses += got
	}
	if code := p.End(time.Second); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
	// periods that a busy computer has kept the loops from were never published
	sums := regexp.MustCompile(`(\d+) robots: \d+ steps, .* (\d+) periods skipped`).FindStringSubmatch(p.Output())
	if sums == nil || sums[1] != fmt.Sprint(robots) {
		t.Fatalf("wrote\n%s", p.Output())
	}
	var skipped int
	fmt.Sscan(sums[2], &skipped)
	t.Logf("%d poses of %d robots, %d missing of which %d were skipped; %.0f %% of a processor", poses, robots, missing, skipped, 100*used)
	if missing > skipped {
		t.Errorf("%d poses are missing, and only %d periods were skipped", missing, skipped)
	}
	if slow {
		t.Errorf("wrote\n%s", p.Output())
	}
}

// poseCount is what a peer has counted on a topic: poses, what DDS says was lost, and the stamp of the last pose, s.
type poseCount struct {
	poses, lost int
	last        float64
}

// processorTimeOf is what a process has used so far.
func processorTimeOf(t *testing.T, pid int) time.Duration {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skip(err) // of Linux
	}
	fields := strings.Fields(string(b)[strings.LastIndexByte(string(b), ')')+1:])
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		t.Fatal(err)
	}
	const ticks = 100 // a second, of all Linux
	return time.Duration(user+system) * time.Second / ticks
}

// TestFleetOnBothNetworks: each robot has its topics, services, state and parameters for itself, one that
// stops or ends leaves the others alone, and Ctrl-C ends all.
func TestFleetOnBothNetworks(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	file := writeFleet(t, "{name: left, namespace: lab, config: robot.yaml}", "{name: right, namespace: lab, config: [robot.yaml]}",
		"{name: third, namespace: /other, config: robot.yaml}")
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "both", "--master", "embedded", "--robots", file, "__name:=fleet", "__ns:=/hall",
		"--ros-args", "-p", "left:command_timeout_s:=.inf", "-r", "right:tensions:=/pull")
	p.ExpectWithin("3 ENABLED", time.Minute)
	testbench.Contains(t, "welcome", p.Output(), "3 robots on", "robot    /hall/lab/left: rod of 250 mm", ", 3 nodes, one participant\n",
		"ROS 1    master at "+n.URI+" (embedded")
	them := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	for _, robot := range []string{"hall/lab/left", "hall/lab/right", "other/third"} {
		them.Tell("pose rt/%s/measured_cp rv", robot)
		them.Tell("state rt/%s/operating_state rt", robot)
	}
	them.Tell("graph")
	n.WaitFor("the nodes in the graph", func() bool {
		return len(them.Lines("node /hall/lab left ")) > 0 && len(them.Lines("node /hall/lab right ")) > 0 && len(them.Lines("node /other third ")) > 0
	})
	n.WaitFor("three states", func() bool { return len(them.Lines("state ENABLED")) >= 3 })

	peer, err := ros2.New(ros2.Options{Node: "/user", Discovery: ros2.Discovery{Domain: domain}})
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	topic := func(name string) (publish func(text string)) {
		pub, err := peer.Advertise(ros.Topic{Name: name, Type: std_msgs.StringType})
		if err != nil {
			t.Fatal(err)
		}
		n.WaitFor("a subscriber of "+name, pub.(interface{ IsDiscovered() bool }).IsDiscovered)
		return func(text string) { pub.Publish(ros.NewSample(&std_msgs.String{Data: text})) }
	}
	left := topic("/hall/lab/left/state_command")
	left("e_stop")
	n.WaitFor("an emergency stop", func() bool { return len(them.Lines("state FAULT emergency stop")) > 0 })
	p.ExpectWithin("3 robots: 2 ENABLED, 1 FAULT", time.Minute)
	p.Expect("/hall/lab/left: emergency stop; call ~enable to continue")
	topic("/other/third/state_command")("pause")
	p.ExpectWithin("3 robots: 1 ENABLED, 1 PAUSED, 1 FAULT", time.Minute)

	for robot, want := range map[string]any{"/hall/lab/left": math.Inf(1), "/hall/lab/right": 0.5} {
		n.WaitFor("the parameters of "+robot, func() bool {
			v, set, err := n.Client().Param(t.Context(), robot+"/command_timeout_s")
			return err == nil && set && v == want
		})
	}
	if nodes := n.Run("rosnode", "list"); !strings.Contains(nodes, "/hall/lab/left\n") || !strings.Contains(nodes, "/other/third\n") {
		t.Errorf("rosnode lists\n%s", nodes)
	}
	testbench.Contains(t, "rosnode info", n.Run("rosnode", "info", "/hall/lab/right"), "/pull [", "/hall/lab/right/measured_cp [")
	n.Run("rosnode", "kill", "/hall/lab/right")
	p.ExpectWithin("3 robots: 1 PAUSED, 1 FAULT, 1 ended", time.Minute)
	left("enable")
	p.ExpectWithin("3 robots: 1 ENABLED, 1 PAUSED, 1 ended", time.Minute)
	late := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	late.Tell("graph")
	n.WaitFor("the nodes that are left", func() bool {
		return len(late.Lines("node /hall/lab left ")) > 0 && len(late.Lines("node /other third ")) > 0
	})
	if len(late.Lines("node /hall/lab right ")) > 0 {
		t.Error("the robot that has ended is in the graph")
	}
	if code := p.End(time.Second); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
}
