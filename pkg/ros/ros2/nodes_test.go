package ros2_test

import (
	"testing"

	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

// TestSenderWithoutNode: a participant that says nothing of its nodes is known by
// the GUID of its writer.
func TestSenderWithoutNode(t *testing.T) {
	us, _ := ros2.Node(t, "/us")
	got := new(ros2.Collector[ros.Received])
	if err := us.Subscribe(ros2.Text("/in"), got.Add); err != nil {
		t.Fatal(err)
	}
	w, err := ros2.Foreign(t).NewWriter(rtps.WriterOptions{Topic: "rt/in", Type: std_msgs.StringType.DDSName, QoS: rtps.QoS{Reliable: true}})
	if err != nil {
		t.Fatal(err)
	}
	ros2.Eventually(t, "a message", func() bool { _ = w.Write(ros2.CdrOf("hello")); return got.Len() > 0 })
	r := got.List()[0]
	if r.Sender.Node != "" || r.Sender.String() != w.GUID().String() || r.Latched {
		t.Errorf("got %+v (%s), want %s", r, r.Sender, w.GUID())
	}
}
