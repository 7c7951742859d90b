package ros2

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"sinew/msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// Transport is one ROS 2 node.
type Transport struct {
	*Context
	node     string // absolute name
	alone    bool   // the Context has no other node, and is closed with this one
	warnings *warnings
	bad      atomic.Uint64
	services sync.Map      // types of the services, by name
	order    *rtps.Order   // of requests
	done     chan struct{} // never closed: ROS 2 has no request to end a node
	closing  sync.Once
	closeErr error

	mu        sync.Mutex
	endpoints []io.Closer // its writers and readers
	guids     []rtps.GUID // of those
}

var _ ros.Transport = (*Transport)(nil)

// New starts a node with a Context of its own. Its discovery begins at once.
func New(o Options) (*Transport, error) {
	if _, _, err := splitNode(o.Node); err != nil {
		return nil, err
	}
	c, err := Join(o)
	if err != nil {
		return nil, fmt.Errorf("ROS 2: node %s: %w", o.Node, err)
	}
	t, err := c.NewNode(o.Node, nil)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("ROS 2: node %s: %w", o.Node, err), c.Close())
	}
	t.alone = true
	return t, nil
}

// Advertise opens a topic for publishing.
func (t *Transport) Advertise(topic ros.Topic) (ros.Publisher, error) {
	name, err := ddsNames(topic)
	if err != nil {
		return nil, err
	}
	p := &publisher{topic: topic, warnings: t.warnings}
	err = t.opening(topic, func() ([]rtps.GUID, error) { return p.open(t.participant, name) })
	if err == nil {
		t.keep(p.writer)
		err = t.graph.addWriter(t.node, p.writer.GUID())
	}
	if err != nil {
		return nil, fmt.Errorf("ROS 2: publishing %s: %w", topic.Name, err)
	}
	return p, nil
}

// Subscribe calls receive, from one goroutine at a time, with each message that arrives. While
// receive runs, the newest messages are queued.
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
	err = t.opening(topic, func() (made []rtps.GUID, err error) {
		readers, err = s.open(t.participant, name)
		return readers, err
	})
	for _, r := range s.readers {
		t.keep(r)
	}
	if topic.ReportsSenderLeft {
		t.monitor.watch(readers, s.gone)
	}
	if err == nil {
		err = t.graph.addReaders(t.node, readers)
	}
	if err != nil {
		return fmt.Errorf("ROS 2: subscribing to %s: %w", topic.Name, err)
	}
	return nil
}

// ddsNames returns the DDS name of a topic, or an error for names that would fail obscurely later.
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
	if err := t.graph.addPair(t.node, writer, reader); err != nil {
		return fail(err)
	}
	return nil
}

// Done is never closed: ROS 2 has no request to end a node.
func (t *Transport) Done() <-chan struct{} { return t.done }

// Refused returns the number of messages that could not be parsed.
func (t *Transport) Refused() uint64 { return t.bad.Load() }

// opening makes endpoints for a topic. Warnings about them are logged by the node.
func (t *Transport) opening(topic ros.Topic, open func() ([]rtps.GUID, error)) error {
	made, err := t.monitor.opening(topic, t.warnings, open)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.guids = append(t.guids, made...)
	return err
}

// keep adds an endpoint that is closed with the node.
func (t *Transport) keep(endpoint io.Closer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.endpoints = append(t.endpoints, endpoint)
}

// Close removes this node from the network, and closes the Context if it has no other node. It
// waits neither for other participants nor for a call of receive that is running.
func (t *Transport) Close() error {
	t.closing.Do(func() {
		if t.alone {
			t.closeErr = t.Context.Close()
			return
		}
		t.mu.Lock()
		endpoints, guids := t.endpoints, t.guids
		t.mu.Unlock() // the monitor opens endpoints, which calls keep
		for _, e := range endpoints {
			if err := e.Close(); err != nil && !errors.Is(err, rtps.ErrClosed) {
				t.closeErr = errors.Join(t.closeErr, err)
			}
		}
		t.monitor.removeEndpoints(guids)
		if err := t.graph.removeNode(t.node); err != nil && !errors.Is(err, rtps.ErrClosed) {
			t.closeErr = errors.Join(t.closeErr, err)
		}
	})
	return t.closeErr
}
