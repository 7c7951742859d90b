package rtps

import (
	"testing"

	"sinew/pkg/ros/rtps/wire"
)

func readerID(i byte) wire.EntityID { return wire.EntityID{1, 0, i, wire.KindReaderNoKey} }
func writerID(i byte) wire.EntityID { return wire.EntityID{1, 0, i, wire.KindWriterNoKey} }

// TestRoomForReaders: a writer serves as many readers as it may. When one of them
// leaves, one that was refused takes its place, and when that one repeats itself it is
// not counted again.
func TestRoomForReaders(t *testing.T) {
	const most = 3
	var seen events
	p := withClock(t, Options{NoMulticast: true, Limits: Limits{Matches: most}, Notify: seen.notify})
	w := newWriter(t, p.Participant, "x", reliable)
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	for i := range byte(most + 1) {
		a.endpoint(readerID(i), "x")
	}
	a.endpoint(readerID(100), "y") // of no concern
	a.settle()
	readers := func() map[GUID]bool {
		return state(p.Participant, func(e *engine) map[GUID]bool {
			all := map[GUID]bool{}
			for _, x := range e.writers[w.GUID().Entity].proxies {
				all[x.guid] = true
			}
			return all
		})
	}
	if n := len(readers()); n != most || w.Matched() != most || p.Stats().RefusedEndpoints != 1 {
		t.Fatalf("%d readers, %d matched, %d refused; want %d, %d, 1", n, w.Matched(), p.Stats().RefusedEndpoints, most, most)
	}
	drop := func(id wire.EntityID) { p.call(func() { p.e.dropReader(p.e.remotes[a.prefix], id) }) }
	drop(readerID(1))
	if all := readers(); len(all) != most || w.Matched() != most || !all[GUID{Prefix: a.prefix, Entity: readerID(most)}] {
		t.Errorf("%v are served, %d matched after one has made room", all, w.Matched())
	}
	drop(readerID(100))
	drop(readerID(0))
	drop(readerID(2))
	if n := len(readers()); n != 1 || w.Matched() != 1 {
		t.Errorf("%d readers, %d matched, want the last", n, w.Matched())
	}
	if n := state(p.Participant, func(e *engine) int { return e.endpoints }); n != 1 {
		t.Errorf("%d endpoints are counted, want 1", n)
	}
	if n := p.Stats().RefusedEndpoints; n != 1 {
		t.Errorf("%d endpoints were refused, want 1", n)
	}
	eventually(t, "the news", func() bool { return len(seen.of(Unmatched)) == 3 })
	if m := len(seen.of(Matched)); m != most+1 {
		t.Errorf("told of %d matches, want %d", m, most+1)
	}
}

// TestLateLocals: a reader and a writer that are made after the others have announced
// themselves match those of their topic, up to the limit.
func TestLateLocals(t *testing.T) {
	const most = 3
	p := withClock(t, Options{NoMulticast: true, Limits: Limits{Matches: most}})
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	for i := range byte(most + 2) {
		a.endpoint(readerID(i), "x")
		a.endpoint(writerID(i), "x")
	}
	a.endpoint(readerID(100), "y")
	a.endpoint(writerID(100), "y")
	a.settle()
	for topic, want := range map[string]int{"x": most, "y": 1, "z": 0} {
		r, _ := newReader(t, p.Participant, topic, reliable)
		w := newWriter(t, p.Participant, topic, reliable)
		if r.Matched() != want || w.Matched() != want {
			t.Errorf("%s: the reader has %d matches, the writer %d, want %d", topic, r.Matched(), w.Matched(), want)
		}
	}
}

// TestUnmatchedWriter: a writer that leaves is taken off, told of and counted.
func TestUnmatchedWriter(t *testing.T) {
	var seen events
	p := withClock(t, Options{NoMulticast: true, Notify: seen.notify})
	r, _ := newReader(t, p.Participant, "x", reliable)
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	first := a.endpoint(writerID(0), "x")
	second := a.endpoint(writerID(1), "x")
	a.settle()
	p.call(func() { p.e.dropWriter(p.e.remotes[a.prefix], first.Entity) })
	if n := r.Matched(); n != 1 {
		t.Errorf("%d writers match, want 1", n)
	}
	p.call(func() {
		l := p.e.readers[r.GUID().Entity]
		if len(l.proxies) != 1 || l.proxies[0].guid != second || p.e.endpoints != 1 {
			t.Errorf("%d writers are listened to, %d endpoints counted", len(l.proxies), p.e.endpoints)
		}
	})
	eventually(t, "the news", func() bool { return len(seen.of(Unmatched)) == 1 })
	if e := seen.of(Unmatched)[0]; e.Local != r.GUID() || e.Remote.GUID != first || e.Remote.Topic != "x" {
		t.Errorf("told %+v", e)
	}
}

// TestBestEffortReader: a reliable writer neither reminds a reader that does not
// acknowledge nor waits for it.
func TestBestEffortReader(t *testing.T) {
	p := withClock(t, Options{NoMulticast: true})
	w := newWriter(t, p.Participant, "x", reliable)
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	a.say(bestEffort.describe(GUID{Prefix: a.prefix, Entity: hostileReader}, "x", "T", nil))
	if w.Matched() != 1 {
		t.Fatalf("%d readers match, want 1", w.Matched())
	}
	p.call(func() { p.e.writers[w.GUID().Entity].write(change{payload: payload("1")}) })
	p.advance(heartbeatLast)
	data := 0
	for _, s := range p.take() {
		for _, m := range submessages([]posted{s}, wire.KindHeartbeat) {
			if h, err := m.Heartbeat(); err != nil || h.Reader == hostileReader {
				t.Errorf("heartbeat %+v, %v", h, err)
			}
		}
		for _, m := range submessages([]posted{s}, wire.KindData) {
			if d, err := m.Data(); err == nil && d.Reader == hostileReader {
				data++
			}
		}
	}
	if data != 1 {
		t.Errorf("the sample was sent %d times", data)
	}
}
