package recording

import (
	"fmt"
	"sync"
	"sync/atomic"

	"sinew/msgs"
	"sinew/pkg/ros"
)

// switchTransport is a ros.Transport that forwards what is published to another transport, while
// there is one. Its methods may be called from any goroutine.
type switchTransport struct {
	mu     sync.Mutex
	topics []*switchedTopic
	to     ros.Transport // nil while off
}

var _ ros.Transport = (*switchTransport)(nil)

// switchedTopic is the ros.Publisher of one topic.
type switchedTopic struct {
	topic ros.Topic
	depth int // messages that are kept for a transport that is connected later

	to atomic.Pointer[ros.Publisher] // changes under mu

	mu   sync.Mutex // held while a message is forwarded
	kept []msgs.Message
}

// Advertise implements ros.Transport.
func (s *switchTransport) Advertise(topic ros.Topic) (ros.Publisher, error) {
	t := &switchedTopic{topic: topic}
	// topics with a lifespan carry events, which precede the recording
	if topic.Latched && topic.Lifespan == 0 {
		t.depth = max(1, topic.Depth)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.topics = append(s.topics, t)
	if s.to == nil {
		return t, nil
	}
	return t, s.connect(t, 0)
}

// connectTo forwards to a transport from now on. It first gets the last messages of latched topics, with the time now.
func (s *switchTransport) connectTo(to ros.Transport, now msgs.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = to
	for _, t := range s.topics {
		if err := s.connect(t, now); err != nil {
			return err
		}
	}
	return nil
}

// disconnect ends forwarding. When it returns, no message is on its way.
func (s *switchTransport) disconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = nil
	for _, t := range s.topics {
		t.mu.Lock()
		t.to.Store(nil)
		t.mu.Unlock()
	}
}

// connect opens a topic on the present transport.
func (s *switchTransport) connect(t *switchedTopic, now msgs.Time) error {
	p, err := s.to.Advertise(t.topic)
	if err != nil {
		return fmt.Errorf("cannot record %s: %w", t.topic.Name, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range t.kept {
		sample := ros.NewSample(m)
		sample.Time = now
		p.Publish(sample)
	}
	t.to.Store(&p)
	return nil
}

// Publish implements ros.Publisher.
func (t *switchedTopic) Publish(s *ros.Sample) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.depth > 0 {
		if len(t.kept) == t.depth {
			t.kept = append(t.kept[:0], t.kept[1:]...)
		}
		t.kept = append(t.kept, s.Message())
	}
	if to := t.to.Load(); to != nil {
		(*to).Publish(s)
	}
}

// HasSubscribers implements ros.Publisher.
func (t *switchedTopic) HasSubscribers() bool {
	to := t.to.Load()
	return to != nil && (*to).HasSubscribers()
}

// Subscribe implements ros.Transport; nothing ever arrives.
func (s *switchTransport) Subscribe(ros.Topic, func(ros.Received)) error { return nil }

// Serve implements ros.Transport; a file has no services.
func (s *switchTransport) Serve(string, *msgs.Service, ros.Handler) error { return ros.ErrNoServices }

// Done implements ros.Transport; a file never asks to end.
func (s *switchTransport) Done() <-chan struct{} { return nil }

// Close implements ros.Transport.
func (s *switchTransport) Close() error {
	s.disconnect()
	return nil
}
