package test

import (
	"math"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros1"
	"sinew/pkg/ros/ros2"
)

// TestDemoGivesWayAndResumes: on either network a rotating field from a stock message ends
// the demo and acts, its end is told, and state_command demo lets the robot move again.
func TestDemoGivesWayAndResumes(t *testing.T) {
	n, domain := ros2Network(t)
	node := n.start(buildMicrorobot(t), "run")
	node.Expect("moving by itself until somebody commands")
	for name, peer := range map[string]ros.Transport{"ROS 1": ros1Peer(t, n), "ROS 2": ros2Peer(t, domain)} {
		before := len(node.Output())
		says := func(what string) {
			n.waitFor(name+": "+what, func() bool { return strings.Contains(node.Output()[before:], what) })
		}
		var seen atomic.Pointer[sensor_msgs.MagneticField]
		if err := peer.Subscribe(ros.Topic{Name: "/microrobot/field_at_robot", Type: sensor_msgs.MagneticFieldType}, func(got ros.Received) {
			seen.Store(got.Message.(*sensor_msgs.MagneticField))
		}); err != nil {
			t.Fatal(err)
		}
		stop := repeat(t, peer, "/microrobot/rotating_field_array", std_msgs.Float64MultiArrayType,
			&std_msgs.Float64MultiArray{Data: []float64{0, 0, 1, 0.003, 5, 0.001}})
		n.waitFor(name+": 3 mT that rotate about z and 1 mT along it", func() bool {
			m := seen.Load()
			if m == nil {
				return false
			}
			b := m.MagneticField
			return math.Abs(math.Hypot(b.X, b.Y)-0.003) < 1e-9 && math.Abs(b.Z-0.001) < 1e-9
		})
		says("state_command demo resumes it")
		stop()
		says("no command to field for 0.5 s: gone to the safe state")
		stop = repeat(t, peer, "/microrobot/state_command", std_msgs.StringType, &std_msgs.String{Data: "demo"})
		says("the robot moves by itself until somebody commands")
		says("the robot moves by itself already")
		stop()
	}
	if code := node.End(waitLimit); code != 0 {
		t.Errorf("exit code %d: %s", code, node.Output())
	}
}

// ros1Peer is another node at the master of the network.
func ros1Peer(t *testing.T, n *network) ros.Transport {
	t.Helper()
	u, err := url.Parse(n.uri)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	peer, err := ros1.New(ros1.Options{Node: "/peer", Master: naming.Master{Host: u.Hostname(), Port: port}, Host: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = peer.Close() })
	return peer
}

// ros2Peer is another node in a domain.
func ros2Peer(t *testing.T, domain int) ros.Transport {
	t.Helper()
	discovery, err := ros2.ParseEnvironment(func(key string) (string, bool) {
		v, ok := map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "ROS_DOMAIN_ID": strconv.Itoa(domain)}[key]
		return v, ok
	})
	if err != nil {
		t.Fatal(err)
	}
	peer, err := ros2.New(ros2.Options{Node: "/peer", Discovery: discovery})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = peer.Close() })
	return peer
}

// repeat publishes a message at 20 Hz until stop is called.
func repeat(t *testing.T, peer ros.Transport, topic string, of *msgs.Type, m msgs.Message) (stop func()) {
	t.Helper()
	p, err := peer.Advertise(ros.Topic{Name: topic, Type: of})
	if err != nil {
		t.Fatal(err)
	}
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ended:
				return
			case <-time.After(50 * time.Millisecond):
				p.Publish(ros.NewSample(m))
			}
		}
	}()
	return func() {
		close(ended)
		<-done
	}
}
