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

// Options say what a Node shows and moves.
type Options struct {
	// Arrive is called when a request arrives; what it returns does requests to the
	// simulator, as long as what arrives later does not stop the robot.
	Arrive func() func(sim.Request) sim.Reply
	// State is its operating state now.
	State func() sim.OperatingState
	// End ends the program, after the answer is on its way.
	End func()
	// Now is the time of events, since the Unix epoch.
	Now func() time.Duration
	// Log takes refusals.
	Log *zap.Logger
}

// Node is the lifecycle of one node on one network.
type Node struct {
	Options
	mu     sync.Mutex
	events ros.Publisher
	shown  lm.State // the goal of the last event
}

// Serve opens the services and the topic of the lifecycle on a network of ROS 2. resolve
// makes absolute names of private ones.
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
		{"~get_state", lm.GetState, ros.AnyOrder(func(msgs.Message) msgs.Message {
			return &lm.GetStateResponse{CurrentState: stateOf(n.State())}
		})},
		{"~get_available_states", lm.GetAvailableStates, ros.AnyOrder(func(msgs.Message) msgs.Message {
			return &lm.GetAvailableStatesResponse{AvailableStates: []lm.State{inactive, active, finalized}}
		})},
		{"~get_available_transitions", lm.GetAvailableTransitions, ros.AnyOrder(func(msgs.Message) msgs.Message {
			now := stateOf(n.State())
			return &lm.GetAvailableTransitionsResponse{AvailableTransitions: described(&now)}
		})},
		{"~get_transition_graph", lm.GetAvailableTransitions, ros.AnyOrder(func(msgs.Message) msgs.Message {
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

// change does a transition and reports whether it was done.
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
		n.tell(t)
	case "activate":
		return n.request(do, sim.Enable)
	case "deactivate":
		return n.request(do, sim.Disable)
	case "shutdown":
		n.request(do, sim.Disable) // refused in FAULT, where the actuation is safe already
		n.tell(t)
		n.End()
	}
	return true
}

// request has the simulator change its state, of which Observe then tells.
func (n *Node) request(do func(sim.Request) sim.Reply, v sim.Verb) bool {
	ok := do(sim.Request{Verb: v}).OK
	n.Observe(n.State())
	return ok
}

// Observe publishes a change to an operating state, whatever has caused it.
func (n *Node) Observe(s sim.OperatingState) {
	to := stateOf(s)
	for _, t := range transitions {
		if t.to == to && t.from == t.asked {
			n.tell(t)
		}
	}
}

// tell publishes a transition, unless it leads to where the last one has led and the node has
// not begun anew.
func (n *Node) tell(t transition) {
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
