package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// Simulator owns one Model and steps it at a fixed rate against a Clock. Run is
// its loop; the other methods may be called from any goroutine, and none of them
// makes the loop wait, unless said otherwise.
type Simulator struct {
	model  Model
	clock  Clock
	opt    Options // as made; those that Adopt may change are in settings
	ports  []Port  // as made, but for the bounds; settings has the present ones
	gauges []Gauge
	groups []group
	of     []int // group by port
	// dividedGauge is the index of the gauge DividedSteps, −1 without one.
	dividedGauge int

	// The following fields pass data between the loop and other goroutines.
	settings       atomic.Pointer[settings]
	mailboxes      []*Mailbox    // by group; paced
	commands       *commandQueue // lock-step; otherwise nil
	follower       *follower     // nil without Options.Follow
	commanders     *commanders
	requests       chan waiting
	lanes          stopLanes
	snapshots      *ring
	ready          chan struct{}
	drawn          chan struct{}
	scenes         *scenes
	copied         stateCopy
	meter          meter
	watchdogMeters []watchdogMeter // by group
	verdicts       [NumVerdicts]atomic.Uint64
	shown          atomic.Pointer[condition]
	atWork         atomic.Bool // a Step request is: commands are accepted while PAUSED
	running        atomic.Bool
	started        chan struct{} // closed when Run begins
	done           chan struct{} // closed when Run has ended

	// The following fields belong to the loop.
	inputs    *Inputs
	watchdogs []Watchdog // by group
	scratch   []float64  // a command
	state     OperatingState
	reason    string
	halted    bool    // a step failed: time stands until the next Enable
	stuck     bool    // the state is the one before a step that failed
	unshown   bool    // no snapshot has shown what requests have brought about
	dt        float64 // s
	perPeriod int     // time steps in a control period
	step      uint64  // time steps since the last reset
	tick      uint64  // control periods since the start, skipped ones included
	publish   cadence
	marker    cadence
	slowDue   bool
	drawing   cadence // of scenes, at the rate at which they are wanted
	drawDue   bool
	rested    time.Duration // when a loop that is not paced has slept last
	moved     bool          // the model has changed since the last snapshot
	stepping  *stepping     // a Step request at work, or nil
	initial   *checkpoint
	saved     *checkpoint // by SaveState
	good      *checkpoint // at the last snapshot that was all finite
}

// NewSimulator returns a Simulator of m, which it owns from now on. The error
// names every option out of its range and every port that breaks a rule of Port,
// or the first value of the initial state that is not finite.
func NewSimulator(m Model, c Clock, o Options) (*Simulator, error) {
	ports := m.Ports()
	if err := errors.Join(o.check(), checkPorts(ports)); err != nil {
		return nil, err
	}
	s := &Simulator{
		model: m, clock: c, opt: o, ports: ports, gauges: m.Gauges(),
		requests:  make(chan waiting),
		snapshots: newRing(m),
		ready:     make(chan struct{}, 1),
		drawn:     make(chan struct{}, 1),
		scenes:    newScenes(m),
		copied:    stateCopy{of: StateCopy{State: make([]float64, m.StateLen())}, ready: make(chan *StateCopy, 1)},
		started:   make(chan struct{}),
		done:      make(chan struct{}),
		inputs:    NewInputs(m),
		perPeriod: o.StepsPerPeriod(),
		publish:   cadence{rate: o.PublishHz, of: o.ControlHz},
		marker:    cadence{rate: o.MarkerHz, of: o.ControlHz},
		drawing:   cadence{of: o.ControlHz},
	}
	s.dividedGauge = slices.IndexFunc(s.gauges, func(g Gauge) bool { return g.Key == DividedSteps })
	s.meter.newest.init()
	if s.meter.begun = o.Begun; o.Begun == nil {
		s.meter.begun = new(atomic.Int64)
	}
	s.lanes.init()
	s.dt = 1 / o.ControlHz / float64(s.perPeriod)
	s.groups, s.of = s.inputs.groups, s.inputs.groupOf
	s.settings.Store(&settings{options: o, ports: ports, limits: s.inputs.limits})
	s.makeMailboxes()
	s.initial, s.saved, s.good = s.newCheckpoint(), s.newCheckpoint(), s.newCheckpoint()
	s.save(s.initial)
	s.save(s.good)
	if probe := newSnapshot(m); !s.measure(probe) {
		return nil, errors.New("the initial state gives values that are not finite: " + s.firstNotFinite(probe))
	}
	if o.Follow {
		s.follower = newFollower(o.ControlHz)
	}
	s.setState(Enabled, "")
	if o.Disabled {
		s.setState(Disabled, reasonStartedOff)
		s.makeSafe()
	}
	return s, nil
}

// makeMailboxes makes the mailbox and the watchdog of each group and, in lock-step,
// the queue of commands.
func (s *Simulator) makeMailboxes() {
	widest := 0
	for i := range s.groups {
		g := &s.groups[i]
		s.mailboxes = append(s.mailboxes, newMailbox(g))
		s.watchdogs = append(s.watchdogs, NewWatchdog(s.opt.CommandTimeoutS, s.opt.ControlHz))
		widest = max(widest, g.width)
	}
	s.scratch = make([]float64, widest)
	s.watchdogMeters = make([]watchdogMeter, len(s.groups))
	s.commanders = newCommanders(len(s.groups), s.opt)
	if s.opt.Lockstep {
		s.commands = newCommandQueue(widest)
	}
}

// Ports returns the ports of the model. After Adopt they have other bounds; those that were
// returned before keep theirs.
func (s *Simulator) Ports() []Port { return s.settings.Load().ports }

