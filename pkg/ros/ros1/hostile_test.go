package ros1_test

import (
	"testing"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros1"
)

// TestBurst publishes a second's worth at once: the newest come through, the
// rest are counted.
func TestBurst(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	node := m.Join("/sim")
	out := m.Advertise(node, ros1.PoseTopic("/sim/measured_cp"))
	seen := m.Poses(m.Peer("viewer"), "/sim/measured_cp")
	ros1.Eventually(t, "a subscriber", out.HasSubscribers)
	const n = 1000
	for range n {
		out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{}))
	}
	ros1.Eventually(t, "the last message", func() bool { s := seen.All(); return len(s) > 0 && s[len(s)-1] == n })
	got := len(seen.All())
	if got < ros1.SubscriberQueue || got+int(node.Dropped()) != n {
		t.Errorf("%d of %d messages came, %d were counted as dropped", got, n, node.Dropped())
	}
}

// TestReceivePanics checks that a receiver that panics gets the next message.
func TestReceivePanics(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	node := m.Join("/sim")
	got := &ros1.Collector[int]{}
	err := node.Subscribe(ros.Topic{Name: "/sim/tensions", Type: std_msgs.Float64MultiArrayType}, func(v ros.Received) {
		got.Add(len(v.Message.(*std_msgs.Float64MultiArray).Data))
		panic("out of range")
	})
	if err != nil {
		t.Fatal(err)
	}
	send := m.Tensions(m.Peer("actuator"), "/sim/tensions")
	ros1.Eventually(t, "messages after a panic", func() bool { send(1, 2); return len(got.All()) > 2 })
}
