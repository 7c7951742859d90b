package ros

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/rosgraph_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// Options say how a Bridge serves its simulator.
type Options struct {
	// SimTime stamps messages with simulation time and publishes it on /clock.
	// Otherwise stamps show the simulator's clock or, with its option Follow, the time
	// of /clock.
	SimTime bool
	// Clock stamps what does not come from a snapshot. Nil means the wall clock.
	// It should be the simulator's.
	Clock sim.Clock
	// Stamps, if not nil, are those of Clock: they follow the corrections of the
	// computer's clock.
	Stamps *wallclock.Stamps
	// AnyStamps takes commands whatever their stamps say. Otherwise those that are
	// further from now than the command time-out are refused.
	AnyStamps bool
	// PathPoses is how many poses of a Path are kept; 0 means 1000.
	PathPoses int
	// Hardware, if not nil, compares the robot with a real one.
	Hardware *Hardware
	// Received, if not nil, is told of every message that arrives on a topic, from
	// any goroutine, for a recording. It is not told of commands that are refused
	// because of who sends them, when, or in which state: what is replayed cannot be
	// judged by that again. It must not wait.
	Received func(Topic, *Sample)
	// Statuses are asked once a second for what diagnostics shall say beside the
	// bridge's own; they give names without the name of the node.
	Statuses []func() diagnostic_msgs.DiagnosticStatus
	// Demo, if not nil, lets the robot move by itself again, as state_command demo asks.
	Demo func() error
	// Log takes what operators should know. Nil means nobody.
	Log *zap.Logger
}

// Bridge connects a simulator to ROS networks: each port becomes a topic, and
// frames, markers, diagnostics, operating state and services come with every
// model alike.
type Bridge struct {
	sim        *sim.Simulator
	names      *naming.Names
	transports []Transport
	clock      sim.Clock
	log        *zap.Logger
	passive    bool              // the bridge of a PassiveBridge
	stamps     *wallclock.Stamps // nil without Options.Stamps
	simTime    bool
	follows    *clockFollower // nil unless the simulator follows /clock
	anyStamps  atomic.Bool
	received   func(Topic, *Sample)
	refusals   *refusalLog
	trips      tripLog      // belongs to reportLoop
	demo       func() error // nil without Options.Demo
	hardware   *hardware    // nil without Options.Hardware
	statuses   []func() diagnostic_msgs.DiagnosticStatus

	publisher   *ModelPublisher
	clockTopic  *topicPublisher // nil without SimTime
	state       *topicPublisher
	stats       *topicPublisher
	diagnostics *topicPublisher

	shown  shownState // belongs to publishLoop
	latest latest
	health health      // belongs to reportLoop
	clocks clockReport // the same

	slowness chan string      // how much too slow the loop is, when that changes; capacity 1
	sceneDue chan sceneTime   // of snapshots with which scenes come; capacity 1
	slow     bool             // there was a Slow snapshot since the last scene; belongs to publishLoop
	texts    chan textRequest // of state_command, which wait for one another
	stopping chan struct{}    // holds one for each request that stops the robot and is waited for
	stop     chan struct{}
	stopped  sync.Once
	running  sync.WaitGroup
}

// NewBridge opens all topics and services on the transports and begins to serve.
// After an error the transports may hold some of them open; close the
// transports. The bridge is the only reader of the simulator's snapshots and
// scenes. Close ends it.
func NewBridge(s *sim.Simulator, names *naming.Names, transports []Transport, o Options) (*Bridge, error) {
	b, err := newBridge(s, names, transports, o)
	if err != nil {
		return nil, err
	}
	b.running.Add(2)
	go b.publishLoop()
	go b.reportLoop()
	go b.textLoop() // may wait for a step, and so Close does not wait for it
	return b, nil
}

