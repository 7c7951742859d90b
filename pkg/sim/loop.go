package sim

import (
	"errors"
	"math"
	"time"
)

// Run is the loop. It returns nil soon, within one control period, after stop
// is closed. The caller locks the goroutine to its thread where the Clock needs
// that. Run may be called once; a second call is an error.
//
// Paced, periods begin at absolute deadlines. A period that takes too long is an
// overrun: whole periods missed are skipped, so that simulated time falls behind
// instead of rushing. In lock-step there is one period per command, and a simulator that
// follows a clock runs the periods that are due on it. The first snapshot shows the state at
// the start.
func (s *Simulator) Run(stop <-chan struct{}) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	switch {
	case s.opt.Lockstep:
		s.runLockstep(stop)
	case s.opt.Follow:
		s.runFollowing(stop)
	default:
		s.runPaced(stop)
	}
	return nil
}

// begin marks the loop as running and emits the first snapshot.
func (s *Simulator) begin() error {
	if !s.running.CompareAndSwap(false, true) {
		return errors.New("the simulator has been run already")
	}
	s.meter.since = s.clock.Now()
	close(s.requests.started)
	s.emit(true)
	return nil
}

// end marks the loop as ended.
func (s *Simulator) end() {
	s.meter.close(s.clock.Now())
	close(s.requests.done)
}

func (s *Simulator) runPaced(stop <-chan struct{}) {
	pacer := NewPacer(s.clock, s.opt.ControlHz)
	for !closed(stop) {
		if s.steps.current != nil {
			s.serve()
			s.stepOnce()
			s.throttle.pause()
			pacer.Resync()
			continue
		}
		tick := pacer.Wait()
		s.meter.tick(tick)
		s.serve()
		if s.steps.current == nil {
			s.period(tick.Elapsed)
		}
	}
}

// period runs one control period of the paced loop; elapsed is the number of
// control periods since the last call. It does not allocate unless the model fails; a
// failure emits a snapshot at once.
func (s *Simulator) period(elapsed uint64) {
	s.time.tick += elapsed
	failed := s.state.advances() && !s.advance(elapsed)
	s.emit(failed)
}

func (s *Simulator) runLockstep(stop <-chan struct{}) {
	commands := s.intake.queue
	for !closed(stop) {
		switch {
		case s.steps.current != nil:
			s.serve()
			s.stepOnce()
			s.throttle.pause()
		case s.state.current == Paused || commands.empty():
			s.await(stop, commands.ready)
		case !s.state.current.Accepts():
			commands.drop()
		default:
			s.serve()
			if s.state.current == Enabled && !commands.empty() {
				s.time.tick++
				s.advance(1)
				s.emit(false)
			}
			s.throttle.pause()
		}
	}
}

// await waits for something to do: a request, a value of ready, or the end.
func (s *Simulator) await(stop, ready <-chan struct{}) {
	select {
	case <-stop:
	case <-ready:
	case <-s.requests.urgent.stops.wake:
		s.serveUrgent()
	case r := <-s.requests.queue:
		s.handleQueued(r)
		s.showOutcome()
	}
	s.throttle.restart()
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// advance simulates one control period, elapsed control periods after the last
// one. It reports false if the model failed, and then the state is FAULT.
func (s *Simulator) advance(elapsed uint64) bool {
	s.takeCommands(elapsed)
	s.snapshots.changed = true
	begun := s.clock.Now()
	s.meter.begun.Store(int64(begun))
	defer s.meter.begun.Store(-int64(begun))
	for range s.time.perPeriod {
		s.inputs.Advance(s.time.dt)
		if err := s.model.Step(s.time.dt); err != nil {
			s.fail(err.Error())
			return false
		}
		s.time.step++
		now := s.clock.Now()
		s.meter.stepped(now-begun, s.time.dt)
		begun = now
	}
	s.meter.ranPeriod()
	return true
}

// takeCommands makes the commands that have come the targets of their groups and
// advances the watchdogs of the other groups. In a state that accepts no commands, those
// that came just after the change of state are discarded.
func (s *Simulator) takeCommands(elapsed uint64) {
	queued := s.intake.takeQueued(s.inputs)
	discard := !s.state.takesCommands(s.steps.current != nil)
	for g := range s.inputs.groups {
		switch {
		case s.intake.takeMailbox(g, s.inputs, discard) || g == queued:
			s.watchdogs.timers[g].Feed()
		case s.watchdogs.advance(g, elapsed):
			s.inputs.release(g)
		}
	}
	s.watchdogs.publish()
}

// enter changes the operating state. If the old or the new state accepts no
// commands, those that wait are discarded and all groups are released by their sources. Where
// time stands still, actuation becomes safe at once.
func (s *Simulator) enter(to OperatingState, reason string) {
	from := s.state.current
	s.state.set(to, reason)
	s.state.halted = false
	if s.state.stepFailed {
		s.resume()
	}
	if to.safe() {
		s.makeSafe()
		if s.timeStands() {
			s.inputs.Advance(math.Inf(1))
			s.snapshots.changed = true
		}
	}
	if !from.Accepts() || !to.Accepts() {
		s.intake.discard()
		s.intake.authority.releaseAll()
	}
}

// fail enters FAULT and stops time at the last good step.
func (s *Simulator) fail(why string) {
	s.enter(Fault, why)
	s.state.halted, s.state.stepFailed = true, true
}

// resume continues from the state before a step that failed. Time stood still, but not
// the actuators: they are at their safe values. A model that implements Holder begins at rest,
// since its motion would take it to where the step failed.
func (s *Simulator) resume() {
	s.state.stepFailed = false
	s.inputs.Advance(math.Inf(1))
	if h, ok := s.model.(Holder); ok {
		h.Hold(0)
		s.snapshots.changed = true
	}
}

// makeSafe sends all actuation to its safe values and disarms the watchdogs.
func (s *Simulator) makeSafe() {
	s.inputs.releaseAll()
	s.watchdogs.disarm()
	s.watchdogs.publish()
}

// timeStands reports whether ramps would stand still in a state that accepts no commands:
// in lock-step, and when the clock that is followed stands still.
func (s *Simulator) timeStands() bool {
	return s.opt.Lockstep || s.follower != nil && s.follower.stands(s.clock.Now())
}

// stamp returns the time of the end of the newest control period.
func (s *Simulator) stamp() time.Duration {
	if s.follower != nil {
		return s.follower.time()
	}
	return s.clock.Now()
}
