package run

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"sinew/cmd/internal/exitcode"
	"sinew/pkg/ros/naming"
)

// An address that was asked for and cannot be served ends the program, with a port or with all of them
// taken; the robot runs without viewers only where nobody asked for them.
func TestViewersThatCannotBeServed(t *testing.T) {
	const host = "127.0.0.7" // of this computer, and of nobody else
	for port := 8080; port < 8100; port++ {
		l, err := net.Listen("tcp", fmt.Sprintf("%s:%d", host, port))
		if err != nil {
			t.Skipf("cannot take the ports of %s: %v", host, err)
		}
		defer l.Close()
	}
	names, err := naming.NewNames("rod", naming.Args{}, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	core, log := observer.New(zap.WarnLevel)
	n := &node{names: names, log: zap.New(core)}
	for address, want := range map[string]string{
		host:           "--view 127.0.0.7: viewers: ports 8080 to 8099 of 127.0.0.7 are taken; choose one with HOST:PORT",
		host + ":8085": `with "127.0.0.7" alone the next free port is taken`,
		"here:x":       `the port is "x"; allowed: 0 (any free one) to 65535`,
		"":             "allowed: HOST, HOST:PORT or off",
	} {
		if err := n.openViewer(&Cmd{View: &address}); exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), want) {
			t.Errorf("--view %q: error %v, exit code %d", address, err, exitcode.Code(err))
		}
	}
	if err := n.listen(host, false, false); err != nil || n.viewer != nil {
		t.Errorf("without --view: viewers %v, error %v", n.viewer, err)
	}
	if log.Len() != 1 || !strings.Contains(log.All()[0].Message, "--view HOST:PORT serves them elsewhere") {
		t.Errorf("%v", log.All())
	}
	off := noView
	if err := n.openViewer(&Cmd{View: &off}); err != nil || n.viewer != nil {
		t.Errorf("--view off: viewers %v, error %v", n.viewer, err)
	}
}
