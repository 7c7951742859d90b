package test

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterapi"
	"sinew/test/subprocess"
)

// These helpers run the real ROS 1 tools as subprocesses, on ports of their own
// and on the loopback interface only.

// Times of the helpers, in seconds where timeout(1) takes them.
const (
	toolLimit  = 120 // for a tool that ends by itself
	waitLimit  = time.Minute
	pollPeriod = 20 * time.Millisecond
)

// need skips the test when a tool is not installed.
func need(t *testing.T, tools ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("interoperability with ROS 1 is not tested with -short")
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
}

// process is a program in the background.
type process = subprocess.Process

// network is a ROS 1 network of one master.
type network struct {
	t   *testing.T
	uri string
	env []string // what tools and nodes are started with
}

// newNetwork describes the network of the master at uri, which need not run yet.
func newNetwork(t *testing.T, uri string) *network {
	t.Helper()
	return &network{t: t, uri: uri, env: subprocess.Environment(t, uri)}
}

// with adds settings to the environment.
func (n *network) with(settings ...string) *network {
	n.env = append(n.env, settings...)
	return n
}

// in is the same network for a subtest.
func (n *network) in(t *testing.T) *network {
	return &network{t: t, uri: n.uri, env: n.env}
}

// freePort returns a port that nobody listens to now.
func freePort(t *testing.T) int {
	t.Helper()
	return subprocess.FreePort(t)
}

// startRosmaster runs Debian's master and waits until it answers.
func startRosmaster(t *testing.T, port int) (*network, *process) {
	t.Helper()
	need(t, "rosmaster")
	n := newNetwork(t, fmt.Sprintf("http://127.0.0.1:%d/", port))
	p := n.start("rosmaster", "--core", "-p", strconv.Itoa(port))
	n.waitFor("the master", func() bool { _, err := n.client().PID(t.Context()); return err == nil })
	return n, p
}

// withEachMaster runs a test with the master of this project and with that of ROS.
func withEachMaster(t *testing.T, test func(t *testing.T, n *network)) {
	t.Run("our master", func(t *testing.T) {
		m, err := master.Start("127.0.0.1:0", master.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		test(t, newNetwork(t, m.URI()))
	})
	t.Run("rosmaster", func(t *testing.T) {
		n, _ := startRosmaster(t, freePort(t))
		test(t, n)
	})
}

// start runs a program until the test ends it, or ends.
func (n *network) start(tool string, args ...string) *process {
	n.t.Helper()
	return subprocess.Start(n.t, n.env, tool, args...)
}

// client calls the network's master as the test.
func (n *network) client() masterapi.Client {
	return masterapi.Client{URI: n.uri, Caller: "/test"}
}

// waitFor polls until done, and fails the test when it takes too long, as a Stopwatch
// measures that.
func (n *network) waitFor(what string, done func() bool) {
	n.t.Helper()
	w := subprocess.NewStopwatch()
	defer w.Stop()
	for ; !done(); time.Sleep(pollPeriod) {
		if w.Read() > waitLimit {
			n.t.Fatalf("%s: not within %v", what, waitLimit)
		}
	}
}

// run runs a tool to its end and returns what it wrote. The tool must succeed.
func (n *network) run(tool string, args ...string) string {
	n.t.Helper()
	out, err := n.try(tool, args...)
	if err != nil {
		n.t.Fatalf("%s %s: %v\n%s", tool, strings.Join(args, " "), err, out)
	}
	return out
}

// try runs a tool to its end.
func (n *network) try(tool string, args ...string) (out string, err error) {
	cmd := subprocess.Limited(toolLimit, "TERM", tool, args...)
	cmd.Env = n.env
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// contains fails the test unless out has all the texts.
func contains(t *testing.T, what, out string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("%s: %q is missing in:\n%s", what, text, out)
		}
	}
}

// soon is a context for calls to a master or node.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	t.Cleanup(cancel)
	return ctx
}
