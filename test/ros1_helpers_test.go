package test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sinew/pkg/ros/masterapi"
)

// These helpers run the real ROS 1 tools as subprocesses, on ports of their own
// and on the loopback interface only. Every process runs under timeout(1) where it
// is installed, so that none outlives a test that dies; ROS tools can ignore SIGTERM.

// Times of the helpers, in seconds where timeout(1) takes them.
const (
	toolLimit  = 20  // for a tool that ends by itself
	nodeLimit  = 300 // for one that the test ends, on a busy machine too
	waitLimit  = 10 * time.Second
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

// network is a ROS 1 network of one master.
type network struct {
	t   *testing.T
	uri string
	env []string // what tools and nodes are started with
}

// newNetwork describes the network of the master at uri, which need not run yet.
func newNetwork(t *testing.T, uri string) *network {
	t.Helper()
	n := &network{t: t, uri: uri}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "ROS_") && !strings.HasPrefix(v, "PYTHONPATH=") {
			n.env = append(n.env, v)
		}
	}
	home := t.TempDir()
	n.env = append(n.env, "ROS_AUTOMATIC_DISCOVERY_RANGE=OFF", "ROS_MASTER_URI="+uri, "ROS_IP=127.0.0.1", "ROS_HOME="+home, "ROS_LOG_DIR="+home,
		"PYTHONUNBUFFERED=1", "LC_ALL=C.UTF-8")
	return n
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
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
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

// client calls the network's master as the test.
func (n *network) client() masterapi.Client {
	return masterapi.Client{URI: n.uri, Caller: "/test"}
}

// waitFor polls until done, and fails the test when it takes too long.
func (n *network) waitFor(what string, done func() bool) {
	n.t.Helper()
	for deadline := time.Now().Add(waitLimit); !done(); time.Sleep(pollPeriod) {
		if time.Now().After(deadline) {
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

// limited is a command that does not run for longer than so many seconds. Where
// timeout(1) is not installed it has no limit but the test's.
func limited(seconds int, signal, tool string, args ...string) *exec.Cmd {
	if _, err := exec.LookPath("timeout"); err != nil {
		return exec.Command(tool, args...)
	}
	return exec.Command("timeout", append([]string{"-s", signal, "-k", "2", strconv.Itoa(seconds), tool}, args...)...)
}

// try runs a tool to its end.
func (n *network) try(tool string, args ...string) (out string, err error) {
	cmd := limited(toolLimit, "TERM", tool, args...)
	cmd.Env = n.env
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// process is a program in the background.
type process struct {
	t    *testing.T
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // valid then

	mu  sync.Mutex
	out bytes.Buffer
}

// start runs a program until the test ends it, or ends.
func (n *network) start(tool string, args ...string) *process {
	n.t.Helper()
	p := &process{t: n.t, name: tool, done: make(chan struct{})}
	p.cmd = limited(nodeLimit, "INT", tool, args...)
	p.cmd.Env = n.env
	p.cmd.Stdout, p.cmd.Stderr = p, p
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.WaitDelay = time.Second
	if err := p.cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	n.t.Cleanup(p.kill)
	return p
}

// Write takes the program's output.
func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

// output returns what the program wrote so far.
func (p *process) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// running reports whether the program has not ended.
func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// kill ends the program and all it started with SIGKILL.
func (p *process) kill() {
	if p.running() {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // the group, which the test made
	}
	<-p.done
}

// end interrupts the program and returns its exit code. It must end in time.
func (p *process) end(limit time.Duration) int {
	p.t.Helper()
	if p.running() {
		_ = p.cmd.Process.Signal(syscall.SIGINT) // timeout(1) passes it on
	}
	return p.wait(limit)
}

// wait returns the program's exit code. It must end in time.
func (p *process) wait(limit time.Duration) int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(limit):
		p.kill()
		p.t.Fatalf("%s has not ended within %v:\n%s", p.name, limit, p.output())
	}
	var exit *exec.ExitError
	if p.err != nil && !errors.As(p.err, &exit) {
		p.t.Fatalf("%s: %v", p.name, p.err)
	}
	return p.cmd.ProcessState.ExitCode()
}

// expect waits until the program has written text.
func (p *process) expect(text string) {
	p.t.Helper()
	for deadline := time.Now().Add(waitLimit); !strings.Contains(p.output(), text); time.Sleep(pollPeriod) {
		if !p.running() || time.Now().After(deadline) {
			p.t.Fatalf("%s did not write %q:\n%s", p.name, text, p.output())
		}
	}
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
