package ros2

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/rmw_dds_common"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
	"sinew/test/peer/ddspeer"
)

// Tests of what has no exported name.

// TestSender: a message tells which writer of which node sent it, and whether it
// is from before the subscription.
func TestSender(t *testing.T) {
	topic := ros.Topic{Name: "/state", Type: std_msgs.StringType, Latched: true}
	left, _ := Node(t, "/lab/left")
	p := Advertise(t, left, topic)
	p.Publish(Say("early"))
	right, _ := Node(t, "/lab/right")
	got := new(Collector[ros.Received])
	if err := right.Subscribe(topic, got.Add); err != nil {
		t.Fatal(err)
	}
	Eventually(t, "the latched message", func() bool { return got.Len() == 1 })
	writer := gidOf(p.(*publisher).writer.GUID()).Data
	first := got.List()[0]
	if first.Message.(*std_msgs.String).Data != "early" || !first.Latched || first.Sender.Endpoint != writer {
		t.Errorf("first %+v, want a latched message of %x", first, writer)
	}
	want := ros.Sender{Node: "/lab/left", Endpoint: writer}
	Eventually(t, "a message with the node's name", func() bool {
		p.Publish(Say("late"))
		l := got.List()
		return l[len(l)-1].Sender == want
	})
	for _, r := range got.List()[1:] {
		if r.Latched {
			t.Errorf("%+v is not from before the subscription", r)
		}
	}
	if s := want.String(); s != "/lab/left" {
		t.Errorf("String() is %q", s)
	}
}

// TestNodes: a participant speaks for its own writers only, and what is remembered
// of others stays bounded.
func TestNodes(t *testing.T) {
	at := func(participant, writer byte) rtps.GUID {
		return rtps.GUID{Prefix: prefix{participant}, Entity: [4]byte{0, 0, writer, 3}}
	}
	info := func(name string, writers ...rtps.GUID) *rmw_dds_common.ParticipantEntitiesInfo {
		n := rmw_dds_common.NodeEntitiesInfo{NodeNamespace: "/", NodeName: name}
		for _, w := range writers {
			n.WriterGidSeq = append(n.WriterGidSeq, gidOf(w))
		}
		return &rmw_dds_common.ParticipantEntitiesInfo{NodeEntitiesInfoSeq: []rmw_dds_common.NodeEntitiesInfo{n}}
	}
	var present []rtps.Remote
	remotes := func() []rtps.Remote { return present }
	n := newNodes(at(9, 0))
	n.own("/us", []rtps.GUID{at(9, 5)})
	n.learn(prefix{1}, info("one", at(1, 1), at(2, 7)), remotes)
	present = []rtps.Remote{{GUID: at(1, 0)}}
	n.learn(prefix{2}, info("two", at(2, 1), at(1, 1)), remotes)
	n.learn(prefix{2}, info("not a name", at(2, 2)), remotes)
	n.learn(prefix{2}, info("two", at(2, 1)), remotes)
	for writer, want := range map[rtps.GUID]string{
		at(1, 1): "/one", at(2, 1): "/two", at(2, 7): "", at(2, 2): "", at(9, 5): "/us", at(3, 1): "",
	} {
		if s := n.sender(writer); s.Node != want || s.Endpoint != gidOf(writer).Data {
			t.Errorf("%v: sender %+v, want node %q", writer, s, want)
		}
	}
	present = []rtps.Remote{{GUID: at(2, 0)}} // participant 1 has left
	n.learn(prefix{3}, info("three", at(3, 1)), remotes)
	if s := n.sender(at(1, 1)); s.Node != "" || n.count != 2 {
		t.Errorf("after participant 1 left: %+v, %d writers", s, n.count)
	}
	for p := range byte(20) {
		present = append(present, rtps.Remote{GUID: at(100+p, 0)})
		var many []rtps.GUID
		for i := range 2 * maxParticipantEndpoints {
			many = append(many, rtps.GUID{Prefix: prefix{100 + p}, Entity: [4]byte{0, byte(i >> 8), byte(i), 3}})
		}
		n.learn(prefix{100 + p}, info("many", many...), remotes)
		if k := len(n.known[prefix{100 + p}]); k > maxParticipantEndpoints || n.count > maxKnownEndpoints {
			t.Fatalf("%d writers of one participant, %d of all", k, n.count)
		}
	}
	if n.count != maxKnownEndpoints {
		t.Errorf("%d writers are known, want %d", n.count, maxKnownEndpoints)
	}
}

