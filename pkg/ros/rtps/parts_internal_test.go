package rtps

import (
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// Tests of what has no exported name.

// TestIntervals compares with a plain set.
func TestIntervals(t *testing.T) {
	for range 200 {
		var s intervals
		in := map[int64]bool{}
		for range 30 {
			first := rand.Int64N(100)
			end := first + rand.Int64N(8)
			s.add(first, end)
			for n := first; n < end; n++ {
				in[n] = true
			}
		}
		from := rand.Int64N(50)
		s.below(from)
		for n := from; n < 120; n++ {
			if s.has(n) != in[n] {
				t.Fatalf("%d: %v, in %v", n, s.has(n), s)
			}
			if end := s.end(n); in[end] {
				t.Fatalf("the end of %d is %d, which is in %v", n, end, s)
			}
		}
		for i := 1; i < len(s); i++ {
			if s[i-1].end >= s[i].first {
				t.Fatalf("%v is not disjoint", s)
			}
		}
	}
}

func TestHistory(t *testing.T) {
	h := newHistory(20)
	for n := int64(1); n <= 50; n++ {
		h.Put(change{sequence: n, key: GUID{Entity: wire.EntityID{byte(n % 5)}}})
	}
	if h.first(0) != 31 || h.Len() != 20 {
		t.Fatalf("keeps %d from %d", h.Len(), h.first(0))
	}
	for n := int64(1); n <= 51; n++ {
		if c := h.find(n); (c != nil) != (n > 30 && n <= 50) || c != nil && c.sequence != n {
			t.Errorf("found %+v for %d", c, n)
		}
	}
	h.supersede(GUID{Entity: wire.EntityID{0}}) // 35, 40, 45, 50
	if h.Len() != 16 || h.find(35) != nil || h.find(36) == nil || h.first(0) != 31 {
		t.Errorf("keeps %d from %d", h.Len(), h.first(0))
	}
	wide := newHistory(1000)
	for h.Len() > 0 {
		c, _ := h.Take()
		wide.Put(c)
	}
	h = wide
	for n := int64(51); n <= 51+3*keptDisposes; n++ {
		k := GUID{Entity: wire.EntityID{1, byte(n)}}
		h.supersede(k)
		h.Put(change{sequence: n, key: k, ended: true})
	}
	if h.Len() > 16+keptDisposes+1 || h.find(31) == nil {
		t.Errorf("keeps %d ended instances", h.Len()-16)
	}
}

// TestRequestedOffered goes through the table of DDS 1.4, 2.2.3.
func TestRequestedOffered(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(w, r *wire.EndpointData)
		reason string // how it starts
	}{
		{"equal", func(w, r *wire.EndpointData) {}, ""},
		{"more offered", func(w, r *wire.EndpointData) {
			w.Reliability, w.Durability, w.Deadline, w.LivelinessLease = wire.Reliable, wire.TransientLocal, time.Second, time.Second
		}, ""},
		{"type", func(w, r *wire.EndpointData) { r.Type = "U" }, "type"},
		{"reliability", func(w, r *wire.EndpointData) { r.Reliability = wire.Reliable }, "reliability"},
		{"durability", func(w, r *wire.EndpointData) { r.Durability = wire.TransientLocal }, "durability: writer offers volatile, reader requests transient local"},
		{"persistent", func(w, r *wire.EndpointData) { w.Durability, r.Durability = 1, 3 }, "durability: writer offers transient local, reader requests persistent"},
		{"deadline", func(w, r *wire.EndpointData) { r.Deadline = time.Second }, "deadline: writer offers none, reader requests 1s"},
		{"liveliness", func(w, r *wire.EndpointData) { r.Liveliness = 1 }, "liveliness"},
		{"liveliness lease", func(w, r *wire.EndpointData) { r.LivelinessLease = time.Second }, "liveliness"},
		{"ownership", func(w, r *wire.EndpointData) { r.Exclusive = true }, "ownership"},
		{"partition", func(w, r *wire.EndpointData) { r.Partitions = []string{"p"} }, "partition"},
		{"partition in common", func(w, r *wire.EndpointData) { r.Partitions = []string{"p", ""} }, ""},
		{"XCDR1 or 2", func(w, r *wire.EndpointData) { r.Representations = []int16{2, 0} }, ""},
		{"XCDR2 only", func(w, r *wire.EndpointData) { r.Representations = []int16{2} }, "data representation"},
		{"both XCDR2", func(w, r *wire.EndpointData) { w.Representations, r.Representations = []int16{2}, []int16{2} }, ""},
	} {
		w := QoS{}.describe(GUID{Entity: HostileWriter}, "x", "T", nil)
		r := QoS{}.describe(GUID{Entity: HostileReader}, "x", "T", nil)
		c.change(&w, &r)
		got := incompatible(&w, &r)
		if (got == "") != (c.reason == "") || !strings.HasPrefix(got, c.reason) {
			t.Errorf("%s: %q, not %q", c.name, got, c.reason)
		}
	}
}

