package hostname_test

import (
	"os"
	"strings"
	"testing"

	"sinew/pkg/ros/hostname"
)

// The host of a request, and whether it is a name of this computer.
func TestNames(t *testing.T) {
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	short, _, _ := strings.Cut(own, ".")
	for authority, want := range map[string]struct {
		host          string
		loopback, own bool
	}{
		"localhost:11311": {"localhost", true, false}, "LocalHost.": {"LocalHost.", true, false}, "robot.localhost:1": {"robot.localhost", true, false},
		"127.0.0.1:8080": {"127.0.0.1", true, false}, "127.0.1.1": {"127.0.1.1", true, false}, "[::1]:8080": {"::1", true, false}, "[::1]": {"::1", true, false},
		"::1": {"::1", true, false}, "10.0.0.5:1": {"10.0.0.5", false, false}, "evil.example:11311": {"evil.example", false, false},
		"localhost.evil.example": {"localhost.evil.example", false, false}, "127.0.0.1.evil.example:80": {"127.0.0.1.evil.example", false, false},
		"evil-localhost": {"evil-localhost", false, false}, "": {"", false, false},
		own + ":11311": {own, false, true}, strings.ToUpper(own): {strings.ToUpper(own), false, true}, short + ".local": {short + ".local", false, true},
	} {
		host := hostname.Of(authority)
		if host != want.host || hostname.IsLoopback(host) != want.loopback || hostname.IsOwn(host) != want.own {
			t.Errorf("%q: host %q, loopback %t, own %t; want %v", authority, host, hostname.IsLoopback(host), hostname.IsOwn(host), want)
		}
	}
	if !hostname.Equal("Robot.lab", "robot.lab.") || !hostname.Equal("::1", "0:0:0:0:0:0:0:1") || hostname.Equal("robot", "robot.lab") {
		t.Error("names that are equal are not, or others are")
	}
}
