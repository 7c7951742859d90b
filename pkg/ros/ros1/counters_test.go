package ros1

import (
	"context"
	"errors"
	"io"
	"net"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"go.uber.org/zap"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/xmlrpc"
)

// TestDroppedMessages counts what subscribers that are too slow do not get, also after
// they have left.
func TestDroppedMessages(t *testing.T) {
	p := newPublication(PoseTopic("/sim/measured_cp"), newServer("/sim", nil, usual.frozen, zap.NewNop()))
	sample := ros.NewSample(&geometry_msgs.PoseStamped{})
	publish := func(n int) {
		for range n {
			p.Publish(sample)
		}
	}
	check := func(lost uint64, subscribers int) {
		t.Helper()
		if p.lost() != lost || p.wanted.Load() != int32(subscribers) || len(p.connections()) != subscribers || p.HasSubscribers() != (subscribers > 0) {
			t.Errorf("%d lost, %d wanted, %d connections; want %d, %d", p.lost(), p.wanted.Load(), len(p.connections()), lost, subscribers)
		}
	}
	var all [2]*subscriberConn
	for i := range all {
		c, _ := net.Pipe()
		all[i] = newSubscriberConn(p, c, "/viewer")
		if !p.join(all[i]) {
			t.Fatal("a subscriber is refused")
		}
		if all[i].id != i+1 {
			t.Errorf("connection %d has number %d", i+1, all[i].id)
		}
		check(uint64(5*i), i+1)
		publish(subscriberQueue + 5 - 5*i)
	}
	// the first has lost 5 and then as many as the second was sent, which lost none
	check(5+subscriberQueue, 2)
	p.leave(all[0])
	check(5+subscriberQueue, 1)
	if _, ok := all[0].queue.Take(); ok {
		t.Error("something is still to be sent to a subscriber that has left")
	}
	publish(3)
	check(5+subscriberQueue+3, 1)
	p.leave(all[1])
	check(5+subscriberQueue+3, 0)
	publish(1)
	check(5+subscriberQueue+3, 0)
	if want := uint32(2*subscriberQueue + 9); p.count != want {
		t.Errorf("%d messages are numbered, want %d", p.count, want)
	}
	p.close()
	if c, _ := net.Pipe(); p.join(newSubscriberConn(p, c, "/late")) {
		t.Error("a topic that has ended takes a subscriber")
	}
}

// TestSentMessages counts the bytes and messages that a subscriber was sent.
func TestSentMessages(t *testing.T) {
	p := newPublication(PoseTopic("/sim/measured_cp"), newServer("/sim", nil, usual.frozen, zap.NewNop()))
	ours, theirs := net.Pipe()
	c := newSubscriberConn(p, ours, "/viewer")
	p.join(c)
	sample := ros.NewSample(&geometry_msgs.PoseStamped{})
	const n = 7
	for range n {
		p.Publish(sample)
	}
	c.queue.Close() // what is queued is still sent
	go c.write(p.numbered, usual.frozen)
	got, err := io.ReadAll(theirs)
	<-c.written
	if want := n * (4 + len(sample.ROS1())); err != nil || len(got) != want || c.bytes.Load() != uint64(want) || c.sent.Load() != n {
		t.Errorf("%d bytes arrived, %v; %d bytes and %d messages are counted, want %d and %d", len(got), err, c.bytes.Load(), c.sent.Load(), want, n)
	}
	failed := newSubscriberConn(p, ours, "/gone") // the pipe is closed
	failed.queue.Put(message{sample.ROS1(), 1})
	failed.queue.Close()
	failed.write(p.numbered, usual.frozen)
	if failed.sent.Load() != 0 || failed.bytes.Load() != 0 {
		t.Errorf("%d messages, %d bytes count as sent without a subscriber", failed.sent.Load(), failed.bytes.Load())
	}
}

