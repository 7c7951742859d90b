package rtps

import (
	"testing"

	"sinew/pkg/ros/rtps/wire"
)

// TestSlowFlood: made-up participants that come one by one, each after the last has
// had its chance, replace one another and never exceed the limit. One that has
// answered keeps its place.
func TestSlowFlood(t *testing.T) {
	const limit = 4
	var seen events
	p := withClock(t, Options{NoMulticast: true, Limits: Limits{Participants: limit}, Notify: seen.notify})
	a := &attacker{t: t, to: p.Participant}
	met := func(i byte) bool {
		a.prefix = wire.Prefix{9, i}
		a.announce()
		a.settle()
		return state(p.Participant, func(e *engine) bool { return e.remotes[a.prefix] != nil })
	}
	if !met(0) {
		t.Fatal("the first participant is refused")
	}
	p.call(func() { p.e.remotes[a.prefix].proven = true })
	for i := byte(1); i < limit; i++ {
		if !met(i) {
			t.Fatalf("participant %d is refused, though there is room for %d", i, limit)
		}
	}
	p.advance(graceOfUnproven - 1)
	if met(100) || p.Stats().RefusedParticipants != 1 {
		t.Errorf("a participant gave way before its time, %d were refused", p.Stats().RefusedParticipants)
	}
	p.advance(1)
	for i := range byte(40) {
		if !met(101 + i) {
			t.Fatalf("participant %d does not replace one that never answered", 101+i)
		}
		if n := len(p.Remotes()); n != limit {
			t.Fatalf("%d participants are kept after %d more, not %d", n, i+1, limit)
		}
		p.advance(graceOfUnproven)
	}
	if !state(p.Participant, func(e *engine) bool { return e.remotes[wire.Prefix{9, 0}] != nil && e.remotes[e.guid.Prefix] != nil }) {
		t.Error("one that has answered was forgotten")
	}
	eventually(t, "the news", func() bool { return len(seen.of(ParticipantLost)) == 40 })
	if e := seen.of(ParticipantLost)[0]; e.Reason != "no answer, and no room" {
		t.Errorf("told %+v", e)
	}
	if n := p.Stats().RefusedParticipants; n != 1 {
		t.Errorf("%d participants were refused, want 1", n)
	}
}

// TestForgotten: nothing of a participant that has left stays.
func TestForgotten(t *testing.T) {
	p := withClock(t, Options{NoMulticast: true})
	r, _ := newReader(t, p.Participant, "x", reliable)
	w := newWriter(t, p.Participant, "x", reliable)
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
	p.advance(patience) // what concerns ourselves is settled
	proxies, timers, endpoints := count()
	a := attack(t, p.Participant)
	a.data(2, payload("out of order"))
	a.settle()
	if r.Matched() != 1 || w.Matched() != 1 {
		t.Fatalf("the reader has %d matches, the writer %d, want 1 each", r.Matched(), w.Matched())
	}
	if n, m, k := count(); n == proxies || m == timers || k != endpoints+2 {
		t.Errorf("%d proxies, %d timers, %d endpoints after %d, %d, %d", n, m, k, proxies, timers, endpoints)
	}
	p.call(func() { p.e.forget(p.e.remotes[a.prefix], "test") })
	p.advance(patience) // reminders to nobody end by themselves
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
