package sim

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Simulator owns one Model and steps it at a fixed rate against a Clock. Run is
// its loop; the other methods may be called from any goroutine, and none of them
// makes the loop wait, unless said otherwise.
//
// A Simulator is what other goroutines see of the loop. It shares with the loop the parts
// that pass data between goroutines, each of which has a file of its own: commands enter
// through the command intake, requests through the request queue, and results leave through
// the snapshot publisher.
type Simulator struct {
	*exchange
	loop    *loop
	running atomic.Bool
}

// exchange are the parts that pass data between the loop and other goroutines.
type exchange struct {
	clock     Clock
	opt       Options // as made; those that Reconfigure may change are in settings
	ports     []Port  // as made, but for the bounds; settings has the present ones
	gauges    []Gauge
	groups    []group
	settings  atomic.Pointer[settings]
	intake    *commandIntake
	requests  *requestQueue
	snapshots *snapshotPublisher
	follower  *follower // nil without Options.Follow
	meter     meter
}

// NewSimulator returns a Simulator of m, which it owns from now on. The error
// names every option out of its range and every port that breaks a rule of Port,
// or the first value of the initial state that is not finite.
func NewSimulator(m Model, c Clock, o Options) (*Simulator, error) {
	ports := m.Ports()
	if err := errors.Join(o.check(), checkPorts(ports)); err != nil {
		return nil, err
	}
	in := NewInputs(m)
	x := &exchange{clock: c, opt: o, ports: ports, gauges: m.Gauges(), groups: in.groups}
	s := &Simulator{exchange: x}
	x.settings.Store(&settings{options: o, ports: ports, limits: in.limits})
	x.meter.init(o.Begun)
	x.intake = newCommandIntake(in, o, s.commandTime)
	x.requests = newRequestQueue(c, o.ControlHz, &x.meter)
	x.snapshots = newSnapshotPublisher(m, o)
	if o.Follow {
		x.follower = newFollower(o.ControlHz)
	}
	var err error
	if s.loop, err = newLoop(m, in, x); err != nil {
		return nil, err
	}
	return s, nil
}

// Ports returns the ports of the model. After Reconfigure they have other bounds; slices that
// were returned before keep theirs.
func (s *Simulator) Ports() []Port { return s.settings.Load().ports }

// Gauges returns the gauges of the model.
func (s *Simulator) Gauges() []Gauge { return s.gauges }

// Options returns the present options: those that the simulator was made with, or those of
// the last Reconfigure.
func (s *Simulator) Options() Options { return s.settings.Load().options }

// State returns the present operating state.
func (s *Simulator) State() OperatingState {
	state, _ := s.Condition()
	return state
}

// Condition returns the present operating state and its reason. Snapshots in the ring buffer
// are older. From the call of Ask or Do on, an urgent request counts as done, even while the
// loop is still in a long step.
func (s *Simulator) Condition() (OperatingState, string) {
	return s.loop.state.condition(&s.requests.urgent)
}

// AcceptingSince returns the time of the Clock at which the simulator, enabled or resumed, began
// to accept commands again; 0 if it has accepted them from the start.
func (s *Simulator) AcceptingSince() time.Duration {
	return s.loop.state.published.Load().acceptingSince
}

// Post commands In port i with a copy of v, in the units and of the width of the
// port; values that are Keep leave their actuator alone. The newest command for an
// actuator takes effect at the start of the next control period; in lock-step every
// command does, in order.
//
// The first Source to command a group owns it: commands of other sources are refused until
// the owner is silent for Options.CommandTimeoutS (of simulated time in lock-step), leaves,
// or TakeCommand releases the group. A command that is refused takes no group, but one that is
// refused because time stands still: who commands while PAUSED commands when it goes on. Post counts the
// status in Stats. It panics if i is not an In port.
func (s *Simulator) Post(from Source, i int, v []float64) CommandStatus {
	limits := s.settings.Load().limits
	if i < 0 || i >= len(limits) || limits[i] == nil {
		panic(fmt.Sprintf("sim: port %d takes no commands", i))
	}
	status := NotEnabled
	switch {
	case s.accepts():
		status = s.intake.put(from, i, v, limits[i], true)
	case s.State() == Paused:
		if status = s.intake.put(from, i, v, limits[i], false); status.OK() {
			status = NotEnabled
		}
	}
	s.intake.count(status)
	return status
}

