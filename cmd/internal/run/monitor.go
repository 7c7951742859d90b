package run

import (
	"sync/atomic"

	"sinew/cmd/internal/verb"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
)

// monitor is a transport without a network that keeps the newest pose and operating
// state, for the status line.
type monitor struct {
	verb.NoTransport
	topic string // topic of the pose
	pose  atomic.Pointer[geometry_msgs.PoseStamped]
	state atomic.Pointer[sinew_msgs.OperatingState]
}

type monitorPublisher struct{ m *monitor }

// Advertise implements ros.Transport.
func (m *monitor) Advertise(t ros.Topic) (ros.Publisher, error) {
	if t.Name == m.topic || t.Type == sinew_msgs.OperatingStateType {
		return monitorPublisher{m}, nil
	}
	return verb.NoPublisher{}, nil
}

// Publish implements ros.Publisher.
func (p monitorPublisher) Publish(s *ros.Sample) {
	switch m := s.Message().(type) {
	case *geometry_msgs.PoseStamped:
		p.m.pose.Store(m)
	case *sinew_msgs.OperatingState:
		p.m.state.Store(m)
	}
}

// Wanted implements ros.Publisher.
func (monitorPublisher) Wanted() bool { return true }
