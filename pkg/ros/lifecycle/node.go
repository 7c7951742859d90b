package lifecycle

import (
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	lm "sinew/msgs/lifecycle_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

// Options connect a Node to a simulator.
type Options struct {
	// Arrive is called when a request arrives. The returned function executes requests to the
	// simulator, unless a request that has arrived since has stopped the robot.
	Arrive func() func(sim.Request) sim.Reply
	// State returns the present operating state.
	State func() sim.OperatingState
	// End ends the program after the response has been sent.
	End func()
	// Now returns the time of events, since the Unix epoch.
	Now func() time.Duration
	// Log receives refusals.
	Log *zap.Logger
}

// Node is the lifecycle of one node on one network.
type Node struct {
	Options
	mu     sync.Mutex
	events ros.Publisher
	shown  lm.State // the goal of the last event
}

// Serve opens the services and the topic of the lifecycle on a network of ROS 2. resolve makes
// private names absolute.
func Serve(t ros.Transport, resolve func(string) (string, error), o Options) (*Node, error) {
	n := &Node{Options: o, shown: stateOf(o.State())}
	name, err := resolve("~transition_event")
	if err != nil {
		return nil, err
	}
	if n.events, err = t.Advertise(ros.Topic{Name: name, Type: lm.TransitionEventType}); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		name   string
		kind   *msgs.Service
		handle ros.Handler
	}{
		{"~change_state", lm.ChangeState, func(m msgs.Message) func() msgs.Message {
			do := n.Arrive()
			return func() msgs.Message {
				return &lm.ChangeStateResponse{Success: n.change(m.(*lm.ChangeStateRequest).Transition, do)}
			}
		}},
		{"~get_state", lm.GetState, ros.Deferred(func(msgs.Message) msgs.Message {
			return &lm.GetStateResponse{CurrentState: stateOf(n.State())}
		})},
		{"~get_available_states", lm.GetAvailableStates, ros.Deferred(func(msgs.Message) msgs.Message {
			return &lm.GetAvailableStatesResponse{AvailableStates: []lm.State{inactive, active, finalized}}
		})},
		{"~get_available_transitions", lm.GetAvailableTransitions, ros.Deferred(func(msgs.Message) msgs.Message {
			now := stateOf(n.State())
			return &lm.GetAvailableTransitionsResponse{AvailableTransitions: described(&now)}
		})},
		{"~get_transition_graph", lm.GetAvailableTransitions, ros.Deferred(func(msgs.Message) msgs.Message {
			return &lm.GetAvailableTransitionsResponse{AvailableTransitions: described(nil)}
		})},
	} {
		if name, err = resolve(s.name); err == nil {
			err = ros.OpenService(t, name, s.kind, s.handle)
		}
		if err != nil {
			return nil, err
		}
	}
	return n, nil
}

// change executes a transition and reports whether it succeeded.
func (n *Node) change(asked lm.Transition, do func(sim.Request) sim.Reply) bool {
	now := stateOf(n.State())
	t, ok := find(asked, now)
	if !ok {
		n.Log.Warn("transition refused", zap.Uint8("id", asked.ID), zap.String("label", asked.Label[:min(len(asked.Label), 100)]),
			zap.String("state", now.Label))
		return false
	}
	switch t.Label {
	case "configure":
		n.publishTransition(t)
	case "activate":
		return n.request(do, sim.Enable)
	case "deactivate":
		return n.request(do, sim.Disable)
	case "shutdown":
		n.request(do, sim.Disable) // refused in FAULT, where the actuation is already safe
		n.publishTransition(t)
		n.End()
	}
	return true
}

// request makes the simulator change its state, which Observe then publishes.
func (n *Node) request(do func(sim.Request) sim.Reply, v sim.Verb) bool {
	ok := do(sim.Request{Verb: v}).OK
	n.Observe(n.State())
	return ok
}

// Observe publishes a change of the operating state, from any cause.
func (n *Node) Observe(s sim.OperatingState) {
	to := stateOf(s)
	for _, t := range transitions {
		if t.to == to && t.from == t.asked {
			n.publishTransition(t)
		}
	}
}

// publishTransition publishes a transition, unless its goal is that of the last one and the node
// has not been restarted.
func (n *Node) publishTransition(t transition) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.shown == t.to && t.from == t.asked {
		return
	}
	n.shown = t.to
	at := n.Now()
	s := ros.NewSample(&lm.TransitionEvent{Timestamp: uint64(max(at, 0)), Transition: t.Transition, StartState: t.from, GoalState: t.to})
	s.Time = msgs.At(at)
	n.events.Publish(s)
}
