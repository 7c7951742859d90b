package rtps

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/rtps/wire"
)

// Tests of what has no exported name.

const igmp = "Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter\n" +
	"1\tlo        :     2      V3\n\t\t\t\t0100FFEF     1 0:00000000\t\t0\n\t\t\t\t010000E0     1 0:00000000\t\t0\n" +
	"2\teth0      :     1      V3\n\t\t\t\t010000E0     1 0:00000000\t\t0\n" +
	"13\teth1      :     2      V3\n\t\t\t\t0100FFEF     1 0:00000000\t\t0\n"

// The kernel's list says on which interfaces the discovery group is not heard any more.
func TestLostMemberships(t *testing.T) {
	network := func(name, prefix string, index int) Interface {
		return Interface{name, netip.MustParsePrefix(prefix), index}
	}
	h := host{networks: []Interface{network("eth0", "10.0.0.1/24", 2), network("eth1", "10.0.1.1/24", 13), network("tun0", "10.0.2.1/24", 3), network("eth3", "10.0.3.1/24", 1300)}}
	h.multicast = []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.1.1"), netip.MustParseAddr("10.0.3.1")}
	if got := fmt.Sprint(lostMemberships(&h, []byte(igmp))); got != "[10.0.0.1 10.0.3.1]" {
		t.Errorf("lost %s", got)
	}
	if got := lostMemberships(&h, nil); got != nil {
		t.Errorf("lost %v on a system without such a list", got)
	}
}

func FuzzLostMemberships(f *testing.F) {
	f.Add(igmp)
	f.Add("1\n\t\n \n")
	h := host{networks: []Interface{{"a", netip.MustParsePrefix("10.0.0.1/24"), 2}}, multicast: []netip.Addr{netip.MustParseAddr("10.0.0.1")}}
	f.Fuzz(func(t *testing.T, list string) {
		if got := lostMemberships(&h, []byte(list)); len(got) > 1 || list == "" && got != nil {
			t.Errorf("lost %v", got)
		}
	})
}

// TestPeersReplaced: peers that are set are announced to, and in the range Host those of
// before are given up.
func TestPeersReplaced(t *testing.T) {
	p := WithClock(t, Options{Peers: peersOf("10.0.0.7:0")})
	p.call(func() {
		for i, a := range []string{"10.0.0.7:7412", "127.0.0.1:7412"} {
			r := p.e.admit(&wire.ParticipantData{GUID: GUID{Prefix: wire.Prefix{byte(i + 2)}, Entity: wire.EntityParticipant}}, loopback, false)
			r.discovery = AddrPort(a)
		}
	})
	if err := p.SetPeers(peersOf("10.0.0.8:0", "127.0.0.1:0")); err != nil {
		t.Fatal(err)
	}
	p.call(func() {
		left := p.e.others()
		if len(left) != 1 || left[0].discovery != AddrPort("127.0.0.1:7412") {
			t.Errorf("%d participants are left", len(left))
		}
		all := p.e.wellKnown()
		if slices.Contains(all, AddrPort("10.0.0.7:7410")) || !slices.Contains(all, AddrPort("10.0.0.8:7410")) {
			t.Errorf("announced to %v", all)
		}
	})
	if own := p.own.Load(); own.isPeer(AddrPort("10.0.0.7:0").Addr()) || !own.isPeer(AddrPort("10.0.0.8:0").Addr()) {
		t.Errorf("datagrams are taken from %v", own.peers)
	}
	if err := p.SetPeers(peersOf("0.0.0.0:0")); err == nil || !strings.Contains(err.Error(), "is not an IPv4 address") {
		t.Errorf("error %v", err)
	}
}