// TestBusStats tells what was sent, per topic and connection, within what XML-RPC can
// express.
func TestBusStats(t *testing.T) {
	s := newServer("/sim", nil, usual.frozen, zap.NewNop())
	x := &slave{server: s, registrar: &registrar{sources: newSources("/sim", func(string, []string, []string) {}, zap.NewNop())}}
	join := func(topic string, bytes, sent uint64) {
		t.Helper()
		p := s.publication(topic)
		if p == nil {
			p = newPublication(PoseTopic(topic), s)
			if err := s.addPublication(p); err != nil {
				t.Fatal(err)
			}
		}
		c, _ := net.Pipe()
		conn := newSubscriberConn(p, c, "/viewer")
		conn.bytes.Store(bytes)
		conn.sent.Store(sent)
		p.join(conn)
	}
	const most = 1<<31 - 1
	join("/sim/b", 300, 3)
	join("/sim/b", 70, 2)
	join("/sim/a", most, most)
	join("/sim/a", most+5, most+1)
	if err := s.addPublication(newPublication(PoseTopic("/sim/c"), s)); err != nil { // has no subscriber
		t.Fatal(err)
	}
	want := success([]any{
		[]any{
			[]any{"/sim/a", most, []any{[]any{3, most, most, true}, []any{4, most, most, true}}},
			[]any{"/sim/b", 370, []any{[]any{1, 300, 3, true}, []any{2, 70, 2, true}}},
		}, []any{}, []any{},
	})
	if got := x.busStats(nil); !reflect.DeepEqual(got, want) {
		t.Errorf("%v,\nwant %v", got, want)
	}
	x.registrar.sources.registered("/sim/in", []string{"http://127.0.0.1:9/"}, 0)
	rows := x.busInfo(nil)[2].([]any)
	var ids []int
	for _, r := range rows {
		ids = append(ids, r.([]any)[0].(int))
	}
	if !slices.Equal(ids, []int{3, 4, 1, 2, 5}) {
		t.Errorf("connections %v, want 3, 4, 1, 2 and a new number", ids)
	}
}

// TestBadMessages counts messages that cannot be parsed, and no others.
func TestBadMessages(t *testing.T) {
	var bad atomic.Uint64
	var got []ros.Received
	s := newSubscription("/sim", ros.Topic{Name: "/sim/tensions", Type: std_msgs.Float64MultiArrayType}, func(r ros.Received) {
		got = append(got, r)
		if len(got) == 2 {
			panic("out of order")
		}
	}, &bad, zap.NewNop())
	from := ros.Sender{Node: "/controller"}
	good := Tension(1.5)[4:]
	for i, c := range []struct {
		body []byte
		bad  uint64
	}{{good, 0}, {good[1:], 1}, {good, 1}, {nil, 2}, {good, 2}} {
		if err := s.take(c.body, from, i == 0); (err != nil) != (i == 1 || i == 3) || bad.Load() != c.bad {
			t.Errorf("message %d: error %v, %d count as bad, want %d", i, err, bad.Load(), c.bad)
		}
	}
	if len(got) != 3 || got[0].Sender != from || !got[0].Latched || got[2].Latched {
		t.Errorf("received %+v", got)
	}
}

// TestConnectFails: a connection to a publisher always ends with an error that says why.
func TestConnectFails(t *testing.T) {
	unused, err := listenOn(loopback)
	if err != nil {
		t.Fatal(err)
	}
	gone := port(unused)
	unused.Close()
	var reply atomic.Pointer[[]any]
	api, err := listenOn(loopback)
	if err != nil {
		t.Fatal(err)
	}
	server := xmlrpc.Serve(api, func(context.Context, string, []any) (any, error) { return *reply.Load(), nil }, xmlrpc.Access{})
	defer server.Close()
	var bad atomic.Uint64
	s := newSubscription("/sim", PoseTopic("/sim/in"), func(ros.Received) {}, &bad, zap.NewNop())
	for name, c := range map[string]struct {
		reply []any
		peer  bool // violates the protocol
	}{
		"refused":         {[]any{masterclient.Failure, "no", 0}, false},
		"no listener":     {success([]any{"TCPROS", loopback, gone}), false},
		"the last port":   {success([]any{"TCPROS", loopback, 65535}), false},
		"the first port":  {success([]any{"TCPROS", loopback, 1}), false},
		"no protocol":     {success([]any{}), true},
		"UDP":             {success([]any{"UDPROS", loopback, gone}), true},
		"port 0":          {success([]any{"TCPROS", loopback, 0}), true},
		"port too large":  {success([]any{"TCPROS", loopback, 65536}), true},
		"port as text":    {success([]any{"TCPROS", loopback, "80"}), true},
		"address no text": {success([]any{"TCPROS", 127, 80}), true},
	} {
		reply.Store(&c.reply)
		x := &publisherConn{subscription: s, uri: "http://" + api.Addr().String() + "/"}
		if err := x.connect(t.Context()); err == nil || errors.Is(err, errPeer) != c.peer || x.good {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
