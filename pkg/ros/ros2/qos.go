package ros2

import (
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// History depths of the default profile of ROS 2, of tf2's publishers and listeners, and of
// parameter events.
const (
	defaultDepth = 10
	tfDepth      = 100
	eventDepth   = 1000
)

// serviceQoS is the quality of service of both topics of a service. The default profile of ROS 2
// keeps fewer samples, which is invisible to peers.
var serviceQoS = rtps.QoS{Reliable: true, Depth: serviceDepth}

// offered returns the quality of service that a publisher offers. It is the same for a lossy topic:
// keep-last already drops what a slow reader does not take, and subscriptions with the default
// profile would refuse a best-effort publisher.
func offered(t ros.Topic) rtps.QoS {
	if t.Latched {
		return rtps.QoS{Reliable: true, TransientLocal: true, Depth: max(t.Depth, 1), Lifespan: t.Lifespan}
	}
	return rtps.QoS{Reliable: true, Depth: depth(t)}
}

// requested returns the quality of service that a reader of a subscription requests. A reader of a
// lossy topic keeps only the newest message.
func requested(t ros.Topic, reliable bool) rtps.QoS {
	d := depth(t)
	if t.Lossy {
		d = 1
	}
	return rtps.QoS{Reliable: reliable, TransientLocal: t.Latched, Depth: d}
}

func depth(t ros.Topic) int {
	switch t.Type {
	case tf2_msgs.TFMessageType:
		return tfDepth
	case rcl_interfaces.ParameterEventType:
		return eventDepth
	}
	return defaultDepth
}
