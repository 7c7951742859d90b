package run

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/pkg/ros/master"
	"sinew/pkg/ros/naming"
)

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
	one, err := findMaster(t.Context(), namesAt(t, "127.0.0.1", port), &Cmd{Master: "external"}, zap.NewNop())
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
		t.Error("follows though nobody said so")
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
