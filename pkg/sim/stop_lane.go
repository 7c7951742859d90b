package sim

import "sync/atomic"

// stopLane takes emergency stops to the loop. However many wait, they are one stop,
// done in one control period, so that none is left to act later. Neither side waits
// for the other to hand over.
type stopLane struct {
	asked   atomic.Uint64             // emergency stops ever asked for
	waiting atomic.Pointer[stopBatch] // those that the loop has not done, or nil
	wake    chan struct{}             // receives after a stop was asked for
}

// stopBatch is one stop for all who ask for it before the loop does it.
type stopBatch struct {
	done  chan struct{} // closed after reply is set
	reply Reply
}

func newStopLane() stopLane { return stopLane{wake: make(chan struct{}, 1)} }

// ask asks for a stop. From the call on pending is true, until the loop is in FAULT.
func (l *stopLane) ask() *stopBatch {
	l.asked.Add(1)
	var mine *stopBatch
	for {
		if b := l.waiting.Load(); b != nil {
			notify(l.wake)
			return b
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

// serveStop does what waits in the lane of emergency stops. It reports whether
// anything did.
func (s *Simulator) serveStop() bool {
	if !s.stops.pending() {
		return false
	}
	if s.stepping != nil {
		s.stepping.interrupted = EStop
	}
	message, _ := s.change(EStop)  // is never refused
	b := s.stops.waiting.Swap(nil) // who joined until now found FAULT
	b.reply = Reply{OK: true, Message: message, SimTime: s.simTime()}
	close(b.done)
	s.emit(true)
	return true
}

// EStop asks for an emergency stop and does not wait for it. From the call on no
// command is accepted, and the state is FAULT within a control period.
func (s *Simulator) EStop() {
	s.stops.ask()
	notify(s.ready)
}
