package run

import (
	"fmt"

	"go.uber.org/zap"

	"sinew/cmd/internal/verb"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros2"
)

// ros2Network is the node's place in ROS 2.
type ros2Network struct {
	names     *naming.Names
	log       *zap.Logger
	optional  bool // an error is a warning, as ROS 2 was not asked for by name
	discovery ros2.Discovery
	transport ros.Transport // nil before open, and without the network
	failure   error         // why there is no network
}

// newROS2Network reads the environment.
func newROS2Network(names *naming.Names, optional bool, lookup func(string) (string, bool), log *zap.Logger) (*ros2Network, error) {
	n := &ros2Network{names: names, log: log, optional: optional}
	warning, err := ros2.CheckSecurity(lookup)
	if err != nil {
		return n, err
	}
	if warning != "" {
		log.Warn(warning)
	}
	n.discovery, err = ros2.ParseEnvironment(lookup)
	return n, err
}

// open joins the network.
func (n *ros2Network) open() error {
	t, err := ros2.New(ros2.Options{Node: n.names.Node(), Discovery: n.discovery, Log: n.log})
	switch {
	case err == nil && n.optional:
		n.transport = lenient{t, n.log}
	case err == nil:
		n.transport = t
	case n.optional:
		n.log.Warn("running on without ROS 2", zap.Error(err))
		n.failure = err
	default:
		return err
	}
	return nil
}

// note describes the network in the welcome.
func (n *ros2Network) note() string {
	if n.failure != nil {
		return "not available: " + n.failure.Error()
	}
	return fmt.Sprintf("%s, node %s", n.discovery, n.names.Node())
}

func (n *ros2Network) close() error {
	if n.transport == nil {
		return nil
	}
	return n.transport.Close()
}

// lenient is a transport that leaves out the topics that it cannot open, such as
// those whose names only ROS 1 allows.
type lenient struct {
	ros.Transport
	log *zap.Logger
}

// Advertise implements ros.Transport.
func (l lenient) Advertise(t ros.Topic) (ros.Publisher, error) {
	p, err := l.Transport.Advertise(t)
	if err != nil {
		l.log.Warn("topic left out", zap.String("topic", t.Name), zap.Error(err))
		return verb.NoPublisher{}, nil
	}
	return p, nil
}

// Subscribe implements ros.Transport.
func (l lenient) Subscribe(t ros.Topic, receive func(ros.Received)) error {
	if err := l.Transport.Subscribe(t, receive); err != nil {
		l.log.Warn("topic left out", zap.String("topic", t.Name), zap.Error(err))
	}
	return nil
}
