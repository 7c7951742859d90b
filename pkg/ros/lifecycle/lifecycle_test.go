package lifecycle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	lm "sinew/msgs/lifecycle_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/lifecycle"
	"sinew/pkg/sim"
)

// network keeps what is served and published.
type network struct {
	ros.Transport
	services map[string]ros.Handler
	events   []string
}

func (n *network) Advertise(ros.Topic) (ros.Publisher, error) { return n, nil }
func (n *network) HasSubscribers() bool                       { return true }
func (n *network) Publish(s *ros.Sample) {
	e := s.Message().(*lm.TransitionEvent)
	n.events = append(n.events, fmt.Sprintf("%d %s: %s to %s at %d", e.Transition.ID, e.Transition.Label, e.StartState.Label, e.GoalState.Label, e.Timestamp))
}

func (n *network) Serve(name string, _ *msgs.Service, handle ros.Handler) error {
	n.services[name] = handle
	return nil
}

// robot has the operating states of a simulator.
type robot struct {
	state sim.OperatingState
	ended int
}

func (r *robot) do(q sim.Request) sim.Reply {
	switch {
	case q.Verb == sim.Enable && r.state != sim.Paused:
		r.state = sim.Enabled
	case q.Verb == sim.Disable && r.state != sim.Fault:
		r.state = sim.Disabled
	default:
		return sim.Reply{}
	}
	return sim.Reply{OK: true}
}

