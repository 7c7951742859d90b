package sim

import "sync/atomic"

// urgentRequest passes the requests of one verb that stops the robot to the loop, ahead of
// the request queue. All requests that are pending are one, which the loop does in one control
// period, so that none acts later. A request is pending from the call of ask on, so that
// what is asked for afterwards comes afterwards. Neither side waits for the other to
// hand over.
type urgentRequest struct {
	asked   atomic.Uint64               // requests since the start
	waiting atomic.Pointer[urgentBatch] // those that the loop has not done, or nil
	wake    chan struct{}               // receives after a request; shared by all verbs
}

// urgentBatch is one request on behalf of all callers that ask before the loop does it.
type urgentBatch struct {
	done  chan struct{} // closed after reply is set
	reply Reply
}

// end answers all callers.
func (b *urgentBatch) end(r Reply) {
	b.reply = r
	close(b.done)
}

// ask makes the request pending, until the loop has done it.
func (u *urgentRequest) ask() *urgentBatch {
	u.asked.Add(1)
	var mine *urgentBatch
	for {
		if b := u.waiting.Load(); b != nil {
			return b // whose maker wakes the loop
		}
		if mine == nil {
			mine = &urgentBatch{done: make(chan struct{})}
		}
		if u.waiting.CompareAndSwap(nil, mine) {
			notify(u.wake)
			return mine
		}
	}
}

// pending reports whether a request waits for the loop.
func (u *urgentRequest) pending() bool { return u.waiting.Load() != nil }

// withdraw answers a request that the loop has not done and will not do.
func (u *urgentRequest) withdraw(b *urgentBatch, r Reply) {
	if u.waiting.CompareAndSwap(b, nil) {
		b.end(r)
	}
}

// urgentRequests are those of all verbs that stop the robot. Done in the order EStop, Pause,
// Disable they lead to the same state as in any order of arrival.
type urgentRequests struct{ stops, pauses, disables urgentRequest }

func (u *urgentRequests) init() {
	wake := make(chan struct{}, 1)
	u.stops.wake, u.pauses.wake, u.disables.wake = wake, wake, wake
}

// of returns the urgent request of a verb, nil for one that does not stop the robot.
func (u *urgentRequests) of(v Verb) *urgentRequest {
	switch v {
	case EStop:
		return &u.stops
	case Pause:
		return &u.pauses
	case Disable:
		return &u.disables
	}
	return nil
}

// Arrival is a position in the order in which requests arrive.
type Arrival struct{ stops, pauses, disables uint64 } // asked for before

// arrival returns the position of a request that arrives now.
func (u *urgentRequests) arrival() Arrival {
	return Arrival{u.stops.asked.Load(), u.pauses.asked.Load(), u.disables.asked.Load()}
}

// overtakes returns the verb of an urgent request that arrived after a request with verb v
// and makes it invalid, 0 if there is none.
func (u *urgentRequests) overtakes(a Arrival, v Verb) Verb {
	goesOn := v == Enable || v == Resume || v == Step
	switch {
	case v == SaveState || v == reconfigure:
	case u.stops.asked.Load() != a.stops:
		return EStop
	case goesOn && u.disables.asked.Load() != a.disables:
		return Disable
	case goesOn && u.pauses.asked.Load() != a.pauses:
		return Pause
	}
	return 0
}
