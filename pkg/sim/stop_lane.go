package sim

import "sync/atomic"

// stopLane takes the requests of one verb that stops the robot to the loop. However many
// wait, they are one, done in one control period, so that none is left to act later, and
// they wait from the call on that asks, so that what is asked for later comes later.
// Neither side waits for the other to hand over.
type stopLane struct {
	asked   atomic.Uint64             // requests ever asked for
	waiting atomic.Pointer[stopBatch] // those that the loop has not done, or nil
	wake    chan struct{}             // receives after a request was asked for; shared by all lanes
}

// stopBatch is one request for all who ask for it before the loop does it.
type stopBatch struct {
	done  chan struct{} // closed after reply is set
	reply Reply
}

// end answers all who wait.
func (b *stopBatch) end(r Reply) {
	b.reply = r
	close(b.done)
}

// ask asks for a stop. From the call on pending is true, until the loop has done it.
func (l *stopLane) ask() *stopBatch {
	l.asked.Add(1)
	var mine *stopBatch
	for {
		if b := l.waiting.Load(); b != nil {
			return b // whose maker wakes the loop
		}
		if mine == nil {
			mine = &stopBatch{done: make(chan struct{})}
		}
		if l.waiting.CompareAndSwap(nil, mine) {
			notify(l.wake)
			return mine
		}
	}
}

// pending reports whether a stop waits for the loop.
func (l *stopLane) pending() bool { return l.waiting.Load() != nil }

// withdraw answers a request that nobody has done, and never will.
func (l *stopLane) withdraw(b *stopBatch, r Reply) {
	if l.waiting.CompareAndSwap(b, nil) {
		b.end(r)
	}
}

// stopLanes are the lanes of all verbs that stop the robot. Whatever the order in which
// they were asked for, done in this order they lead to the same state.
type stopLanes struct{ stops, pauses, disables stopLane }

func (l *stopLanes) init() {
	wake := make(chan struct{}, 1)
	l.stops.wake, l.pauses.wake, l.disables.wake = wake, wake, wake
}

// of returns the lane of a verb, nil for one that does not stop the robot.
func (l *stopLanes) of(v Verb) *stopLane {
	switch v {
	case EStop:
		return &l.stops
	case Pause:
		return &l.pauses
	case Disable:
		return &l.disables
	}
	return nil
}

// Arrival is a place in the order in which requests arrive.
type Arrival struct{ stops, pauses, disables uint64 } // asked for before

// arrival is the place of a request that arrives now.
func (l *stopLanes) arrival() Arrival {
	return Arrival{l.stops.asked.Load(), l.pauses.asked.Load(), l.disables.asked.Load()}
}

// overtakes returns the verb of a request that stops the robot, has arrived after another
// and holds against it; 0 when there is none.
func (l *stopLanes) overtakes(a Arrival, v Verb) Verb {
	goesOn := v == Enable || v == Resume || v == Step
	switch {
	case v == SaveState || v == adopt:
	case l.stops.asked.Load() != a.stops:
		return EStop
	case goesOn && l.disables.asked.Load() != a.disables:
		return Disable
	case goesOn && l.pauses.asked.Load() != a.pauses:
		return Pause
	}
	return 0
}

// serveStop does what waits in the lanes. It reports whether anything did.
func (s *Simulator) serveStop() bool {
	stopped := s.serveLane(EStop)
	paused := s.serveLane(Pause)
	disabled := s.serveLane(Disable)
	return stopped || paused || disabled
}

// serveLane does what waits in the lane of a verb.
func (s *Simulator) serveLane(v Verb) bool {
	l := s.lanes.of(v)
	if !l.pending() {
		return false
	}
	s.interruptStep(v)
	message, err := s.change(v) // EStop is never refused
	b := l.waiting.Swap(nil)    // who joined until now found the new state
	if err != nil {
		message = err.Error()
	}
	if b != nil { // nil when it was withdrawn
		b.end(Reply{OK: err == nil, Message: message, SimTime: s.simTime()})
	}
	s.emit(true)
	return true
}

// EStop asks for an emergency stop and does not wait for it. From the call on no
// command is accepted, and the state is FAULT within a control period.
func (s *Simulator) EStop() {
	s.lanes.stops.ask()
	s.tellReaders()
}
