package rtps

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// TestGoodbyeSent: the end is told wherever an announcement went: to the ports where somebody
// may listen of whom nothing is known yet, to every participant at its address, and to the group.
func TestGoodbyeSent(t *testing.T) {
	p := withClock(t, Options{Domain: 3})
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	a.settle()
	p.advance(time.Minute)
	p.take()
	p.call(p.e.goodbye)
	all, data := announcements(t, p.take())
	want := append(p.e.wellKnown(), attackerAddress, netip.AddrPortFrom(group, wire.SPDPMulticastPort(3)))
	if to := addresses(all); !slices.Equal(to, want) {
		t.Fatalf("said to %v, want %v", to, want)
	}
	for _, d := range data {
		if g, err := wire.ParseKey(d.Payload); !d.Key || !d.Inline.Ended() || !d.Inline.HasKey || d.Inline.GUID() != p.GUID() || g != p.GUID() || err != nil {
			t.Errorf("said %+v of %v, %v", d, g, err)
		}
	}
	if data[0].Sequence != helloTimes+1 {
		t.Errorf("number %d follows %d", data[0].Sequence, helloTimes)
	}
}

func addresses(all []posted) (to []netip.AddrPort) {
	for _, p := range all {
		to = append(to, p.to)
	}
	return to
}

// TestNothingAfterGoodbye: a timer that is due when a participant leaves says nothing any more,
// which would bring it back to others for as long as its lease.
func TestNothingAfterGoodbye(t *testing.T) {
	p, net := offline(t, Options{})
	_ = p.call(func() {
		p.e.after(-1, &p.e.spdp.timer)
		p.e.goodbye()
	})
	select {
	case <-p.done:
	case <-time.After(time.Minute):
		t.Fatal("the participant goes on")
	}
	all := net.sent(wire.KindData)
	if d, err := all[len(all)-1].Data(); err != nil || !d.Inline.Ended() {
		t.Errorf("said last: %+v, %v", d, err)
	}
}

// TestAnnouncementAfterGoodbye: an announcement from before a good-bye that is read after it brings nobody
// back, known before or not; one from after it does, as does one that comes much later.
func TestAnnouncementAfterGoodbye(t *testing.T) {
	p := withClock(t, Options{NoMulticast: true})
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	announce := func(sequence int64) {
		var b wire.Builder
		at := []wire.Locator{wire.LocatorOf(attackerAddress)}
		b.Participant(&wire.ParticipantData{
			GUID: GUID{Prefix: a.prefix, Entity: wire.EntityParticipant}, Version: wire.ThisVersion, Domain: wire.NoDomain,
			Builtin: 0x3f, Metatraffic: at, Default: at, Lease: time.Minute,
		})
		a.inject(func(m *wire.Builder) {
			m.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: sequence, Payload: b.Bytes})
		})
		a.settle()
	}
	bye := func(sequence int64) {
		g := GUID{Prefix: a.prefix, Entity: wire.EntityParticipant}
		var b wire.Builder
		b.ParticipantKey(g)
		a.inject(func(m *wire.Builder) {
			m.Data(wire.Data{
				Writer: wire.SPDPWriter, Sequence: sequence, Key: true, Payload: b.Bytes,
				Inline: wire.Inline{Status: wire.StatusDisposed | wire.StatusUnregistered, KeyHash: wire.KeyHashOf(g), HasKey: true},
			})
		})
		a.settle()
	}
	known := func(what string, want int) {
		t.Helper()
		if n := len(p.Remotes()); n != want {
			t.Errorf("%s: %d known, want %d", what, n, want)
		}
	}
	announce(1)
	known("announced", 1)
	bye(3)
	known("left", 0)
	announce(2)
	known("said before it left", 0)
	announce(4)
	known("said after it left", 1)
	bye(5)
	p.advance(overtakenFor)
	announce(1)
	known("begun anew", 1)

	a.prefix = wire.Prefix{10}
	bye(3)
	announce(2)
	known("gone before it was met", 1)
	a.prefix = wire.Prefix{11}
	announce(2)
	known("another", 2)
}
