package ros1

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/xmlrpc"
)

// scriptedMaster is a master whose process number and memory the test decides. It
// hears every registration.
type scriptedMaster struct {
	mu    sync.Mutex
	pid   int
	nodes map[string]string // slave URI of each node that it knows
	heard []string          // registrations: topic and slave URI
	asked int               // calls of lookupNode
	after func()            // done once, right after the next answer to getPid
}

// startScripted starts a master without nodes.
func startScripted(t *testing.T, pid int) (*scriptedMaster, naming.Master) {
	t.Helper()
	l, err := listenOn(loopback)
	if err != nil {
		t.Fatal(err)
	}
	m := &scriptedMaster{pid: pid, nodes: map[string]string{}}
	s := xmlrpc.Serve(l, m.handle, xmlrpc.Access{})
	t.Cleanup(func() { _ = s.Close() })
	return m, naming.Master{Host: loopback, Port: port(l)}
}

func (m *scriptedMaster) handle(_ context.Context, method string, args []any) (any, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch method {
	case "getPid":
		pid := m.pid
		if m.after != nil {
			m.after()
			m.after = nil
		}
		return success(pid), nil
	case "lookupNode":
		m.asked++
		if uri, ok := m.nodes[args[1].(string)]; ok {
			return success(uri), nil
		}
		return []any{masterclient.Refused, "unknown node", ""}, nil
	case "registerPublisher":
		m.heard = append(m.heard, args[1].(string)+" "+args[3].(string))
		m.nodes[args[0].(string)] = args[3].(string)
		return success([]any{}), nil
	}
	return success(0), nil
}

// become makes the master another process, which knows the node at an address, or
// where it was if that is empty.
func (m *scriptedMaster) become(pid int, node, uri string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.change(pid, node, uri)
}

// becomeBetweenCalls does the same right after the master has told its number once more.
func (m *scriptedMaster) becomeBetweenCalls(pid int, node, uri string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.after = func() { m.change(pid, node, uri) }
}

func (m *scriptedMaster) change(pid int, node, uri string) {
	m.pid = pid
	if uri != "" {
		m.nodes[node] = uri
	}
}

// registrations counts those of a topic.
func (m *scriptedMaster) registrations(topic string) (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, h := range m.heard {
		if strings.HasPrefix(h, topic+" ") {
			n++
		}
	}
	return n
}

// looks waits until a node has looked after its registrations several times more.
func (m *scriptedMaster) looks(t *testing.T) {
	t.Helper()
	count := func() int { m.mu.Lock(); defer m.mu.Unlock(); return m.asked }
	before := count()
	Eventually(t, "the node looks after its registrations", func() bool { return count() > before+3 })
}

// TestRegistersOncePerMaster checks that a master hears a registration once, however
// long the node runs, and again as soon as another process answers at its address,
// even if that has heard of the node: from a file, or from one that has its name.
func TestRegistersOncePerMaster(t *testing.T) {
	t.Parallel()
	m, at := startScripted(t, 100)
	node, err := start(Options{Node: "/sim", Master: at}, timing{watch: 20 * time.Millisecond, frozen: usual.frozen})
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	const topic = "/sim/measured_cp"
	if _, err := node.Advertise(PoseTopic(topic)); err != nil {
		t.Fatal(err)
	}
	Eventually(t, "the first registration", func() bool { return m.registrations(topic) > 0 })
	m.looks(t)
	if n := m.registrations(topic); n != 1 {
		t.Errorf("one master hears %d registrations", n)
	}

	m.become(101, "/sim", "")
	Eventually(t, "a registration with a new master that knows the node", func() bool { return m.registrations(topic) > 1 })
	m.looks(t)
	if n := m.registrations(topic); n != 2 {
		t.Errorf("two masters hear %d registrations", n)
	}

	const other = "http://127.0.0.1:9/"
	m.becomeBetweenCalls(102, "/sim", other)
	Eventually(t, "a registration with a new master that knows another", func() bool { return m.registrations(topic) > 2 })
	select {
	case <-node.Done():
		t.Error("a node of the same name at a new master ends this one")
	default:
	}

	m.become(102, "/sim", other)
	Done(t, node)
	if n := m.registrations(topic); n != 3 {
		t.Errorf("three masters hear %d registrations", n)
	}
}
