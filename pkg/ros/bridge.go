package ros

import (
	"errors"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/rosgraph_msgs"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// Options configure a Bridge.
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
	// AnyStamps accepts commands with any stamp. Otherwise those whose stamp is further
	// from now than the command timeout are refused.
	AnyStamps bool
	// PathPoses is how many poses of a Path are kept; 0 means 1000.
	PathPoses int
	// Hardware, if not nil, compares the robot with a real one.
	Hardware *Hardware
	// Received, if not nil, is called with every message that arrives on a topic, from
	// any goroutine, for a recording. It is not called for commands that are refused
	// because of their sender, their stamp or the operating state, because a replay could
	// not decide that again. It must not wait.
	Received func(Topic, *Sample)
	// Statuses are called once a second for statuses that diagnostics shall have beside the
	// bridge's own; they return names without the name of the node.
	Statuses []func() diagnostic_msgs.DiagnosticStatus
	// Demo, if not nil, is the motion that state_command demo and the service ~demo start again.
	Demo Demo
	// Log receives what operators should know. Nil discards it.
	Log *zap.Logger
}

// Demo is a motion that shows a robot until another source commands.
type Demo interface {
	Resume() error
	Stop() error
}

// Bridge connects a simulator to ROS networks: each port becomes a topic, and every model has
// frames, markers, diagnostics, operating state and services.
//
// It coordinates its parts, each of which has a file of its own: the command receiver and the
// request server take what arrives; the model publisher, the state publisher, the scene
// publisher and the diagnostics publisher send.
type Bridge struct {
	sim       *sim.Simulator
	names     *naming.Names
	clock     sim.Clock
	stamper   *stamper
	endpoints *endpoints

	commands      *commandReceiver
	requests      *requestServer
	clockFollower *clockFollower   // nil unless the simulator follows /clock
	hardware      *hardware        // nil without Options.Hardware
	sensors       *hardwareSensors // nil where no port takes measurements

	publisher   *ModelPublisher
	setpoints   []setpointPublisher
	state       *statePublisher
	scenes      *scenePublisher
	diagnostics *diagnosticsPublisher
	clockTopic  *topicPublisher // nil without SimTime
	latest      *latest
	restored    uint64 // Snapshot.Restored of the newest snapshot

	stop    chan struct{}
	stopped sync.Once
	running sync.WaitGroup
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
	go b.requests.run(b.stop) // may wait for a step, and so Close does not wait for it
	return b, nil
}

