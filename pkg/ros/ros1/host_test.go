package ros1

import (
	"net"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

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
		told       string
	}{
		{"", local, "127.0.0.1", false, ""},
		{"127.0.0.1", local, "127.0.0.1", false, ""},
		{"127.0.1.1", local, "127.0.1.1", false, ""},
		{"localhost", local, "localhost", false, ""},
		{"Localhost.", local, "Localhost.", false, ""},
		{"192.0.2.1", local, "192.0.2.1", true, "is none of this machine"},
		{"lab.invalid", local, "lab.invalid", true, "has no address on this machine"},
		{"", naming.Master{Host: "lab.invalid", Port: 1}, "", true, ""},
	} {
		core, logs := observer.New(zapcore.InfoLevel)
		h, slave, tcpros, err := listen(c.given, c.master, zap.New(core))
		if err != nil {
			t.Errorf("%q: %v", c.given, err)
			continue
		}
		if l := logs.All(); len(l) > 1 || len(l) == 1 && (c.told == "" || !strings.Contains(l[0].Message, c.told)) || len(l) == 0 && c.told != "" {
			t.Errorf("%q: told %v, want %q", c.given, l, c.told)
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

// TestHostIsTold: a name that leads nowhere is told with its value, where it was given and what
// is allowed.
func TestHostIsTold(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zapcore.WarnLevel)
	node, err := New(Options{Node: "/sim", Master: naming.Master{Host: "127.0.0.1", Port: 1}, Host: "garbage.invalid", HostFrom: "ROS_IP", Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	told := logs.FilterMessageSnippet("the name that other nodes are told has no address on this machine").All()
	if len(told) != 1 {
		t.Fatalf("told %v", logs.All())
	}
	for key, want := range map[string]string{"name": "garbage.invalid", "given by": "ROS_IP", "allowed": "an address of this machine, or a name that other machines know"} {
		if got := told[0].ContextMap()[key]; got != want {
			t.Errorf("%s: %v, want %q", key, got, want)
		}
	}
}

// TestLoopbackOf checks where a name of this machine alone is listened on: where
// those who resolve it will knock.
func TestLoopbackOf(t *testing.T) {
	for _, c := range []struct {
		found []string
		want  string
	}{
		{[]string{"127.0.0.1"}, "127.0.0.1"},
		{[]string{"127.0.1.1"}, "127.0.1.1"}, // a machine's own name on Debian
		{[]string{"::1", "127.0.0.1"}, "127.0.0.1"},
		{[]string{"127.0.0.1", "::1", "127.0.1.1"}, "127.0.0.1"},
		{[]string{"::1"}, "::1"},
		{[]string{"127.0.1.1", "192.0.2.1"}, ""},
		{[]string{"192.0.2.1"}, ""},
	} {
		var found []net.IP
		for _, a := range c.found {
			found = append(found, net.ParseIP(a))
		}
		if got := loopbackOf(found); got != c.want {
			t.Errorf("%v: listens on %q, want %q", c.found, got, c.want)
		}
	}
}
