package ros2

import (
	"sync"
	"sync/atomic"

	"go.uber.org/zap"

	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// subscription receives the messages of one topic. A DDS reader that requests reliability does not
// match best-effort writers, and one that does not request it gets no retransmissions from reliable
// ones. Since a controller may use either, a subscription has a reader for each; the best-effort
// reader ignores reliable writers.
type subscription struct {
	topic    ros.Topic
	nodes    *nodes // names of the senders
	order    *rtps.Order
	readers  []*rtps.Reader
	warnings *warnings
	bad      *atomic.Uint64 // messages that could not be parsed

	mu      sync.Mutex // one call of receive at a time
	receive func(ros.Received)
}

// open makes the readers on the participant, the reliable one first: announcements arrive in their
// order, and a publisher that sends a single message as soon as it has a subscription, as ros2
// topic pub --once does, must match the reliable one.
func (s *subscription) open(p *rtps.Participant, name string) (made []rtps.GUID, err error) {
	for _, reliable := range [...]bool{true, false} {
		if reliable && s.topic.Lossy {
			continue // as subscriptions of other nodes to /clock
		}
		r, err := p.NewReader(rtps.ReaderOptions{
			Topic: name, Type: s.topic.Type.DDSName,
			QoS: requested(s.topic, reliable), UserData: endpointData(s.topic.Type.Hash),
			Accept:  func(writer rtps.Endpoint) bool { return writer.Reliable == reliable || s.topic.Lossy },
			Receive: s.take, Order: s.order,
		})
		if err != nil {
			return made, err
		}
		made, s.readers = append(made, r.GUID()), append(s.readers, r)
	}
	return made, nil
}

// take parses a sample and passes it on.
func (s *subscription) take(sample rtps.Sample) {
	m := s.topic.Type.New()
	if err := m.ParseCDR(sample.Payload); err != nil {
		s.bad.Add(1)
		s.warnings.add(warning{"message dropped: it is not of the topic's type", s.topic.Name},
			zap.Error(err), zap.Stringer("writer", sample.Writer))
		return
	}
	s.hand(ros.Received{Message: m, Sender: s.nodes.sender(sample.Writer), Latched: sample.Historical})
}

// gone reports that a sender has ended, unless another writer of the same participant is left.
func (s *subscription) gone(writer rtps.GUID) {
	for _, r := range s.readers {
		if r.IsMatchedWith(writer.Prefix) {
			return
		}
	}
	s.hand(ros.Received{Sender: s.nodes.sender(writer), SenderLeft: true})
}

// hand calls receive.
func (s *subscription) hand(got ros.Received) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		// messages of a peer must never end the simulator
		if p := recover(); p != nil {
			s.warnings.add(warning{"receiving a message failed", s.topic.Name}, zap.Any("panic", p), zap.Stack("stack"))
		}
	}()
	s.receive(got)
}