// newBridge returns a Bridge that is open but does not serve.
func newBridge(s *sim.Simulator, names *naming.Names, transports []Transport, o Options) (*Bridge, error) {
	if o.Clock == nil {
		o.Clock = wallclock.New()
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	stamper := &stamper{sim: s, clock: o.Clock, stamps: o.Stamps, simTime: o.SimTime, follow: s.Options().Follow}
	b := &Bridge{
		sim: s, names: names, clock: o.Clock, stamper: stamper,
		endpoints: &endpoints{names: names, transports: transports, stamper: stamper, received: o.Received},
		latest:    &latest{answers: newAnswers(s.Options())},
		stop:      make(chan struct{}),
	}
	b.commands = newCommandReceiver(s, stamper, b.latest, o)
	b.requests = newRequestServer(s, b.commands, o)
	return b, b.open(o)
}

// AcceptStamps changes Options.AnyStamps.
func (b *Bridge) AcceptStamps(any bool) { b.commands.anyStamps.Store(any) }

// DisableTopics switches topics of the model off, and all others on: the names of ports, markers
// and tf.
func (b *Bridge) DisableTopics(names []string) { b.publisher.DisableTopics(names) }

// Arrive puts a request that arrives now, by other means than the bridge's services and
// texts, in the order of arrival. The function that it returns does the request, unless a
// request that has arrived since has stopped the robot, and logs the outcome.
func (b *Bridge) Arrive() func(sim.Request) sim.Reply { return b.requests.arrive() }

// Close publishes the remaining snapshots of the simulator, and stops. It does not close the
// transports, which it did not open; commands that still arrive go to the simulator.
func (b *Bridge) Close() {
	b.stopped.Do(func() { close(b.stop) })
	b.running.Wait()
	b.sim.WantScene(0)
}

// open opens all topics and services: first what is published, so that
// a client that finds a command topic finds the rest as well.
func (b *Bridge) open(o Options) error {
	ports := b.sim.Ports()
	var err error
	if b.publisher, err = NewModelPublisher(ports, b.names, b.endpoints.transports, o.PathPoses); err != nil {
		return err
	}
	if b.setpoints, err = openSetpoints(b.endpoints, ports); err != nil {
		return err
	}
	if o.SimTime {
		if b.clockTopic, err = b.endpoints.advertise(Topic{Name: "/clock", Type: rosgraph_msgs.ClockType, Lossy: true}); err != nil {
			return err
		}
	}
	if b.state, err = openState(b.sim, b.endpoints, o.Log); err != nil {
		return err
	}
	b.scenes = newScenePublisher(b.sim, b.publisher)
	if report := b.publisher.sensorStatus(); report != nil {
		o.Statuses = append(slices.Clone(o.Statuses), report)
	}
	if b.sensors = newHardwareSensors(b.sim, b.endpoints, o); b.sensors != nil {
		o.Statuses = append(slices.Clone(o.Statuses), b.sensors.status)
	}
	if b.diagnostics, err = openDiagnostics(b.sim, b.endpoints, o); err != nil {
		return err
	}
	var errs []error
	for i := range ports {
		if p := &ports[i]; p.Direction == sim.In && p.Samples == 0 {
			errs = append(errs, b.commands.open(b.endpoints, i, p))
		}
	}
	if b.sensors != nil {
		errs = append(errs, b.sensors.open(b.endpoints))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if o.Hardware != nil {
		if b.hardware, err = openHardware(b.sim, b.endpoints, o); err != nil {
			return err
		}
		b.scenes.hardware = b.hardware
	}
	if b.stamper.follow {
		b.clockFollower = &clockFollower{sim: b.sim, clock: b.clock, log: o.Log, begin: func(t time.Duration) {
			if b.hardware != nil {
				b.hardware.epoch = t
			}
		}}
		b.diagnostics.clock.follower = b.clockFollower
		b.state.shown.slow = noClockYet
		if err := b.clockFollower.open(b.endpoints); err != nil {
			return err
		}
	}
	return b.requests.open(b.endpoints)
}

// publishLoop publishes every snapshot in order. When they come faster than they can be
// published, the other cases of its select are served between two of them.
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
	ready, drawn := b.sim.Ready(), (<-chan struct{})(nil) // drawn is nil while a low-latency subscriber exists, ready otherwise
	for {
		select {
		case <-b.stop:
			b.publishLast(s)
			return
		case <-repeat.C:
			b.state.repeat()
		case slow := <-b.state.slowness:
			b.state.setSlowness(slow)
		case <-ready:
		case <-drawn:
		case <-calm.C:
		case <-left:
		}
		b.state.publishFault()
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

// Snapshots that only viewers subscribe to are published together, with each scene: waking a thread for each costs as much as half of
// a step. While no scenes are drawn they are published after calmPeriod, and always before there are more than calmSnapshots;
// viewers can take twice as many at once.
const (
	calmPeriod    = 25 * time.Millisecond // more than that of scenes
	calmSnapshots = 8
)

// awaited reports whether some subscriber needs the next snapshot at once: one on a network, or one that answers each snapshot by a
// command.
func (b *Bridge) awaited() bool {
	o := b.sim.Options()
	if o.Lockstep || o.Follow || b.clockTopic.awaited() || b.state.topic.awaited() || b.publisher.tf.awaited() {
		return true
	}
	// what hardware measures of joints is compared with the newest snapshot; every robot may have hardware, and few do
	return b.hardware != nil && b.hardware.measures.Load() || slices.ContainsFunc(b.publisher.outputs, func(p *outputPort) bool { return p.awaited() })
}

// mostLast is how many snapshots are published after Close, more than a simulator keeps.
const mostLast = 600

// publishLast publishes the snapshots from before Close, but does not follow a simulator that
// continues to run.
func (b *Bridge) publishLast(s *sim.Snapshot) {
	b.state.publishFault()
	for n := 0; n < mostLast && b.sim.Next(s); n++ {
		b.publish(s)
	}
}

// publish sends one snapshot. All its messages have the same stamp.
func (b *Bridge) publish(s *sim.Snapshot) {
	at := b.stamper.snapshot(s)
	stamp := msgs.At(at)
	if b.clockTopic != nil && b.clockTopic.wanted() {
		b.clockTopic.publish(stamp, &rosgraph_msgs.Clock{Clock: stamp})
	}
	b.state.publish(s, stamp)
	b.latest.set(s, at)
	if s.Restored != b.restored {
		b.restored = s.Restored
		b.endpoints.tellRestored()
	}
	if b.clockFollower != nil && at == 0 {
		return // a pose needs a time, and /clock has not begun
	}
	b.publisher.Publish(s, at)
	for _, p := range b.setpoints {
		p.send(s, stamp)
	}
	if b.hardware != nil {
		b.hardware.compare(s, at)
	}
	b.scenes.request(s, stamp)
}

// reportLoop publishes what is for people, apart from publishLoop so that poses
// never wait for a drawing.
func (b *Bridge) reportLoop() {
	defer b.running.Done()
	ticker := time.NewTicker(reportPeriod)
	defer ticker.Stop()
	var scene sim.Scene
	for {
		select {
		case <-b.stop:
			return
		case at := <-b.scenes.due:
			b.scenes.publish(&scene, at)
		case <-ticker.C:
			b.report()
		}
	}
}

// report publishes diagnostics and statistics.
func (b *Bridge) report() {
	stats, now := b.sim.Stats(), b.latest.take()
	now.age = b.sim.PeriodAge()
	clock := b.diagnostics.clock.status(b.diagnostics.node, stats) // may correct the stamps of the following
	at := b.stamper.now()
	statuses := append(b.diagnostics.health.assess(b.sim, b.diagnostics.node, stats, now), clock)
	b.reportSlowness(stats, now)
	b.commands.report(stats)
	if b.hardware != nil {
		statuses = append(statuses, b.hardware.report(b.diagnostics.node, at))
	}
	b.diagnostics.publish(statuses, stats, now, msgs.At(at))
}

// reportSlowness passes to the state publisher how much too slow the loop is, if that has
// changed.
func (b *Bridge) reportSlowness(stats sim.Stats, now latestState) {
	h := &b.diagnostics.health
	slow := h.slowness.assess(b.sim.Options(), stats, now, h.settled >= settledReports)
	if b.clockFollower != nil {
		slow = clockTrouble(stats.Follow)
	}
	if slow == h.slow {
		return
	}
	select {
	case b.state.slowness <- slow:
		h.slow = slow
	default: // passed on in the next report
	}
}