// TestAlarms rings in order of time, whatever the order of setting.
func TestAlarms(t *testing.T) {
	var a timers
	var rang []int
	start := time.Unix(0, 0)
	all := make([]timer, 100)
	for i := range all {
		all[i].fire = func() { rang = append(rang, i) }
	}
	for _, i := range rand.Perm(len(all)) {
		a.set(&all[i], start.Add(time.Duration(rand.IntN(1000))*time.Hour))
		a.set(&all[i], start.Add(time.Duration(i)*time.Second))
	}
	for i := 10; i < 20; i++ {
		a.clear(&all[i])
		a.clear(&all[i])
	}
	a.run(start.Add(49 * time.Second))
	if len(rang) != 40 || rang[0] != 0 || rang[9] != 9 || rang[10] != 20 || rang[39] != 49 {
		t.Errorf("rang %v", rang)
	}
	if at, ok := a.next(); !ok || !at.Equal(start.Add(50*time.Second)) {
		t.Errorf("next at %v", at)
	}
	// one that sets itself for now must not ring for ever
	n := 0
	var again timer
	again.fire = func() { n++; a.set(&again, start) }
	a.set(&again, start)
	a.run(start)
	if n != 1 {
		t.Errorf("rang %d times", n)
	}
}

// TestAddresses chooses among locators as the range allows.
func TestAddresses(t *testing.T) {
	at := func(all ...string) (l []wire.Locator) {
		for _, s := range all {
			l = append(l, wire.LocatorOf(AddrPort(s)))
		}
		return l
	}
	own := host{own: ownSet("127.0.0.1", "10.0.0.5"), networks: []Interface{{"v0", netip.MustParsePrefix("10.0.0.5/24"), 2}}}
	for _, c := range []struct {
		name  string
		reach Range
		all   []wire.Locator
		from  string
		want  string // "" for none
	}{
		{"loopback on this host", Host, at("10.0.0.5:7411", "127.0.0.1:7411"), "127.0.0.1:1", "127.0.0.1:7411"},
		{"own address only", Host, at("10.0.0.5:7411"), "127.0.0.1:1", "10.0.0.5:7411"},
		{"other host, not in range", Host, at("10.0.0.6:7411"), "10.0.0.6:1", ""},
		{"other host, a peer", Host, at("10.0.0.7:7411"), "10.0.0.7:1", "10.0.0.7:7411"},
		{"other host", Subnet, at("172.17.0.1:7411", "10.0.0.6:7411"), "10.0.0.6:1", "10.0.0.6:7411"},
		{"loopback of another host", Subnet, at("127.0.0.1:7411"), "10.0.0.6:1", ""},
		{"same net", Subnet, at("172.17.0.1:7411", "10.0.0.6:7411"), "10.0.0.9:1", "10.0.0.6:7411"},
		{"multicast and nonsense", Subnet, at("239.255.0.1:7411", "0.0.0.0:7411", "255.255.255.255:7411", "10.0.0.6:0"), "10.0.0.6:1", ""},
		{"elsewhere", Subnet, at("8.8.8.8:53", "10.0.1.6:7411"), "10.0.0.6:1", ""},
		{"a sender behind a router", Subnet, at("8.8.8.8:7411", "10.0.9.6:7411"), "10.0.9.6:1", "10.0.9.6:7411"},
		{"this host, for another one", Subnet, at("10.0.0.5:7411"), "10.0.0.6:1", ""},
		{"this host, for another one and itself", Subnet, at("10.0.0.5:7411", "10.0.0.6:7411"), "10.0.0.6:1", "10.0.0.6:7411"},
		{"all hosts of the network", Subnet, at("10.0.0.255:7411", "10.0.0.0:7411"), "10.0.0.255:1", ""},
		{"a peer, for another host", Subnet, at("10.0.0.7:7411"), "10.0.9.6:1", "10.0.0.7:7411"},
	} {
		e := &engine{opts: Options{Range: c.reach}, host: own}
		e.host.peers = peersOf("10.0.0.7:0")
		got, ok := e.choose(c.all, AddrPort(c.from).Addr())
		if ok != (c.want != "") || ok && got != AddrPort(c.want) {
			t.Errorf("%s: %v, %v, not %q", c.name, got, ok, c.want)
		}
	}
}