// TestSameEndpoint: whatever an endpoint changes makes it another one.
func TestSameEndpoint(t *testing.T) {
	made := func() wire.EndpointData {
		d := Reliable.describe(GUID{Entity: HostileWriter}, "x", "T", []byte("data"))
		d.Unicast = []wire.Locator{wire.LocatorOf(AttackerAddress)}
		d.Partitions, d.Representations = []string{"p"}, []int16{0}
		return d
	}
	a, b := made(), made()
	if !sameEndpoint(&a, &b) {
		t.Error("an endpoint differs from its repetition")
	}
	for name, change := range map[string]func(*wire.EndpointData){
		"topic":            func(d *wire.EndpointData) { d.Topic = "y" },
		"type":             func(d *wire.EndpointData) { d.Type = "U" },
		"user data":        func(d *wire.EndpointData) { d.UserData = []byte("other") },
		"locators":         func(d *wire.EndpointData) { d.Unicast = []wire.Locator{wire.LocatorOf(AddrPort("127.0.0.1:10"))} },
		"partitions":       func(d *wire.EndpointData) { d.Partitions = nil },
		"representations":  func(d *wire.EndpointData) { d.Representations = []int16{2} },
		"reliability":      func(d *wire.EndpointData) { d.Reliability = wire.BestEffort },
		"durability":       func(d *wire.EndpointData) { d.Durability = wire.TransientLocal },
		"deadline":         func(d *wire.EndpointData) { d.Deadline = time.Second },
		"liveliness":       func(d *wire.EndpointData) { d.Liveliness = 1 },
		"liveliness lease": func(d *wire.EndpointData) { d.LivelinessLease = time.Second },
		"ownership":        func(d *wire.EndpointData) { d.Exclusive = true },
	} {
		b := made()
		change(&b)
		if sameEndpoint(&a, &b) {
			t.Errorf("an endpoint with another %s passes for the same", name)
		}
	}
}

// TestEndpointChanges: a reader that moves gets samples at its new address, a
// repetition changes nothing, and one that asks for more than is offered is let go.
func TestEndpointChanges(t *testing.T) {
	var seen Events
	p := WithClock(t, Options{NoMulticast: true, Notify: seen.Notify})
	w := NewWriter(t, p.Participant, "x", Reliable)
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	d := Reliable.describe(GUID{Prefix: a.Prefix, Entity: HostileReader}, "x", "T", nil)
	goesTo := func() string {
		t.Helper()
		if w.Matched() != 1 {
			t.Fatalf("%d readers match, want 1", w.Matched())
		}
		return state(p.Participant, func(e *engine) string { return e.writers[w.GUID().Entity].proxies[0].to().String() })
	}
	a.say(d)
	if at := goesTo(); at != AttackerAddress.String() {
		t.Errorf("samples go to %s", at)
	}
	d.Unicast = []wire.Locator{wire.LocatorOf(AddrPort("127.0.0.1:10"))}
	for range 2 {
		a.say(d)
		if at := goesTo(); at != "127.0.0.1:10" {
			t.Errorf("samples go to %s after the reader has moved", at)
		}
	}
	d.Durability = wire.TransientLocal
	a.say(d)
	if n := w.Matched(); n != 0 {
		t.Errorf("%d readers match, though the writer keeps nothing", n)
	}
	if n := state(p.Participant, func(e *engine) int { return e.endpoints }); n != 1 {
		t.Errorf("%d endpoints are counted, want 1", n)
	}
	Eventually(t, "the news", func() bool { return len(seen.Of(Incompatible)) == 1 })
	if m, u := len(seen.Of(Matched)), len(seen.Of(Unmatched)); m != 2 || u != 2 {
		t.Errorf("told of %d matches and %d ends, want 2 and 2", m, u)
	}
}

// TestEndpointsRefused: what discovery itself needs cannot be announced, and what is
// no endpoint counts as damaged.
func TestEndpointsRefused(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true})
	a := Attack(t, p.Participant)
	known := state(p.Participant, func(e *engine) int { return e.endpoints })
	a.say(Reliable.describe(GUID{Prefix: a.Prefix, Entity: wire.SEDPPubWriter}, "x", "T", nil))
	a.say(Reliable.describe(GUID{Prefix: wire.Prefix{8}, Entity: HostileWriter}, "x", "T", nil))
	a.Sedp(true, wire.Data{Payload: []byte{0, 3, 0, 0}})
	if s := p.Stats(); s.RefusedEndpoints != 2 || s.Malformed != 1 {
		t.Errorf("%+v, want 2 endpoints refused and 1 malformed", s)
	}
	if n := state(p.Participant, func(e *engine) int { return e.endpoints }); n != known {
		t.Errorf("%d endpoints are kept, want %d", n, known)
	}
}

