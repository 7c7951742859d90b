package sim

import (
	"sync/atomic"
	"time"
)

// stateMachine holds the operating state. The loop changes it; any goroutine may call
// condition.
type stateMachine struct {
	current    OperatingState
	reason     string
	halted     bool // a step failed: time stands still until the next change of state
	stepFailed bool // the model is in the state before a step that failed
	published  atomic.Pointer[condition]
}

// condition is an operating state, its reason and the time at which commands were accepted
// again; 0 while they have been accepted from the start.
type condition struct {
	state          OperatingState
	reason         string
	acceptingSince time.Duration
}

// start sets the first state.
func (m *stateMachine) start(state OperatingState, reason string) {
	m.current, m.reason = state, reason
	m.published.Store(&condition{state, reason, 0})
}

// set changes the state at a time of the clock and publishes it.
func (m *stateMachine) set(to OperatingState, reason string, now time.Duration) {
	since := m.published.Load().acceptingSince
	if to.Accepts() && !m.current.Accepts() {
		since = now
	}
	m.current, m.reason = to, reason
	m.published.Store(&condition{to, reason, since})
}

// condition returns the published state and its reason or, while urgent requests are pending,
// those that they lead to.
func (m *stateMachine) condition(urgent *urgentRequests) (OperatingState, string) {
	c := m.published.Load()
	switch {
	case c.state == Fault:
	case urgent.stops.pending():
		return Fault, ReasonEStop
	case urgent.disables.pending():
		return Disabled, reasonDisabled
	case c.state == Enabled && urgent.pauses.pending():
		return Paused, reasonPaused
	}
	return c.state, c.reason
}

// takesCommands reports whether the loop passes commands on to the inputs.
func (m *stateMachine) takesCommands(stepping bool) bool { return m.current.Accepts() || stepping }

// advances reports whether the paced loop simulates its control periods.
func (m *stateMachine) advances() bool { return m.current != Paused && !m.halted }