func BenchmarkSender(b *testing.B) {
	n := newNodes(rtps.GUID{})
	w := rtps.GUID{Prefix: prefix{1}, Entity: [4]byte{0, 0, 1, 3}}
	n.learn(w.Prefix, &rmw_dds_common.ParticipantEntitiesInfo{NodeEntitiesInfoSeq: []rmw_dds_common.NodeEntitiesInfo{{
		NodeNamespace: "/", NodeName: "them", WriterGidSeq: []rmw_dds_common.Gid{gidOf(w)},
	}}}, func() []rtps.Remote { return nil })
	b.ReportAllocs()
	for b.Loop() {
		if n.sender(w).Node == "" {
			b.Fatal("no name")
		}
	}
}

func addresses(all ...string) (list []netip.Addr) {
	for _, a := range all {
		list = append(list, netip.MustParseAddr(a))
	}
	return list
}

// Names of peers are followed: one without an address is logged once and tried again, one
// that changes is used at its new address alone, one of several addresses keeps the first
// that was used, and a name service that fails changes nothing.
func TestNamesOfPeersAreFollowed(t *testing.T) {
	core, logs := observer.New(zapcore.InfoLevel)
	r := newResolver([]Peer{{"10.0.0.1", 0}, {"lab", 7412}, {"late", 0}}, zap.New(core))
	names := map[string][]netip.Addr{"lab": addresses("::ffff:10.0.0.2")}
	r.lookup = func(_ context.Context, name string) ([]netip.Addr, error) {
		if a := names[name]; a != nil {
			return slices.Clone(a), nil
		}
		return nil, errors.New("no such host")
	}
	for _, c := range []struct {
		when    string
		name    string
		is      []netip.Addr
		changed bool
		want    string
		logged  string // in all since the last case
	}{
		{"at first", "", nil, true, "10.0.0.1:0 10.0.0.2:7412", "late no such host"},
		{"again", "", nil, false, "10.0.0.1:0 10.0.0.2:7412", ""},
		{"the late one appears", "late", addresses("10.0.0.3"), true, "10.0.0.1:0 10.0.0.2:7412 10.0.0.3:0", "late 10.0.0.3"},
		{"more addresses", "lab", addresses("10.0.0.9", "10.0.0.2"), false, "10.0.0.1:0 10.0.0.2:7412 10.0.0.3:0", ""},
		{"a new address", "lab", addresses("10.0.0.8"), true, "10.0.0.1:0 10.0.0.8:7412 10.0.0.3:0", "lab 10.0.0.8 10.0.0.2"},
		{"no name service", "lab", nil, false, "10.0.0.1:0 10.0.0.8:7412 10.0.0.3:0", "lab no such host 10.0.0.8"},
		{"it is back", "lab", addresses("10.0.0.8"), false, "10.0.0.1:0 10.0.0.8:7412 10.0.0.3:0", ""},
	} {
		if c.name != "" {
			names[c.name] = c.is
		}
		if changed := r.update(t.Context()); changed != c.changed {
			t.Errorf("%s: changed %t", c.when, changed)
		}
		var got []string
		for _, a := range r.addresses() {
			got = append(got, a.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: addresses %v, want %s", c.when, got, c.want)
		}
		var logged []string
		for _, l := range logs.TakeAll() {
			for _, key := range []string{"peer", "error", "address", "before", "kept"} {
				if v, ok := l.ContextMap()[key]; ok {
					logged = append(logged, v.(string))
				}
			}
		}
		if strings.Join(logged, " ") != c.logged {
			t.Errorf("%s: told %q, want %q", c.when, logged, c.logged)
		}
	}
}

// queued is a server without a network; its handle waits until it is released.
func queued(t *testing.T) (s *server, release chan struct{}, handled *atomic.Int64) {
	t.Helper()
	release, handled = make(chan struct{}), new(atomic.Int64)
	tr, _ := Node(t, "/queued")
	s = &server{
		name: "/sim/step", kind: sinew_msgs.Step, log: zap.NewNop(), warnings: newWarnings(zap.NewNop()),
		bad: new(atomic.Uint64), callers: map[rtps.GUID]*caller{},
		handle: ros.Deferred(func(m msgs.Message) msgs.Message { <-release; handled.Add(1); return Echo(m) }),
	}
	if _, _, err := s.open(tr, "rq/queuedRequest", "rr/queuedReply"); err != nil {
		t.Fatal(err)
	}
	return s, release, handled
}

// asked is request n of client number who.
func asked(who byte, n int64, written time.Time) rtps.Sample {
	return rtps.Sample{
		Writer: rtps.GUID{Prefix: [12]byte{who}, Entity: [4]byte{0, 0, 1, 3}}, Sequence: n, Source: written,
		Payload: (&sinew_msgs.StepRequest{Steps: uint64(n)}).AppendCDR(nil),
	}
}

// TestFloodOfCalls: what waits has bounds, of one client and of all.
func TestFloodOfCalls(t *testing.T) {
	t.Parallel()
	s, release, handled := queued(t)
	for i := range 100 * maxCallerWaiting {
		s.take(asked(1, int64(1+i), time.Time{}))
	}
	if n := s.bad.Load(); n < 99*maxCallerWaiting-1 || n > 99*maxCallerWaiting {
		t.Errorf("%d calls of one client refused, want all but the %d that wait and one", n, maxCallerWaiting)
	}
	for who := range byte(200) {
		for i := range 10 {
			s.take(asked(2+who, int64(1+i), time.Time{}))
		}
	}
	s.mu.Lock()
	if s.waiting > maxWaiting || s.bytes > maxWaitingBytes {
		t.Errorf("%d calls with %d bytes wait", s.waiting, s.bytes)
	}
	s.mu.Unlock()
	close(release)
	Eventually(t, "all that waited is answered", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		running := false
		for _, c := range s.callers {
			running = running || c.running
		}
		return s.waiting == 0 && s.bytes == 0 && !running
	})
	if n := handled.Load(); n < maxWaiting {
		t.Errorf("%d calls answered, want at least %d", n, maxWaiting)
	}
	for who := range 3 * maxCallers {
		sample := asked(0, 1, time.Time{})
		sample.Writer.Prefix[1], sample.Writer.Prefix[2] = byte(who), byte(who>>8)
		s.take(sample)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.callers); n > maxCallers {
		t.Errorf("%d clients are remembered, at most %d may be", n, maxCallers)
	}
}

