package ros2_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/test/peer/ddspeer"
	"sinew/test/testbench"
)

// TestBothNetworks: rostopic and a ROS 2 peer see the same poses of the same
// times, of a robot that moves.
func TestBothNetworks(t *testing.T) {
	t.Parallel()
	testbench.Need(t, "rostopic")
	n, domain := testbench.NewROS2Network(t)
	program := testbench.BuildTendonsim(t)
	p := n.Start(program, "run", "--ros", "both", "--master", "embedded", "--config", testbench.Absolute(t, testbench.TestRobot), "--demo")
	p.Expect("demo ")
	testbench.Contains(t, "welcome", p.Output(), "ROS 1    master at "+n.URI+" (embedded",
		fmt.Sprintf("ROS 2    domain %d, this host only (ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET widens), node /tendonsim\n", domain))
	them := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	them.Tell("pose rt/tendonsim/measured_cp rv")
	n.WaitFor("a pose", func() bool { return len(testbench.Poses(t, them)) > 0 })
	moved, same := false, 0
	for try := 0; try < 10 && same < 50; try++ { // a peer that a busy machine keeps from reading misses some
		rows := strings.Split(strings.TrimSpace(n.Run("rostopic", "echo", "-p", "-n", "50", "/tendonsim/measured_cp")), "\n")[1:]
		last := testbench.PoseOfRow(t, rows[len(rows)-1])
		n.WaitFor("the same time in ROS 2", func() bool {
			all := testbench.Poses(t, them)
			return all[len(all)-1].Stamp >= last.Stamp
		})
		seen := map[string][3]float64{}
		for _, s := range testbench.Poses(t, them) {
			seen[s.Stamp] = s.Position
		}
		for _, row := range rows {
			s := testbench.PoseOfRow(t, row)
			at, ok := seen[s.Stamp]
			if ok && at != s.Position {
				t.Errorf("ROS 1 has %v, ROS 2 %v", s, at)
			}
			if ok {
				same++
			}
			moved = moved || s.Position != last.Position
		}
	}
	if !moved || same < 50 {
		t.Errorf("%d poses in both, moved: %v", same, moved)
	}
	if code := p.End(time.Second); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
}

// TestROS2Control drives a robot from ROS 2 alone: commands of both reliabilities,
// requests, and a node that comes late.
func TestROS2Control(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	program := testbench.BuildTendonsim(t)
	p := n.Start(program, "run", "--ros", "ros2", "--config", testbench.Absolute(t, testbench.TestRobot))
	r := &testbench.Robot{Process: p, Network: n, Program: program, Node: "/tendonsim"}
	them := ddspeer.Jazzy.Start(t, domain, ddspeer.Unicast)
	them.Tell("pose rt/tendonsim/measured_cp bv")
	them.Tell("state rt/tendonsim/operating_state rt")
	them.Tell("stats rt/tendonsim/sim_stats rv")
	them.Tell("graph")
	n.WaitFor("latched state", func() bool { return len(them.Lines("state ENABLED")) > 0 })
	n.WaitFor("the node in the graph", func() bool { return len(them.Lines("node / tendonsim ")) > 0 })
	n.WaitForRest(them, "before the first command", testbench.StraightTip)

	them.Tell("tensions rt/tendonsim/tensions rv 1.5 0.5")
	n.WaitForRest(them, "tensions", r.Equilibrium(1.5, 0.5))
	them.Tell("effort rt/tendonsim/servo_jf bv 0.25 1.0")
	n.WaitForRest(them, "servo_jf, best effort", r.Equilibrium(0.25, 1))
	them.Tell("hush")
	n.WaitForRest(them, "command timeout", testbench.StraightTip)

	them.Tell("string rt/tendonsim/state_command pause")
	n.WaitFor("pause", func() bool { return len(them.Lines("state PAUSED")) > 0 })
	before := n.WaitForStandstill(them)
	them.Tell("string rt/tendonsim/state_command step 10")
	n.WaitFor("ten periods", func() bool { return testbench.SimTime(t, them) > before })
	if after := n.WaitForStandstill(them); math.Abs(after-before-10e-3) > 1e-9 {
		t.Errorf("step 10 simulated %g s, want ten periods of 1 ms", after-before)
	}
	enabled := len(them.Lines("state ENABLED"))
	late := ddspeer.Humble.Start(t, domain, ddspeer.Multicast)
	late.Tell("state rt/tendonsim/operating_state rt")
	late.Tell("graph")
	n.WaitFor("latched state", func() bool { return len(late.Lines("state PAUSED")) > 0 })
	n.WaitFor("the node in Humble's graph", func() bool { return len(late.Lines("node / tendonsim ")) > 0 })
	late.Tell("string rt/tendonsim/state_command resume")
	n.WaitFor("resume", func() bool { return len(them.Lines("state ENABLED")) > enabled })

	if code := p.End(time.Second); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
	const hushed = "WARN no command to tendons for 0.5 s (command_timeout_s): its safe values are applied"
	out := p.Output()
	expected := strings.Count(out, hushed) + strings.Count(out, "too slow") // the latter of a busy machine
	if strings.Contains(out, "ROS 1") || strings.Count(out, "WARN") > expected || !strings.Contains(out, hushed) {
		t.Errorf("wrote\n%s", out)
	}
}

