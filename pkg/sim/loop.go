package sim

import (
	"errors"
	"math"
	"time"
)

// loop steps the model, on one goroutine. It does not allocate, log or wait for any reader.
// All its fields belong to that goroutine, except those of exchange and what state, steps and
// watchdogs publish by atomics.
type loop struct {
	*exchange
	model       Model
	inputs      *Inputs
	watchdogs   *watchdogSet
	state       stateMachine
	steps       stepRequests
	time        timebase
	throttle    throttle
	checkpoints checkpoints
	outcomeDue  bool // no snapshot has shown the outcome of the requests that were handled
}

// newLoop returns the loop of m. The error names the first value of the initial state that is
// not finite.
func newLoop(m Model, in *Inputs, x *exchange) (*loop, error) {
	l := &loop{
		exchange: x, model: m, inputs: in,
		watchdogs: newWatchdogSet(len(x.groups), x.opt),
		time:      newTimebase(x.opt),
		throttle:  throttle{clock: x.clock},
	}
	l.makeCheckpoints()
	if initial := newSnapshot(x.ports, x.gauges); !initial.measure(m) {
		return nil, errors.New("the initial state gives values that are not finite: " + l.firstNotFinite(initial))
	}
	l.state.start(Enabled, "")
	if x.opt.Disabled {
		l.state.start(Disabled, reasonStartedOff)
		l.makeSafe()
	}
	return l, nil
}

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
		s.loop.runLockstep(stop)
	case s.opt.Follow:
		s.loop.runFollowing(stop)
	default:
		s.loop.runPaced(stop)
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
	s.loop.emit(true)
	return nil
}

// end marks the loop as ended.
func (s *Simulator) end() {
	s.meter.close(s.clock.Now())
	close(s.requests.done)
}

func (l *loop) runPaced(stop <-chan struct{}) {
	pacer := NewPacer(l.clock, l.opt.ControlHz)
	for !closed(stop) {
		if l.steps.current != nil {
			l.serve()
			l.stepOnce()
			l.throttle.pause()
			pacer.Resync()
			continue
		}
		tick := pacer.Wait()
		l.meter.tick(tick)
		l.serve()
		if l.steps.current == nil {
			l.period(tick.Elapsed)
		}
	}
}

// period runs one control period of the paced loop; elapsed is the number of
// control periods since the last call. It does not allocate unless the model fails; a
// failure emits a snapshot at once.
func (l *loop) period(elapsed uint64) {
	l.time.tick += elapsed
	failed := l.state.advances() && !l.advance(elapsed)
	l.emit(failed)
}

func (l *loop) runLockstep(stop <-chan struct{}) {
	commands := l.intake.queue
	for !closed(stop) {
		switch {
		case l.steps.current != nil:
			l.serve()
			l.stepOnce()
			l.throttle.pause()
		case l.state.current == Paused || commands.empty():
			l.await(stop, commands.ready)
		case !l.state.current.Accepts():
			commands.drop()
		default:
			l.serve()
			if l.state.current == Enabled && !commands.empty() {
				l.time.tick++
				l.advance(1)
				l.emit(false)
			}
			l.throttle.pause()
		}
	}
}

// await waits for something to do: a request, a value of ready, or the end.
func (l *loop) await(stop, ready <-chan struct{}) {
	select {
	case <-stop:
	case <-ready:
	case <-l.requests.urgent.stops.wake:
		l.serveUrgent()
	case r := <-l.requests.queue:
		l.handleQueued(r)
		l.showOutcome()
	}
	l.throttle.restart()
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
func (l *loop) advance(elapsed uint64) bool {
	l.takeCommands(elapsed)
	l.snapshots.changed = true
	begun := l.clock.Now()
	l.meter.begun.Store(int64(begun))
	defer l.meter.begun.Store(-int64(begun))
	for range l.time.perPeriod {
		l.inputs.Advance(l.time.dt)
		if err := l.model.Step(l.time.dt); err != nil {
			l.fail(err.Error())
			return false
		}
		l.time.step++
		now := l.clock.Now()
		l.meter.stepped(now-begun, l.time.dt)
		begun = now
	}
	l.meter.ranPeriod()
	return true
}

// takeCommands makes the commands that have come the targets of their groups and
// advances the watchdogs of the other groups. In a state that accepts no commands, those
// that came just after the change of state are discarded.
func (l *loop) takeCommands(elapsed uint64) {
	queued := l.intake.takeQueued(l.inputs)
	discard := !l.state.takesCommands(l.steps.current != nil)
	for g := range l.inputs.groups {
		switch {
		case l.intake.takeMailbox(g, l.inputs, discard) || g == queued:
			if !l.inputs.groups[g].measures {
				l.watchdogs.timers[g].Feed()
			}
		case l.watchdogs.advance(g, elapsed):
			l.inputs.release(g)
		}
	}
	l.watchdogs.publish()
}

// enter changes the operating state. If the old or the new state accepts no
// commands, those that wait are discarded, and unless time only stands still meanwhile all groups are released by their
// sources. Where time stands still, actuation becomes safe at once.
func (l *loop) enter(to OperatingState, reason string) {
	from := l.state.current
	l.state.set(to, reason, l.clock.Now())
	l.state.halted = false
	if l.state.stepFailed {
		l.resume()
	}
	if to.safe() {
		l.makeSafe()
		if l.timeStands() {
			l.inputs.Advance(math.Inf(1))
			l.snapshots.changed = true
		}
	}
	if !from.Accepts() || !to.Accepts() {
		l.intake.discard()
	}
	if from.safe() || to.safe() {
		l.intake.authority.releaseAll()
	}
}

// fail enters FAULT and stops time at the last good step.
func (l *loop) fail(why string) {
	l.enter(Fault, why)
	l.state.halted, l.state.stepFailed = true, true
}

// resume continues from the state before a step that failed. Time stood still, but not
// the actuators: they are at their safe values. A model that implements Holder begins at rest,
// since its motion would take it to where the step failed.
func (l *loop) resume() {
	l.state.stepFailed = false
	l.inputs.Advance(math.Inf(1))
	if h, ok := As[Holder](l.model); ok {
		h.Hold(0)
		l.snapshots.changed = true
	}
}

// makeSafe sends all actuation to its safe values and disarms the watchdogs.
func (l *loop) makeSafe() {
	l.inputs.releaseAll()
	l.watchdogs.disarm()
	l.watchdogs.publish()
}

// timeStands reports whether ramps would stand still in a state that accepts no commands:
// in lock-step, and when the clock that is followed stands still.
func (l *loop) timeStands() bool {
	return l.opt.Lockstep || l.follower != nil && l.follower.stands(l.clock.Now())
}

// stamp returns the time of the end of the newest control period.
func (l *loop) stamp() time.Duration {
	if l.follower != nil {
		return l.follower.time()
	}
	return l.clock.Now()
}
