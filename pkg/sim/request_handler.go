package sim

import (
	"errors"
	"fmt"
)

// Do passes r to the loop, which handles it between two control periods, and
// returns the answer. It waits at most a control period and, for Step, 30 s,
// 10 ms per control period or twice the simulated time, whichever is longest.
//
// EStop overtakes every other request, and from the call on no command is accepted. Requests
// from before it that have not been done are refused, because they would undo the stop. Pause
// and Disable overtake what would make the robot go on: Enable, Resume and Step. If Run has
// not begun within a second, or has ended, the answer says so.
func (s *Simulator) Do(r Request) Reply { return s.Ask(r)() }

// Ask is Do in two parts, for requests that arrive one after the other and wait elsewhere.
// Ask itself does not wait: it puts r in the order of arrival, and an urgent request becomes
// pending at once. The function that it returns must be called; it does the rest, and waits
// as Do does.
func (s *Simulator) Ask(r Request) func() Reply {
	q := s.requests
	if err := q.check(r); err != nil {
		return func() Reply { return q.refusal(err.Error()) }
	}
	if r.Verb == TakeCommand {
		reply := s.takeCommand()
		return func() Reply { return reply }
	}
	if u := q.urgent.of(r.Verb); u != nil {
		b := u.ask()
		s.snapshots.notifyReaders()
		return func() Reply { return q.awaitUrgent(u, b) }
	}
	at := s.Arrival()
	return func() Reply { return q.submit(queuedRequest{call: newCall(r), arrival: at}) }
}

// Arrival returns the position of a request that arrives now, for DoAt, which is called when
// the request has been read.
func (s *Simulator) Arrival() Arrival { return s.requests.urgent.arrival() }

// DoAt is Do for a request that has arrived earlier.
func (s *Simulator) DoAt(at Arrival, r Request) Reply {
	if s.requests.urgent.of(r.Verb) != nil || r.Verb == TakeCommand || s.requests.check(r) != nil {
		return s.Do(r)
	}
	return s.requests.submit(queuedRequest{call: newCall(r), arrival: at})
}

// DoInLoop is Do for the clock of the simulator, which the loop calls between two control
// periods: r is done when it returns. A Step, which takes control periods, is refused.
func (s *Simulator) DoInLoop(r Request) Reply {
	if err := s.requests.check(r); err != nil {
		return s.requests.refusal(err.Error())
	}
	if r.Verb == Step || r.Verb == TakeCommand {
		return s.requests.refusal(r.Verb.String() + " cannot be done by the clock")
	}
	defer s.showOutcome()
	if u := s.requests.urgent.of(r.Verb); u != nil {
		b := u.ask()
		s.serveUrgent()
		return b.reply
	}
	c := newCall(r)
	s.handleQueued(queuedRequest{call: c, arrival: s.Arrival()})
	return <-c.reply
}

// EStop asks for an emergency stop and does not wait for it. From the call on no
// command is accepted, and the state is FAULT within a control period.
func (s *Simulator) EStop() {
	s.requests.urgent.stops.ask()
	s.snapshots.notifyReaders()
}

// The following methods are called by the loop.

// maxRefusals is how many requests the loop takes in one control period. All but one of
// them change nothing.
const maxRefusals = 32

// serve does the urgent requests and after them one of the queue, and refuses some of those
// that change nothing. The rest wait for the following periods, so that requests cannot
// delay the loop.
func (s *Simulator) serve() {
	s.serveUrgent()
	defer s.showOutcome()
	for range maxRefusals {
		select {
		case r := <-s.requests.queue:
			if s.handleQueued(r) {
				return
			}
		default:
			return
		}
	}
}

// showOutcome emits a snapshot with the outcome of the requests that were handled.
func (s *Simulator) showOutcome() {
	if s.outcomeDue {
		s.outcomeDue = false
		s.emit(true)
	}
}

// serveUrgent does the urgent requests that are pending. It reports whether there were any.
func (s *Simulator) serveUrgent() bool {
	stopped := s.serveUrgentVerb(EStop)
	paused := s.serveUrgentVerb(Pause)
	disabled := s.serveUrgentVerb(Disable)
	return stopped || paused || disabled
}

