package test

import (
	"fmt"
	"net"
	"testing"
)

// rospy with ROS_IPV6=on tells a master and other nodes http://::1:port/, without the
// brackets of an address; it publishes to this node and reads from it.
func TestROS1OverIPv6(t *testing.T) {
	need(t, "rostopic", "rosnode")
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	n := newNetwork(t, fmt.Sprintf("http://[::1]:%d/", port)).with("ROS_IP=::1", "ROS_IPV6=on")
	sim := n.start(buildTendonsim(t), "run", "--ros", "ros1", "--realtime", "off", "--no-demo", "__name:=tendonsim")
	n.waitFor("the node", func() bool { _, err := n.client().LookupNode(t.Context(), "/tendonsim"); return err == nil })
	contains(t, "echo", n.run("rostopic", "echo", "-n", "1", "/tendonsim/measured_cp/header/frame_id"), "world")
	n.start("rostopic", "pub", "/tendonsim/state_command", "std_msgs/String", "data: pause")
	sim.Expect("PAUSED")
	contains(t, "rosnode", n.run("rosnode", "info", "/tendonsim"), "http://[::1]:")
}
