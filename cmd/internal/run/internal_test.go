package run

import (
	"fmt"
	"io"
	"math"
	"net"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/pkg/ros/master"
	"sinew/pkg/ros/naming"
)

// Tests of what has no exported name.

// The start says which network interfaces ROS 2 uses and who chose them, and refuses what
// can be none.
func TestInterfacesAreNamedAtTheStart(t *testing.T) {
	subnet := environment("ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET")
	for _, c := range []struct {
		given  []string
		lookup func(string) (string, bool)
		want   string
	}{
		{[]string{"nothing0"}, subnet, "domain 0, this subnet: every host there can command this node (ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST keeps it on this host), on loopback alone until a network interface is up, chosen by --interface, node /robot"},
		{[]string{"lo"}, subnet, "domain 0, this subnet, on loopback alone, chosen by --interface, node /robot"},
		{[]string{"nothing0"}, environment("", ""), "domain 0, this host only (ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET widens), node /robot"},
	} {
		n := new(networks)
		var err error
		if n.ros2, err = newROS2Network(NamesAt(t, "127.0.0.1", 1), &Cmd{Ros: "ros2", Interface: c.given}, c.lookup, zap.NewNop()); err != nil {
			t.Fatal(err)
		}
		if err := n.open(); err != nil {
			t.Fatal(err)
		}
		if note := n.ros2.note(); note != c.want {
			t.Errorf("%v: note %q, want %q", c.given, note, c.want)
		}
		if err := n.close(); err != nil {
			t.Error(err)
		}
	}
	_, err := newROS2Network(NamesAt(t, "127.0.0.1", 1), &Cmd{Ros: "ros2", Interface: []string{"eth/0"}}, subnet, zap.NewNop())
	if err == nil || !strings.Contains(err.Error(), `--interface: "eth/0" is neither the name of a network interface nor an IPv4 address`) {
		t.Errorf("error %v", err)
	}
}

// The robot moves by itself when no flag chooses one and no hardware is waited for, or as the flags say.
func TestDemoWanted(t *testing.T) {
	yes, no := true, false
	for want, list := range map[bool][]Cmd{
		true:  {{}, {Demo: &yes}, {Demo: &yes, Lockstep: true, Disabled: true}},
		false: {{Demo: &no}, {Lockstep: true}, {Disabled: true}},
	} {
		for _, c := range list {
			if c.demoWanted() != want {
				t.Errorf("%+v: the demo is wanted: %t", c, !want)
			}
		}
	}
	var c Cmd
	c.Config = []string{"robot.yaml"}
	if c.demoWanted() {
		t.Error("the demo moves a robot that somebody chose")
	}
	if c.Demo = &yes; !c.demoWanted() {
		t.Error("the demo does not move a robot though it was asked to")
	}
}

// Tendons are pulled one after the other, each once in five seconds for half of the
// time, by two fifths of the limit, or by 1 N without one.
func TestTensionWave(t *testing.T) {
	ports := TendonPorts()
	for limit, peak := range map[float64]float64{10: 4, math.Inf(1): 1} {
		ports[0].Max = []float64{limit, limit, limit}
		d := newDemo(ports)
		for i := range d.values {
			start := float64(i) * 5 / 3
			for _, c := range []struct{ at, want float64 }{{0.625, peak * math.Sqrt2 / 2}, {1.25, peak}, {2.5, 0}, {3.75, 0}, {6.25, peak}} {
				d.wave(start+c.at, d.values)
				if got := d.values[i]; math.Abs(got-c.want) > 1e-9 {
					t.Errorf("limit %g: tendon %d has %g N %g s after its turn began, want %g", limit, i, got, c.at, c.want)
				}
			}
		}
	}
	ports[0].Max = nil
	d := newDemo(ports)
	if d.wave(1.25, d.values); d.values[0] != 1 {
		t.Errorf("without limits the first tendon has %g N, want 1", d.values[0])
	}
}

