package rtps

import (
	"math"
	"net/netip"
	"slices"
	"testing"

	"sinew/pkg/ros/rtps/wire"
)

// TestBufferShares: all writers together may have the limit, one of them a quarter, to
// the byte.
func TestBufferShares(t *testing.T) {
	e := &engine{opts: Options{Limits: Limits{BufferedBytes: 400}}, stats: new(counters)}
	var held [5]int
	for i := range 4 {
		if !e.takeBuffer(60, &held[i]) || !e.takeBuffer(40, &held[i]) {
			t.Fatalf("writer %d does not get its quarter", i)
		}
	}
	if n := e.stats.stats().RefusedBuffers; n != 0 {
		t.Fatalf("%d requests were refused, want none", n)
	}
	if e.takeBuffer(1, &held[4]) {
		t.Error("there is more than the limit")
	}
	e.releaseBuffer(100, &held[0])
	if e.buffered != 300 || held[0] != 0 {
		t.Errorf("%d bytes are buffered, %d of the first, want 300 and none", e.buffered, held[0])
	}
	if e.takeBuffer(1, &held[1]) {
		t.Error("a writer gets more than a quarter")
	}
	if e.takeBuffer(101, &held[4]) {
		t.Error("a writer gets more than a quarter at once")
	}
	if !e.takeBuffer(100, &held[4]) {
		t.Error("what was given back is not given out again")
	}
	if n := e.stats.stats().RefusedBuffers; n != 3 || e.buffered != 400 {
		t.Errorf("%d requests were refused, %d bytes are buffered, want 3 and 400", n, e.buffered)
	}
}

// TestEntityNumbers: identifiers are used once each, in 24 bits, and run out.
func TestEntityNumbers(t *testing.T) {
	e := new(engine)
	for _, c := range []struct {
		last uint32
		want wire.EntityID
	}{
		{0, wire.EntityID{0, 0, 1, 3}}, {0xff, wire.EntityID{0, 1, 0, 3}}, {0x01fffe, wire.EntityID{1, 0xff, 0xff, 3}},
		{math.MaxUint32>>8 - 1, wire.EntityID{0xff, 0xff, 0xff, 3}},
	} {
		e.lastKey = c.last
		if got, ok := e.newEntity(3); got != c.want || !ok {
			t.Errorf("after %#x comes %x, %v; want %x", c.last, got, ok, c.want)
		}
	}
	if got, ok := e.newEntity(3); ok {
		t.Errorf("after the last comes %x", got)
	}
}

// TestMessageHead: a message for one participant says so, one for all does not.
func TestMessageHead(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true})
	for _, to := range []wire.Prefix{{}, {9}} {
		b := state(p.Participant, func(e *engine) []byte { return slices.Clone(e.begin(to).Bytes) })
		h, rest, err := wire.Open(b)
		if err != nil || h.Prefix != p.GUID().Prefix || h.Version != wire.ThisVersion {
			t.Fatalf("head %+v, %v", h, err)
		}
		s, err := rest.Next()
		if to == (wire.Prefix{}) {
			if err == nil {
				t.Errorf("a message for all begins with a submessage of kind %#x", s.Kind)
			}
			continue
		}
		if got, err := s.InfoDestination(); got != to || err != nil {
			t.Errorf("a message for %v is for %v, %v", to, got, err)
		}
	}
}

// TestGroupJoined: the discovery group is heard on the interfaces in range.
func TestGroupJoined(t *testing.T) {
	for _, c := range []struct {
		o    Options
		self bool // on the loopback interface
		all  bool // on all others
	}{
		{Options{}, true, false}, {Options{Range: Subnet}, true, true},
		{Options{NoMulticast: true}, false, false}, {Options{Range: Subnet, NoMulticast: true}, false, false}, {Options{Range: Off}, false, false},
	} {
		p := WithClock(t, c.o)
		var joined []netip.Addr
		p.call(func() {
			p.e.join = func(a netip.Addr) error { joined = append(joined, a); return nil }
			p.e.hostChanged(surveyHost(nil), nil, false)
			var want []netip.Addr
			if c.self {
				want = append(want, loopback)
			}
			if c.all {
				want = append(want, p.e.host.multicast...)
			}
			if !slices.Equal(joined, want) {
				t.Errorf("range %d, no multicast %v: joined on %v, want %v", c.o.Range, c.o.NoMulticast, joined, want)
			}
			if !p.own.Load().isOwn(loopback) || len(p.own.Load().reach) != len(p.e.host.reach) {
				t.Error("the link is not told of the addresses of this host")
			}
		})
	}
}
