package run_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"go.uber.org/zap"

	"sinew/cmd/internal/run"
)

// A port that another program has is no place for a master.
func TestMasterPortIsTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			c.Close()
		}
	}()
	port := l.Addr().(*net.TCPAddr).Port
	_, err = run.FindMaster(t.Context(), run.NamesAt(t, "127.0.0.1", port), &run.Cmd{Master: "auto"}, zap.NewNop())
	if want := fmt.Sprintf("port %d is in use, but no ROS master answered there within 1s", port); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// The embedded master is at the address that it announces.
func TestMasterAddress(t *testing.T) {
	for _, c := range []struct{ host, own, address, advertised string }{
		{"localhost", "", "127.0.0.1", ""},
		{"127.0.0.1", "", "127.0.0.1", ""},
		{"localhost", "127.0.0.1", "127.0.0.1", "127.0.0.1"},
		{"localhost", "localhost", "127.0.0.1", "localhost"},
		{"ip6-localhost", "::1", "ip6-localhost", "::1"},
		{"labpc", "", run.Everywhere, "labpc"},
		{"labpc", "10.0.0.2", run.Everywhere, "10.0.0.2"},
		{"localhost", "labpc", run.Everywhere, "labpc"},
		{"127.0.0.1", "10.0.0.2", run.Everywhere, "10.0.0.2"},
		{"10.0.0.2", "", "10.0.0.2", ""},
		{"10.0.0.2", "labpc", "10.0.0.2", "labpc"},
		{"::1", "::1", "::1", "::1"},
	} {
		if address, advertised := run.MasterAddress(c.host, c.own); address != c.address || advertised != c.advertised {
			t.Errorf("master %q, this host %q: listens on %q and tells %q, want %q and %q", c.host, c.own, address, advertised, c.address, c.advertised)
		}
	}
}
