package ros1

import (
	"net"
	"strings"
	"testing"

	"sinew/pkg/ros/naming"
)

// TestListen checks where a node listens and what it tells others, by what it
// was told to be called. 192.0.2.1 is nobody's address (RFC 5737), and .invalid
// no name (RFC 6761).
func TestListen(t *testing.T) {
	t.Parallel()
	local := naming.Master{Host: "127.0.0.1", Port: 11311}
	for _, c := range []struct {
		given      string
		master     naming.Master
		advertised string
		everywhere bool
	}{
		{"", local, "127.0.0.1", false},
		{"127.0.0.1", local, "127.0.0.1", false},
		{"localhost", local, "localhost", false},
		{"192.0.2.1", local, "192.0.2.1", true},
		{"lab.invalid", local, "lab.invalid", true},
		{"", naming.Master{Host: "lab.invalid", Port: 1}, "", true},
	} {
		h, slave, tcpros, err := listen(c.given, c.master)
		if err != nil {
			t.Errorf("%q: %v", c.given, err)
			continue
		}
		for _, l := range []net.Listener{slave, tcpros} {
			ip := l.Addr().(*net.TCPAddr).IP
			if ip.IsUnspecified() != c.everywhere || !c.everywhere && !ip.IsLoopback() {
				t.Errorf("%q: listens on %v", c.given, ip)
			}
			uri, err := h.uri("http", l)
			if c.advertised == "" {
				if err == nil || !strings.Contains(err.Error(), "set ROS_IP") {
					t.Errorf("%q: URI %q, error %v", c.given, uri, err)
				}
			} else if err != nil || !strings.HasPrefix(uri, "http://"+c.advertised+":") {
				t.Errorf("%q: URI %q, %v", c.given, uri, err)
			}
			l.Close()
		}
	}
}
