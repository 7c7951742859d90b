package ros2_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/msgs/rcl_interfaces"
	"sinew/pkg/ros/record"
	"sinew/test/peer/ddspeer"
	"sinew/test/testbench"
)

// TestRosout: what the node logs, refused commands among it, is read on both networks, and
// by who comes late.
func TestRosout(t *testing.T) {
	t.Parallel()
	testbench.Need(t, "rostopic")
	n, domain := testbench.NewROS2Network(t)
	file := t.TempDir() + "/run.mcap"
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "both", "--master", "embedded", "--config", testbench.Absolute(t, testbench.TestRobot), "--record", file,
		"--ros-args", "-r", "__ns:=/lab", "-r", "__node:=left")
	p.Expect("ENABLED")
	them := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	them.Tell("log rt/rosout rt")
	n.WaitFor("a line from before the peer came", func() bool { return len(them.Lines("log 20 lab.left cmd/internal/run/")) > 0 })
	echo := n.Start("rostopic", "echo", "/rosout")
	them.Tell("tensions rt/lab/left/tensions rv 1 2 3")
	n.WaitFor("the refused command", func() bool {
		// a busy computer gives cause for other warnings
		return slices.ContainsFunc(them.Lines("log 30 lab.left pkg/ros/"), func(l string) bool {
			return strings.Contains(l, "command refused") && strings.Contains(l, "data has 3 values, want 2")
		})
	})
	echo.Expect("command refused")
	for _, want := range []string{"level: 4", `name: "/lab/left"`, `file: "pkg/ros/refusal_log.go"`} {
		echo.Expect(want)
	}
	them.Tell("tensions rt/lab/left/tensions rv 1 2")
	time.Sleep(time.Second) // in which one arrives
	them.Tell("hush")
	n.WaitFor("the command time-out, whose command it was and what to do", func() bool {
		for _, line := range them.Lines("log 30 ") {
			if strings.Contains(line, "no command to tendons for 0.5 s") && strings.Contains(line, "last_from") && strings.Contains(line, "ros2 topic pub") {
				return true
			}
		}
		return false
	})
	if code := p.End(time.Second); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
	recorded := 0
	if err := record.Read(file, nil, func(m record.Message) error {
		if line, ok := m.Message.(*rcl_interfaces.Log); ok && m.Topic == "/rosout" && strings.HasPrefix(line.Msg, "command refused") {
			recorded++
		}
		return nil
	}); err != nil || recorded == 0 {
		t.Errorf("the recording has %d lines of refused commands, %v", recorded, err)
	}
}

// linesPerSecond is how many lines with one text are logged in a second.
const linesPerSecond = 10

// TestRosoutFromPeers: clients on RustDDS, Fast DDS and Cyclone DDS read the same lines, of a
// flood a bounded number, and the error that comes amid it.
func TestRosoutFromPeers(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo")
	p.Expect("domain")
	peers := []*ddspeer.Peer{
		ddspeer.RustParameters.Start(t, domain, ""), ddspeer.FastServices.Start(t, domain, ""), ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast),
	}
	for i, tell := range []string{"log /rosout", "log rt/rosout", "log rt/rosout rt"} {
		peers[i].Tell("%s", tell)
	}
	for _, them := range peers {
		n.WaitFor("a line from before the peer came", func() bool { return len(them.Lines("log 20 tendonsim cmd/internal/run/")) > 0 })
	}
	u := &parameterUser{n: n, peer: ddspeer.Parameters.Start(t, domain, ddspeer.Multicast)}
	const changes = 400 // logged with one text: a flood
	words := make([]string, changes)
	for i := range words {
		words[i] = fmt.Sprintf("rates.publish_hz=3:%d", 100+i%2)
	}
	begun := time.Now()
	u.ask("set ", "set ", changes, "set", words...)
	peers[2].Tell("string rt/tendonsim/state_command e_stop")
	for _, them := range peers {
		n.WaitFor("the emergency stop", func() bool { return len(them.Lines("log 40 tendonsim pkg/ros/state.go:")) > 0 })
	}
	most := linesPerSecond * (2 + int(time.Since(begun)/time.Second))
	set := func(p *ddspeer.Peer) (all []string) {
		for _, l := range p.Lines("log 20 tendonsim pkg/ros/parameter/table.go:") {
			if strings.Contains(l, " parameter set ") {
				all = append(all, l)
			}
		}
		return all
	}
	for i, them := range peers {
		n.WaitFor("the lines that the first peer has", func() bool { return slices.Equal(set(them), set(peers[0])) })
		if got := len(set(them)); got < linesPerSecond || got > most {
			t.Errorf("peer %d has read %d lines of %d changes, want %d to %d", i, got, changes, linesPerSecond, most)
		}
		if bad := them.Lines("unreadable"); len(bad) > 0 {
			t.Errorf("peer %d: %q", i, bad[0])
		}
	}
}

// TestNoRosout: --disable-rosout-logs keeps the log on the terminal.
func TestNoRosout(t *testing.T) {
	n, domain := testbench.NewROS2Network(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--config", testbench.Absolute(t, testbench.TestRobot), "--ros-args", "--disable-rosout-logs")
	them := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	them.Tell("log rt/rosout rt")
	them.Tell("tensions rt/tendonsim/tensions rv 1 2 3")
	p.Expect("command refused")
	time.Sleep(500 * time.Millisecond)
	if all := them.Lines("log "); len(all) > 0 {
		t.Errorf("published %q", all)
	}
}
