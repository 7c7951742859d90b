package node_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"sinew/msgs"
	lm "sinew/msgs/lifecycle_msgs"
	si "sinew/msgs/simulation_interfaces"
	"sinew/msgs/std_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/test/testbench"
)

// asker sends requests to a node of ROS 2 and need not wait for the answers.
type asker struct {
	n       *testbench.Network
	peer    *ros2.Transport
	clients map[string]*ros2.Client
	text    ros.Publisher
}

func newAsker(n *testbench.Network, domain int) *asker {
	n.T.Helper()
	environment := map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "ROS_DOMAIN_ID": strconv.Itoa(domain)}
	discovery, err := ros2.ParseEnvironment(func(key string) (string, bool) { v, ok := environment[key]; return v, ok })
	if err != nil {
		n.T.Fatal(err)
	}
	a := &asker{n: n, clients: map[string]*ros2.Client{}}
	if a.peer, err = ros2.New(ros2.Options{Node: "/asker", Discovery: discovery}); err != nil {
		n.T.Fatal(err)
	}
	n.T.Cleanup(func() { a.peer.Close() })
	if a.text, err = a.peer.Advertise(ros.Topic{Name: "/tendonsim/state_command", Type: std_msgs.StringType}); err != nil {
		n.T.Fatal(err)
	}
	for name, kind := range map[string]*msgs.Service{
		"enable": std_srvs.Trigger, "disable": std_srvs.Trigger, "e_stop": std_srvs.Trigger, "pause": std_srvs.SetBool,
		"change_state": lm.ChangeState, "set_simulation_state": si.SetSimulationState, "get_simulation_state": si.GetSimulationState,
	} {
		if a.clients[name], err = a.peer.NewClient("/tendonsim/"+name, kind); err != nil {
			n.T.Fatal(err)
		}
		n.WaitFor(name, a.clients[name].Ready)
	}
	n.WaitFor("a listener to texts", a.text.HasSubscribers)
	time.Sleep(300 * time.Millisecond) // a server learns of its client a moment later
	return a
}

// door is a way to ask for something.
type door struct {
	name    string
	request msgs.Message // nil for a text
	text    string
}

// send asks, and returns what waits for the answer.
func (a *asker) send(d door) func() {
	if d.request == nil {
		a.text.Publish(ros.NewSample(&std_msgs.String{Data: d.text}))
		return func() {}
	}
	answer := a.clients[d.name].Send(d.request)
	return func() {
		a.n.T.Helper()
		ctx, cancel := context.WithTimeout(a.n.T.Context(), testbench.WaitLimit)
		defer cancel()
		if _, err := answer(ctx); err != nil {
			a.n.T.Fatal(err)
		}
	}
}

// state is what the robot says, in the words of simulation_interfaces.
func (a *asker) state() string {
	a.n.T.Helper()
	ctx, cancel := context.WithTimeout(a.n.T.Context(), testbench.WaitLimit)
	defer cancel()
	m, err := a.clients["get_simulation_state"].Call(ctx, &si.GetSimulationStateRequest{})
	if err != nil {
		a.n.T.Fatal(err)
	}
	r := m.(*si.GetSimulationStateResponse)
	switch {
	case r.State.State == si.SimulationStateStatePaused:
		return "PAUSED"
	case r.Result.ErrorMessage == "":
		return "ENABLED"
	}
	return r.Result.ErrorMessage[:len("FAULT")]
}

// TestRequestsInTheirOrder: of requests that one client of ROS 2 sends at once, without waiting
// for the answers, through whatever services and texts, the last one holds.
func TestRequestsInTheirOrder(t *testing.T) {
	t.Parallel()
	n, domain := testbench.NewROS2Network(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo", "--config", testbench.Absolute(t, testbench.TestRobot))
	p.Expect("domain")
	a := newAsker(n, domain)
	trigger := &std_srvs.TriggerRequest{}
	pausing := func(on bool) door { return door{name: "pause", request: &std_srvs.SetBoolRequest{Data: on}} }
	transition := func(id uint8) door {
		return door{name: "change_state", request: &lm.ChangeStateRequest{Transition: lm.Transition{ID: id}}}
	}
	setting := func(s uint8) door {
		return door{name: "set_simulation_state", request: &si.SetSimulationStateRequest{State: si.SimulationState{State: s}}}
	}
	enable, disable, eStop := door{name: "enable", request: trigger}, door{name: "disable", request: trigger}, door{name: "e_stop", request: trigger}
	const activate, deactivate = 3, 4
	const tries = 40
	for _, c := range []struct {
		name, want  string
		from        door // leads to where each try begins, after enable
		first, last door
	}{
		{"enable, e_stop", "FAULT", eStop, enable, eStop},
		{"e_stop, enable", "ENABLED", enable, eStop, enable},
		{"enable, disable", "DISAB", disable, enable, disable},
		{"disable, enable", "ENABLED", enable, disable, enable},
		{"enable, e_stop as text", "FAULT", eStop, enable, door{text: "e_stop"}},
		{"e_stop as text, enable", "ENABLED", enable, door{text: "e_stop"}, enable},
		{"enable as text, e_stop", "FAULT", eStop, door{text: "enable"}, eStop},
		{"e_stop, enable as text", "ENABLED", enable, eStop, door{text: "enable"}},
		{"activate, e_stop", "FAULT", eStop, transition(activate), eStop},
		{"e_stop, activate", "ENABLED", enable, eStop, transition(activate)},
		{"enable, deactivate", "DISAB", enable, enable, transition(deactivate)},
		{"resume, pause", "PAUSED", pausing(true), pausing(false), door{text: "pause"}},
		{"pause as text, resume", "ENABLED", enable, door{text: "pause"}, pausing(false)},
		{"playing, pause", "PAUSED", pausing(true), setting(si.SimulationStateStatePlaying), pausing(true)},
		{"pause, playing", "ENABLED", enable, pausing(true), setting(si.SimulationStateStatePlaying)},
		{"playing, e_stop", "FAULT", pausing(true), setting(si.SimulationStateStatePlaying), eStop},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong := 0
			for range tries {
				a.send(pausing(false))()
				a.send(enable)()
				a.send(c.from)()
				first := a.send(c.first)
				last := a.send(c.last)
				first()
				last()
				// texts are not answered
				for begun := time.Now(); c.last.request == nil && a.state() != c.want && time.Since(begun) < testbench.WaitLimit/20; {
					time.Sleep(testbench.PollPeriod)
				}
				if c.first.request == nil || c.last.request == nil {
					time.Sleep(20 * time.Millisecond)
				}
				if got := a.state(); got != c.want {
					wrong++
					t.Logf("%s, want %s", got, c.want)
				}
			}
			if wrong > 0 {
				t.Errorf("%d of %d tries end in another state than %s", wrong, tries, c.want)
			}
		})
	}
}
