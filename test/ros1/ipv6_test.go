package ros1_test

import (
	"fmt"
	"net"
	"testing"

	"sinew/test/testbench"
)

// rospy with ROS_IPV6=on tells a master and other nodes http://::1:port/, without the
// brackets of an address; it publishes to this node and reads from it.
func TestROS1OverIPv6(t *testing.T) {
	t.Parallel()
	testbench.Need(t, "rostopic", "rosnode")
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	n := testbench.NewNetwork(t, fmt.Sprintf("http://[::1]:%d/", port)).With("ROS_IP=::1", "ROS_IPV6=on")
	sim := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros1", "--realtime", "off", "--no-demo", "__name:=tendonsim")
	n.WaitFor("the node", func() bool { _, err := n.Client().LookupNode(t.Context(), "/tendonsim"); return err == nil })
	testbench.Contains(t, "echo", n.Run("rostopic", "echo", "-n", "1", "/tendonsim/measured_cp/header/frame_id"), "world")
	n.Start("rostopic", "pub", "/tendonsim/state_command", "std_msgs/String", "data: pause")
	sim.Expect("PAUSED")
	testbench.Contains(t, "rosnode", n.Run("rosnode", "info", "/tendonsim"), "http://[::1]:")
}