// The readers of one participant share datagrams, and get everything in order where many are lost, beside
// a reader of another participant.
func TestSiblingsShareDatagrams(t *testing.T) {
	const n, readers = 300, 40
	for _, losing := range []bool{false, true} {
		t.Run(fmt.Sprintf("lossy=%t", losing), func(t *testing.T) {
			var on atomic.Bool
			var dropped atomic.Int64
			lose := func() bool { return on.Load() && rand.IntN(10) == 0 }
			a := Join(t, Options{wrap: func(l link) link { return lossy{l, lose, &dropped} }})
			b, other := Join(t, Options{}), Join(t, Options{})
			w := NewWriter(t, a, "x", Reliable)
			var all []*Reader
			var boxes []*Box
			for i := range readers {
				q := Reliable
				q.Reliable = i%4 != 0
				p := b
				if i == readers/2+1 {
					p = other
				}
				r, got := NewReader(t, p, "x", q)
				all, boxes = append(all, r), append(boxes, got)
			}
			MatchedInTest(t, w, readers, all...)
			before := a.Stats().Sent
			on.Store(losing)
			for i := range n {
				Write(t, w, Payload("%d", i))
				for k, got := range boxes {
					if k%4 != 0 {
						keepUp(t, i, got)
					}
				}
			}
			for i, got := range boxes {
				if losing && i%4 == 0 {
					continue // best effort
				}
				Eventually(t, "all samples", func() bool { return got.Len() == n })
				for k, s := range got.Texts() {
					if s != fmt.Sprint(k) {
						t.Fatalf("reader %d: sample %d is %s", i, k, s)
					}
				}
			}
			if losing && dropped.Load() == 0 {
				t.Error("nothing was lost")
			}
			// one datagram for each participant, and what is said beside
			if sent := a.Stats().Sent - before; !losing && sent > n*readers/4 {
				t.Errorf("%d datagrams for %d samples to %d readers of two participants", sent, n, readers)
			}
		})
	}
}

// Siblings do not share what would overtake an earlier sample, is not for all, needs fragments, has
// another form for some or goes to two addresses.
func TestSiblingsThatDiffer(t *testing.T) {
	at, elsewhere := AddrPort("127.0.0.1:1"), AddrPort("127.0.0.1:2")
	r, s := new(remote), new(remote)
	w := new(localWriter)
	for i, of := range []*remote{r, s, r, s, r} {
		p := &readerProxy{w: w, remote: of, guid: GUID{Entity: ReaderID(byte(i))}, to: func() netip.AddrPort { return at }, queue: bounded.NewRing[request](2)}
		w.add(p)
	}
	if n := siblings(w.proxies); n != 3 || siblings(w.proxies[n:]) != 2 {
		t.Fatalf("%d and %d are side by side, want 3 and 2", n, siblings(w.proxies[n:]))
	}
	all := w.proxies[:3]
	small := &change{payload: Payload("x")}
	if !alike(all, small) {
		t.Error("those that do not differ do not share")
	}
	if alike(all, &change{payload: make([]byte, fragmentSize+1)}) || alike(all, &change{payload: Payload("x"), to: all[0].guid}) {
		t.Error("what has fragments, or is for one, is shared")
	}
	last := all[2]
	for what, change := range map[string]func(){
		"an earlier sample": func() { last.queue.Put(request{}) },
		"another form":      func() { last.variant = 1 },
		"another address":   func() { last.to = func() netip.AddrPort { return elsewhere } },
	} {
		was := *last
		change()
		if alike(all, small) {
			t.Errorf("shared in spite of %s", what)
		}
		*last = was
		last.queue = bounded.NewRing[request](2)
	}
}
