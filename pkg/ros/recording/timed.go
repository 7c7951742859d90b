package recording

import (
	"slices"
	"sync"

	"sinew/msgs"
	"sinew/pkg/ros"
)

// timed is a recording of a node that follows /clock. Messages before the first one on /clock have
// no time and would make the recording begin in 1970: on topics that keep messages for late
// subscribers they are recorded with the first time, on others they are dropped.
type timed struct {
	ros.Transport
	mu   sync.Mutex
	held []held
}

// held is a message without a time.
type held struct {
	to      timedPublisher
	message msgs.Message
}

type timedPublisher struct {
	ros.Publisher
	of    *timed
	depth int // messages that are held; 0 if the topic keeps none
}

// Advertise implements ros.Transport.
func (t *timed) Advertise(topic ros.Topic) (ros.Publisher, error) {
	p, err := t.Transport.Advertise(topic)
	depth := 0
	if topic.Latched {
		depth = max(1, topic.Depth)
	}
	return timedPublisher{p, t, depth}, err
}

// Publish implements ros.Publisher.
func (p timedPublisher) Publish(s *ros.Sample) {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	if s.Time == 0 {
		p.hold(s.Message())
		return
	}
	for _, h := range p.of.held {
		late := ros.NewSample(h.message)
		late.Time = s.Time
		h.to.Publisher.Publish(late)
	}
	p.of.held = nil
	p.Publisher.Publish(s)
}

// hold keeps a message, in place of the oldest of its topic if there are too many.
func (p timedPublisher) hold(m msgs.Message) {
	if p.depth == 0 {
		return
	}
	own := func(h held) bool { return h.to == p }
	count := 0
	for _, h := range p.of.held {
		if own(h) {
			count++
		}
	}
	if count == p.depth {
		i := slices.IndexFunc(p.of.held, own)
		p.of.held = slices.Delete(p.of.held, i, i+1)
	}
	p.of.held = append(p.of.held, held{p, m})
}
