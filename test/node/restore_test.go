package node_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/test/peer/rospeer"
	"sinew/test/testbench"
	"sinew/test/torture"
)

// TestRestoreState saves the state of running nodes with robots of the torture suite, in the
// middle of ramps, and goes back to it: in lock-step the same commands give the same bits.
func TestRestoreState(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		program  string
		generate func(seed uint64) (*torture.Case, error)
		seeds    []uint64
		command  string // topic of an array of numbers
	}{
		{testbench.BuildTendonsim(t), torture.NewRod, []uint64{2, 3, 20}, "tensions"},
		{testbench.BuildMicrorobot(t), torture.NewBody, []uint64{1, 2, 5}, "rotating_field_array"},
		{testbench.BuildMicrorobot(t), torture.NewSwarm, []uint64{3}, "rotating_field_array"},
	} {
		for _, seed := range c.seeds {
			robot, err := c.generate(seed)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(strings.Split(robot.Title, ":")[0], func(t *testing.T) {
				t.Parallel()
				restoreState(t, c.program, robot, c.command)
			})
		}
	}
}

func restoreState(t *testing.T, program string, robot *torture.Case, topic string) {
	const before, after = 30, 60 // control periods
	n := testbench.NewNetwork(t, fmt.Sprintf("http://127.0.0.1:%d/", testbench.FreePort(t)))
	// tensions of up to 1 mN on ramps that no target ends before the next one
	text := regexp.MustCompile(`max_rate_n_per_s: [^,\s}]+`).ReplaceAllString(string(robot.Text), "max_rate_n_per_s: 0.02")
	n.Start(program, "run", "--config", testbench.WriteFile(t, "robot.yaml", text), "--ros", "ros1", "--master", "embedded", "--lockstep", "--no-demo",
		"__name:=tendonsim", "_rates/publish_hz:=1000", "_rates/control_hz:=1000")
	n.WaitFor("the master", func() bool { _, err := n.Client().PID(t.Context()); return err == nil })
	s := rospeer.ROS1(t, n.URI, "/lab/a")
	poses := make(chan *geometry_msgs.PoseStamped, 1000)
	s.Subscribe("/tendonsim/measured_cp", geometry_msgs.PoseStampedType, func(got ros.Received) {
		poses <- got.Message.(*geometry_msgs.PoseStamped)
	})
	p := s.Publisher(topic, std_msgs.Float64MultiArrayType, false)
	s.AwaitState("ENABLED")
	s.Await("a listener of "+topic, func(rospeer.Observation) bool { return p.HasSubscribers() })

	run := func(from, to int) (all []geometry_msgs.Pose) {
		for k := from; k < to; k++ {
			p.Publish(ros.NewSample(&std_msgs.Float64MultiArray{Data: restoreCommand(robot, topic, k)}))
			select {
			case m := <-poses:
				all = append(all, m.Pose)
			case <-time.After(testbench.WaitLimit):
				t.Fatalf("no pose after command %d", k)
			}
		}
		return all
	}
	request := func(service string) { // which shows a pose, too
		serve(n, service)
		select {
		case <-poses:
		case <-time.After(testbench.WaitLimit):
			t.Fatalf("no pose after %s", service)
		}
	}
	for begun := time.Now(); time.Since(begun) < time.Second; time.Sleep(10 * time.Millisecond) { // that of the start
		for len(poses) > 0 {
			<-poses
		}
	}
	run(0, before)
	request("/tendonsim/save_state")
	first := run(before, before+after)
	run(0, 7) // elsewhere
	request("/tendonsim/restore_state")
	again := run(before, before+after)
	for k := range first {
		if poseBits(first[k]) != poseBits(again[k]) {
			t.Fatalf("%s: pose %d after restore_state is %+v, after save_state it was %+v", robot.Title, k, again[k], first[k])
		}
	}
	if poseBits(first[0]) == poseBits(first[after-1]) {
		t.Errorf("%s has not moved", robot.Title)
	}
}

// restoreCommand is command k: new targets now and then, so that ramps go on across it.
func restoreCommand(robot *torture.Case, topic string, k int) (v []float64) {
	g := rand.New(rand.NewPCG(robot.Seed, uint64(k/17)))
	if topic == "rotating_field_array" {
		return []float64{g.NormFloat64(), g.NormFloat64(), 1, 1e-3 * g.Float64(), 5 * g.Float64(), 1e-4}
	}
	for range len(robot.Commands[0].Rows[0]) {
		v = append(v, 1e-3*g.Float64())
	}
	return v
}

func poseBits(p geometry_msgs.Pose) (b [7]uint64) {
	for i, x := range []float64{p.Position.X, p.Position.Y, p.Position.Z, p.Orientation.X, p.Orientation.Y, p.Orientation.Z, p.Orientation.W} {
		b[i] = math.Float64bits(x)
	}
	return b
}

// serve calls a service without arguments as roscpp does, and wants success.
func serve(n *testbench.Network, service string) {
	n.T.Helper()
	uri, err := n.Client().LookupService(testbench.Deadline(n.T), service)
	if err != nil {
		n.T.Fatal(err)
	}
	at, err := url.Parse(uri)
	if err != nil {
		n.T.Fatal(err)
	}
	conn, err := net.Dial("tcp", at.Host)
	if err != nil {
		n.T.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(testbench.WaitLimit))
	var fields []byte
	for _, f := range []string{"callerid=/test", "service=" + service, "md5sum=*"} {
		fields = append(binary.LittleEndian.AppendUint32(fields, uint32(len(f))), f...)
	}
	request := append(binary.LittleEndian.AppendUint32(nil, uint32(len(fields))), fields...)
	request = binary.LittleEndian.AppendUint32(request, 0) // an empty request
	if _, err := conn.Write(request); err != nil {
		n.T.Fatal(err)
	}
	read := func(size uint32) []byte {
		b := make([]byte, size)
		if _, err := io.ReadFull(conn, b); err != nil {
			n.T.Fatalf("%s: %v", service, err)
		}
		return b
	}
	length := func() uint32 { return binary.LittleEndian.Uint32(read(4)) }
	read(length()) // header
	ok := read(1)[0]
	if reply := read(length()); ok != 1 || reply[0] != 1 {
		n.T.Fatalf("%s: %q", service, reply)
	}
}
