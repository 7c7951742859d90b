package run

import (
	"strings"
	"testing"

	"go.uber.org/zap"
)

// The start says which network interfaces ROS 2 uses and who chose them, and refuses what
// can be none.
func TestInterfacesAreNamedAtTheStart(t *testing.T) {
	subnet := environment("ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET")
	for _, c := range []struct {
		given  []string
		lookup func(string) (string, bool)
		want   string
	}{
		{[]string{"nothing0"}, subnet, "domain 0, this subnet, on loopback alone until a network interface is up, chosen by --interface, node /robot"},
		{[]string{"lo"}, subnet, "domain 0, this subnet, on loopback alone, chosen by --interface, node /robot"},
		{[]string{"nothing0"}, environment("", ""), "domain 0, this host only (ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET widens), node /robot"},
	} {
		n := new(networks)
		var err error
		if n.ros2, err = newROS2Network(namesAt(t, "127.0.0.1", 1), &Cmd{Ros: "ros2", Interface: c.given}, c.lookup, zap.NewNop()); err != nil {
			t.Fatal(err)
		}
		if err := n.open(); err != nil {
			t.Fatal(err)
		}
		if note := n.ros2.note(); note != c.want {
			t.Errorf("%v: note %q, want %q", c.given, note, c.want)
		}
		if err := n.close(); err != nil {
			t.Error(err)
		}
	}
	_, err := newROS2Network(namesAt(t, "127.0.0.1", 1), &Cmd{Ros: "ros2", Interface: []string{"eth/0"}}, subnet, zap.NewNop())
	if err == nil || !strings.Contains(err.Error(), `--interface: "eth/0" is neither the name of a network interface nor an IPv4 address`) {
		t.Errorf("error %v", err)
	}
}
