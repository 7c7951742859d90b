package ros1

import (
	"bytes"
	"io"
	"maps"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
)

// Tests of what has no exported name.

// Requests are taken when they arrive, though their responses wait for one another.
func TestServiceTakesAtOnce(t *testing.T) {
	release, taken := make(chan struct{}), new(atomic.Int64)
	s := &service{name: "/sim/reset", kind: std_srvs.Trigger, log: zap.NewNop(), handle: func(msgs.Message) func() msgs.Message {
		taken.Add(1)
		return func() msgs.Message { <-release; return &std_srvs.TriggerResponse{Success: true} }
	}}
	answered := make(chan []byte, 2)
	for range 2 {
		go func() { answered <- s.appendAnswer(nil, nil) }()
	}
	Eventually(t, "both are taken", func() bool { return taken.Load() == 2 })
	close(release)
	for range 2 {
		if a := <-answered; len(a) == 0 || a[0] != 1 {
			t.Errorf("answer %v", a)
		}
	}
}

// A node that publishes through two connections, as one that was started again, has left
// when the second one ends.
func TestDepartureOfTheLast(t *testing.T) {
	var gone int
	s := newSubscription("/sim", ros.Topic{Name: "/x", ReportsSenderLeft: true}, func(got ros.Received) {
		if got.SenderLeft {
			gone++
		}
	}, new(atomic.Uint64), zap.NewNop())
	a, b := ros.Sender{Node: "/a"}, ros.Sender{Node: "/b"}
	s.addConnection(a)
	s.addConnection(a)
	s.addConnection(b)
	for i, want := range []int{0, 1} {
		if s.removeConnection(a); gone != want {
			t.Errorf("after the %d. end: %d departures, want %d", i+1, gone, want)
		}
	}
	if s.removeConnection(b); gone != 2 || len(s.heard) != 0 {
		t.Errorf("%d departures, still heard: %v", gone, s.heard)
	}
}

// FuzzHeader checks that no bytes panic, and that what is read is written and
// read again as the same.
func FuzzHeader(f *testing.F) {
	f.Add(Header{"callerid": "/x", "topic": "/a"}.Append(nil))
	f.Add([]byte("\x06\x00\x00\x00\x03\x00\x00\x00a="))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add(Header{"topic": "/sim/out", "md5sum": "*", "message_definition": "x"}.Append(nil))
	s := newServer("/sim", nil, 0, zap.NewNop())
	known := newPublication(PoseTopic("/sim/out"), s)
	if err := s.addPublication(known); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		h, err := readHeader(bytes.NewReader(wire))
		if err != nil {
			return
		}
		if e, err := s.match(h); err == nil && (e != known || h["topic"] != known.topic.Name) {
			t.Errorf("%v leads to %v", h, e)
		}
		again, err := readHeader(io.LimitReader(bytes.NewReader(Header(h).Append(nil)), int64(len(wire))))
		if err != nil || !maps.Equal(again, h) {
			t.Errorf("%q reads as %v, then as %v, %v", wire, h, again, err)
		}
	})
}

