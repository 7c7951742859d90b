package sim

import (
	"errors"
	"fmt"
)

// maxRefusals is how many requests the loop takes in one control period. All but one of
// them change nothing.
const maxRefusals = 32

// serve does the urgent requests and after them one of the queue, and refuses some of those
// that change nothing. The rest wait for the following periods, so that requests cannot
// delay the loop.
func (l *loop) serve() {
	l.serveUrgent()
	defer l.showOutcome()
	for range maxRefusals {
		select {
		case r := <-l.requests.queue:
			if l.handleQueued(r) {
				return
			}
		default:
			return
		}
	}
}

// showOutcome emits a snapshot with the outcome of the requests that were handled.
func (l *loop) showOutcome() {
	if l.outcomeDue {
		l.outcomeDue = false
		l.emit(true)
	}
}

// serveUrgent does the urgent requests that are pending. It reports whether there were any.
func (l *loop) serveUrgent() bool {
	stopped := l.serveUrgentVerb(EStop)
	paused := l.serveUrgentVerb(Pause)
	disabled := l.serveUrgentVerb(Disable)
	return stopped || paused || disabled
}

// serveUrgentVerb does the urgent request of one verb, if it is pending.
func (l *loop) serveUrgentVerb(v Verb) bool {
	u := l.requests.urgent.of(v)
	if !u.pending() {
		return false
	}
	l.steps.interrupt(v)
	message, err := l.changeState(v) // EStop is never refused
	b := u.waiting.Swap(nil)         // callers that joined until now found the new state
	if err != nil {
		message = err.Error()
	}
	if b != nil { // nil when it was withdrawn
		b.end(Reply{OK: err == nil, Message: message, SimTime: l.time.seconds()})
	}
	l.emit(true)
	return true
}

// handleQueued handles a request of the queue, after the urgent requests that are pending. A
// request that an urgent one has overtaken is refused. It reports whether there was anything
// to do.
func (l *loop) handleQueued(r queuedRequest) bool {
	l.serveUrgent()
	if r.Verb == reconfigure {
		l.applyReconfiguration(r.call, r.reconfiguration)
		return true
	}
	switch by := l.requests.urgent.overtakes(r.arrival, r.Verb); by {
	case 0:
		return l.handle(r.call)
	case EStop:
		l.answer(r.call, false, "cancelled by a later e_stop: the robot is in FAULT; repeat this request only if the robot may move")
	default:
		l.answer(r.call, false, "cancelled by a later "+by.String()+"; repeat this request if it is still wanted")
	}
	return false
}

// handle does what c asks for and answers it. A Step is answered when it ends; any request
// but another Step and SaveState ends it. handle reports whether anything has changed. The
// caller shows the outcome.
func (l *loop) handle(c call) bool {
	var message string
	var err error
	if c.Verb != Step && c.Verb != SaveState {
		l.steps.interrupt(c.Verb)
	}
	before := l.state.current
	changed := true
	switch c.Verb {
	case Step:
		if err = l.beginSteps(c); err == nil {
			return true
		}
	case Reset:
		message, err = "back at the initial state", l.restore(l.checkpoints.initial)
	case SaveState:
		l.save(l.checkpoints.saved)
		message = "state saved"
	case RestoreState:
		message, err = "state restored", l.restoreSaved()
	default:
		message, err = l.changeState(c.Verb)
		changed = l.state.current != before
	}
	if err != nil {
		message = err.Error()
	}
	l.answer(c, err == nil, message)
	l.outcomeDue = true
	return changed && err == nil
}

// answer replies to c.
func (l *loop) answer(c call, ok bool, message string) {
	c.reply <- Reply{OK: ok, Message: message, SimTime: l.time.seconds()}
}

// restoreSaved returns to the state of the last SaveState.
func (l *loop) restoreSaved() error {
	if !l.checkpoints.saved.valid {
		return errors.New("no state was saved")
	}
	return l.restore(l.checkpoints.saved)
}

// changeState does the verbs that change the operating state. It returns the new state
// as text, or why there is none.
func (l *loop) changeState(verb Verb) (string, error) {
	t := l.state.current.after(verb)
	if t.refused != "" {
		return "", errors.New(t.refused)
	}
	if t.to == l.state.current && verb != EStop {
		return "already " + t.to.String(), nil
	}
	switch verb {
	case EStop:
		if l.state.current != Fault { // the first reason is the one that matters
			l.enter(Fault, ReasonEStop)
		}
	case Disable:
		l.enter(Disabled, reasonDisabled)
	case Pause:
		l.enter(Paused, reasonPaused)
	default:
		l.enter(Enabled, "")
	}
	return l.state.current.String(), nil
}

// beginSteps starts a Step request.
func (l *loop) beginSteps(c call) error {
	switch {
	case l.state.current != Paused:
		return fmt.Errorf("%s: step only works while PAUSED", l.state.current)
	case l.steps.current != nil:
		return fmt.Errorf("another step request is at work, with %d periods to go", l.steps.current.left)
	}
	l.steps.begin(c, l.clock.Now(), l.opt.ControlHz)
	l.throttle.restart()
	return nil
}

// stepOnce runs one period of the current Step request, and answers the request after its
// last.
func (l *loop) stepOnce() {
	r := l.steps.current
	if l.state.current == Paused && r.interrupted == 0 {
		l.time.tick++
		if l.advance(1) {
			r.left--
		}
	}
	late := l.clock.Now() > r.deadline
	if r.left > 0 && l.state.current == Paused && !late && r.interrupted == 0 {
		l.emit(false)
		return
	}
	l.steps.end()
	if l.state.current == Paused {
		l.intake.discard() // the commands that wait were meant for the request
	}
	l.emit(true)
	ok, message := r.outcome(l.state.current, l.state.reason)
	l.answer(r.call, ok, message)
}
