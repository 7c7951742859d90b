package rtps

import (
	"net/netip"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// TestContestedGUID: of two participants that claim one GUID at different places, the first
// stays where it is, and it is told; one that moves once is followed, and so is one that
// adds and drops addresses.
func TestContestedGUID(t *testing.T) {
	guid := GUID{Prefix: wire.Prefix{9}, Entity: wire.EntityParticipant}
	told := make(chan Event, 100)
	p := withClock(t, Options{Notify: func(e Event) { told <- e }})
	says := func(ports ...uint16) {
		d := wire.ParticipantData{GUID: guid, Domain: wire.NoDomain, Lease: time.Minute}
		for _, port := range ports {
			d.Metatraffic = append(d.Metatraffic, wire.LocatorOf(netip.AddrPortFrom(loopback, port)))
		}
		d.Default = d.Metatraffic
		p.call(func() { p.e.heard(guid.Prefix); p.e.meet(&interpreter{e: p.e, source: guid.Prefix, from: loopback}, d) })
	}
	isAt := func(port uint16) {
		t.Helper()
		p.call(func() {
			if at := p.e.remotes[guid.Prefix].discovery.Port(); at != port {
				t.Errorf("it is at %d, want %d", at, port)
			}
		})
	}
	contested := func(want bool) {
		t.Helper()
		for {
			select {
			case e := <-told:
				if e.Kind == Contested && want && e.Remote.GUID == guid {
					return
				} else if e.Kind == Contested {
					t.Fatalf("contested: %+v", e)
				}
			case <-time.After(map[bool]time.Duration{true: patience, false: 50 * time.Millisecond}[want]):
				if want {
					t.Fatal("not contested")
				}
				return
			}
		}
	}
	says(1)
	says(2, 1)
	says(2)
	says(1, 2)
	contested(false)
	p.advance(contestTime)
	says(3) // it moves
	isAt(3)
	p.advance(contestTime)
	says(1, 2) // and returns
	isAt(1)
	contested(false)
	p.advance(contestTime)
	says(3)
	says(1, 2)
	contested(true)
	for range 50 {
		p.advance(contestTime / 10)
		says(3)
		isAt(1)
		says(1, 2)
	}
	p.advance(contestTime + time.Second)
	says(3) // the other one is gone
	isAt(3)
}
