package app

import (
	"sync/atomic"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
)

// monitor is a transport to nowhere that keeps the newest pose, for the status
// line.
type monitor struct {
	topic string // of the pose
	pose  atomic.Pointer[geometry_msgs.PoseStamped]
}

type monitorPublisher struct{ m *monitor }

// Advertise implements ros.Transport.
func (m *monitor) Advertise(t ros.Topic) (ros.Publisher, error) {
	if t.Name == m.topic {
		return monitorPublisher{m}, nil
	}
	return deaf{}, nil
}

// Subscribe implements ros.Transport; nothing ever arrives.
func (m *monitor) Subscribe(ros.Topic, func(ros.Received)) error { return nil }

// Serve implements ros.Transport; nobody ever calls.
func (m *monitor) Serve(string, *msgs.Service, func(msgs.Message) msgs.Message) error { return nil }

// Done implements ros.Transport; the monitor never asks to end.
func (m *monitor) Done() <-chan struct{} { return nil }

// Close implements ros.Transport.
func (m *monitor) Close() error { return nil }

// Publish implements ros.Publisher.
func (p monitorPublisher) Publish(s *ros.Sample) {
	if pose, ok := s.Message().(*geometry_msgs.PoseStamped); ok {
		p.m.pose.Store(pose)
	}
}

// Wanted implements ros.Publisher.
func (monitorPublisher) Wanted() bool { return true }

// deaf is a publisher that nobody listens to.
type deaf struct{}

// Publish implements ros.Publisher.
func (deaf) Publish(*ros.Sample) {}

// Wanted implements ros.Publisher.
func (deaf) Wanted() bool { return false }
