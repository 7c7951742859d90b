package ros

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/rosgraph_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/sim"
)

// Options say how a Bridge serves its simulator.
type Options struct {
	// SimTime stamps messages with simulation time and publishes it on /clock.
	// Otherwise stamps are those of the simulator's clock.
	SimTime bool
	// Clock stamps what does not come from a snapshot. Nil means the wall clock.
	// It should be the simulator's.
	Clock sim.Clock
	// PathPoses is how many poses of a Path are kept; 0 means 1000.
	PathPoses int
	// Hardware, if not nil, compares the robot with a real one.
	Hardware *Hardware
	// Received, if not nil, is told of every message that arrives on a topic, from
	// any goroutine, before it takes effect: the ear of a recording. It must not
	// wait.
	Received func(Topic, *Sample)
	// Log takes what operators should know. Nil means nobody.
	Log *zap.Logger
}

// Bridge connects a simulator to ROS networks: each port becomes a topic, and
// frames, markers, diagnostics, operating state and services come with every
// model alike.
type Bridge struct {
	sim        *sim.Simulator
	names      *Names
	transports []Transport
	clock      sim.Clock
	log        *zap.Logger
	simTime    bool
	received   func(Topic, *Sample)
	complaints *complaints
	hardware   *hardware // nil without Options.Hardware

	outlets     []*outlet
	frames      *frameTree
	tf          *fan // nil without frames
	clockTopic  *fan // nil without SimTime
	state       *fan
	stats       *fan
	diagnostics *fan
	markers     *fan

	shown      shownState // of the publishing goroutine
	latest     latest
	health     health // of the slow goroutine
	artist     artist // of the slow goroutine
	markerPace throttle

	slow    chan msgs.Time // stamps of Slow snapshots, with which scenes come; capacity 1
	stop    chan struct{}
	stopped sync.Once
	running sync.WaitGroup
}

// NewBridge opens all topics and services on the transports and begins to serve.
// After an error the transports may hold some of them open; close the
// transports. The bridge is the only reader of the simulator's snapshots and
// scenes. Close ends it.
func NewBridge(s *sim.Simulator, names *Names, transports []Transport, o Options) (*Bridge, error) {
	b, err := newBridge(s, names, transports, o)
	if err != nil {
		return nil, err
	}
	b.running.Add(2)
	go b.publishLoop()
	go b.slowLoop()
	return b, nil
}

// newBridge makes a Bridge that is open but does not serve.
func newBridge(s *sim.Simulator, names *Names, transports []Transport, o Options) (*Bridge, error) {
	if o.Clock == nil {
		o.Clock = NewWallClock()
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	if o.PathPoses <= 0 {
		o.PathPoses = 1000
	}
	b := &Bridge{
		sim: s, names: names, transports: transports,
		clock: o.Clock, log: o.Log, simTime: o.SimTime, received: o.Received,
		complaints: newComplaints("command", o.Log, o.Clock.Now),
		markerPace: throttle{period: markerPeriod},
		slow:       make(chan msgs.Time, 1),
		stop:       make(chan struct{}),
	}
	return b, b.open(o)
}

// Close stops publishing. It does not close the transports, which it did not
// open; commands that still arrive go to the simulator.
func (b *Bridge) Close() {
	b.stopped.Do(func() { close(b.stop) })
	b.running.Wait()
	b.sim.WantScene(false)
}

// open makes everything that the network sees: first what is published, so that
// a client that finds a command topic finds the rest as well.
func (b *Bridge) open(o Options) error {
	ports := b.sim.Ports()
	var err error
	if b.frames, err = newFrameTree(ports, b.names.Frame); err != nil {
		return err
	}
	if err := b.openCommon(); err != nil {
		return err
	}
	var errs []error
	for i := range ports {
		if p := &ports[i]; p.Direction == sim.Out && !p.Silent {
			errs = append(errs, b.openOutlet(i, p, o.PathPoses))
		}
	}
	for i := range ports {
		if p := &ports[i]; p.Direction == sim.In {
			errs = append(errs, b.openInlet(i, p))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := b.openHardware(o.Hardware); err != nil {
		return err
	}
	return b.serve()
}

// openCommon opens the topics that every robot has.
func (b *Bridge) openCommon() error {
	topics := []struct {
		to    **fan
		topic Topic
		open  bool
	}{
		{&b.tf, Topic{Name: "/tf", Type: tf2_msgs.TFMessageType}, len(b.frames.links) > 0},
		{&b.clockTopic, Topic{Name: "/clock", Type: rosgraph_msgs.ClockType, Lossy: true}, b.simTime},
		{&b.state, Topic{Name: "~operating_state", Type: sinew_msgs.OperatingStateType, Latched: true}, true},
		{&b.stats, Topic{Name: "~sim_stats", Type: sinew_msgs.SimStatsType}, true},
		{&b.diagnostics, Topic{Name: "/diagnostics", Type: diagnostic_msgs.DiagnosticArrayType}, true},
		{&b.markers, Topic{Name: "~markers", Type: visualization_msgs.MarkerArrayType}, true},
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

func (b *Bridge) openOutlet(index int, p *sim.Port, pathPoses int) error {
	c, ok := codecs[p.Kind]
	if !ok {
		return fmt.Errorf("port %q has unknown kind %d", p.Name, p.Kind)
	}
	o := &outlet{codec: c, port: p, index: index}
	for _, f := range p.Frames {
		o.frames = append(o.frames, b.names.Frame(f))
	}
	if len(o.frames) > 0 {
		o.frame = o.frames[0]
	}
	if p.Kind == sim.Path {
		o.trail = newTrail(pathPoses)
	}
	var err error
	o.fan, err = b.advertise(Topic{Name: "~" + p.Name, Type: c.messageType, Lossy: p.Pace == sim.Fast})
	b.outlets = append(b.outlets, o)
	return err
}

// advertise resolves the name of a topic and opens it on all transports.
func (b *Bridge) advertise(topic Topic) (*fan, error) {
	var err error
	if topic.Name, err = b.names.Resolve(topic.Name); err != nil {
		return nil, err
	}
	return newFan(b.transports, topic)
}

// publishLoop publishes every snapshot in order.
func (b *Bridge) publishLoop() {
	defer b.running.Done()
	s := b.sim.NewSnapshot()
	for {
		select {
		case <-b.stop:
			return
		case <-b.sim.Ready():
		}
		for b.sim.Next(s) {
			b.publish(s)
		}
	}
}

// publish sends one snapshot: all its messages bear the same stamp.
func (b *Bridge) publish(s *sim.Snapshot) {
	at := s.Stamp
	if b.simTime {
		at = seconds(s.SimTime)
		b.publishClock(msgs.At(at))
	}
	stamp := msgs.At(at)
	for _, o := range b.outlets {
		o.send(s, stamp)
	}
	if b.frames.due(at) && b.tf.wanted() {
		b.tf.publish(stamp, b.frames.message(b.tf.seq, stamp, s.Values))
	}
	b.publishState(s, stamp)
	b.latest.set(s)
	if b.hardware != nil {
		b.hardware.compare(s, at)
	}
	if s.Slow {
		b.sim.WantScene(b.markers.wanted())
		select {
		case b.slow <- stamp:
		default:
		}
	}
}

// now is the time that stamps are in.
func (b *Bridge) now() time.Duration {
	if b.simTime {
		return seconds(b.sim.Stats().SimTime)
	}
	return b.clock.Now()
}

func (b *Bridge) publishClock(now msgs.Time) {
	if b.clockTopic.wanted() {
		b.clockTopic.publish(now, &rosgraph_msgs.Clock{Clock: now})
	}
}
