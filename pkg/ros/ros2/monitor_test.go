package ros2_test

import (
	"testing"
	"time"

	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

func TestQoS(t *testing.T) {
	for _, c := range []struct {
		topic ros.Topic
		want  rtps.QoS
	}{
		{ros.Topic{Type: std_msgs.StringType}, rtps.QoS{Reliable: true, Depth: 10}},
		{ros.Topic{Type: std_msgs.StringType, Lossy: true}, rtps.QoS{Reliable: true, Depth: 10}},
		{ros.Topic{Type: std_msgs.StringType, Latched: true}, rtps.QoS{Reliable: true, TransientLocal: true, Depth: 1}},
		{ros.Topic{Type: std_msgs.StringType, Latched: true, Depth: 1000, Lifespan: 10 * time.Second}, rtps.QoS{Reliable: true, TransientLocal: true, Depth: 1000, Lifespan: 10 * time.Second}},
		{ros.Topic{Type: tf2_msgs.TFMessageType}, rtps.QoS{Reliable: true, Depth: 100}},
	} {
		if got := ros2.Offered(c.topic); got != c.want {
			t.Errorf("%+v: offered %+v, want %+v", c.topic, got, c.want)
		}
	}
}
