package ros2_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/test/peer/ddspeer"
)

// inside is set for the run of a test within a network namespace.
const inside = "SINEW_TEST_NAMESPACE"

// namespace runs the calling test again, alone in a network namespace with one
// Ethernet interface, and reports whether this is that run.
func namespace(t *testing.T) bool {
	t.Helper()
	if os.Getenv(inside) != "" {
		return true
	}
	if err := exec.Command("unshare", "-rn", "ip", "link", "set", "lo", "up").Run(); err != nil {
		t.Skipf("no network namespaces here (unshare -rn ip …: %v)", err)
	}
	const setUp = `set -e
ip link set lo up
ip link add v0 type veth peer name v1
ip addr add 10.77.0.1/24 dev v0
ip link set v0 up
ip link set v1 up
exec "$@"`
	cmd := exec.Command("unshare", "-rn", "sh", "-c", setUp, "sh", os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), inside+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// TestSubnetPeer meets a node of this host with the default settings of ROS 2,
// which speaks on the network interface and knows nothing of the loopback
// interface, while we keep to this host. Either may come first.
func TestSubnetPeer(t *testing.T) {
	ddspeer.Jazzy.Path(t)
	if !namespace(t) {
		return
	}
	const defaults = ""
	topic := ros.Topic{Name: "/left/measured_cp", Type: geometry_msgs.PoseStampedType, Latched: true}
	theirs := func() *ddspeer.Peer {
		p := ddspeer.Jazzy.Start(t, ros2.Domain, defaults)
		p.Tell("graph")
		p.Tell("pose rt%s rt", topic.Name)
		p.Tell("string rt/left/state_command hello")
		return p
	}
	for _, weFirst := range []bool{true, false} {
		var them *ddspeer.Peer
		if !weFirst {
			them = theirs()
		}
		us, err := ros2.New(ros2.Options{Node: "/left", Discovery: ros2.Discovery{Domain: ros2.Domain}})
		if err != nil {
			t.Fatal(err)
		}
		ros2.Advertise(t, us, topic).Publish(ros.NewSample(ros2.Pose()))
		got := ros2.Subscribe(t, us, ros2.Text("/left/state_command"))
		start := time.Now()
		if weFirst {
			them = theirs()
		}
		ros2.Eventually(t, "the node in the graph", func() bool { return len(them.Lines("node / left 2 1")) > 0 })
		ros2.Eventually(t, "pose", func() bool { return len(them.Lines("pose 1234567890.123456789 world 1 -2 3.5")) > 0 })
		ros2.Eventually(t, "string", func() bool { return got.Len() == 1 })
		t.Logf("we first: %v; everything exchanged after %v", weFirst, time.Since(start))
		them.Leave()
		if err := us.Close(); err != nil {
			t.Error(err)
		}
	}
}
