package ros1_test

import (
	"net"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros1"
)

// TestHostIsTold: a name that leads nowhere gives an error with its value, where it was given and what
// is allowed.
func TestHostIsTold(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zapcore.WarnLevel)
	node, err := ros1.New(ros1.Options{Node: "/sim", Master: naming.Master{Host: "127.0.0.1", Port: 1}, Host: "garbage.invalid", HostFrom: "ROS_IP", Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	warnings := logs.FilterMessageSnippet("the advertised name has no address on this machine").All()
	if len(warnings) != 1 {
		t.Fatalf("told %v", logs.All())
	}
	for key, want := range map[string]string{"name": "garbage.invalid", "given by": "ROS_IP", "allowed": "an address of this machine, or a name that other machines know"} {
		if got := warnings[0].ContextMap()[key]; got != want {
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
		if got := ros1.LoopbackOf(found); got != c.want {
			t.Errorf("%v: listens on %q, want %q", c.found, got, c.want)
		}
	}
}
