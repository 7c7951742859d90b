package offline

import (
	"fmt"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/sim"
)

// history has a replay follow the operating state that a recorded node told of: an emergency
// stop takes commands back at once, and a pause stops time. It counts what it cannot follow.
type history struct {
	node string
	sim  *sim.Simulator

	state    string  // recorded last
	simTime  float64 // recorded last, s
	standing bool    // simTime was recorded since the robot is PAUSED

	refused            []string // what the node says to have refused since it began: "3 stale"
	back, stepped, set int      // times that time went back, that it passed in a pause, and parameters set
}

// take takes a message of the recorded node. It is called by the clock of the simulator.
func (h *history) take(m msgs.Message) {
	switch m := m.(type) {
	case *sinew_msgs.OperatingState:
		if m.State != h.state {
			h.state, h.standing = m.State, false
			h.follow(m)
		}
	case *sinew_msgs.SimStats:
		switch {
		case m.SimTime < h.simTime:
			h.back++
		case h.standing && m.SimTime > h.simTime:
			h.stepped++
		}
		h.simTime, h.standing = m.SimTime, h.state == sim.Paused.String()
	case *diagnostic_msgs.DiagnosticArray:
		h.refusedLive(m)
	case *rcl_interfaces.ParameterEvent:
		if m.Node == h.node {
			h.set += len(m.ChangedParameters)
		}
	}
}

// follow leads the simulator to a recorded state. A FAULT of the model is the model's own.
func (h *history) follow(m *sinew_msgs.OperatingState) {
	do := func(v sim.Verb) { h.sim.DoInLoop(sim.Request{Verb: v}) } // a refusal: it is so already
	now := h.sim.State()
	if now.String() == m.State {
		return
	}
	running := now == sim.Enabled || now == sim.Paused
	switch m.State {
	case sim.Fault.String():
		if m.Reason == sim.ReasonEStop {
			do(sim.EStop)
		}
	case sim.Disabled.String():
		if now == sim.Fault {
			do(sim.Enable)
		}
		do(sim.Disable)
	case sim.Paused.String():
		if !running {
			do(sim.Enable)
		}
		do(sim.Pause)
	case sim.Enabled.String():
		if now == sim.Paused {
			do(sim.Resume)
		} else {
			do(sim.Enable)
		}
	}
}

// unfollowed says what happened to the recorded node that the replay has left out.
func (h *history) unfollowed() (list []string) {
	for _, c := range []struct {
		n    int
		text string
	}{
		{h.back, "simulated time went back %d times (reset, restore_state), which the replay does not follow"},
		{h.stepped, "time passed in a pause (step) in %d reports, which the replay does not follow"},
		{h.set, "%d parameters were set while it was recorded; the replay has those of its robot file"},
	} {
		if c.n > 0 {
			list = append(list, fmt.Sprintf(c.text, c.n))
		}
	}
	return list
}
