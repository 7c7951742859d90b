package ros

import (
	"fmt"
	"slices"
	"sync/atomic"

	"sinew/msgs"
	"sinew/pkg/ros/naming"
)

// topicPublisher hands each message of one topic to every transport. A message is made once
// and never changed after.
type topicPublisher struct {
	topic      Topic
	publishers []Publisher
	lowLatency []Publisher // those of transports that are not LatencyTolerant
	silent     atomic.Bool // switched off
	seq        uint32      // number in the next header; used by one goroutine
	size       int         // bytes of the last message
}

// maxReserved bounds the bytes that are reserved for a message before it is serialised: a swarm of
// ten thousand has 280 kB, and would be copied each time its buffer grows.
const maxReserved = 4 << 20

// newTopicPublisher opens a topic on all transports.
func newTopicPublisher(transports []Transport, topic Topic) (*topicPublisher, error) {
	f := &topicPublisher{topic: topic}
	for _, t := range transports {
		p, err := t.Advertise(topic)
		if err != nil {
			return nil, fmt.Errorf("cannot publish %s: %w", topic.Name, err)
		}
		f.publishers = append(f.publishers, p)
		if _, tolerant := t.(LatencyTolerant); !tolerant {
			f.lowLatency = append(f.lowLatency, p)
		}
	}
	return f, nil
}

// advertise resolves the name of a topic and opens it on all transports.
func advertise(names *naming.Names, transports []Transport, topic Topic) (*topicPublisher, error) {
	var err error
	if topic.Name, topic.Original, err = names.ResolveRemapped(topic.Name); err != nil {
		return nil, err
	}
	return newTopicPublisher(transports, topic)
}

// wanted reports whether a message is needed: some transport has a subscriber, or the topic
// is latched and may get one later.
func (f *topicPublisher) wanted() bool {
	if f.silent.Load() {
		return false
	}
	for _, p := range f.publishers {
		if f.topic.Latched || p.HasSubscribers() {
			return true
		}
	}
	return false
}

// awaited reports whether a transport that is not LatencyTolerant has a subscriber.
func (f *topicPublisher) awaited() bool {
	return f != nil && !f.silent.Load() && slices.ContainsFunc(f.lowLatency, Publisher.HasSubscribers)
}

// publish sends m, made at a time, wherever it is wanted.
func (f *topicPublisher) publish(at msgs.Time, m msgs.Message) {
	f.seq++
	s := NewSample(m)
	s.Time, s.room = at, f.size
	for _, p := range f.publishers {
		if f.topic.Latched || p.HasSubscribers() {
			p.Publish(s)
		}
	}
	f.size = min(max(len(s.cdr), len(s.ros1)), maxReserved) // messages of one topic are mostly of one size
}
