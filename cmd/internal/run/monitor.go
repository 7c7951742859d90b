package run

import (
	"sync/atomic"

	"sinew/cmd/internal/cli"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
)

// monitor is a transport without a network that keeps the newest pose, velocity and operating
// state, for the status line and for services.
type monitor struct {
	cli.NoTransport
	topic, velocity string // topics of the pose and of the velocity
	pose            atomic.Pointer[geometry_msgs.PoseStamped]
	twist           atomic.Pointer[geometry_msgs.TwistStamped]
	state           atomic.Pointer[sinew_msgs.OperatingState]
	changed         atomic.Pointer[func()] // called with every operating state that is published
}

var _ ros.LatencyTolerant = (*monitor)(nil)

// CanWait implements ros.LatencyTolerant. The status line is printed once a second.
func (m *monitor) CanWait() {}

type monitorPublisher struct{ m *monitor }

// Advertise implements ros.Transport.
func (m *monitor) Advertise(t ros.Topic) (ros.Publisher, error) {
	if t.Name == m.topic || t.Name == m.velocity || t.Type == sinew_msgs.OperatingStateType {
		return monitorPublisher{m}, nil
	}
	return cli.NoPublisher{}, nil
}

// Publish implements ros.Publisher.
func (p monitorPublisher) Publish(s *ros.Sample) {
	switch m := s.Message().(type) {
	case *geometry_msgs.PoseStamped:
		p.m.pose.Store(m)
	case *geometry_msgs.TwistStamped:
		p.m.twist.Store(m)
	case *sinew_msgs.OperatingState:
		p.m.state.Store(m)
		if f := p.m.changed.Load(); f != nil {
			(*f)()
		}
	}
}

// HasSubscribers implements ros.Publisher.
func (monitorPublisher) HasSubscribers() bool { return true }