// TestListen checks where a node listens and what it tells others, by what it
// gave as its own. 192.0.2.1 is no host's address (RFC 5737), and .invalid
// no name (RFC 6761).
func TestListen(t *testing.T) {
	t.Parallel()
	local := naming.Master{Host: "127.0.0.1", Port: 11311}
	for _, c := range []struct {
		given      string
		master     naming.Master
		advertised string
		everywhere bool
		logged     string
	}{
		{"", local, "127.0.0.1", false, ""},
		{"127.0.0.1", local, "127.0.0.1", false, ""},
		{"127.0.1.1", local, "127.0.1.1", false, ""},
		{"localhost", local, "localhost", false, ""},
		{"Localhost.", local, "Localhost.", false, ""},
		{"192.0.2.1", local, "192.0.2.1", true, "is not an address of this machine"},
		{"lab.invalid", local, "lab.invalid", true, "has no address on this machine"},
		{"", naming.Master{Host: "lab.invalid", Port: 1}, "", true, ""},
	} {
		core, logs := observer.New(zapcore.InfoLevel)
		h, slave, tcpros, err := listen(c.given, c.master, zap.New(core))
		if err != nil {
			t.Errorf("%q: %v", c.given, err)
			continue
		}
		if l := logs.All(); len(l) > 1 || len(l) == 1 && (c.logged == "" || !strings.Contains(l[0].Message, c.logged)) || len(l) == 0 && c.logged != "" {
			t.Errorf("%q: told %v, want %q", c.given, l, c.logged)
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

// TestRetry checks how often a publisher is asked that cannot be reached, and
// that it is left alone once it is not listed.
func TestRetry(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	p := m.FakePublisher("/broken", "/sim/tensions")
	node := m.Join("/sim")
	m.Receive(node, "/sim/tensions")
	for i, answer := range [][]any{
		{0, "no such topic", 0},
		{1, "", []any{}},
		{1, "", []any{"UDPROS", "127.0.0.1", 1}},
		{1, "", []any{"TCPROS", 5, 5}},
		{1, "", []any{"TCPROS", "127.0.0.1", "5"}},
		{1, "", []any{"TCPROS", "127.0.0.1", -5}},
	} {
		p.answer.Store(&answer)
		p.asked.Store(0)
		begun := time.Now()
		p.Register(t)
		Eventually(t, "a second attempt", func() bool { return p.asked.Load() >= 2 })
		if i > 0 {
			p.Unregister(t)
			continue
		}
		time.Sleep(time.Second)
		n, took := p.asked.Load(), time.Since(begun)
		most := int32(2) // at once, and one that may be under way
		for pause, at := firstRetry, firstRetry; at < took; at += pause {
			most++ // after 0.1, 0.3, 0.7 and 1.5 s
			pause = min(2*pause, lastRetry)
		}
		if n > most {
			t.Errorf("asked %d times within %v, want %d at most", n, took, most)
		}
		p.Unregister(t)
		Eventually(t, "it is let go", func() bool { return len(node.registrar.sources.all()["/sim/tensions"]) == 0 })
		n = p.asked.Load()
		time.Sleep(time.Second)
		if p.asked.Load() > n+1 { // one may have been under way
			t.Errorf("asked %d times after it was let go", p.asked.Load()-n)
		}
	}
}

// TestKeptPublisherLeaves checks that a publisher that a restarted master does
// not know is let go once it has ended.
func TestKeptPublisherLeaves(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	node := m.Join("/sim")
	in := m.Command(node, "/sim/tensions")
	actuator := m.Peer("actuator")
	command := m.Tensions(actuator, "/sim/tensions")
	Eventually(t, "a command", func() bool { command(1); return len(in.All()) > 0 })
	m.Kill()
	m.Start()
	Eventually(t, "the node is registered again", func() bool { return m.Lookup("/sim") != "" })
	if n := len(node.registrar.sources.all()["/sim/tensions"]); n != 1 {
		t.Fatalf("%d publishers after the restart, want the one that is kept", n)
	}
	actuator.Close()
	Eventually(t, "it is let go", func() bool { return len(node.registrar.sources.all()["/sim/tensions"]) == 0 })
}

// TestEvicted starts a second node of the same name, once with a master that
// tells the first, and once while it cannot be reached.
func TestEvicted(t *testing.T) {
	t.Parallel()
	m := StartMaster(t)
	first := m.Join("/sim")
	m.Advertise(first, PoseTopic("/sim/measured_cp"))
	Eventually(t, "the first is registered", func() bool { return m.Lookup("/sim") != "" })
	uri := m.Lookup("/sim")
	m.Advertise(m.Join("/sim"), PoseTopic("/sim/measured_cp"))
	Done(t, first)
	Eventually(t, "the second is registered", func() bool { return m.Lookup("/sim") != uri })

	silent := m.Join("/other")
	m.Advertise(silent, PoseTopic("/other/measured_cp"))
	Eventually(t, "it is registered", func() bool { return m.Lookup("/other") != "" })
	silent.xmlrpc.Close() // it is unreachable now
	m.Advertise(m.Join("/other"), PoseTopic("/other/measured_cp"))
	Done(t, silent)
}
