package testbench

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterclient"
	"sinew/test/subprocess"
)

// These helpers run the real ROS 1 tools as subprocesses, on ports of their own
// and on the loopback interface only.

// Times of the helpers, in seconds where timeout(1) takes them.
const (
	toolLimit  = 120 // for a tool that ends by itself
	WaitLimit  = time.Minute
	PollPeriod = 20 * time.Millisecond
)

// Need skips the test when a tool is not installed.
func Need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
}

// Process is a program in the background.
type Process = subprocess.Process

// Network is a ROS 1 network of one master.
type Network struct {
	T   *testing.T
	URI string
	Env []string // what tools and nodes are started with
}

// NewNetwork describes the network of the master at uri, which need not run yet.
func NewNetwork(t *testing.T, uri string) *Network {
	t.Helper()
	return &Network{T: t, URI: uri, Env: subprocess.Environment(t, uri)}
}

// With adds settings to the environment.
func (n *Network) With(settings ...string) *Network {
	n.Env = append(n.Env, settings...)
	return n
}

// In is the same network for a subtest.
func (n *Network) In(t *testing.T) *Network {
	return &Network{T: t, URI: n.URI, Env: n.Env}
}

// FreePort returns a port without a listener.
func FreePort(t *testing.T) int {
	t.Helper()
	return subprocess.FreePort(t)
}

// StartRosmaster runs Debian's master and waits until it answers.
func StartRosmaster(t *testing.T, port int) (*Network, *Process) {
	t.Helper()
	Need(t, "rosmaster")
	n := NewNetwork(t, fmt.Sprintf("http://127.0.0.1:%d/", port))
	p := n.Start("rosmaster", "--core", "-p", strconv.Itoa(port))
	n.WaitFor("the master", func() bool { _, err := n.Client().PID(t.Context()); return err == nil })
	return n, p
}

// WithEachMaster runs a test with the master of this project and with that of ROS.
func WithEachMaster(t *testing.T, test func(t *testing.T, n *Network)) {
	t.Run("our master", func(t *testing.T) {
		m, err := master.Start("127.0.0.1:0", master.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		test(t, NewNetwork(t, m.URI()))
	})
	t.Run("rosmaster", func(t *testing.T) {
		n, _ := StartRosmaster(t, FreePort(t))
		test(t, n)
	})
}

// Start runs a program until the test ends it, or ends.
func (n *Network) Start(tool string, args ...string) *Process {
	n.T.Helper()
	return subprocess.Start(n.T, n.Env, tool, args...)
}

// Client calls the network's master as the test.
func (n *Network) Client() masterclient.Client {
	return masterclient.Client{URI: n.URI, Caller: "/test"}
}

// WaitFor polls until done, and fails the test when it takes too long, as a Stopwatch
// measures that.
func (n *Network) WaitFor(what string, done func() bool) {
	n.T.Helper()
	w := subprocess.NewStopwatch()
	defer w.Stop()
	for ; !done(); time.Sleep(PollPeriod) {
		if w.Read() > WaitLimit {
			n.T.Fatalf("%s: not within %v", what, WaitLimit)
		}
	}
}

// Run runs a tool to its end and returns what it wrote. The tool must succeed.
func (n *Network) Run(tool string, args ...string) string {
	n.T.Helper()
	out, err := n.Try(tool, args...)
	if err != nil {
		n.T.Fatalf("%s %s: %v\n%s", tool, strings.Join(args, " "), err, out)
	}
	return out
}

// Try runs a tool to its end.
func (n *Network) Try(tool string, args ...string) (out string, err error) {
	cmd := subprocess.Limited(toolLimit, "TERM", tool, args...)
	cmd.Env = n.Env
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// Contains fails the test unless out has all the texts.
func Contains(t *testing.T, what, out string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("%s: %q is missing in:\n%s", what, text, out)
		}
	}
}

// Deadline is a context for calls to a master or node.
func Deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), WaitLimit)
	t.Cleanup(cancel)
	return ctx
}
