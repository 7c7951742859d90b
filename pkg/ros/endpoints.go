package ros

import (
	"fmt"
	"time"

	"sinew/msgs"
	"sinew/pkg/ros/naming"
)

// endpoints opens the topics and services of one node on all of its transports, and passes
// the messages that arrive to a recording.
type endpoints struct {
	names      *naming.Names
	transports []Transport
	stamper    *stamper
	received   func(Topic, *Sample) // nil without Options.Received
}

// handler takes a message that has arrived on a topic. It reports whether a recording should
// contain the message.
type handler func(Received) bool

// advertise opens a topic for publishing; it resolves its name.
func (e *endpoints) advertise(topic Topic) (*topicPublisher, error) {
	return advertise(e.names, e.transports, topic)
}

// subscribe subscribes to a topic, whose name it resolves, on all transports. Each transport
// calls from a goroutine of its own and therefore gets a handler of its own, made for the
// resolved name.
func (e *endpoints) subscribe(topic Topic, newHandler func(topic string) handler) (err error) {
	return e.subscribeStamped(topic, newHandler, func(Received) time.Duration { return e.stamper.now() })
}

// subscribeStamped is subscribe with a function that returns the time at which a message was
// received, for the recording.
func (e *endpoints) subscribeStamped(topic Topic, newHandler func(topic string) handler, time func(Received) time.Duration) (err error) {
	if topic.Name, topic.Original, err = e.names.ResolveRemapped(topic.Name); err != nil {
		return err
	}
	for _, transport := range e.transports {
		handle := newHandler(topic.Name)
		if err := transport.Subscribe(topic, func(got Received) {
			at := time(got)
			if handle(got) && !got.SenderLeft {
				e.record(topic, got.Message, at)
			}
		}); err != nil {
			return fmt.Errorf("cannot subscribe to %s: %w", topic.Name, err)
		}
	}
	return nil
}

// record passes a message that has arrived to Options.Received.
func (e *endpoints) record(topic Topic, m msgs.Message, at time.Duration) {
	if e.received != nil {
		s := NewSample(m)
		s.Time = msgs.At(at)
		e.received(topic, s)
	}
}

// tellRestored tells the transports that are a RestoreObserver that the state of the robot has been replaced.
func (e *endpoints) tellRestored() {
	for _, t := range e.transports {
		if o, ok := t.(RestoreObserver); ok {
			o.Restored(e.names.Node())
		}
	}
}

// serve offers a service, whose name it resolves, on all transports that have services.
func (e *endpoints) serve(name string, s *msgs.Service, handle Handler) error {
	name, err := e.names.Resolve(name)
	if err != nil {
		return err
	}
	for _, t := range e.transports {
		if err := OpenService(t, name, s, handle); err != nil {
			return err
		}
	}
	return nil
}
