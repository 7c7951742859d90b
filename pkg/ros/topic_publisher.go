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
	prompt     []Publisher // those of transports that are no Patient
	silent     atomic.Bool // switched off
	seq        uint32      // number in the next header; used by one goroutine
	room       int         // bytes of the last message
}

// mostRoom bounds the bytes that are set aside for a message before it is serialised: a swarm of
// ten thousand has 280 kB, and is not to be copied each time its buffer grows.
const mostRoom = 4 << 20

// newTopicPublisher opens a topic on all transports.
func newTopicPublisher(transports []Transport, topic Topic) (*topicPublisher, error) {
	f := &topicPublisher{topic: topic}
	for _, t := range transports {
		p, err := t.Advertise(topic)
		if err != nil {
			return nil, fmt.Errorf("cannot publish %s: %w", topic.Name, err)
		}
		f.publishers = append(f.publishers, p)
		if _, patient := t.(Patient); !patient {
			f.prompt = append(f.prompt, p)
		}
	}
	return f, nil
}

// advertise resolves the name of a topic and opens it on all transports.
func advertise(names *naming.Names, transports []Transport, topic Topic) (*topicPublisher, error) {
	var err error
	if topic.Name, err = names.Resolve(topic.Name); err != nil {
		return nil, err
	}
	return newTopicPublisher(transports, topic)
}

// wanted reports whether it is worth making a message: on some transport
// somebody listens, or may listen later and get the latched one.
func (f *topicPublisher) wanted() bool {
	if f.silent.Load() {
		return false
	}
	for _, p := range f.publishers {
		if f.topic.Latched || p.Wanted() {
			return true
		}
	}
	return false
}

// awaited reports whether somebody listens to whom a few milliseconds matter.
func (f *topicPublisher) awaited() bool {
	return f != nil && !f.silent.Load() && slices.ContainsFunc(f.prompt, Publisher.Wanted)
}

// publish sends m, made at a time, wherever it is wanted.
func (f *topicPublisher) publish(at msgs.Time, m msgs.Message) {
	f.seq++
	s := NewSample(m)
	s.Time, s.room = at, f.room
	for _, p := range f.publishers {
		if f.topic.Latched || p.Wanted() {
			p.Publish(s)
		}
	}
	f.room = min(max(len(s.cdr), len(s.ros1)), mostRoom) // messages of one topic are mostly of one size
}
