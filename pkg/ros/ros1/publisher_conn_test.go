package ros1_test

import (
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros1"
)

// TestHostilePublishers lets a publisher answer each connection with something
// else that it must not, and at last with a message: that arrives, and so does
// everything of another publisher meanwhile.
func TestHostilePublishers(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	healthy := m.FakePublisher("/healthy", "/sim/tensions")
	healthy.Register(t)
	node := m.Join("/sim")
	var fromHealthy, fromHostile atomic.Int32
	err := node.Subscribe(ros.Topic{Name: "/sim/tensions", Type: std_msgs.Float64MultiArrayType}, func(r ros.Received) {
		if r.Sender.Node == "/healthy" {
			fromHealthy.Add(1)
		} else {
			fromHostile.Add(1)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	out := healthy.Accept(t)
	write := func(c net.Conn, b []byte) {
		t.Helper()
		if _, err := c.Write(b); err != nil {
			t.Error(err)
		}
	}
	write(out, healthy.Header(nil))

	sent := int32(0)
	for what, script := range map[string]func(p *ros1.FakePublisher) []byte{
		"nothing":           func(*ros1.FakePublisher) []byte { return nil },
		"half a header":     func(p *ros1.FakePublisher) []byte { return p.Header(nil)[:40] },
		"a huge header":     func(*ros1.FakePublisher) []byte { return []byte{0, 0, 0, 0x7f, 'x'} },
		"an empty header":   func(*ros1.FakePublisher) []byte { return make([]byte, 4) },
		"no header":         func(*ros1.FakePublisher) []byte { return []byte("HTTP/1.1 400 Bad Request\r\n\r\n") },
		"a refusal":         func(p *ros1.FakePublisher) []byte { return ros1.Header{"error": "not today"}.Append(nil) },
		"another type":      func(p *ros1.FakePublisher) []byte { return p.Header(ros1.Header{"md5sum": std_msgs.BoolType.MD5}) },
		"another topic":     func(p *ros1.FakePublisher) []byte { return p.Header(ros1.Header{"topic": "/other"}) },
		"half a message":    func(p *ros1.FakePublisher) []byte { return append(p.Header(nil), ros1.Tension(9)[:20]...) },
		"a huge message":    func(p *ros1.FakePublisher) []byte { return append(p.Header(nil), 1, 0, 0, 0x10, 0) },
		"a negative length": func(p *ros1.FakePublisher) []byte { return append(p.Header(nil), 0xff, 0xff, 0xff, 0xff) },
		"a malformed body":  func(p *ros1.FakePublisher) []byte { return append(p.Header(nil), 4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff) },
		"an empty body":     func(p *ros1.FakePublisher) []byte { return append(p.Header(nil), 0, 0, 0, 0) },
		"a short length": func(p *ros1.FakePublisher) []byte {
			return append(p.Header(nil), append([]byte{10}, ros1.Tension(9)[1:]...)...)
		},
	} {
		p := m.FakePublisher("/hostile", "/sim/tensions")
		p.Register(t)
		c := p.Accept(t)
		if b := script(p); len(b) > 0 {
			write(c, b)
		}
		c.Close()
		for range 10 {
			write(out, ros1.Tension(1))
			sent++
		}
		c = p.Accept(t)
		write(c, append(p.Header(nil), ros1.Tension(2)...))
		ros1.Eventually(t, "a message after "+what, func() bool { return fromHostile.Swap(0) == 1 })
		p.Unregister(t)
		ros1.Eventually(t, "the connection ends after "+what, func() bool {
			_, err := c.Write(ros1.Tension(3))
			return err != nil
		})
		fromHostile.Store(0)
	}
	ros1.Eventually(t, "all messages of the healthy publisher", func() bool { return fromHealthy.Load() == sent })
	const malformed = 3
	if n := node.Refused(); n != malformed {
		t.Errorf("%d messages were refused, want %d", n, malformed)
	}
}

// TestSilentPublisher connects to a publisher that never answers the header: it
// is given up and tried again.
func TestSilentPublisher(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	p := m.FakePublisher("/silent", "/sim/tensions")
	p.Register(t)
	got := m.Receive(m.Join("/sim"), "/sim/tensions")
	p.Accept(t) // and say nothing
	c := p.Accept(t)
	if _, err := c.Write(append(p.Header(nil), ros1.Tension(1)...)); err != nil {
		t.Error(err)
	}
	ros1.Eventually(t, "a message", func() bool { return len(got.All()) == 1 })
}

// TestSender checks whom a message is said to come from, and whether from before
// the subscription: that is the first message of a latching publisher that was
// there first, or that is connected to again.
func TestSender(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	early, plain := m.FakePublisher("/early", "/sim/tensions"), m.FakePublisher("/plain", "/sim/tensions")
	early.Register(t)
	plain.Register(t)
	got := m.Receive(m.Join("/sim"), "/sim/tensions")
	check := func(p *ros1.FakePublisher, h ros1.Header, want ...bool) net.Conn {
		t.Helper()
		c := p.Accept(t)
		if _, err := c.Write(p.Header(h)); err != nil {
			t.Error(err)
		}
		for i, latched := range want {
			got.Clear()
			if _, err := c.Write(ros1.Tension(float64(i))); err != nil {
				t.Error(err)
			}
			ros1.Eventually(t, "a message", func() bool { return len(got.All()) == 1 })
			if r := got.All()[0]; r.Latched != latched || r.Sender != (ros.Sender{Node: p.Client.Caller}) {
				t.Errorf("message %d of %s: sender %v, latched %v; want %v", i, p.Client.Caller, r.Sender, r.Latched, latched)
			}
		}
		return c
	}
	latching := ros1.Header{"latching": "1"}
	c := check(early, latching, true, false, false)
	check(plain, ros1.Header{"latching": "0"}, false, false)
	c.Close()
	check(early, latching, true, false)

	late := m.FakePublisher("/late", "/sim/tensions")
	late.Register(t)
	c = check(late, latching, false, false)
	c.Close()
	check(late, latching, true, false)
}

// TestReconnection checks that a publisher that has given a message is connected to
// again at once, however often it has hung up, and how much of a long name is kept.
func TestReconnection(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	p := m.FakePublisher("/fickle", "/sim/tensions")
	p.Register(t)
	got := m.Receive(m.Join("/sim"), "/sim/tensions")
	begin := time.Now()
	const times = 15 // 51 s if each pause were twice the one before
	for i := range times {
		c := p.Accept(t)
		h := p.Header(ros1.Header{"callerid": "/" + strings.Repeat("x", 2*ros1.MaxName)})
		if _, err := c.Write(append(h, ros1.Tension(float64(i))...)); err != nil {
			t.Error(err)
		}
		ros1.Eventually(t, "a message", func() bool { return len(got.All()) == i+1 })
		c.Close()
	}
	if d := time.Since(begin); d > 30*time.Second {
		t.Errorf("%d connections took %v", times, d)
	}
	if n := len(got.All()[0].Sender.Node); n != ros1.MaxName {
		t.Errorf("%d bytes of the sender's name are kept, want %d", n, ros1.MaxName)
	}
}

// TestDepartures checks that a watch of departures reports when a publisher hangs up.
func TestDepartures(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	p := m.FakePublisher("/fickle", "/sim/tensions")
	p.Register(t)
	got := &ros1.Collector[ros.Received]{}
	if err := m.Join("/sim").Subscribe(ros.Topic{Name: "/sim/tensions", Type: std_msgs.Float64MultiArrayType, ReportsSenderLeft: true}, got.Add); err != nil {
		t.Fatal(err)
	}
	c := p.Accept(t)
	if _, err := c.Write(append(p.Header(ros1.Header{}), ros1.Tension(1)...)); err != nil {
		t.Error(err)
	}
	ros1.Eventually(t, "a message", func() bool { return len(got.All()) == 1 })
	c.Close()
	ros1.Eventually(t, "the departure", func() bool { return len(got.All()) == 2 })
	if r := got.All()[1]; !r.SenderLeft || r.Message != nil || r.Sender != (ros.Sender{Node: "/fickle"}) {
		t.Errorf("%+v", r)
	}
}
