package rtps

import (
	"encoding/binary"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// crowd has strangers that never answer take all places of a participant, for longer than a test lasts.
func crowd(t *testing.T, p *Participant) {
	t.Helper()
	a := &Attacker{T: t, To: p}
	for i := range 2 * p.e.opts.Limits.Participants {
		binary.BigEndian.PutUint32(a.Prefix[4:], uint32(i+1))
		a.Announce()
	}
	a.Settle()
	p.call(func() {
		for _, r := range p.e.remotes {
			r.met = r.met.Add(time.Hour)
		}
	})
	if n := len(p.Remotes()); n != p.e.opts.Limits.Participants {
		t.Fatalf("%d strangers are known, want %d", n, p.e.opts.Limits.Participants)
	}
}

// A participant that starts when strangers have taken all places finds a place by its answer, and so do
// two that find each other while both are full.
func TestStartAfterFlood(t *testing.T) {
	for name, full := range map[string]int{"one is full": 1, "both are full": 2} {
		t.Run(name, func(t *testing.T) {
			var deaf atomic.Bool
			var dropped atomic.Int64
			deaf.Store(true)
			o := Options{NoMulticast: true, wrap: func(l link) link { return lossy{l, deaf.Load, &dropped} }}
			a, b := Join(t, o), Join(t, o)
			for _, p := range []*Participant{a, b}[:full] {
				crowd(t, p)
			}
			w := NewWriter(t, a, "x", Reliable)
			r, got := NewReader(t, b, "x", Reliable)
			deaf.Store(false)
			MatchedInTest(t, w, 1, r)
			Write(t, w, Payload("hello"))
			Eventually(t, "the sample", func() bool { return got.Len() == 1 })
			if n, most := len(a.Remotes()), a.e.opts.Limits.Participants; n > most {
				t.Errorf("%d participants are known, at most %d are allowed", n, most)
			}
		})
	}
}

// One without a place gets one announcement of us for each of its own, and answers for a place of one that never
// did. Those that answered keep their places until their time is over.
func TestAnswersForPlaces(t *testing.T) {
	const limit = 4
	p := WithClock(t, Options{NoMulticast: true, Range: Subnet, Limits: Limits{Participants: limit}})
	for i := range byte(limit) {
		a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9, i}, at: AddrPort("127.0.0.1:1")}
		a.Announce()
		a.Settle()
	}
	p.Advance(graceOfUnproven / 2)
	known := func(a *Attacker) bool {
		a.Settle()
		return state(p.Participant, func(e *engine) bool { return e.remotes[a.Prefix] != nil })
	}
	announcements := func(a *Attacker) (n int) {
		p.call(func() {
			for _, d := range p.net.all {
				if d.To != a.at {
					continue
				}
				_, rest, err := wire.Open(d.bytes)
				if err != nil {
					t.Fatal(err)
				}
				s, err := rest.Next()
				if err != nil {
					t.Fatal(err)
				}
				to, err := s.InfoDestination()
				if alone := err == nil && to == a.Prefix; alone != (a.vendor != wire.VendorCyclone) {
					t.Errorf("a datagram for %v, %v, to %v", to, err, a.Prefix)
				}
				n++
			}
		})
		return n
	}
	// nothing is said to who has spoken to us alone, nor where somebody else may be
	answer := func(a *Attacker) {
		a.Inject(func(m *wire.Builder) {
			m.InfoDestination(p.GUID().Prefix)
			a.announcement(m)
		})
	}
	elsewhere := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{12}, at: AddrPort("10.0.0.9:40")}
	p.e.packets <- newPacket(AttackerAddress, elsewhere.message(elsewhere.announcement))
	if known(elsewhere) || announcements(elsewhere) != 0 {
		t.Errorf("an address that is not the sender's was told %d times", announcements(elsewhere))
	}
	cyclone := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{13}, at: AddrPort("127.0.0.1:41"), vendor: wire.VendorCyclone}
	cyclone.Announce()
	if known(cyclone) || announcements(cyclone) != 1 {
		t.Errorf("Cyclone DDS was told %d times", announcements(cyclone))
	}
	for i := range byte(limit + 1) {
		a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{10, i}, at: netip.AddrPortFrom(loopback, 20+uint16(i))}
		for n := range 3 {
			a.Announce()
			if known(a) || announcements(a) != n+1 {
				t.Fatalf("newcomer %d: known %t, told %d times after %d announcements", i, known(a), announcements(a), n+1)
			}
		}
		answer(a)
		if known(a) != (i < limit) {
			t.Errorf("newcomer %d, which answered, is known: %t", i, known(a))
		}
		if i == limit && announcements(a) != 3 {
			t.Errorf("newcomer %d, which answered, was told again: %d times", i, announcements(a))
		}
	}
	if n := p.Stats().RefusedParticipants; n != 3*(limit+1)+3 {
		t.Errorf("%d were refused", n)
	}
	p.Advance(graceOfUnproven)
	late := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{11}, at: AddrPort("127.0.0.1:30")}
	late.Announce()
	if !known(late) {
		t.Error("those that never listened to endpoints have kept their places")
	}
}
