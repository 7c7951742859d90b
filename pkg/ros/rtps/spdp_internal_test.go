package rtps

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// Tests of what has no exported name.

// TestAnnouncementTimes: announcements are dense at first and thin out to a third of
// the lease or 3 s, whichever is less. Each goes to all well-known ports but our own.
func TestAnnouncementTimes(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		lease time.Duration
		want  []time.Duration // between announcements
	}{
		{20 * time.Second, []time.Duration{50 * ms, 100 * ms, 200 * ms, 300 * ms, 500 * ms, 1000 * ms, 3000 * ms, 3000 * ms}},
		{1500 * ms, []time.Duration{50 * ms, 100 * ms, 200 * ms, 300 * ms, 500 * ms, 500 * ms, 500 * ms, 500 * ms}},
	} {
		p := WithClock(t, Options{Lease: c.lease, Domain: 3, Range: Host})
		p.Take()
		p.call(p.e.announce)
		p.Advance(10 * time.Second)
		all, data := announcements(t, p.Take())
		rounds := map[int64][]Posted{}
		for i, d := range data {
			rounds[d.Sequence] = append(rounds[d.Sequence], all[i])
		}
		at := time.Unix(0, 0)
		for i := range c.want {
			round := rounds[int64(i+1)]
			if len(round) != wellKnownOthers { // one is our own, but there is the group
				t.Fatalf("lease %v: announcement %d goes to %d addresses, want %d", c.lease, i+1, len(round), wellKnownOthers)
			}
			for _, s := range round {
				if !s.At.Equal(at) {
					t.Fatalf("lease %v: announcement %d after %v, want %v", c.lease, i+1, s.At.Sub(time.Unix(0, 0)), at.Sub(time.Unix(0, 0)))
				}
				if s.To == netip.AddrPortFrom(loopback, wire.SPDPUnicastPort(3, p.ID())) {
					t.Fatalf("announcement %d goes to ourselves", i+1)
				}
			}
			last := round[len(round)-1]
			if last.To != netip.AddrPortFrom(group, wire.SPDPMulticastPort(3)) || last.from != loopback {
				t.Errorf("announcement %d goes to %v from %v last, not to the group", i+1, last.To, last.from)
			}
			at = at.Add(c.want[i])
		}
	}
}

// TestAnnouncedAddresses: this host gets the loopback address first, others only what
// they can reach; the group is announced on every interface in range.
func TestAnnouncedAddresses(t *testing.T) {
	p := WithClock(t, Options{Range: Subnet, Domain: 3})
	far, near := netip.MustParseAddr("10.0.0.5"), netip.MustParseAddr("10.0.1.5")
	p.call(func() {
		p.e.host = host{own: ownSet("127.0.0.1", "10.0.0.5"), reach: []netip.Addr{far, near}, multicast: []netip.Addr{near}}
		p.e.spdp.sequence = 1
		p.e.multicastSPDP(false)
	})
	all, data := announcements(t, p.Take())
	if len(all) != 2 {
		t.Fatalf("%d announcements, want one on the loopback interface and one on the other", len(all))
	}
	for i, want := range []struct {
		from netip.Addr
		at   []netip.Addr
	}{{loopback, []netip.Addr{loopback, far, near}}, {near, []netip.Addr{far, near}}} {
		d, err := wire.ParseParticipant(data[i].Payload)
		if err != nil {
			t.Fatal(err)
		}
		for what, l := range map[string][]wire.Locator{"discovery": d.Metatraffic, "user": d.Default} {
			port := wire.SPDPUnicastPort(3, p.ID())
			if what == "user" {
				port = wire.UserUnicastPort(3, p.ID())
			}
			var got, wanted []netip.AddrPort
			for _, x := range l {
				a, _ := x.AddrPort()
				got = append(got, a)
			}
			for _, a := range want.at {
				wanted = append(wanted, netip.AddrPortFrom(a, port))
			}
			if !slices.Equal(got, wanted) || all[i].from != want.from {
				t.Errorf("from %v: %s addresses %v, want %v", all[i].from, what, got, wanted)
			}
		}
	}
	// without any other address the loopback one is better than none
	p.call(func() { p.e.host = host{own: ownSet("127.0.0.1")} })
	if d := state(p.Participant, func(e *engine) wire.ParticipantData { return e.describe(false) }); len(d.Default) != 1 || len(d.Metatraffic) != 1 {
		t.Errorf("without an interface: %v and %v", d.Metatraffic, d.Default)
	}
}