// newBridge makes a Bridge that is open but does not serve.
func newBridge(s *sim.Simulator, names *naming.Names, transports []Transport, o Options) (*Bridge, error) {
	if o.Clock == nil {
		o.Clock = wallclock.New()
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	b := &Bridge{
		sim: s, names: names, transports: transports,
		clock: o.Clock, stamps: o.Stamps, log: o.Log, simTime: o.SimTime, received: o.Received, statuses: o.Statuses, demo: o.Demo,
		refusals: newRefusalLog("command", o.Log, o.Clock.Now),
		slowness: make(chan string, 1),
		texts:    make(chan textRequest, maxTexts),
		stopping: make(chan struct{}, maxStops),
		sceneDue: make(chan sceneTime, 1),
		stop:     make(chan struct{}),
	}
	b.latest.answers = newAnswers(s.Options())
	b.anyStamps.Store(o.AnyStamps)
	return b, b.open(o)
}

// AcceptStamps changes Options.AnyStamps.
func (b *Bridge) AcceptStamps(any bool) { b.anyStamps.Store(any) }

// Silence switches topics of the model off, and all others on: the names of ports, markers
// and tf.
func (b *Bridge) Silence(names []string) { b.publisher.Silence(names) }

// Close publishes what the simulator has given so far, and stops. It does not close the transports, which it did not
// open; commands that still arrive go to the simulator.
func (b *Bridge) Close() {
	b.stopped.Do(func() { close(b.stop) })
	b.running.Wait()
	b.sim.WantScene(0)
}

// open makes everything that the network sees: first what is published, so that
// a client that finds a command topic finds the rest as well.
func (b *Bridge) open(o Options) error {
	ports := b.sim.Ports()
	var err error
	if b.publisher, err = NewModelPublisher(ports, b.names, b.transports, o.PathPoses); err != nil {
		return err
	}
	if err := b.openCommon(); err != nil {
		return err
	}
	var errs []error
	for i := range ports {
		if p := &ports[i]; p.Direction == sim.In {
			errs = append(errs, b.openInput(i, p))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := b.openHardware(o.Hardware); err != nil {
		return err
	}
	if b.sim.Options().Follow {
		if err := b.followClock(); err != nil {
			return err
		}
	}
	return b.serve()
}

// openCommon opens the topics about the simulation that every robot has.
func (b *Bridge) openCommon() error {
	topics := []struct {
		to    **topicPublisher
		topic Topic
		open  bool
	}{
		{&b.clockTopic, Topic{Name: "/clock", Type: rosgraph_msgs.ClockType, Lossy: true}, b.simTime},
		{&b.state, Topic{Name: "~operating_state", Type: sinew_msgs.OperatingStateType, Latched: true}, true},
		{&b.stats, Topic{Name: "~sim_stats", Type: sinew_msgs.SimStatsType}, true},
		{&b.diagnostics, Topic{Name: "/diagnostics", Type: diagnostic_msgs.DiagnosticArrayType}, true},
	}
	for _, t := range topics {
		if !t.open {
			continue
		}
		var err error
		if *t.to, err = b.advertise(t.topic); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bridge) advertise(topic Topic) (*topicPublisher, error) {
	return advertise(b.names, b.transports, topic)
}

// publishLoop publishes every snapshot in order. Where they come faster than they can be
// published, all else that it does has its turn between two of them.
func (b *Bridge) publishLoop() {
	defer b.running.Done()
	s := b.sim.NewSnapshot()
	repeat := time.NewTicker(repeatPeriod)
	defer repeat.Stop()
	always := make(chan struct{})
	close(always)
	var left <-chan struct{} // always, while there may be another snapshot
	calm := time.NewTimer(calmPeriod)
	defer calm.Stop()
	ready, drawn := b.sim.Ready(), (<-chan struct{})(nil) // ready is nil while nobody waits for the next snapshot, drawn otherwise
	for {
		select {
		case <-b.stop:
			b.publishLast(s)
			return
		case <-repeat.C:
			b.repeatState()
		case slow := <-b.slowness:
			b.publishSlowness(slow)
		case <-ready:
		case <-drawn:
		case <-calm.C:
		case <-left:
		}
		b.publishFault()
		if b.sim.Next(s) {
			b.publish(s)
			left = always
			continue
		}
		left, ready, drawn = nil, b.sim.Ready(), nil
		if hz := b.sim.Options().PublishHz; hz*calmPeriod.Seconds() > 1 && !b.awaited() {
			ready, drawn = nil, b.sim.Drawn()
			calm.Reset(min(calmPeriod, time.Duration(calmSnapshots/hz*float64(time.Second))))
		}
	}
}

// Snapshots for which only viewers wait are published with each scene, all together: waking a thread for each costs as much as half of
// a step. While no scenes are drawn they are looked at after calmPeriod, and always before there are more than calmSnapshots, of
// which viewers can take twice as many at once.
const (
	calmPeriod    = 25 * time.Millisecond // more than that of scenes
	calmSnapshots = 8
)

// awaited reports whether somebody waits for the next snapshot to whom a few milliseconds matter: on a network or for an answer to a
// command, where there is one snapshot for each.
func (b *Bridge) awaited() bool {
	o := b.sim.Options()
	if o.Lockstep || o.Follow || b.clockTopic.awaited() || b.state.awaited() || b.publisher.tf.awaited() {
		return true
	}
	// what hardware measures of joints is compared with the newest snapshot; every robot may have hardware, and few do
	return b.hardware != nil && b.hardware.measures.Load() || slices.ContainsFunc(b.publisher.outputs, func(p *outputPort) bool { return p.awaited() })
}

// mostLast is how many snapshots are published after the end, more than a simulator keeps.
const mostLast = 600

// publishLast publishes the snapshots from before the end, and not for ever those of a
// simulator that runs on.
func (b *Bridge) publishLast(s *sim.Snapshot) {
	b.publishFault()
	for n := 0; n < mostLast && b.sim.Next(s); n++ {
		b.publish(s)
	}
}

// publish sends one snapshot: all its messages bear the same stamp.
func (b *Bridge) publish(s *sim.Snapshot) {
	at := b.stamp(s)
	if b.simTime {
		b.publishClock(msgs.At(at))
	}
	stamp := msgs.At(at)
	b.publishState(s, stamp)
	b.latest.set(s, at)
	if b.follows != nil && at == 0 {
		return // a pose needs a time, which has not begun
	}
	b.publisher.Publish(s, at)
	if b.hardware != nil {
		b.hardware.compare(s, at)
	}
	b.askForScene(s, stamp)
}