func open(t *testing.T, first sim.OperatingState) (*lifecycle.Node, *robot, *network) {
	t.Helper()
	r, net := &robot{state: first}, &network{services: map[string]ros.Handler{}}
	n, err := lifecycle.Serve(net, func(s string) (string, error) { return strings.Replace(s, "~", "/sim/", 1), nil }, lifecycle.Options{
		Arrive: func() func(sim.Request) sim.Reply { return r.do }, State: func() sim.OperatingState { return r.state }, End: func() { r.ended++ },
		Now: func() time.Duration { return 7 }, Log: zap.NewNop(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return n, r, net
}

func (n *network) change(t lm.Transition) bool {
	return n.services["/sim/change_state"](&lm.ChangeStateRequest{Transition: t})().(*lm.ChangeStateResponse).Success
}

func (n *network) state() string {
	return n.services["/sim/get_state"](&lm.GetStateRequest{})().(*lm.GetStateResponse).CurrentState.Label
}

// can lists the transitions of a service.
func (n *network) can(service string) (all []string) {
	r := n.services[service](&lm.GetAvailableTransitionsRequest{})().(*lm.GetAvailableTransitionsResponse)
	for _, t := range r.AvailableTransitions {
		all = append(all, fmt.Sprintf("%d %s", t.Transition.ID, t.Transition.Label))
	}
	return all
}

// What launch's LifecycleNode and lifecycle managers do: configure, activate, deactivate,
// shut down.
func TestWayOfAManager(t *testing.T) {
	_, r, net := open(t, sim.Disabled)
	if got := net.can("/sim/get_available_transitions"); !slices.Equal(got, []string{"1 configure", "3 activate", "6 shutdown"}) {
		t.Errorf("inactive, it can %q", got)
	}
	for _, c := range []struct {
		id    uint8
		state string
		robot sim.OperatingState
	}{{1, "inactive", sim.Disabled}, {3, "active", sim.Enabled}, {4, "inactive", sim.Disabled}, {3, "active", sim.Enabled}} {
		if ok := net.change(lm.Transition{ID: c.id}); !ok || net.state() != c.state || r.state != c.robot {
			t.Errorf("transition %d: %v, state %s, robot %v; want %s, %v", c.id, ok, net.state(), r.state, c.state, c.robot)
		}
	}
	if got := net.can("/sim/get_available_transitions"); !slices.Equal(got, []string{"4 deactivate", "7 shutdown"}) {
		t.Errorf("active, it can %q", got)
	}
	if !net.change(lm.Transition{ID: 7}) || r.ended != 1 || r.state != sim.Disabled {
		t.Errorf("shutdown: ended %d times, %v", r.ended, r.state)
	}
	want := []string{
		"1 configure: unconfigured to inactive at 7", "3 activate: inactive to active at 7", "4 deactivate: active to inactive at 7",
		"3 activate: inactive to active at 7", "4 deactivate: active to inactive at 7", "7 shutdown: active to finalized at 7",
	}
	if !slices.Equal(net.events, want) {
		t.Errorf("events\n%s\nwant\n%s", strings.Join(net.events, "\n"), strings.Join(want, "\n"))
	}
}

// Transitions that a state does not have are refused and change nothing.
func TestRefusedTransitions(t *testing.T) {
	for first, refused := range map[sim.OperatingState][]uint8{
		sim.Disabled: {0, 2, 4, 5, 7, 99}, sim.Enabled: {0, 1, 2, 3, 5, 6, 99}, sim.Fault: {2, 4, 7},
	} {
		_, r, net := open(t, first)
		for _, id := range refused {
			if net.change(lm.Transition{ID: id}) || r.state != first || r.ended > 0 || net.events != nil {
				t.Errorf("%v: transition %d leads to %v, %q", first, id, r.state, net.events)
			}
		}
	}
}

// As in rclcpp a label comes before the number: who asks to deactivate must not activate.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		asked lm.Transition
		ok    bool
		ends  int
		state sim.OperatingState
	}{
		{lm.Transition{Label: "activate"}, true, 0, sim.Enabled},
		{lm.Transition{ID: lm.TransitionTransitionActivate, Label: "activate"}, true, 0, sim.Enabled},
		{lm.Transition{ID: lm.TransitionTransitionInactiveShutdown, Label: "activate"}, true, 0, sim.Enabled},
		{lm.Transition{ID: lm.TransitionTransitionActivate, Label: "deactivate"}, false, 0, sim.Disabled},
		{lm.Transition{ID: lm.TransitionTransitionActivate, Label: "cleanup"}, false, 0, sim.Disabled},
		{lm.Transition{Label: "shutdown"}, true, 1, sim.Disabled},
		{lm.Transition{}, false, 0, sim.Disabled},
	} {
		_, r, net := open(t, sim.Disabled)
		if ok := net.change(c.asked); ok != c.ok || r.state != c.state || r.ended != c.ends {
			t.Errorf("%+v: %v, %v, ended %d times; want %+v", c.asked, ok, r.state, r.ended, c)
		}
	}
}

// A change by another client, or a FAULT, is logged once; activate leaves a
// FAULT. A pause is none.
func TestChangesOfOthers(t *testing.T) {
	n, r, net := open(t, sim.Enabled)
	for _, s := range []sim.OperatingState{sim.Enabled, sim.Paused, sim.Enabled, sim.Fault, sim.Fault, sim.Disabled} {
		r.state = s
		n.Observe(s)
	}
	r.state = sim.Fault
	if net.state() != "inactive" || !net.change(lm.Transition{ID: 3}) || r.state != sim.Enabled {
		t.Errorf("after a FAULT: %s, %v", net.state(), r.state)
	}
	if want := []string{"4 deactivate: active to inactive at 7", "3 activate: inactive to active at 7"}; !slices.Equal(net.events, want) {
		t.Errorf("events %q, want %q", net.events, want)
	}
}

// All states and transitions can be asked for.
func TestGraph(t *testing.T) {
	_, _, net := open(t, sim.Enabled)
	if got := net.can("/sim/get_transition_graph"); len(got) != 5 {
		t.Errorf("transitions %q", got)
	}
	for first, label := range map[sim.OperatingState]string{sim.Enabled: "active", sim.Fault: "inactive"} {
		_, _, net := open(t, first)
		now := net.services["/sim/get_available_transitions"](&lm.GetAvailableTransitionsRequest{})().(*lm.GetAvailableTransitionsResponse)
		for _, d := range now.AvailableTransitions {
			if d.StartState.Label != label || d.GoalState.Label == label != (d.Transition.Label == "configure") {
				t.Errorf("%s leads from %s to %s", d.Transition.Label, d.StartState.Label, d.GoalState.Label)
			}
		}
	}
	r := net.services["/sim/get_available_states"](&lm.GetAvailableStatesRequest{})().(*lm.GetAvailableStatesResponse)
	if len(r.AvailableStates) != 3 || r.AvailableStates[0] != (lm.State{ID: 2, Label: "inactive"}) {
		t.Errorf("states %+v", r.AvailableStates)
	}
}
