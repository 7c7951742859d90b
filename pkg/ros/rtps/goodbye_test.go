package rtps_test

import (
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
	"sinew/pkg/ros/rtps/wire"
)

// TestAnnouncementAfterGoodbye: an announcement from before a good-bye that is read after it brings no participant
// back, known before or not; one from after it does, as does one that comes much later.
func TestAnnouncementAfterGoodbye(t *testing.T) {
	p := rtps.WithClock(t, rtps.Options{NoMulticast: true})
	a := &rtps.Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	announce := func(sequence int64) {
		var b wire.Builder
		at := []wire.Locator{wire.LocatorOf(rtps.AttackerAddress)}
		b.Participant(&wire.ParticipantData{
			GUID: rtps.GUID{Prefix: a.Prefix, Entity: wire.EntityParticipant}, Version: wire.ThisVersion, Domain: wire.NoDomain,
			Builtin: 0x3f, Metatraffic: at, Default: at, Lease: time.Minute,
		})
		a.Inject(func(m *wire.Builder) {
			m.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: sequence, Payload: b.Bytes})
		})
		a.Settle()
	}
	bye := func(sequence int64) {
		g := rtps.GUID{Prefix: a.Prefix, Entity: wire.EntityParticipant}
		var b wire.Builder
		b.ParticipantKey(g)
		a.Inject(func(m *wire.Builder) {
			m.Data(wire.Data{
				Writer: wire.SPDPWriter, Sequence: sequence, Key: true, Payload: b.Bytes,
				Inline: wire.Inline{Status: wire.StatusDisposed | wire.StatusUnregistered, KeyHash: wire.KeyHashOf(g), HasKey: true},
			})
		})
		a.Settle()
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
	p.Advance(rtps.OvertakenFor)
	announce(1)
	known("begun anew", 1)

	a.Prefix = wire.Prefix{10}
	bye(3)
	announce(2)
	known("gone before it was met", 1)
	a.Prefix = wire.Prefix{11}
	announce(2)
	known("another", 2)
}
