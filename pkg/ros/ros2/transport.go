package ros2

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// Options say which node joins which network.
type Options struct {
	Node      string // absolute name, such as "/lab/left"
	Discovery Discovery
	// Log takes what happens; nil is nobody.
	Log *zap.Logger
}

// Transport is one ROS 2 node.
type Transport struct {
	participant *rtps.Participant
	graph       *graph
	monitor     *monitor
	warnings    *warnings
	bad         atomic.Uint64
	services    sync.Map      // types of the services, by name
	order       *rtps.Order   // of requests
	done        chan struct{} // never closed: nobody can end a ROS 2 node from outside
	endResolver context.CancelFunc
	closing     sync.Once
	closeErr    error
}

var _ ros.Transport = (*Transport)(nil)

// New starts a node: it is announced, and looks for others, at once.
func New(o Options) (*Transport, error) {
	if _, _, err := splitNode(o.Node); err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	peers := newResolver(o.Discovery.Peers, o.Log)
	tellOfInterfaces(o.Discovery, o.Log)
	var err error
	t := &Transport{warnings: newWarnings(o.Log), order: rtps.NewOrder(), done: make(chan struct{})}
	t.monitor = newMonitor(o.Log, t.warnings)
	t.participant, err = rtps.NewParticipant(rtps.Options{
		Domain: o.Discovery.Domain, Range: o.Discovery.Range,
		Peers: peers.addresses(), Interfaces: o.Discovery.Interfaces,
		Name: clip(o.Node), UserData: []byte(participantData),
		Notify: t.monitor.event,
	})
	if err != nil {
		return nil, fmt.Errorf("ROS 2: node %s: %w", o.Node, err)
	}
	if t.graph, err = openGraph(t.participant, o.Node, t.warnings); err != nil {
		return nil, errors.Join(fmt.Errorf("ROS 2: node %s: %w", o.Node, err), t.participant.Close())
	}
	t.monitor.name(&t.graph.nodes)
	go t.monitor.run(t.participant.Stats)
	var ctx context.Context
	ctx, t.endResolver = context.WithCancel(context.Background())
	peers.set = t.participant.SetPeers
	go peers.run(ctx, resolveEvery)
	return t, nil
}

// tellOfInterfaces warns of chosen interfaces that are not there, or not yet.
func tellOfInterfaces(d Discovery, log *zap.Logger) {
	if missing, present := rtps.MissingInterfaces(d.Interfaces); len(missing) > 0 && d.Range != rtps.Off {
		log.Warn("ROS 2: chosen network interface is not there; it is used as soon as it is",
			zap.Strings("missing", missing), zap.Strings("there are", present), zap.String("chosen by", d.ChosenBy))
	}
	if d.LoopbackAlone() {
		_, present := rtps.MissingInterfaces(nil)
		log.Warn("ROS 2: chosen network interface is loopback: no other host sees this node, whatever the discovery range",
			zap.Strings("chosen", d.Interfaces), zap.Strings("there are", present), zap.String("chosen by", d.ChosenBy))
	}
}

// Interfaces lists the addresses of the network interfaces in use now, loopback apart.
func (t *Transport) Interfaces() []rtps.Interface { return t.participant.Interfaces() }

// clip shortens a name to what a participant may announce.
func clip(name string) string { return name[:min(len(name), 256)] }

// Advertise opens a topic for publishing.
func (t *Transport) Advertise(topic ros.Topic) (ros.Publisher, error) {
	name, err := ddsNames(topic)
	if err != nil {
		return nil, err
	}
	p := &publisher{topic: topic, warnings: t.warnings}
	err = t.monitor.opening(topic, func() ([]rtps.GUID, error) { return p.open(t.participant, name) })
	if err == nil {
		err = t.graph.addWriter(p.writer.GUID())
	}
	if err != nil {
		return nil, fmt.Errorf("ROS 2: publishing %s: %w", topic.Name, err)
	}
	return p, nil
}

// Subscribe calls receive, from one goroutine at a time, with each message that
// arrives. While receive runs, the newest messages are kept.
func (t *Transport) Subscribe(topic ros.Topic, receive func(ros.Received)) error {
	name, err := ddsNames(topic)
	if err != nil {
		return err
	}
	s := &subscription{topic: topic, nodes: &t.graph.nodes, warnings: t.warnings, bad: &t.bad, receive: receive}
	if topic.Ordered {
		s.order = t.order
	}
	var readers []rtps.GUID
	err = t.monitor.opening(topic, func() (made []rtps.GUID, err error) {
		readers, err = s.open(t.participant, name)
		return readers, err
	})
	if topic.Departures {
		t.monitor.watch(readers, s.gone)
	}
	if err == nil {
		err = t.graph.addReaders(readers)
	}
	if err != nil {
		return fmt.Errorf("ROS 2: subscribing to %s: %w", topic.Name, err)
	}
	return nil
}

// ddsNames gives the DDS name of a topic and refuses what would fail obscurely
// later.
func ddsNames(topic ros.Topic) (string, error) {
	if topic.Type.DDSName == "" {
		return "", fmt.Errorf("ROS 2: %s: ROS 2 does not have the type %s", topic.Name, topic.Type.Name)
	}
	return mangle(topic.Name)
}

// Serve answers a service.
func (t *Transport) Serve(name string, kind *msgs.Service, handle ros.Handler) error {
	fail := func(err error) error { return fmt.Errorf("ROS 2: service %s: %w", name, err) }
	requests, replies, err := mangleService(name)
	if err != nil {
		return err
	}
	if kind.Request.DDSName == "" {
		return fail(fmt.Errorf("%s: %w", kind.Name, ros.ErrUnknownType))
	}
	if _, taken := t.services.LoadOrStore(name, kind); taken {
		return fail(errors.New("already provided"))
	}
	s := &server{name: name, kind: kind, handle: handle, warnings: t.warnings, log: t.warnings.log, bad: &t.bad, callers: map[rtps.GUID]*caller{}}
	writer, reader, err := s.open(t, requests, replies)
	if err != nil {
		return fail(err)
	}
	t.monitor.watch([]rtps.GUID{reader}, s.gone)
	if err := t.graph.addPair(writer, reader); err != nil {
		return fail(err)
	}
	return nil
}

// Done is never closed: nothing in ROS 2 asks a node to end.
func (t *Transport) Done() <-chan struct{} { return t.done }

// Refused counts the messages that arrived and could not be parsed.
func (t *Transport) Refused() uint64 { return t.bad.Load() }

// Close says good-bye. It does not wait for others, nor for a call of receive
// that is running.
func (t *Transport) Close() error {
	t.closing.Do(func() {
		t.monitor.close()
		t.endResolver()
		t.closeErr = t.participant.Close()
	})
	return t.closeErr
}
