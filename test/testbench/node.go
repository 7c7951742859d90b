package testbench

import (
	"net/url"
	"strconv"
	"testing"

	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros1"
	"sinew/pkg/ros/ros2"
)

// NewROS1Node is another node at the master of the network.
func NewROS1Node(t *testing.T, n *Network) ros.Transport {
	t.Helper()
	u, err := url.Parse(n.URI)
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

// NewROS2Node is another node in a domain.
func NewROS2Node(t *testing.T, domain int) ros.Transport {
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
