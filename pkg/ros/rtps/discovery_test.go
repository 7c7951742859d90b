package rtps

import (
	"net/netip"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// TestDiscovery finds others by each way alone.
func TestDiscovery(t *testing.T) {
	t.Run("well-known ports", func(t *testing.T) {
		var seen events
		a := join(t, Options{NoMulticast: true, Name: "first", UserData: []byte("enclave=/;"), Notify: seen.notify})
		b := join(t, Options{NoMulticast: true, Name: "second", UserData: []byte("data")})
		eventually(t, "both found", func() bool { return len(a.Remotes()) == 1 && len(b.Remotes()) == 1 })
		r := b.Remotes()[0]
		if r.GUID != a.GUID() || r.Name != "first" || string(r.UserData) != "enclave=/;" || r.Address.Addr() != loopback {
			t.Errorf("second found %+v", r)
		}
		eventually(t, "event", func() bool { return len(seen.of(ParticipantFound)) == 1 })
		if e := seen.of(ParticipantFound)[0]; e.Name != "second" || e.Remote.GUID != b.GUID() {
			t.Errorf("first was told %+v", e)
		}
	})
	t.Run("multicast", func(t *testing.T) {
		// unicast announcements to well-known ports are lost; only answers to a
		// participant that is known already, by its address, pass
		o := Options{wrap: func(l link) link { return onlyMulticast{l} }}
		a, b := join(t, o), join(t, o)
		eventually(t, "both found", func() bool { return len(a.Remotes()) == 1 && len(b.Remotes()) == 1 })
	})
	t.Run("given peer", func(t *testing.T) {
		o := Options{NoMulticast: true, wrap: func(l link) link { return onlyPort{l, wire.SPDPUnicastPort(testDomain, 77)} }}
		a := join(t, o)
		o.ParticipantID = 77
		b := join(t, o)
		if b.ID() != 77 {
			t.Skipf("port of participant 77 of domain %d is in use", testDomain)
		}
		time.Sleep(100 * time.Millisecond)
		if len(a.Remotes()) != 0 {
			t.Fatal("found without being told where")
		}
		o.ParticipantID = 0
		o.Peers = []netip.AddrPort{netip.AddrPortFrom(loopback, wire.SPDPUnicastPort(testDomain, 77))}
		join(t, o)
		eventually(t, "given peer found", func() bool { return len(b.Remotes()) == 1 })
	})
}

// onlyMulticast loses the first announcements by unicast.
type onlyMulticast struct{ link }

func (l onlyMulticast) send(to netip.AddrPort, b []byte) {
	if !isAnnouncement(b) {
		l.link.send(to, b)
	}
}

// isAnnouncement reports whether a message is an announcement for nobody in
// particular.
func isAnnouncement(b []byte) bool { return b[wire.HeaderSize] == wire.KindInfoTimestamp }

// onlyPort loses announcements to other ports.
type onlyPort struct {
	link
	port uint16
}

func (l onlyPort) send(to netip.AddrPort, b []byte) {
	if to.Port() == l.port || !isAnnouncement(b) {
		l.link.send(to, b)
	}
}

// TestMetAtOnce announces somebody to participants before they have done anything.
func TestMetAtOnce(t *testing.T) {
	a := attacker{t: t, prefix: wire.Prefix{77}}
	for range 20 { // which event comes first is for the scheduler to say
		early := newPacket(attackerAddress, a.message(a.announcement))
		p := join(t, Options{NoMulticast: true, wrap: func(l link) link {
			l.(*udp).packets <- early
			return l
		}})
		eventually(t, "meeting", func() bool { return state(p, func(e *engine) bool { return e.remotes[a.prefix] != nil }) })
		p.Close()
	}
}
