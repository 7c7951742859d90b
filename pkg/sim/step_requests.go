package sim

import (
	"fmt"
	"sync/atomic"
	"time"
)

// stepRequests holds the Step request that the loop works on. active may be read by any
// goroutine; all else belongs to the loop.
type stepRequests struct {
	current *stepRequest // nil without one
	active  atomic.Bool  // whether there is one: commands are accepted while PAUSED
}

// stepRequest is a Step request that the loop works on.
type stepRequest struct {
	call
	left        uint64        // control periods to go
	deadline    time.Duration // when the request fails
	interrupted Verb          // what ended it early, or 0
}

// A Step request may take stepTime, or stepTimePer per control period or twice the simulated
// time if that is longer.
const (
	stepTime    = 30 * time.Second
	stepTimePer = 10 * time.Millisecond
)

// begin starts c at time now, at hz control periods per second.
func (r *stepRequests) begin(c call, now time.Duration, hz float64) {
	pace := time.Duration(2 * float64(c.Steps) / hz * float64(time.Second)) // of a loop with others
	wait := max(stepTime, time.Duration(c.Steps)*stepTimePer, pace)
	r.current = &stepRequest{call: c, left: c.Steps, deadline: now + wait}
	r.active.Store(true)
}

// interrupt makes the current request, if there is one, end because of a verb.
func (r *stepRequests) interrupt(by Verb) {
	if r.current != nil {
		r.current.interrupted = by
	}
}

// end discards the current request.
func (r *stepRequests) end() {
	r.current = nil
	r.active.Store(false)
}

// outcome returns whether a request that has ended in a state was done, and the message of
// its answer.
func (r *stepRequest) outcome(state OperatingState, reason string) (ok bool, message string) {
	message = fmt.Sprintf("%d periods simulated", r.Steps-r.left)
	switch {
	case r.interrupted != 0 && state != Fault:
		return false, fmt.Sprintf("%s of %d, then %s", message, r.Steps, r.interrupted)
	case state != Paused:
		return false, fmt.Sprintf("%s, then %s: %s", message, state, reason)
	case r.left == 0:
		return true, message
	}
	return false, message + " when the time for the request was over"
}
