package run

import (
	"strconv"
	"strings"
	"testing"

	"go.uber.org/zap"

	"sinew/cmd/internal/exit"
	"sinew/pkg/ros/master"
)

// The node says that it cannot follow a clock, and what can be had instead.
func TestSimTimeIsRefused(t *testing.T) {
	for _, isClock := range []bool{false, true} {
		if err := checkSimTime("", isClock); err != nil {
			t.Errorf("without use_sim_time: %v", err)
		}
		err := checkSimTime("p.yaml:3", isClock)
		if exit.Code(err) != exit.Mistake || !strings.HasPrefix(err.Error(), "p.yaml:3: use_sim_time: true") || !strings.Contains(err.Error(), "--clock") {
			t.Errorf("clock %t: %v", isClock, err)
		}
	}
}

// In ROS 1 one parameter is for all nodes, that which is the clock included.
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
	n := &networks{ros1: one}
	if err := n.checkSimTime(t.Context(), false); err != nil {
		t.Errorf("not set: %v", err)
	}
	for value, refused := range map[any]bool{true: true, 1: true, false: false, 0: false} {
		if err := one.client().SetParam(t.Context(), "/use_sim_time", value); err != nil {
			t.Fatal(err)
		}
		err := n.checkSimTime(t.Context(), false)
		if (exit.Code(err) == exit.Mistake) != refused || refused && !strings.Contains(err.Error(), "/use_sim_time is") {
			t.Errorf("/use_sim_time %v: %v", value, err)
		}
		if err := n.checkSimTime(t.Context(), true); err != nil {
			t.Errorf("/use_sim_time %v with --clock: %v", value, err)
		}
	}
}
