package ros2_test

import (
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
)

// BenchmarkPublish is the cost of one pose, from the message to the engine of
// the participant, with one subscription on another node.
func BenchmarkPublish(b *testing.B) {
	join := func(name string) *ros2.Transport {
		t, err := ros2.New(ros2.Options{Node: name, Discovery: ros2.Discovery{Domain: ros2.Domain}})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { t.Close() })
		return t
	}
	us, them := join("/us"), join("/them")
	topic := ros.Topic{Name: "/bench", Type: geometry_msgs.PoseStampedType}
	if err := them.Subscribe(topic, func(ros.Received) {}); err != nil {
		b.Fatal(err)
	}
	p, err := us.Advertise(topic)
	if err != nil {
		b.Fatal(err)
	}
	for !p.HasSubscribers() {
		time.Sleep(time.Millisecond)
	}
	m := ros2.Pose()
	b.ReportAllocs()
	for b.Loop() {
		p.Publish(ros.NewSample(m))
	}
}
