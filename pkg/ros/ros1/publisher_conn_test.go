package ros1

import (
	"context"
	"encoding/binary"
	"maps"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/xmlrpc"
)

// fakePublisher publishes one topic of Float64MultiArray with what a test writes.
type fakePublisher struct {
	client masterclient.Client
	topic  string
	slave  string // URI
	asked  atomic.Int32
	answer atomic.Pointer[[]any] // to requestTopic
	conns  chan net.Conn         // after the subscriber's header
}

func (m *testMaster) fakePublisher(name, topic string) *fakePublisher {
	m.Helper()
	api, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		m.Fatal(err)
	}
	tcpros, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		m.Fatal(err)
	}
	p := &fakePublisher{
		client: masterclient.Client{URI: m.rosMaster().URI(), Caller: name},
		topic:  topic, slave: "http://" + api.Addr().String() + "/", conns: make(chan net.Conn),
	}
	p.answer.Store(&[]any{1, "", []any{"TCPROS", "127.0.0.1", port(tcpros)}})
	server := xmlrpc.Serve(api, func(_ context.Context, method string, _ []any) (any, error) {
		if method == "requestTopic" {
			p.asked.Add(1)
			return *p.answer.Load(), nil
		}
		return []any{1, "", 0}, nil
	})
	go func() {
		for {
			c, err := tcpros.Accept()
			if err != nil {
				return
			}
			if _, err := readHeader(c); err == nil {
				p.conns <- c
			}
		}
	}()
	m.Cleanup(func() {
		tcpros.Close()
		server.Close()
	})
	return p
}

func (p *fakePublisher) register(t *testing.T) {
	t.Helper()
	if _, err := p.client.RegisterPublisher(t.Context(), p.topic, std_msgs.Float64MultiArrayType.Name, p.slave); err != nil {
		t.Fatal(err)
	}
}

func (p *fakePublisher) unregister(t *testing.T) {
	t.Helper()
	if err := p.client.UnregisterPublisher(t.Context(), p.topic, p.slave); err != nil {
		t.Fatal(err)
	}
}

// accept takes the next connection of the subscriber.
func (p *fakePublisher) accept(t *testing.T) net.Conn {
	t.Helper()
	select {
	case c := <-p.conns:
		t.Cleanup(func() { c.Close() })
		return c
	case <-time.After(patience):
		t.Fatal("nobody connects")
		return nil
	}
}

// header is a good reply, with further or other fields.
func (p *fakePublisher) header(other header) []byte {
	h := header{"callerid": p.client.Caller, "type": std_msgs.Float64MultiArrayType.Name, "md5sum": std_msgs.Float64MultiArrayType.MD5}
	maps.Copy(h, other)
	return h.append(nil)
}

func tension(v float64) []byte {
	body := (&std_msgs.Float64MultiArray{Data: []float64{v}}).AppendROS1(nil)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...)
}

// receive subscribes a transport to a topic of Float64MultiArray and collects all
// that arrives.
func (m *testMaster) receive(t *Transport, topic string) *collector[ros.Received] {
	m.Helper()
	c := &collector[ros.Received]{}
	if err := t.Subscribe(ros.Topic{Name: topic, Type: std_msgs.Float64MultiArrayType}, c.add); err != nil {
		m.Fatal(err)
	}
	return c
}

// TestHostilePublishers lets a publisher answer each connection with something
// else that it must not, and at last with a message: that arrives, and so does
// everything of another publisher meanwhile.
func TestHostilePublishers(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	healthy := m.fakePublisher("/healthy", "/sim/tensions")
	healthy.register(t)
	node := m.join("/sim")
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
	out := healthy.accept(t)
	write := func(c net.Conn, b []byte) {
		t.Helper()
		if _, err := c.Write(b); err != nil {
			t.Error(err)
		}
	}
	write(out, healthy.header(nil))

	sent := int32(0)
	for what, script := range map[string]func(p *fakePublisher) []byte{
		"nothing":           func(*fakePublisher) []byte { return nil },
		"half a header":     func(p *fakePublisher) []byte { return p.header(nil)[:40] },
		"a huge header":     func(*fakePublisher) []byte { return []byte{0, 0, 0, 0x7f, 'x'} },
		"an empty header":   func(*fakePublisher) []byte { return make([]byte, 4) },
		"no header":         func(*fakePublisher) []byte { return []byte("HTTP/1.1 400 Bad Request\r\n\r\n") },
		"a refusal":         func(p *fakePublisher) []byte { return header{"error": "not today"}.append(nil) },
		"another type":      func(p *fakePublisher) []byte { return p.header(header{"md5sum": std_msgs.BoolType.MD5}) },
		"another topic":     func(p *fakePublisher) []byte { return p.header(header{"topic": "/other"}) },
		"half a message":    func(p *fakePublisher) []byte { return append(p.header(nil), tension(9)[:20]...) },
		"a huge message":    func(p *fakePublisher) []byte { return append(p.header(nil), 1, 0, 0, 0x10, 0) },
		"a negative length": func(p *fakePublisher) []byte { return append(p.header(nil), 0xff, 0xff, 0xff, 0xff) },
		"a malformed body":  func(p *fakePublisher) []byte { return append(p.header(nil), 4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff) },
		"an empty body":     func(p *fakePublisher) []byte { return append(p.header(nil), 0, 0, 0, 0) },
		"a short length":    func(p *fakePublisher) []byte { return append(p.header(nil), append([]byte{10}, tension(9)[1:]...)...) },
	} {
		p := m.fakePublisher("/hostile", "/sim/tensions")
		p.register(t)
		c := p.accept(t)
		if b := script(p); len(b) > 0 {
			write(c, b)
		}
		c.Close()
		for range 10 {
			write(out, tension(1))
			sent++
		}
		c = p.accept(t)
		write(c, append(p.header(nil), tension(2)...))
		eventually(t, "a message after "+what, func() bool { return fromHostile.Swap(0) == 1 })
		p.unregister(t)
		eventually(t, "the connection ends after "+what, func() bool {
			_, err := c.Write(tension(3))
			return err != nil
		})
		fromHostile.Store(0)
	}
	eventually(t, "all messages of the healthy publisher", func() bool { return fromHealthy.Load() == sent })
	const malformed = 3
	if n := node.Refused(); n != malformed {
		t.Errorf("%d messages were refused, want %d", n, malformed)
	}
}

