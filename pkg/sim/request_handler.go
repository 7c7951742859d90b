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
	stops     uint64      // emergency stops that were asked for before
	overtaken func() Verb // of DoUnless, or nil
	adoption  *adoption   // of the verb adopt
}

// Do waits startPolls times startPoll for Run to begin. A Step request may take
// stepTime, or stepTimePer per control period if that is longer.
const (
	startPolls  = 100
	startPoll   = 10 * time.Millisecond
	stepTime    = 30 * time.Second
	stepTimePer = 10 * time.Millisecond
)

// Do passes r to the loop, which handles it between two control periods, and
// returns the answer. It waits at most a control period and, for Step, 30 s or
// 10 ms per control period, whichever is longer. EStop overtakes every other
// request, and from the call on no command is accepted. What was asked for before it
// and has not been done is refused: it would take the stop back. If Run has not begun
// within a second, or has ended, the answer says so.
func (s *Simulator) Do(r Request) Reply { return s.DoUnless(r, nil) }

// DoUnless is Do for a request that has waited elsewhere. It is refused if overtaken
// returns, when its turn comes, the verb of a later request that holds. The loop calls
// overtaken, which must not wait.
func (s *Simulator) DoUnless(r Request, overtaken func() Verb) Reply {
	if err := s.checkRequest(r); err != nil {
		return s.failed(err.Error())
	}
	if r.Verb == TakeCommand {
		return s.takeCommand()
	}
	if r.Verb == EStop {
		return s.stop()
	}
	return s.ask(waiting{call: call{r, make(chan Reply, 1)}, stops: s.stops.asked.Load(), overtaken: overtaken})
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

// stop does an EStop and waits for it. Before Run has begun it is kept for its first
// control period.
func (s *Simulator) stop() Reply {
	b := s.stops.ask()
	notify(s.ready)
	if !s.awaitStart() {
		return s.failed("the simulator is not running; it will begin in FAULT")
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

// serve does the emergency stops that wait and after them one request, if there is one.
// The rest wait for the following periods, so that requests cannot hold up the loop.
func (s *Simulator) serve() {
	s.serveStop()
	select {
	case c := <-s.requests:
		s.handleWaiting(c)
	default:
	}
}

// handleWaiting handles a request that may have waited while an emergency stop or another
// request that holds was asked for. A stop that was asked for before it is done before it.
func (s *Simulator) handleWaiting(c waiting) {
	s.serveStop()
	if c.Verb == adopt {
		s.handleAdoption(c.call, c.adoption)
		return
	}
	if c.stops != s.stops.asked.Load() && c.Verb != SaveState {
		s.answer(c.call, false, "overtaken by an emergency stop; ask again")
		return
	}
	if c.overtaken != nil && c.Verb != SaveState {
		if by := c.overtaken(); by != 0 {
			s.answer(c.call, false, "overtaken by "+by.String()+"; ask again")
			return
		}
	}
	s.handle(c.call)
}

// handle does what c asks for and answers it; a Step is answered when it ends, which
// any request but another Step and SaveState makes it do.
func (s *Simulator) handle(c call) {
	var message string
	var err error
	if s.stepping != nil && c.Verb != Step && c.Verb != SaveState {
		s.stepping.interrupted = c.Verb
	}
	switch c.Verb {
	case Step:
		if err = s.beginSteps(c); err == nil {
			return
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
	}
	if err != nil {
		message = err.Error()
	}
	s.answer(c, err == nil, message)
	s.emit(true)
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
	wait := max(stepTime, time.Duration(c.Steps)*stepTimePer)
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