// serveUrgentVerb does the urgent request of one verb, if it is pending.
func (s *Simulator) serveUrgentVerb(v Verb) bool {
	u := s.requests.urgent.of(v)
	if !u.pending() {
		return false
	}
	s.steps.interrupt(v)
	message, err := s.changeState(v) // EStop is never refused
	b := u.waiting.Swap(nil)         // callers that joined until now found the new state
	if err != nil {
		message = err.Error()
	}
	if b != nil { // nil when it was withdrawn
		b.end(Reply{OK: err == nil, Message: message, SimTime: s.time.seconds()})
	}
	s.emit(true)
	return true
}

// handleQueued handles a request of the queue, after the urgent requests that are pending. A
// request that an urgent one has overtaken is refused. It reports whether there was anything
// to do.
func (s *Simulator) handleQueued(r queuedRequest) bool {
	s.serveUrgent()
	if r.Verb == reconfigure {
		s.applyReconfiguration(r.call, r.reconfiguration)
		return true
	}
	switch by := s.requests.urgent.overtakes(r.arrival, r.Verb); by {
	case 0:
		return s.handle(r.call)
	case EStop:
		s.answer(r.call, false, "overtaken by an emergency stop; ask again")
	default:
		s.answer(r.call, false, "overtaken by "+by.String()+"; ask again")
	}
	return false
}

// handle does what c asks for and answers it. A Step is answered when it ends; any request
// but another Step and SaveState ends it. handle reports whether anything has changed. The
// caller shows the outcome.
func (s *Simulator) handle(c call) bool {
	var message string
	var err error
	if c.Verb != Step && c.Verb != SaveState {
		s.steps.interrupt(c.Verb)
	}
	before := s.state.current
	changed := true
	switch c.Verb {
	case Step:
		if err = s.beginSteps(c); err == nil {
			return true
		}
	case Reset:
		message, err = "back at the initial state", s.restore(s.checkpoints.initial)
	case SaveState:
		s.save(s.checkpoints.saved)
		message = "state saved"
	case RestoreState:
		message, err = "state restored", s.restoreSaved()
	default:
		message, err = s.changeState(c.Verb)
		changed = s.state.current != before
	}
	if err != nil {
		message = err.Error()
	}
	s.answer(c, err == nil, message)
	s.outcomeDue = true
	return changed && err == nil
}

// answer replies to c.
func (s *Simulator) answer(c call, ok bool, message string) {
	c.reply <- Reply{OK: ok, Message: message, SimTime: s.time.seconds()}
}

// restoreSaved returns to the state of the last SaveState.
func (s *Simulator) restoreSaved() error {
	if !s.checkpoints.saved.valid {
		return errors.New("no state was saved")
	}
	return s.restore(s.checkpoints.saved)
}

// changeState does the verbs that change the operating state. It returns the new state
// as text, or why there is none.
func (s *Simulator) changeState(verb Verb) (string, error) {
	t := s.state.current.after(verb)
	if t.refused != "" {
		return "", errors.New(t.refused)
	}
	if t.to == s.state.current && verb != EStop {
		return "already " + t.to.String(), nil
	}
	switch verb {
	case EStop:
		if s.state.current != Fault { // the first reason is the one that matters
			s.enter(Fault, ReasonEStop)
		}
	case Disable:
		s.enter(Disabled, reasonDisabled)
	case Pause:
		s.enter(Paused, reasonPaused)
	default:
		s.enter(Enabled, "")
	}
	return s.state.current.String(), nil
}

// beginSteps starts a Step request.
func (s *Simulator) beginSteps(c call) error {
	switch {
	case s.state.current != Paused:
		return fmt.Errorf("%s: step only works while PAUSED", s.state.current)
	case s.steps.current != nil:
		return fmt.Errorf("another step request is at work, with %d periods to go", s.steps.current.left)
	}
	s.steps.begin(c, s.clock.Now(), s.opt.ControlHz)
	s.throttle.restart()
	return nil
}

// stepOnce runs one period of the current Step request, and answers the request after its
// last.
func (s *Simulator) stepOnce() {
	r := s.steps.current
	if s.state.current == Paused && r.interrupted == 0 {
		s.time.tick++
		if s.advance(1) {
			r.left--
		}
	}
	late := s.clock.Now() > r.deadline
	if r.left > 0 && s.state.current == Paused && !late && r.interrupted == 0 {
		s.emit(false)
		return
	}
	s.steps.end()
	if s.state.current == Paused {
		s.intake.discard() // the commands that wait were meant for the request
	}
	s.emit(true)
	ok, message := r.outcome(s.state.current, s.state.reason)
	s.answer(r.call, ok, message)
}