// TestSilentPublisher connects to a publisher that never answers the header: it
// is given up and tried again.
func TestSilentPublisher(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	p := m.fakePublisher("/silent", "/sim/tensions")
	p.register(t)
	got := m.receive(m.join("/sim"), "/sim/tensions")
	p.accept(t) // and say nothing
	c := p.accept(t)
	if _, err := c.Write(append(p.header(nil), tension(1)...)); err != nil {
		t.Error(err)
	}
	eventually(t, "a message", func() bool { return len(got.all()) == 1 })
}

// TestRetry checks how often a publisher is asked that cannot be reached, and
// that it is left alone once it is not listed.
func TestRetry(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	p := m.fakePublisher("/broken", "/sim/tensions")
	node := m.join("/sim")
	m.receive(node, "/sim/tensions")
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
		p.register(t)
		eventually(t, "a second attempt", func() bool { return p.asked.Load() >= 2 })
		if i > 0 {
			p.unregister(t)
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
		p.unregister(t)
		eventually(t, "it is let go", func() bool { return len(node.registrar.sources.all()["/sim/tensions"]) == 0 })
		n = p.asked.Load()
		time.Sleep(time.Second)
		if p.asked.Load() > n+1 { // one may have been under way
			t.Errorf("asked %d times after it was let go", p.asked.Load()-n)
		}
	}
}

// TestSender checks whom a message is said to come from, and whether from before
// the subscription: that is the first message of a latching publisher that was
// there first, or that is connected to again.
func TestSender(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	early, plain := m.fakePublisher("/early", "/sim/tensions"), m.fakePublisher("/plain", "/sim/tensions")
	early.register(t)
	plain.register(t)
	got := m.receive(m.join("/sim"), "/sim/tensions")
	check := func(p *fakePublisher, h header, want ...bool) net.Conn {
		t.Helper()
		c := p.accept(t)
		if _, err := c.Write(p.header(h)); err != nil {
			t.Error(err)
		}
		for i, latched := range want {
			got.clear()
			if _, err := c.Write(tension(float64(i))); err != nil {
				t.Error(err)
			}
			eventually(t, "a message", func() bool { return len(got.all()) == 1 })
			if r := got.all()[0]; r.Latched != latched || r.Sender != (ros.Sender{Node: p.client.Caller}) {
				t.Errorf("message %d of %s: sender %v, latched %v; want %v", i, p.client.Caller, r.Sender, r.Latched, latched)
			}
		}
		return c
	}
	latching := header{"latching": "1"}
	c := check(early, latching, true, false, false)
	check(plain, header{"latching": "0"}, false, false)
	c.Close()
	check(early, latching, true, false)

	late := m.fakePublisher("/late", "/sim/tensions")
	late.register(t)
	c = check(late, latching, false, false)
	c.Close()
	check(late, latching, true, false)
}

// TestReconnection checks that a publisher that has given a message is connected to
// again at once, however often it has hung up, and how much of a long name is kept.
func TestReconnection(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	p := m.fakePublisher("/fickle", "/sim/tensions")
	p.register(t)
	got := m.receive(m.join("/sim"), "/sim/tensions")
	begin := time.Now()
	const times = 15 // 51 s if each pause were twice the one before
	for i := range times {
		c := p.accept(t)
		h := p.header(header{"callerid": "/" + strings.Repeat("x", 2*maxName)})
		if _, err := c.Write(append(h, tension(float64(i))...)); err != nil {
			t.Error(err)
		}
		eventually(t, "a message", func() bool { return len(got.all()) == i+1 })
		c.Close()
	}
	if d := time.Since(begin); d > 30*time.Second {
		t.Errorf("%d connections took %v", times, d)
	}
	if n := len(got.all()[0].Sender.Node); n != maxName {
		t.Errorf("%d bytes of the sender's name are kept, want %d", n, maxName)
	}
}

// TestDepartures checks that whoever asks for it is told when a publisher hangs up.
func TestDepartures(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	p := m.fakePublisher("/fickle", "/sim/tensions")
	p.register(t)
	got := &collector[ros.Received]{}
	if err := m.join("/sim").Subscribe(ros.Topic{Name: "/sim/tensions", Type: std_msgs.Float64MultiArrayType, Departures: true}, got.add); err != nil {
		t.Fatal(err)
	}
	c := p.accept(t)
	if _, err := c.Write(append(p.header(header{}), tension(1)...)); err != nil {
		t.Error(err)
	}
	eventually(t, "a message", func() bool { return len(got.all()) == 1 })
	c.Close()
	eventually(t, "the departure", func() bool { return len(got.all()) == 2 })
	if r := got.all()[1]; !r.Gone || r.Message != nil || r.Sender != (ros.Sender{Node: "/fickle"}) {
		t.Errorf("%+v", r)
	}
}