func TestForeignHost(t *testing.T) {
	own := host{own: ownSet("127.0.0.1", "10.0.0.5"), networks: []Interface{{"v0", netip.MustParsePrefix("10.0.0.5/28"), 2}}}
	chosen := Options{Range: Subnet, Interfaces: []string{"v0"}}
	for _, c := range []struct {
		o    Options
		from string
		want bool
	}{
		{Options{}, "127.0.0.1:1", true},
		{Options{}, "10.0.0.5:1", true},
		{Options{}, "10.0.0.6:1", false},
		{Options{Peers: peersOf("10.0.0.6:0")}, "10.0.0.6:1", true},
		{Options{Range: Subnet}, "10.0.0.6:1", true},
		{Options{Range: Off}, "127.0.0.1:1", false},
		{chosen, "127.0.0.1:1", true},
		{chosen, "10.0.0.14:1", true},
		{chosen, "10.0.0.16:1", false}, // heard on another interface
		{Options{Range: Subnet, Interfaces: []string{"v0"}, Peers: peersOf("10.0.0.16:0")}, "10.0.0.16:1", true},
	} {
		own.peers = c.o.Peers
		if got := accepted(&c.o, &own, AddrPort(c.from).Addr()); got != c.want {
			t.Errorf("range %d, from %s: %v", c.o.Range, c.from, got)
		}
	}
}

// TestSlowFlood: made-up participants that come one by one, each after the last has
// had its chance, replace one another and never exceed the limit. One that has
// answered keeps its place.
func TestSlowFlood(t *testing.T) {
	const limit = 4
	var seen Events
	p := WithClock(t, Options{NoMulticast: true, Limits: Limits{Participants: limit}, Notify: seen.Notify})
	a := &Attacker{T: t, To: p.Participant}
	met := func(i byte) bool {
		a.Prefix = wire.Prefix{9, i}
		a.Announce()
		a.Settle()
		return state(p.Participant, func(e *engine) bool { return e.remotes[a.Prefix] != nil })
	}
	if !met(0) {
		t.Fatal("the first participant is refused")
	}
	p.call(func() { p.e.remotes[a.Prefix].proven = true })
	for i := byte(1); i < limit; i++ {
		if !met(i) {
			t.Fatalf("participant %d is refused, though there is room for %d", i, limit)
		}
	}
	p.Advance(graceOfUnproven - 1)
	if met(100) || p.Stats().RefusedParticipants != 1 {
		t.Errorf("a participant gave way before its time, %d were refused", p.Stats().RefusedParticipants)
	}
	p.Advance(1)
	for i := range byte(40) {
		if !met(101 + i) {
			t.Fatalf("participant %d does not replace one that never answered", 101+i)
		}
		if n := len(p.Remotes()); n != limit {
			t.Fatalf("%d participants are kept after %d more, not %d", n, i+1, limit)
		}
		p.Advance(graceOfUnproven)
	}
	if !state(p.Participant, func(e *engine) bool { return e.remotes[wire.Prefix{9, 0}] != nil && e.remotes[e.guid.Prefix] != nil }) {
		t.Error("one that has answered was forgotten")
	}
	Eventually(t, "the news", func() bool { return len(seen.Of(ParticipantLost)) == 40 })
	if e := seen.Of(ParticipantLost)[0]; e.Reason != "no answer, and no room" {
		t.Errorf("told %+v", e)
	}
	if n := p.Stats().RefusedParticipants; n != 1 {
		t.Errorf("%d participants were refused, want 1", n)
	}
}

// TestForgotten: nothing of a participant that has left stays.
func TestForgotten(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true})
	r, _ := NewReader(t, p.Participant, "x", Reliable)
	w := NewWriter(t, p.Participant, "x", Reliable)
	count := func() (proxies, timers, endpoints int) {
		p.call(func() {
			for _, l := range p.e.readers {
				proxies += len(l.proxies)
			}
			for _, l := range p.e.writers {
				proxies += len(l.proxies)
			}
			timers, endpoints = len(p.e.timers.heap), p.e.endpoints
		})
		return proxies, timers, endpoints
	}
	p.Advance(patience) // what concerns ourselves is settled
	proxies, timers, endpoints := count()
	a := Attack(t, p.Participant)
	a.Data(2, Payload("out of order"))
	a.Settle()
	if r.Matched() != 1 || w.Matched() != 1 {
		t.Fatalf("the reader has %d matches, the writer %d, want 1 each", r.Matched(), w.Matched())
	}
	if n, m, k := count(); n == proxies || m == timers || k != endpoints+2 {
		t.Errorf("%d proxies, %d timers, %d endpoints after %d, %d, %d", n, m, k, proxies, timers, endpoints)
	}
	p.call(func() { p.e.removeRemote(p.e.remotes[a.Prefix], "test") })
	p.Advance(patience) // reminders without a receiver end by themselves
	if n, m, k := count(); n != proxies || m != timers || k != endpoints {
		t.Errorf("%d proxies, %d timers, %d endpoints stay, want %d, %d, %d", n, m, k, proxies, timers, endpoints)
	}
	if n := state(p.Participant, func(e *engine) int { return e.buffered }); n != 0 {
		t.Errorf("%d bytes stay buffered", n)
	}
	if r.Matched() != 0 || w.Matched() != 0 {
		t.Errorf("the reader has %d matches, the writer %d, want none", r.Matched(), w.Matched())
	}
}
