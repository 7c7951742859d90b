package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"sinew/pkg/ros/masterclient"
)

// The node under test and the limits of waiting for it.
const (
	nodeName  = "/tendonsim"
	startTime = 10 * time.Second
	endTime   = 3 * time.Second // the node promises one second
	callTime  = 2 * time.Second
)

// node is a running tendonsim with a master of its own.
type node struct {
	cmd      *exec.Cmd
	name     string
	address  string         // of the master
	external *masterProcess // the master, unless the node has one embedded
	domain   int            // of ROS 2
	master   masterclient.Client
	slave    string // URI of its slave API
	ended    chan struct{}
	err      error // how it ended; valid then

	mu   sync.Mutex
	out  bytes.Buffer
	tail []byte // of what came after out was full
}

// build makes tendonsim and returns its path.
func build(ctx context.Context, dir string) (string, error) {
	return buildProgram(ctx, dir, "sinew/cmd/tendonsim")
}

// buildProgram makes the program of a package and returns its path.
func buildProgram(ctx context.Context, dir, source string) (string, error) {
	file := filepath.Join(dir, path.Base(source))
	out, err := exec.CommandContext(ctx, "go", "build", "-o", file, source).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", source, err, out)
	}
	return file, nil
}

// start runs a tendonsim; see startNode.
func start(ctx context.Context, program string, external bool, args ...string) (*node, error) {
	return startNode(ctx, program, nodeName, external, args...)
}

// startNode runs a program whose node has this name, with an embedded master or an external one, and waits
// until the master knows it.
func startNode(ctx context.Context, program, name string, external bool, args ...string) (*node, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	n := newNode(name, fmt.Sprintf("127.0.0.1:%d", port), randomDomain())
	kind := "embedded"
	if external {
		kind = "external"
		if n.external, err = startMaster(n.address); err != nil {
			return nil, err
		}
	}
	return n, n.launch(ctx, program, kind, args...)
}

// startIn runs a program in a world that outlives it.
func startIn(ctx context.Context, program, name string, w *world) (*node, error) {
	n := newNode(name, w.address, w.domain)
	return n, n.launch(ctx, program, "external", "--ros", "both")
}

func newNode(name, master string, domain int) *node {
	return &node{
		name: name, address: master, domain: domain, ended: make(chan struct{}),
		master: masterclient.Client{URI: "http://" + master + "/", Caller: callerName},
	}
}

// randomDomain is a domain of ROS 2 for tests.
func randomDomain() int { return 20 + rand.IntN(80) }

// launch runs the program and waits for its registration. After an error it has ended.
func (n *node) launch(ctx context.Context, program, kind string, args ...string) error {
	n.cmd = exec.Command(program, append([]string{"run", "--master", kind, "--no-demo"}, args...)...)
	n.cmd.Env = append(withoutROS(os.Environ()), "ROS_MASTER_URI="+n.master.URI, "ROS_IP=127.0.0.1", fmt.Sprint("ROS_DOMAIN_ID=", n.domain))
	n.cmd.Stdout, n.cmd.Stderr = n, n
	if err := n.cmd.Start(); err != nil {
		return err
	}
	go func() {
		n.err = n.cmd.Wait()
		close(n.ended)
	}()
	if err := n.await(ctx); err != nil {
		return errors.Join(err, n.stop())
	}
	return nil
}

// withoutROS returns an environment without what is about ROS.
func withoutROS(env []string) (list []string) {
	for _, v := range env {
		if !strings.HasPrefix(v, "ROS_") {
			list = append(list, v)
		}
	}
	return list
}

// await waits for the node's registration.
func (n *node) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		// the services are registered last
		_, err := n.master.LookupService(ctx, n.name+"/reset")
		if err == nil {
			n.slave, err = n.master.LookupNode(ctx, n.name)
		}
		if err == nil {
			return nil
		}
		select {
		case <-n.ended:
			return fmt.Errorf("%s ended: %w\n%s", n.cmd.Path, n.err, n.output())
		case <-ctx.Done():
			return fmt.Errorf("%s is not registered: %w\n%s", n.name, err, n.output())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// stop interrupts the node, as Ctrl-C does, and waits for it.
func (n *node) stop() error {
	if n.external != nil {
		defer n.external.kill()
	}
	_ = n.cmd.Process.Signal(syscall.SIGINT) // it may have ended
	select {
	case <-n.ended:
	case <-time.After(endTime):
		_ = n.cmd.Process.Kill()
		<-n.ended
		return fmt.Errorf("%s did not end within %v", n.cmd.Path, endTime)
	}
	if n.err != nil {
		return fmt.Errorf("%s ended: %w\n%s", n.cmd.Path, n.err, n.output())
	}
	return nil
}

// call calls the node's slave API.
func (n *node) call(ctx context.Context, method string, args ...any) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return masterclient.Call(ctx, n.slave, method, append([]any{callerName}, args...)...)
}

// simulated reads how much time (s) a node that has ended says that it simulated.
func (n *node) simulated() (seconds float64, err error) {
	for line := range strings.Lines(n.output()) {
		if _, after, found := strings.Cut(line, " steps, "); found {
			text, _, _ := strings.Cut(after, " s simulated")
			return strconv.ParseFloat(text, 64)
		}
	}
	return 0, fmt.Errorf("%s does not say how long it simulated:\n%s", n.cmd.Path, n.output())
}

// maxOutput bounds what is kept of the node's output: it prints a line a second.
const maxOutput = 64 << 10

// Write takes what the node prints. Of very much it keeps the beginning and the end.
func (n *node) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.out.Len() < maxOutput {
		n.out.Write(b)
		return len(b), nil
	}
	n.tail = append(n.tail, b...)
	n.tail = n.tail[max(0, len(n.tail)-maxOutput):]
	return len(b), nil
}

func (n *node) output() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.out.String() + string(n.tail)
}

// title is the line in which the node says what it simulates.
func (n *node) title() string {
	for line := range strings.Lines(n.output()) {
		if strings.HasPrefix(line, "tendonsim ") {
			return strings.TrimSpace(line)
		}
	}
	return "tendonsim"
}

// loopPriority is that of the node's loop with --realtime auto, where it is permitted.
const loopPriority = 10

// priority is the real-time priority of the node's loop, 0 without one.
func (n *node) priority() int {
	if n.loopThread() == "" {
		return 0
	}
	return loopPriority
}

// loopThread is the directory in /proc of the thread of the node's loop, which is known by its
// priority; without one it is empty.
func (n *node) loopThread() string {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", n.cmd.Process.Pid))
	for _, dir := range tasks {
		b, _ := os.ReadFile(dir + "/stat") // the thread may have ended
		_, rest, _ := strings.Cut(string(b), ") ")
		const field = 40 - 3 // rt_priority, counted from the state
		if f := strings.Fields(rest); len(f) > field && number(f[field]) == loopPriority {
			return dir
		}
	}
	return ""
}

// freePort returns a port without a listener.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