// What else advances time, or leaves nothing to follow, is refused together with
// use_sim_time.
func TestSimTimeIsRefused(t *testing.T) {
	for _, c := range []struct {
		cmd  Cmd
		args naming.Args
		want string // beginning of the error and a word of it
		word string
	}{
		{Cmd{Clock: true}, naming.Args{SimTime: "p.yaml:3"}, "p.yaml:3: use_sim_time: true and --clock", "this node is the clock"},
		{Cmd{Lockstep: true}, naming.Args{SimTime: "p.yaml:3"}, "p.yaml:3: use_sim_time: true and --lockstep", "one of the two"},
		{Cmd{Ros: "off", UseSimTime: true}, naming.Args{}, "--use-sim-time and --ros off", "no /clock"},
		{Cmd{Ros: "off"}, naming.Args{WallTime: "p.yaml:3"}, "", ""},
		{Cmd{Clock: true, Lockstep: true}, naming.Args{}, "", ""},
		{Cmd{UseSimTime: true}, naming.Args{}, "", ""},
	} {
		source, _ := c.cmd.simTime(&cli.Env{Args: c.args, Stderr: io.Discard})
		err := c.cmd.checkSimTime(source)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v: %v", c, err)
		case c.want != "" && (exitcode.Code(err) != exitcode.Mistake || !strings.HasPrefix(err.Error(), c.want) || !strings.Contains(err.Error(), c.word)):
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// In ROS 1 one parameter is for all nodes, but not for that which is the clock and not for
// one that was told otherwise.
func TestSimTimeOfTheParameterServer(t *testing.T) {
	m, err := master.Start("127.0.0.1:0", master.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	port, err := strconv.Atoi(strings.Trim(m.URI()[strings.LastIndex(m.URI(), ":")+1:], "/"))
	if err != nil {
		t.Fatal(err)
	}
	one, err := findMaster(t.Context(), NamesAt(t, "127.0.0.1", port), &Cmd{Master: "external"}, zap.NewNop())
	if err != nil {
		t.Fatal(err)
	}
	follows := func(c *Cmd, args naming.Args) bool {
		n := &node{net: &networks{ros1: one}, env: &cli.Env{Args: args}}
		if err := n.chooseTime(t.Context(), c); err != nil {
			t.Error(err)
		}
		return n.follows
	}
	if follows(&Cmd{}, naming.Args{}) {
		t.Error("follows though no flag says so")
	}
	for value, want := range map[any]bool{true: true, 1: true, false: false, 0: false} {
		if err := one.client().SetParam(t.Context(), "/use_sim_time", value); err != nil {
			t.Fatal(err)
		}
		if got := follows(&Cmd{}, naming.Args{}); got != want {
			t.Errorf("/use_sim_time %v: follows %t", value, got)
		}
		if follows(&Cmd{Clock: true}, naming.Args{}) || follows(&Cmd{}, naming.Args{WallTime: "p.yaml:1"}) || !follows(&Cmd{}, naming.Args{SimTime: "p.yaml:1"}) {
			t.Errorf("/use_sim_time %v overrules the node's own", value)
		}
	}
	if err := one.client().SetParam(t.Context(), "/use_sim_time", true); err != nil {
		t.Fatal(err)
	}
	n := &node{net: &networks{ros1: one}, env: &cli.Env{Args: naming.Args{}}}
	if err := n.chooseTime(t.Context(), &Cmd{Lockstep: true}); exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "/use_sim_time: true and --lockstep") {
		t.Errorf("with --lockstep: %v", err)
	}
}

// A position is shown in the unit in which the robot's length is a small number.
func TestUnitFor(t *testing.T) {
	for length, want := range map[float64]string{30: "m", 0.25: "mm", 1e-3: "mm", 2.4e-4: "um", 1e-6: "um", 9e-7: "nm"} {
		if got := unitFor(length); got.name != want {
			t.Errorf("%g m: %s, want %s", length, got.name, want)
		}
	}
}

// An address that was asked for and cannot be served ends the program, with a port or with all of them
// taken; the robot runs without viewers only where no flag asks for them.
func TestViewersThatCannotBeServed(t *testing.T) {
	const host = "127.0.0.7" // of this computer alone
	for port := 8080; port < 8100; port++ {
		l, err := net.Listen("tcp", fmt.Sprintf("%s:%d", host, port))
		if err != nil {
			t.Skipf("cannot take the ports of %s: %v", host, err)
		}
		defer l.Close()
	}
	names, err := naming.NewNames("rod", naming.Args{}, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	core, log := observer.New(zap.WarnLevel)
	n := &node{names: names, log: zap.New(core)}
	for address, want := range map[string]string{
		host:           "--view 127.0.0.7: viewers: ports 8080 to 8099 of 127.0.0.7 are taken; choose one with HOST:PORT",
		host + ":8085": `with "127.0.0.7" alone the next free port is taken`,
		"here:x":       `the port is "x"; allowed: 0 (any free one) to 65535`,
		"":             "allowed: HOST, HOST:PORT or off",
	} {
		if err := n.openViewer(&Cmd{View: &address}); exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), want) {
			t.Errorf("--view %q: error %v, exit code %d", address, err, exitcode.Code(err))
		}
	}
	if err := n.listen(host, false, false); err != nil || n.viewer != nil {
		t.Errorf("without --view: viewers %v, error %v", n.viewer, err)
	}
	if log.Len() != 1 || !strings.Contains(log.All()[0].Message, "choose another address with --view HOST:PORT") {
		t.Errorf("%v", log.All())
	}
	off := noView
	if err := n.openViewer(&Cmd{View: &off}); err != nil || n.viewer != nil {
		t.Errorf("--view off: viewers %v, error %v", n.viewer, err)
	}
}
