package sim

import (
	"errors"
	"fmt"
	"time"
)

// call is a Request on its way to the loop.
type call struct {
	Request
	reply chan Reply // receives the answer; capacity 1, so that the loop never waits
}

// waiting is a call that waits for its control period.
type waiting struct {
	call
	arrival  Arrival
	adoption *adoption // of the verb adopt
}

// Do waits startPolls times startPoll for Run to begin. A Step request may take
// stepTime, or stepTimePer per control period or twice the simulated time if that is longer.
const (
	startPolls  = 100
	startPoll   = 10 * time.Millisecond
	stepTime    = 30 * time.Second
	stepTimePer = 10 * time.Millisecond
)

// Do passes r to the loop, which handles it between two control periods, and
// returns the answer. It waits at most a control period and, for Step, 30 s,
// 10 ms per control period or twice the simulated time, whichever is longest. EStop overtakes every other
// request, and from the call on no command is accepted. What was asked for before it
// and has not been done is refused: it would take the stop back. Pause and Disable overtake
// what would make the robot go on: Enable, Resume and Step. If Run has not begun
// within a second, or has ended, the answer says so.
func (s *Simulator) Do(r Request) Reply { return s.Ask(r)() }

// Ask is Do in two parts, for requests that arrive one after the other and wait elsewhere.
// It takes the place of r in the order of arrival, and does not wait: what stops the robot is
// asked for at once, and what came before does not take it back. The function that it
// returns is to be called, does the rest, and waits as Do does.
func (s *Simulator) Ask(r Request) func() Reply {
	if err := s.checkRequest(r); err != nil {
		return func() Reply { return s.failed(err.Error()) }
	}
	if r.Verb == TakeCommand {
		reply := s.takeCommand()
		return func() Reply { return reply }
	}
	if l := s.lanes.of(r.Verb); l != nil {
		b := l.ask()
		s.tellReaders()
		return func() Reply { return s.awaitStop(l, b) }
	}
	at := s.Arrival()
	return func() Reply { return s.ask(waiting{call: call{r, make(chan Reply, 1)}, arrival: at}) }
}

// Arrival is the place of a request that arrives now, of which DoAt is told when it is known
// what it asks for.
func (s *Simulator) Arrival() Arrival { return s.lanes.arrival() }

// DoAt is Do for a request that has arrived earlier.
func (s *Simulator) DoAt(at Arrival, r Request) Reply {
	if s.lanes.of(r.Verb) != nil || r.Verb == TakeCommand || s.checkRequest(r) != nil {
		return s.Do(r)
	}
	return s.ask(waiting{call: call{r, make(chan Reply, 1)}, arrival: at})
}

// ask passes c to the loop and returns its answer.
func (s *Simulator) ask(c waiting) Reply {
	if !s.awaitStart() {
		return s.failed("the simulator is not running")
	}
	select {
	case s.requests <- c:
	case <-s.done:
		return s.failed("the simulator has stopped")
	}
	select {
	case reply := <-c.reply:
		return reply
	case <-s.done:
	}
	select {
	case reply := <-c.reply: // answered just before the end
		return reply
	default:
		return s.failed("the simulator has stopped")
	}
}

// awaitStop waits for a request that stops the robot. Before Run has begun an EStop is kept
// for its first control period, and the others are withdrawn.
func (s *Simulator) awaitStop(l *stopLane, b *stopBatch) Reply {
	if !s.awaitStart() {
		if l == &s.lanes.stops {
			return s.failed("the simulator is not running; it will begin in FAULT")
		}
		l.withdraw(b, s.failed("the simulator is not running"))
	}
	select {
	case <-b.done:
		return b.reply
	case <-s.done:
	}
	select {
	case <-b.done: // just before the end
		return b.reply
	default:
		return s.failed("the simulator has stopped")
	}
}

// maxStepTime is the most simulated time that one Step may ask for, s.
const maxStepTime = 60

// checkRequest returns what is wrong with r.
func (s *Simulator) checkRequest(r Request) error {
	if err := r.check(); err != nil {
		return err
	}
	if most := max(1, uint64(maxStepTime*s.opt.ControlHz)); r.Verb == Step && r.Steps > most {
		return fmt.Errorf("step %d is %.6g s of simulated time; at most %d s, which is step %d, can be asked for at once",
			r.Steps, float64(r.Steps)/s.opt.ControlHz, maxStepTime, most)
	}
	return nil
}

// failed returns the answer to a request that did not reach the loop.
func (s *Simulator) failed(message string) Reply {
	return Reply{Message: message, SimTime: s.Stats().SimTime}
}

// awaitStart waits for Run to begin, and reports whether it has.
func (s *Simulator) awaitStart() bool {
	for range startPolls {
		select {
		case <-s.started:
			return true
		default:
			s.clock.SleepUntil(s.clock.Now() + startPoll)
		}
	}
	return false
}

// stepping is a Step request at work.
type stepping struct {
	call
	left        uint64        // control periods to go
	deadline    time.Duration // when the request fails
	interrupted Verb          // what ended it early, or 0
}

// cheapRequests is how many requests the loop takes in one control period. All but one of
// them change nothing.
const cheapRequests = 32