// TestPeersAnnounced: a peer with a port gets announcements there, one without at all
// well-known ports; loopback has them anyway.
func TestPeersAnnounced(t *testing.T) {
	p := WithClock(t, Options{Domain: 3, Peers: peersOf("10.0.0.7:9999", "10.0.0.8:0", "127.0.0.1:0")})
	all := state(p.Participant, func(e *engine) []netip.AddrPort {
		e.host = host{own: ownSet("127.0.0.1"), peers: e.host.peers}
		return e.wellKnown()
	})
	count := map[netip.Addr]int{}
	for _, a := range all {
		count[a.Addr()]++
	}
	want := map[netip.Addr]int{
		loopback: wellKnownOthers - 1, netip.MustParseAddr("10.0.0.7"): 1, netip.MustParseAddr("10.0.0.8"): wellKnownOthers,
	}
	for a, n := range want {
		if count[a] != n {
			t.Errorf("%d announcements to %v, want %d", count[a], a, n)
		}
	}
	if len(count) != len(want) || !slices.Contains(all, AddrPort("10.0.0.7:9999")) {
		t.Errorf("announced to %v", count)
	}
}

// TestGreeting: a new participant hears from us every 60 ms, 30 times, unless it
// answers before.
func TestGreeting(t *testing.T) {
	for _, answers := range []bool{false, true} {
		p := WithClock(t, Options{NoMulticast: true})
		a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
		a.Announce()
		p.Advance(10 * helloEvery)
		if answers {
			p.call(func() { p.e.remotes[a.Prefix].proven = true })
		}
		p.Advance(time.Minute)
		got, data := announcements(t, p.Take())
		want := helloTimes
		if answers {
			want = 11
		}
		if len(got) != want {
			t.Fatalf("answers %v: %d announcements to it, want %d", answers, len(got), want)
		}
		for i, g := range got {
			if g.To != AttackerAddress || g.At != time.Unix(0, 0).Add(time.Duration(i)*helloEvery) || data[i].Sequence != int64(i+1) {
				t.Errorf("announcement %d goes to %v at %v with number %d", i, g.To, g.At.UnixMilli(), data[i].Sequence)
			}
		}
	}
}

// TestLeaseTimes: a participant is forgotten when its lease has passed since it was
// last heard, within the bounds that we set to leases.
func TestLeaseTimes(t *testing.T) {
	for _, c := range []struct{ lease, want time.Duration }{
		{10 * time.Second, 10 * time.Second}, {time.Millisecond, minLease}, {wire.Forever, maxLeaseAccepted},
	} {
		p := WithClock(t, Options{NoMulticast: true})
		a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
		known := func() bool { return state(p.Participant, func(e *engine) bool { return e.remotes[a.Prefix] != nil }) }
		a.AnnounceLease(c.lease)
		p.Advance(c.want / 2)
		a.Inject(func(*wire.Builder) {}) // a sign of life
		p.Advance(c.want - 1)
		if !known() {
			t.Errorf("lease %v: forgotten before %v", c.lease, c.want)
		}
		p.Advance(1)
		if known() {
			t.Errorf("lease %v: still known after %v", c.lease, c.want)
		}
	}
}

// TestVolatileReader: what a writer kept from before is not delivered to a reader that
// did not ask for it; the very next sample is.
func TestVolatileReader(t *testing.T) {
	l := ListenTo(t, Reliable)
	d := Latched.describe(GUID{Prefix: l.Prefix, Entity: HostileWriter}, "x", "T", nil)
	l.say(d)
	l.Heartbeat(1, 5)
	for n := int64(4); n <= 7; n++ {
		l.Data(n, Payload("%d", n))
	}
	l.Settle()
	if got := l.Numbers(t, 2); !slices.Equal(got, []int64{6, 7}) {
		t.Errorf("samples %v came, want 6 and 7", got)
	}
}

// TestSyncWithoutHeartbeat: if heartbeats never come, delivery begins with the
// earliest sample that has come once so many wait that no more fit.
func TestSyncWithoutHeartbeat(t *testing.T) {
	l := ListenTo(t, Reliable)
	l.call(func() { l.e.opts.Limits.BufferedCount = 3 })
	l.Data(9, Payload("9"))
	l.Data(7, Payload("7"))
	l.Settle()
	if l.got.Len() != 0 {
		t.Fatal("delivered before it is known where to begin")
	}
	l.Data(8, Payload("8"))
	if got := l.Numbers(t, 3); !slices.Equal(got, []int64{7, 8, 9}) {
		t.Errorf("samples %v came", got)
	}
	for n := range int64(4) {
		l.Data(11+n, Payload("%d", 11+n))
	}
	l.Settle()
	if n := l.Stats().RefusedBuffers; n != 1 {
		t.Errorf("%d samples are refused, want 1", n)
	}
	l.Data(10, Payload("10"))
	if got := l.Numbers(t, 7); !slices.Equal(got, []int64{7, 8, 9, 10, 11, 12, 13}) {
		t.Errorf("samples %v came", got)
	}
}
