package rtps_test

import (
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
	"sinew/pkg/ros/rtps/wire"
)

// TestLeaseShortened: a participant that announces a shorter lease is held to it.
func TestLeaseShortened(t *testing.T) {
	p := rtps.WithClock(t, rtps.Options{NoMulticast: true})
	a := &rtps.Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.AnnounceLease(5 * time.Minute)
	a.AnnounceLease(2 * time.Second)
	p.Advance(2*time.Second - 1)
	if n := len(p.Remotes()); n != 1 {
		t.Errorf("%d participants just before the lease ends, want 1", n)
	}
	p.Advance(1)
	if n := len(p.Remotes()); n != 0 {
		t.Errorf("%d participants after the lease, want none", n)
	}
}

// TestNotDiscovered: what is not a participant of this domain with an address in range
// is not taken, and counted where it is wrong.
func TestNotDiscovered(t *testing.T) {
	far := []wire.Locator{wire.LocatorOf(rtps.AddrPort("10.1.2.3:7411"))}
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
		p := rtps.WithClock(t, rtps.Options{NoMulticast: true, Domain: 3})
		a := &rtps.Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
		a.Describe(c.change)
		if n, s := len(p.Remotes()), p.Stats(); n != c.known || s.RefusedParticipants != c.refused || s.Malformed != c.malformedMessages {
			t.Errorf("%s: %d known, %+v", c.name, n, s)
		}
	}
	p := rtps.WithClock(t, rtps.Options{NoMulticast: true})
	a := &rtps.Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	for range 2 {
		a.Inject(func(m *wire.Builder) { m.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: 1, Payload: []byte{0, 3}}) })
	}
	a.Settle()
	if n, s := len(p.Remotes()), p.Stats(); n != 0 || s.Malformed != 2 {
		t.Errorf("damaged: %d known, %+v", n, s)
	}
}
