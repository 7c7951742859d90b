package parameter

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/pkg/ros"
)

// EventsTopic is the topic on which all nodes of ROS 2 publish events of their parameters, unless
// it is remapped.
const EventsTopic = "/parameter_events"

// maxEvents bounds the queue of events, as for nodes of rclcpp.
const maxEvents = 1000

// discovery is how long the first event waits for a subscriber: existing subscribers need a moment
// to discover this node, and a volatile topic keeps nothing.
const discovery = 3 * time.Second

// Events publishes the parameters of a node as new, and then their changes, in order.
type Events struct {
	table      *Table
	node       string // absolute name
	now        func() time.Duration
	publishers []ros.Publisher
	queue      chan *rcl_interfaces.ParameterEvent
	stop       chan struct{}
	stopped    sync.Once
	ended      chan struct{}
	lost       func(n int) // called when events were dropped
}

// NewEvents opens a topic, EventsTopic or its remapping, on the transports that have its type, and
// begins to publish the parameters of a node (absolute name). lost, if not nil, is called with the
// number of events that were dropped because too many came at once.
func NewEvents(t *Table, node, topic string, transports []ros.Transport, now func() time.Duration, lost func(n int)) (*Events, error) {
	e := &Events{
		table: t, node: node, now: now, lost: lost, queue: make(chan *rcl_interfaces.ParameterEvent, maxEvents),
		stop: make(chan struct{}), ended: make(chan struct{}),
	}
	for _, on := range transports {
		p, err := on.Advertise(ros.Topic{Name: topic, Type: rcl_interfaces.ParameterEventType})
		if errors.Is(err, ros.ErrUnknownType) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cannot publish %s: %w", topic, err)
		}
		e.publishers = append(e.publishers, p)
	}
	first := e.event()
	for _, p := range t.Watch(e.changed) {
		first.NewParameters = append(first.NewParameters, named(&p))
	}
	go e.run(first)
	return e, nil
}

func (e *Events) event() *rcl_interfaces.ParameterEvent {
	return &rcl_interfaces.ParameterEvent{Stamp: msgs.At(e.now()), Node: e.node}
}

// changed queues an event. It does not wait.
func (e *Events) changed(list []Change) {
	m := e.event()
	for i := range list {
		m.ChangedParameters = append(m.ChangedParameters, named(&list[i].Parameter))
	}
	e.put(m)
}

// Repeat publishes all parameters as new once more, for a new subscriber.
func (e *Events) Repeat() {
	e.table.Quiet(func(list []Parameter) {
		m := e.event()
		for i := range list {
			m.NewParameters = append(m.NewParameters, named(&list[i]))
		}
		e.put(m)
	})
}

func (e *Events) put(m *rcl_interfaces.ParameterEvent) {
	select {
	case e.queue <- m:
	default:
		if e.lost != nil {
			e.lost(1)
		}
	}
}

// run sends the events.
func (e *Events) run(first *rcl_interfaces.ParameterEvent) {
	defer close(e.ended)
	tick := time.NewTicker(discovery / 100)
	defer tick.Stop()
	for wait := time.Duration(0); wait < discovery && !e.hasReceivers(); wait += discovery / 100 {
		select {
		case <-e.stop:
			return
		case <-tick.C:
		}
	}
	e.publish(first)
	for {
		select {
		case <-e.stop:
			return
		case m := <-e.queue:
			e.publish(m)
		}
	}
}

// discoverable is a publisher whose subscribers must discover it before they receive messages.
type discoverable interface {
	// IsDiscovered reports whether the topic has subscribers, and all of them receive messages
	// that are published from now on.
	IsDiscovered() bool
}

// hasReceivers reports whether a subscriber receives an event that is sent now.
func (e *Events) hasReceivers() bool {
	for _, p := range e.publishers {
		if t, ok := p.(discoverable); ok && t.IsDiscovered() || !ok && p.HasSubscribers() {
			return true
		}
	}
	return false
}

func (e *Events) publish(m *rcl_interfaces.ParameterEvent) {
	s := ros.NewSample(m)
	s.Time = m.Stamp
	for _, p := range e.publishers {
		if p.HasSubscribers() {
			p.Publish(s)
		}
	}
}

// Close ends the events.
func (e *Events) Close() {
	e.stopped.Do(func() { close(e.stop) })
	<-e.ended
}