// TestClientDies drops the calls of a client that ends.
func TestClientDies(t *testing.T) {
	t.Parallel()
	s, release, handled := queued(t)
	for i := range 10 {
		s.take(asked(1, int64(1+i), time.Time{}))
	}
	Eventually(t, "the first is being answered", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.waiting == 9
	})
	s.gone(asked(1, 1, time.Time{}).Writer)
	s.mu.Lock()
	if s.waiting != 0 || s.bytes != 0 {
		t.Errorf("%d calls with %d bytes wait for a dead client", s.waiting, s.bytes)
	}
	s.mu.Unlock()
	close(release)
	Eventually(t, "the goroutine ends", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return !s.callers[asked(1, 1, time.Time{}).Writer].running
	})
	if n := handled.Load(); n != 1 {
		t.Errorf("%d calls carried through, want the one that had begun", n)
	}
}

// TestNoCallTwice: a client that was thought gone sends again what it has kept;
// a new process with the same GUID counts from 1.
func TestNoCallTwice(t *testing.T) {
	t.Parallel()
	s, release, handled := queued(t)
	close(release)
	start := time.Unix(1000, 0)
	settle := func(want int64) {
		t.Helper()
		Eventually(t, fmt.Sprint(want, " calls answered"), func() bool { return handled.Load() >= want })
		time.Sleep(20 * time.Millisecond)
		if n := handled.Load(); n != want {
			t.Errorf("%d calls answered, want %d", n, want)
		}
	}
	for i := range 5 {
		s.take(asked(1, int64(1+i), start.Add(time.Duration(i)*time.Second)))
	}
	settle(5)
	s.gone(asked(1, 1, start).Writer)
	for i := range 5 {
		s.take(asked(1, int64(1+i), start.Add(time.Duration(i)*time.Second)))
	}
	settle(5)
	for i := range 5 {
		s.take(asked(1, int64(1+i), start.Add(time.Duration(10+i)*time.Second)))
	}
	settle(10)
}

// TestHeard: a publisher knows when it has been heard of by all who listen, on Cyclone DDS and
// here, and not before they do.
func TestHeard(t *testing.T) {
	tr, _ := Node(t, "/talker")
	p := Advertise(t, tr, ros.Topic{Name: "/heard", Type: geometry_msgs.PoseStampedType}).(*publisher)
	if p.IsDiscovered() {
		t.Error("heard of before anybody listens")
	}
	other, _ := Node(t, "/listener")
	if err := other.Subscribe(ros.Topic{Name: "/heard", Type: geometry_msgs.PoseStampedType}, func(ros.Received) {}); err != nil {
		t.Fatal(err)
	}
	them := ddspeer.Jazzy.Start(t, Domain, ddspeer.Multicast)
	them.Tell("pose rt/heard rv")
	Eventually(t, "three readers", func() bool { return p.writer.Matched() == 3 }) // a subscription has two
	Eventually(t, "a word of all three", p.IsDiscovered)
	p.Publish(ros.NewSample(Pose()))
	Eventually(t, "the only message", func() bool { return len(them.Lines("pose ")) == 1 })
}