// TestROS2Names starts a robot as ROS 2 launch files do: namespace, node name and
// remapping after --ros-args, parameters in a file and one by one.
func TestROS2Names(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	program := testbench.BuildTendonsim(t)
	params := filepath.Join(t.TempDir(), "params.yaml")
	text := "/lab/left:\n  ros__parameters:\n    command_timeout_s: .inf\n    rates: {publish_hz: 500}\n/lab/right:\n  ros__parameters: {command_timeout_s: 0.1}\n"
	if err := os.WriteFile(params, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := n.Start(program, "run", "--ros", "ros2", "--config", testbench.Absolute(t, testbench.TestRobot), "--ros-args",
		"-r", "__node:=left", "-r", "__ns:=/lab", "-r", "~/tensions:=/pull", "--params-file", params, "-p", "rates.publish_hz:=250.0")
	p.Expect("ROS 2 ")
	testbench.Contains(t, "welcome", p.Output(), "node /lab/left\n")
	r := &testbench.Robot{Process: p, Network: n, Program: program, Node: "/lab/left"}
	them := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	them.Tell("graph")
	them.Tell("pose rt/lab/left/measured_cp rv")
	them.Tell("tensions rt/pull rv 1.5 0.5")
	n.WaitFor("the node in the graph", func() bool { return len(them.Lines("node /lab left ")) > 0 })
	n.WaitForRest(them, "remapped tensions", r.Equilibrium(1.5, 0.5))
	them.Tell("hush")
	time.Sleep(time.Second)
	n.WaitForRest(them, "no command timeout, as the parameter file says", r.Equilibrium(1.5, 0.5))
	if period := testbench.MedianPeriod(t, testbench.Poses(t, them)); math.Abs(period-4e-3) > 1e-4 {
		t.Errorf("poses come every %.2f ms, want 4", period*1e3)
	}
	// a second node of the name runs, and says so
	twin := n.Start(program, "run", "--ros", "ros2", "__ns:=/lab", "__name:=left")
	twin.Expect("another node has the same name")
	p.Expect("another node has the same name")
	if code := twin.End(time.Second); code != 0 {
		t.Errorf("twin ended with %d:\n%s", code, twin.Output())
	}
}

// TestROS2UnknownPeer: a static peer whose name is not known is logged by its name, and ROS 2
// works without it.
func TestROS2UnknownPeer(t *testing.T) {
	n, _ := testbench.NewROS2Network(t)
	program := testbench.BuildTendonsim(t)
	n.With("ROS_STATIC_PEERS=no.such.host.invalid")
	for _, network := range []string{"auto", "ros2", "both"} {
		p := n.Start(program, "--ros", network, "--no-demo")
		p.Expect("no.such.host.invalid")
		p.Expect("ENABLED")
		if code := p.End(time.Second); code != 0 {
			t.Errorf("--ros %s ended with %d:\n%s", network, code, p.Output())
		}
	}
}
