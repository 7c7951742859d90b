package rtps

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

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
		p := withClock(t, Options{Lease: c.lease, Domain: 3, Range: Host})
		p.take()
		p.call(p.e.announce)
		p.advance(10 * time.Second)
		all, data := announcements(t, p.take())
		rounds := map[int64][]posted{}
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
				if !s.at.Equal(at) {
					t.Fatalf("lease %v: announcement %d after %v, want %v", c.lease, i+1, s.at.Sub(time.Unix(0, 0)), at.Sub(time.Unix(0, 0)))
				}
				if s.to == netip.AddrPortFrom(loopback, wire.SPDPUnicastPort(3, p.ID())) {
					t.Fatalf("announcement %d goes to ourselves", i+1)
				}
			}
			last := round[len(round)-1]
			if last.to != netip.AddrPortFrom(group, wire.SPDPMulticastPort(3)) || last.from != loopback {
				t.Errorf("announcement %d goes to %v from %v last, not to the group", i+1, last.to, last.from)
			}
			at = at.Add(c.want[i])
		}
	}
}

// TestAnnouncedAddresses: this host gets the loopback address first, others only what
// they can reach; the group is told of on every interface in range.
func TestAnnouncedAddresses(t *testing.T) {
	p := withClock(t, Options{Range: Subnet, Domain: 3})
	far, near := netip.MustParseAddr("10.0.0.5"), netip.MustParseAddr("10.0.1.5")
	p.call(func() {
		p.e.host = host{own: ownSet("127.0.0.1", "10.0.0.5"), reach: []netip.Addr{far, near}, multicast: []netip.Addr{near}}
		p.e.spdp.sequence = 1
		p.e.multicastSPDP(false)
	})
	all, data := announcements(t, p.take())
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
	p := withClock(t, Options{Domain: 3, Peers: peersOf("10.0.0.7:9999", "10.0.0.8:0", "127.0.0.1:0")})
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
	if len(count) != len(want) || !slices.Contains(all, addrPort("10.0.0.7:9999")) {
		t.Errorf("announced to %v", count)
	}
}

// TestGreeting: a new participant hears from us every 60 ms, 30 times, unless it
// answers before.
func TestGreeting(t *testing.T) {
	for _, answers := range []bool{false, true} {
		p := withClock(t, Options{NoMulticast: true})
		a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
		a.announce()
		p.advance(10 * helloEvery)
		if answers {
			p.call(func() { p.e.remotes[a.prefix].proven = true })
		}
		p.advance(time.Minute)
		got, data := announcements(t, p.take())
		want := helloTimes
		if answers {
			want = 11
		}
		if len(got) != want {
			t.Fatalf("answers %v: %d announcements to it, want %d", answers, len(got), want)
		}
		for i, g := range got {
			if g.to != attackerAddress || g.at != time.Unix(0, 0).Add(time.Duration(i)*helloEvery) || data[i].Sequence != int64(i+1) {
				t.Errorf("announcement %d goes to %v at %v with number %d", i, g.to, g.at.UnixMilli(), data[i].Sequence)
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
		p := withClock(t, Options{NoMulticast: true})
		a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
		known := func() bool { return state(p.Participant, func(e *engine) bool { return e.remotes[a.prefix] != nil }) }
		a.announceLease(c.lease)
		p.advance(c.want / 2)
		a.inject(func(*wire.Builder) {}) // a sign of life
		p.advance(c.want - 1)
		if !known() {
			t.Errorf("lease %v: forgotten before %v", c.lease, c.want)
		}
		p.advance(1)
		if known() {
			t.Errorf("lease %v: still known after %v", c.lease, c.want)
		}
	}
}

// TestLeaseShortened: a participant that announces a shorter lease is held to it.
func TestLeaseShortened(t *testing.T) {
	p := withClock(t, Options{NoMulticast: true})
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announceLease(5 * time.Minute)
	a.announceLease(2 * time.Second)
	p.advance(2*time.Second - 1)
	if n := len(p.Remotes()); n != 1 {
		t.Errorf("%d participants just before the lease ends, want 1", n)
	}
	p.advance(1)
	if n := len(p.Remotes()); n != 0 {
		t.Errorf("%d participants after the lease, want none", n)
	}
}

// announceLease announces with a lease of its own.
func (a *attacker) announceLease(lease time.Duration) {
	a.describe(func(d *wire.ParticipantData) { d.Lease = lease })
}

// describe announces what change makes of the announcement.
func (a *attacker) describe(change func(*wire.ParticipantData)) {
	at := []wire.Locator{wire.LocatorOf(attackerAddress)}
	d := wire.ParticipantData{
		GUID: GUID{Prefix: a.prefix, Entity: wire.EntityParticipant}, Version: wire.ThisVersion, Domain: wire.NoDomain,
		Builtin: 0x3f | wire.HasMessageWriter, Metatraffic: at, Default: at, Lease: time.Minute,
	}
	change(&d)
	var b wire.Builder
	b.Participant(&d)
	a.inject(func(m *wire.Builder) { m.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: 1, Payload: b.Bytes}) })
	a.settle()
}

// TestNotDiscovered: what is not a participant of this domain with an address in range
// is not taken, and counted where it is wrong.
func TestNotDiscovered(t *testing.T) {
	far := []wire.Locator{wire.LocatorOf(addrPort("10.1.2.3:7411"))}
	for _, c := range []struct {
		name                       string
		change                     func(*wire.ParticipantData)
		known                      int
		refused, malformedMessages uint64
	}{
		{"as it should be", func(*wire.ParticipantData) {}, 1, 0, 0},
		{"our domain", func(d *wire.ParticipantData) { d.Domain = 3 }, 1, 0, 0},
		{"another domain", func(d *wire.ParticipantData) { d.Domain = 4 }, 0, 0, 0},
		{"relayed", func(d *wire.ParticipantData) { d.GUID.Prefix = wire.Prefix{8} }, 0, 0, 0},
		{"discovery out of range", func(d *wire.ParticipantData) { d.Metatraffic = far }, 0, 1, 0},
		{"data out of range", func(d *wire.ParticipantData) { d.Default = far }, 0, 1, 0},
	} {
		p := withClock(t, Options{NoMulticast: true, Domain: 3})
		a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
		a.describe(c.change)
		if n, s := len(p.Remotes()), p.Stats(); n != c.known || s.RefusedParticipants != c.refused || s.Malformed != c.malformedMessages {
			t.Errorf("%s: %d known, %+v", c.name, n, s)
		}
	}
	p := withClock(t, Options{NoMulticast: true})
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	for range 2 {
		a.inject(func(m *wire.Builder) { m.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: 1, Payload: []byte{0, 3}}) })
	}
	a.settle()
	if n, s := len(p.Remotes()), p.Stats(); n != 0 || s.Malformed != 2 {
		t.Errorf("damaged: %d known, %+v", n, s)
	}
}