// accepts reports whether commands are accepted now.
func (s *Simulator) accepts() bool {
	state := s.State()
	return state.Accepts() || state == Paused && s.loop.steps.active.Load() && !s.requests.urgent.pauses.pending()
}

// Reject counts a command that was refused before it reached Post.
func (s *Simulator) Reject(status CommandStatus) { s.intake.count(status) }

// Commander returns the name of the source that commands the group of an In port,
// empty when no source does.
func (s *Simulator) Commander(port int) string { return s.intake.commander(port) }

// ReleaseCommand ends the command of a source over the group of an In port, because it no longer
// publishes its Topic. Its last command holds until the watchdog expires or another source
// commands, which is now allowed.
func (s *Simulator) ReleaseCommand(from Source, port int) { s.intake.leave(from, port) }

// commandTime returns the time by which sources fall silent. It goes back only with the clock
// that is followed, and then no source owns a group.
func (s *Simulator) commandTime() time.Duration {
	if s.follower != nil {
		return s.FollowedTime()
	}
	if s.opt.Lockstep {
		return time.Duration(float64(s.meter.periods.Load()) / s.opt.ControlHz * float64(time.Second))
	}
	return s.clock.Now()
}

// SimTime returns the simulated time since the last reset, s, at the newest snapshot.
func (s *Simulator) SimTime() float64 { return s.meter.simTimeS() }

// NewSnapshot returns storage for Next.
func (s *Simulator) NewSnapshot() *Snapshot { return newSnapshot(s.ports, s.gauges) }

// Next copies the oldest unread snapshot to dst, made by NewSnapshot of the same
// simulator, and reports whether there was one. It is for one reader.
func (s *Simulator) Next(dst *Snapshot) bool { return s.snapshots.ring.pop(dst) }

// Ready receives after new snapshots, and when Condition has changed for an emergency
// stop. It has a capacity of 1: after a receive, call Next until it reports false.
func (s *Simulator) Ready() <-chan struct{} { return s.snapshots.ready }

// Drawn receives as Ready does, but not after every snapshot: only after those with which a
// scene was drawn and those that a request or a failure caused. It is for a reader that is
// woken once per picture.
func (s *Simulator) Drawn() <-chan struct{} { return s.snapshots.drawn }

// Missed returns the number of snapshots that were overwritten before they were
// read.
func (s *Simulator) Missed() uint64 { return s.snapshots.ring.missed.Load() }

// WantScene sets the rate at which the loop draws scenes, Hz: at most that of the
// snapshots. At 0 it draws none.
func (s *Simulator) WantScene(rate float64) { s.snapshots.scenes.setRate(rate) }

// Scene copies the newest scene to dst, reusing its storage, and returns the
// stamp of the snapshot that it belongs to. It reports false, and leaves dst
// alone, if none was drawn since the last call.
func (s *Simulator) Scene(dst *Scene) (stamp time.Duration, ok bool) {
	return s.snapshots.scenes.take(dst)
}

// WantState asks the loop for a copy of the state of the model at the next snapshot, which
// Copied receives. It is for one reader, who must not use the last copy any more.
func (s *Simulator) WantState() { s.snapshots.copies.wanted.Store(true) }

// Copied receives the copies of the state that WantState has asked for.
func (s *Simulator) Copied() <-chan *StateCopy { return s.snapshots.copies.ready }

// PeriodAge returns how long the control period that is being simulated has taken so
// far, and 0 between periods. It never waits.
func (s *Simulator) PeriodAge() time.Duration {
	begun := s.meter.begun.Load()
	if begun <= 0 {
		return 0
	}
	return max(0, s.clock.Now()-time.Duration(begun))
}

// Stats returns the present counters and the rates of the last full second.
func (s *Simulator) Stats() Stats {
	st := Stats{State: s.State(), Missed: s.Missed(), Groups: make([]GroupStats, len(s.groups))}
	s.meter.read(&st)
	st.Commands = s.intake.counted()
	for g := range st.Groups {
		st.Groups[g] = s.loop.watchdogs.stats(g)
		st.Groups[g].Name = s.groups[g].name
		s.intake.authority.read(g, s.commandTime(), &st.Groups[g])
	}
	if s.follower != nil {
		st.Follow = s.follower.stats(s.clock.Now())
		if st.Follow.Stands { // the last full second was long ago
			st.RealTimeFactor, st.Rate = 0, 0
		}
	}
	return st
}