// Gauges returns the gauges of the model.
func (s *Simulator) Gauges() []Gauge { return s.gauges }

// Options returns the present options: those that the simulator was made with, or Adopt gave.
func (s *Simulator) Options() Options { return s.settings.Load().options }

// condition is an operating state and why it is so.
type condition struct {
	state  OperatingState
	reason string
}

// State returns the present operating state.
func (s *Simulator) State() OperatingState {
	state, _ := s.Condition()
	return state
}

// Condition returns the present operating state and its reason. Snapshots that wait to
// be read are older. It is what a request that stops the robot leads to from the call of
// Ask or Do on, even while the loop is still in a long step.
func (s *Simulator) Condition() (OperatingState, string) {
	c := s.shown.Load()
	switch {
	case c.state == Fault:
	case s.lanes.stops.pending():
		return Fault, ReasonEStop
	case s.lanes.disables.pending():
		return Disabled, reasonDisabled
	case c.state == Enabled && s.lanes.pauses.pending():
		return Paused, reasonPaused
	}
	return c.state, c.reason
}

// Post commands In port i with a copy of v, in the units and of the width of the
// port; values that are Keep leave their actuator alone. The newest command for an
// actuator takes effect at the start of the next control period; in lock-step every
// command does, in order. The first Source to command a group is the only one that
// it obeys until that source is silent for Options.CommandTimeoutS, in lock-step of
// simulated time, leaves, or TakeCommand relieves it. What is refused takes no group. Post
// counts its verdict in Stats. It panics if i is not an In port.
func (s *Simulator) Post(from Source, i int, v []float64) Verdict {
	verdict := s.post(from, i, v)
	s.verdicts[verdict].Add(1)
	return verdict
}

func (s *Simulator) post(from Source, i int, v []float64) Verdict {
	limits := s.settings.Load().limits
	if i < 0 || i >= len(limits) || limits[i] == nil {
		panic(fmt.Sprintf("sim: port %d takes no commands", i))
	}
	if !s.accepts() {
		return NotEnabled
	}
	verdict := limits[i].Check(v)
	if !verdict.OK() {
		return verdict
	}
	// The claim and what follows are one, so that a command of a source that has just
	// been relieved is not put after that of the next.
	s.commanders.mu.Lock()
	defer s.commanders.mu.Unlock()
	g, now := s.of[i], s.commandTime()
	switch {
	case !s.commanders.admits(g, from, now):
		return NotInCommand
	case !s.opt.Lockstep:
		s.mailboxes[g].Put(i, v)
	case !s.commands.add(i, v):
		return Overflow
	}
	s.commanders.claim(g, i, from, now)
	return verdict
}

// SimTime returns the simulated time since the last reset, s, at the newest snapshot.
func (s *Simulator) SimTime() float64 { return math.Float64frombits(s.meter.simTime.Load()) }

// accepts reports whether commands are accepted now.
func (s *Simulator) accepts() bool {
	state := s.State()
	return state.Accepts() || state == Paused && s.atWork.Load() && !s.lanes.pauses.pending()
}

// Reject counts a command that did not get as far as Post.
func (s *Simulator) Reject(v Verdict) {
	if int(v) < NumVerdicts {
		s.verdicts[v].Add(1)
	}
}

// NewSnapshot returns storage for Next.
func (s *Simulator) NewSnapshot() *Snapshot { return newSnapshot(s.model) }

// Next copies the oldest unread snapshot to dst, made by NewSnapshot of the same
// simulator, and reports whether there was one. It is for one reader.
func (s *Simulator) Next(dst *Snapshot) bool { return s.snapshots.pop(dst) }

// Ready receives after new snapshots, and when Condition has changed for an emergency
// stop. It has a capacity of 1: after a receive, call Next until it reports false.
func (s *Simulator) Ready() <-chan struct{} { return s.ready }

// Drawn receives as Ready does, but of the snapshots only after those with which a scene was drawn, which a request
// brought about or a failure: for a reader to whom it is enough to be woken for each picture.
func (s *Simulator) Drawn() <-chan struct{} { return s.drawn }

// tellReaders makes Ready and Drawn receive, because Condition has changed.
func (s *Simulator) tellReaders() {
	notify(s.ready)
	notify(s.drawn)
}

// Missed returns the number of snapshots that were overwritten before they were
// read.
func (s *Simulator) Missed() uint64 { return s.snapshots.missed.Load() }

// WantScene tells the loop at which rate to draw scenes, Hz: at most that of the
// snapshots. At 0 it draws none.
func (s *Simulator) WantScene(rate float64) { s.scenes.rate.Store(math.Float64bits(rate)) }

// Scene copies the newest scene to dst, reusing its storage, and returns the
// stamp of the snapshot that it belongs to. It reports false, and leaves dst
// alone, if none was drawn since the last call.
func (s *Simulator) Scene(dst *Scene) (stamp time.Duration, ok bool) { return s.scenes.take(dst) }

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
	for i := range st.Verdicts {
		st.Verdicts[i] = s.verdicts[i].Load()
	}
	for g := range st.Groups {
		m := &s.watchdogMeters[g]
		st.Groups[g] = GroupStats{
			Name:     s.groups[g].name,
			Armed:    m.armed.Load(),
			TimedOut: m.timedOut.Load(),
			Age:      float64(m.age.Load()) / s.opt.ControlHz,
			Trips:    m.trips.Load(),
		}
		s.commanders.read(g, s.commandTime(), &st.Groups[g])
	}
	if s.follower != nil {
		st.Follow = s.follower.stats(s.clock.Now())
		if st.Follow.Stands { // the last full second was long ago
			st.RealTimeFactor, st.Rate = 0, 0
		}
	}
	return st
}
