package sim

import (
	"errors"
	"math"
	"time"
)

// Run is the loop. It returns nil soon, within one control period, after stop
// is closed. The caller locks the goroutine to its thread where the Clock wants
// that. Run may be called once; a second call is an error.
//
// Paced, periods begin at absolute deadlines. A period that takes too long is an
// overrun: whole periods missed are skipped, so that simulated time falls behind
// instead of rushing. In lock-step there is one period per command, and a simulator that
// follows a clock runs those that are due on it. The first snapshot shows the state at the
// start.
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

// begin tells everybody that the loop runs.
func (s *Simulator) begin() error {
	if !s.running.CompareAndSwap(false, true) {
		return errors.New("the simulator has been run already")
	}
	s.meter.since = s.clock.Now()
	close(s.started)
	s.emit(true)
	return nil
}

// end tells everybody that the loop has ended.
func (s *Simulator) end() {
	s.meter.close(s.clock.Now())
	close(s.done)
}

func (s *Simulator) runPaced(stop <-chan struct{}) {
	pacer := NewPacer(s.clock, s.opt.ControlHz)
	for !closed(stop) {
		if s.stepping != nil {
			s.serve()
			s.stepOnce()
			s.pause()
			pacer.Resync()
			continue
		}
		tick := pacer.Wait()
		s.meter.tick(tick)
		s.serve()
		if s.stepping == nil {
			s.period(tick.Elapsed)
		}
	}
}

// period runs one control period of the paced loop; elapsed is the number of
// control periods since the last call. It does not allocate unless the model fails,
// which the next snapshot tells at once.
func (s *Simulator) period(elapsed uint64) {
	s.tick += elapsed
	failed := s.state != Paused && !s.halted && !s.advance(elapsed)
	s.emit(failed)
}

func (s *Simulator) runLockstep(stop <-chan struct{}) {
	for !closed(stop) {
		switch {
		case s.stepping != nil:
			s.serve()
			s.stepOnce()
			s.pause()
		case s.state == Paused || s.commands.empty():
			s.await(stop, s.commands.ready)
		case !s.state.Accepts():
			s.commands.drop()
		default:
			s.serve()
			if s.state == Enabled && !s.commands.empty() {
				s.tick++
				s.advance(1)
				s.emit(false)
			}
			s.pause()
		}
	}
}

// await waits for something to do: a request, what ready tells of, or the end.
func (s *Simulator) await(stop, ready <-chan struct{}) {
	select {
	case <-stop:
	case <-ready:
	case <-s.lanes.stops.wake:
		s.serveStop()
	case c := <-s.requests:
		s.handleWaiting(c)
		s.showOutcome()
	}
	s.rested = s.clock.Now()
}

// A loop that is not paced sleeps a fifth of the time, in short pauses.
const (
	pauseEvery  = time.Millisecond // of work, and after a longer period
	pauseShare  = 0.25             // of the work since then
	pauseAtMost = 20 * time.Millisecond
)

// pause lets other threads run where the loop would not sleep by itself: at real-time
// priority it would otherwise keep the very request from arriving that stops it, and where
// real-time threads take 95 % of a second the kernel stops all of them for the rest.
func (s *Simulator) pause() {
	now := s.clock.Now()
	if worked := now - s.rested; worked >= pauseEvery {
		s.clock.SleepUntil(now + min(time.Duration(pauseShare*float64(worked)), pauseAtMost))
		s.rested = s.clock.Now()
	}
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
	s.moved = true
	begun := s.clock.Now()
	s.meter.begun.Store(int64(begun))
	defer s.meter.begun.Store(-int64(begun))
	for range s.perPeriod {
		s.inputs.Advance(s.dt)
		if err := s.model.Step(s.dt); err != nil {
			s.fail(err.Error())
			return false
		}
		s.step++
		now := s.clock.Now()
		s.meter.stepped(now-begun, s.dt)
		begun = now
	}
	s.meter.ranPeriod()
	return true
}

// takeCommands makes the commands that have come the targets of their groups and
// advances the watchdogs of the other groups.
func (s *Simulator) takeCommands(elapsed uint64) {
	commanded := -1 // group of the command in lock-step
	if s.opt.Lockstep {
		if port, v, ok := s.commands.peek(); ok {
			s.inputs.setTarget(port, v)
			s.commands.drop()
			commanded = s.of[port]
		}
	}
	for g := range s.groups {
		w := &s.watchdogs[g]
		switch {
		case s.readMailbox(g) || g == commanded:
			w.Feed()
		case w.Advance(elapsed):
			s.inputs.release(g)
			s.watchdogMeters[g].trips.Add(1)
		}
	}
	s.showWatchdogs()
}

// readMailbox makes what is in the mailbox of a group the target of that group. It
// reports whether there was a command. In a state that accepts no commands, those
// that came just after the change of state are dropped.
func (s *Simulator) readMailbox(g int) bool {
	mailbox, found := s.mailboxes[g], false
	if !mailbox.Take() || !(s.state.Accepts() || s.stepping != nil) {
		return false
	}
	for _, port := range s.groups[g].ports {
		if v := s.scratch[:s.inputs.limits[port].width()]; mailbox.Read(port, v) {
			s.inputs.setTarget(port, v)
			found = true
		}
	}
	return found
}

// enter changes the operating state. Where the old or the new state accepts no
// commands, those that wait are dropped and nobody is in command. Where time stands,
// actuation is safe at once.
func (s *Simulator) enter(to OperatingState, reason string) {
	from := s.state
	s.setState(to, reason)
	s.halted = false
	if s.stuck {
		s.resume()
	}
	if to.safe() {
		s.makeSafe()
		if s.timeStands() {
			s.inputs.Advance(math.Inf(1))
			s.moved = true
		}
	}
	if !from.Accepts() || !to.Accepts() {
		s.dropCommands()
		s.commanders.forget()
	}
}

func (s *Simulator) setState(to OperatingState, reason string) {
	s.state, s.reason = to, reason
	s.shown.Store(&condition{to, reason})
}

// fail enters FAULT and stops time at the last good step.
func (s *Simulator) fail(why string) {
	s.enter(Fault, why)
	s.halted, s.stuck = true, true
}

// resume goes on from the state before a step that failed. Time stood still, but not
// the actuators: they have gone to their safe values. A model that can begins at rest,
// since its motion would take it where the step failed.
func (s *Simulator) resume() {
	s.stuck = false
	s.inputs.Advance(math.Inf(1))
	if h, ok := s.model.(Holder); ok {
		h.Hold(0)
		s.moved = true
	}
}

// makeSafe sends all actuation to its safe values and disarms the watchdogs.
func (s *Simulator) makeSafe() {
	s.inputs.releaseAll()
	for g := range s.watchdogs {
		s.watchdogs[g].Disarm()
	}
	s.showWatchdogs()
}

// dropCommands forgets the commands that wait.
func (s *Simulator) dropCommands() {
	for _, m := range s.mailboxes {
		m.Take()
	}
	if s.opt.Lockstep {
		s.commands.clear()
	}
}

func (s *Simulator) showWatchdogs() {
	for g := range s.watchdogs {
		s.watchdogMeters[g].show(&s.watchdogs[g])
	}
}
