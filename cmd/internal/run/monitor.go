package run

import (
	"sync/atomic"

	"sinew/cmd/internal/verb"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
)

// monitor is a transport without a network that keeps the newest pose, for the
// status line.
type monitor struct {
	verb.NoTransport
	topic string // topic of the pose
	pose  atomic.Pointer[geometry_msgs.PoseStamped]
}

type monitorPublisher struct{ m *monitor }

// Advertise implements ros.Transport.
func (m *monitor) Advertise(t ros.Topic) (ros.Publisher, error) {
	if t.Name == m.topic {
		return monitorPublisher{m}, nil
	}
	return verb.NoPublisher{}, nil
}

// Publish implements ros.Publisher.
func (p monitorPublisher) Publish(s *ros.Sample) {
	if pose, ok := s.Message().(*geometry_msgs.PoseStamped); ok {
		p.m.pose.Store(pose)
	}
}

// Wanted implements ros.Publisher.
func (monitorPublisher) Wanted() bool { return true }