// serve does the requests that wait and stop the robot and after them one more, and refuses
// some of those for which there is nothing to do. The rest wait for the following periods,
// so that requests cannot hold up the loop.
func (s *Simulator) serve() {
	s.serveStop()
	defer s.showOutcome()
	for range cheapRequests {
		select {
		case c := <-s.requests:
			if s.handleWaiting(c) {
				return
			}
		default:
			return
		}
	}
}

// showOutcome gives a snapshot of what the requests have brought about that were handled.
func (s *Simulator) showOutcome() {
	if s.unshown {
		s.unshown = false
		s.emit(true)
	}
}

// handleWaiting handles a request that may have waited while another was asked for that
// stops the robot. A stop that was asked for before it is done before it. It reports whether
// there was anything to do.
func (s *Simulator) handleWaiting(c waiting) bool {
	s.serveStop()
	if c.Verb == adopt {
		s.handleAdoption(c.call, c.adoption)
		return true
	}
	switch by := s.lanes.overtakes(c.arrival, c.Verb); by {
	case 0:
		return s.handle(c.call)
	case EStop:
		s.answer(c.call, false, "overtaken by an emergency stop; ask again")
	default:
		s.answer(c.call, false, "overtaken by "+by.String()+"; ask again")
	}
	return false
}

// interruptStep makes the Step request at work end because of a verb.
func (s *Simulator) interruptStep(by Verb) {
	if s.stepping != nil {
		s.stepping.interrupted = by
	}
}

// handle does what c asks for and answers it; a Step is answered when it ends, which
// any request but another Step and SaveState makes it do. It reports whether anything has
// changed. The caller shows the outcome.
func (s *Simulator) handle(c call) bool {
	var message string
	var err error
	if c.Verb != Step && c.Verb != SaveState {
		s.interruptStep(c.Verb)
	}
	before := s.state
	changed := true
	switch c.Verb {
	case Step:
		if err = s.beginSteps(c); err == nil {
			return true
		}
	case Reset:
		message, err = "back at the initial state", s.restore(s.initial)
	case SaveState:
		s.save(s.saved)
		message = "state saved"
	case RestoreState:
		message, err = "state restored", s.restoreSaved()
	default:
		message, err = s.change(c.Verb)
		changed = s.state != before
	}
	if err != nil {
		message = err.Error()
	}
	s.answer(c, err == nil, message)
	s.unshown = true
	return changed && err == nil
}

// answer replies to c.
func (s *Simulator) answer(c call, ok bool, message string) {
	c.reply <- Reply{OK: ok, Message: message, SimTime: s.simTime()}
}

// restoreSaved returns to the state of the last SaveState.
func (s *Simulator) restoreSaved() error {
	if !s.saved.valid {
		return errors.New("no state was saved")
	}
	return s.restore(s.saved)
}

// change does the verbs that change the operating state. It returns the new state
// as text, or why there is none.
func (s *Simulator) change(verb Verb) (string, error) {
	t := s.state.after(verb)
	if t.refused != "" {
		return "", errors.New(t.refused)
	}
	if t.to == s.state && verb != EStop {
		return "already " + t.to.String(), nil
	}
	switch verb {
	case EStop:
		if s.state != Fault { // the first reason is the one that matters
			s.enter(Fault, ReasonEStop)
		}
	case Disable:
		s.enter(Disabled, reasonDisabled)
	case Pause:
		s.enter(Paused, reasonPaused)
	default:
		s.enter(Enabled, "")
	}
	return s.state.String(), nil
}

// beginSteps starts a Step request.
func (s *Simulator) beginSteps(c call) error {
	switch {
	case s.state != Paused:
		return fmt.Errorf("%s: step only works while PAUSED", s.state)
	case s.stepping != nil:
		return fmt.Errorf("another step request is at work, with %d periods to go", s.stepping.left)
	}
	pace := time.Duration(2 * float64(c.Steps) / s.opt.ControlHz * float64(time.Second)) // of a loop with others
	wait := max(stepTime, time.Duration(c.Steps)*stepTimePer, pace)
	s.stepping = &stepping{call: c, left: c.Steps, deadline: s.clock.Now() + wait}
	s.atWork.Store(true)
	s.rested = s.clock.Now()
	return nil
}

// stepOnce runs one period of the Step request at work.
func (s *Simulator) stepOnce() {
	w := s.stepping
	if s.state == Paused && w.interrupted == 0 {
		s.tick++
		if s.advance(1) {
			w.left--
		}
	}
	late := s.clock.Now() > w.deadline
	if w.left > 0 && s.state == Paused && !late && w.interrupted == 0 {
		s.emit(false)
		return
	}
	s.endStep()
	s.emit(true)
	message := fmt.Sprintf("%d periods simulated", w.Steps-w.left)
	switch {
	case w.interrupted != 0 && s.state != Fault:
		s.answer(w.call, false, fmt.Sprintf("%s of %d, then %s", message, w.Steps, w.interrupted))
	case s.state != Paused:
		s.answer(w.call, false, fmt.Sprintf("%s, then %s: %s", message, s.state, s.reason))
	case w.left == 0:
		s.answer(w.call, true, message)
	default:
		s.answer(w.call, false, message+" when the time for the request was over")
	}
}

// endStep forgets the Step request at work. What still waits was meant for it.
func (s *Simulator) endStep() {
	s.stepping = nil
	s.atWork.Store(false)
	if s.state == Paused {
		s.dropCommands()
	}
}
