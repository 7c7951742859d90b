package rtps

import (
	"encoding/binary"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// Tests of what has no exported name.

// TestParticipantMessage renews a lease as those do who say nothing else.
func TestParticipantMessage(t *testing.T) {
	p, sent := offline(t, Options{})
	if b := state(p, func(e *engine) uint32 { return e.describe(true).Builtin }); b&wire.HasMessageReader == 0 {
		t.Fatalf("built-in endpoints %b: none for participant messages", b)
	}
	a := Attack(t, p)
	a.Inject(func(m *wire.Builder) {
		m.Data(wire.Data{Writer: wire.MessageWriter, Sequence: 1, Payload: make([]byte, 28)})
		m.Heartbeat(wire.Heartbeat{Writer: wire.MessageWriter, First: 1, Last: 1, Count: 1})
	})
	a.Settle()
	var acked bool
	for _, s := range sent.Sent(wire.KindAckNack) {
		n, err := s.AckNack()
		acked = acked || err == nil && n.Reader == wire.MessageReader && n.Missing.Base == 2
	}
	if !acked {
		t.Error("a participant message is not acknowledged")
	}
}

// TestFirstHeartbeat asks each vendor in the form that it answers at once.
func TestFirstHeartbeat(t *testing.T) {
	for v, base := range map[wire.Vendor]int64{wire.VendorUnknown: 1, wire.VendorFastDDS: 0} {
		p, sent, _, _, _ := Target(t, Options{})
		a := Attack(t, p)
		p.call(func() {
			p.e.remotes[a.Prefix].data.Vendor = v
			proxyOf(p.e).retry()
		})
		asked := sent.Sent(wire.KindAckNack)
		last := asked[len(asked)-1].Body
		if got := binary.LittleEndian.Uint32(last[12:]); int64(got) != base || asked[len(asked)-1].Flags&2 != 0 {
			t.Errorf("vendor %v was asked with base %d, flags %b", v, got, asked[len(asked)-1].Flags)
		}
	}
}

// TestStandstill: a participant that was stopped for longer than the lease of another keeps it.
func TestStandstill(t *testing.T) {
	var seen Events
	a := Join(t, Options{Notify: seen.Notify})
	b := Join(t, Options{Lease: time.Second, NoMulticast: true})
	w := NewWriter(t, a, "x", Reliable)
	r, got := NewReader(t, b, "x", Reliable)
	MatchedInTest(t, w, 1, r)
	for range 2 {
		if err := a.call(func() { time.Sleep(1500 * time.Millisecond) }); err != nil {
			t.Fatal(err)
		}
		Write(t, w, Payload("after a standstill"))
	}
	Eventually(t, "what was written after each standstill", func() bool { return got.Len() == 2 })
	if e := seen.Of(ParticipantLost); len(e) > 0 {
		t.Errorf("told %+v", e)
	}
}

// TestLease cuts a participant off, so that its lease expires, and lets it
// return.
func TestLease(t *testing.T) {
	var cut atomic.Bool
	var dropped atomic.Int64
	wrap := func(l link) link { return lossy{l, cut.Load, &dropped} }
	var seen Events
	a := Join(t, Options{Notify: seen.Notify})
	b := Join(t, Options{Lease: 2 * time.Second, NoMulticast: true, wrap: wrap}) // which a busy machine renews in time
	w := NewWriter(t, a, "x", Reliable)
	r, got := NewReader(t, b, "x", Reliable)
	MatchedInTest(t, w, 1, r)
	cut.Store(true)
	Eventually(t, "lease expired", func() bool { return w.Matched() == 0 && len(seen.Of(ParticipantLost)) > 0 })
	if e := seen.Of(ParticipantLost); len(e) != 1 || e[0].Reason != "lease expired" {
		t.Errorf("told %+v", e)
	}
	Write(t, w, Payload("unheard"))
	cut.Store(false)
	MatchedInTest(t, w, 1)
	Eventually(t, "data again", func() bool {
		Write(t, w, Payload("heard"))
		return got.Len() > 0
	})
}

// TestDeath ends a participant without a word; its successor gets data.
func TestDeath(t *testing.T) {
	a := Join(t, Options{})
	w := NewWriter(t, a, "x", Reliable)
	dead, err := NewParticipant(Options{Domain: Domain, Lease: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := NewReader(t, dead, "x", Reliable)
	MatchedInTest(t, w, 1, r)
	dead.once.Do(dead.end)
	b := Join(t, Options{})
	r, got := NewReader(t, b, "x", Reliable)
	Eventually(t, "match", func() bool { return r.Matched() == 1 })
	Eventually(t, "data", func() bool {
		Write(t, w, Payload("x"))
		return got.Len() > 0
	})
	MatchedInTest(t, w, 1)
}

func TestFourParticipants(t *testing.T) {
	const n = 100
	var all []*Participant
	var writers []*Writer
	var boxes []*Box
	for range 4 {
		p := Join(t, Options{})
		all = append(all, p)
		writers = append(writers, NewWriter(t, p, "x", Reliable))
		_, b := NewReader(t, p, "x", Reliable)
		boxes = append(boxes, b)
	}
	for _, w := range writers {
		MatchedInTest(t, w, 4)
	}
	Eventually(t, "readers synchronised", func() bool {
		for _, p := range all {
			ready := true
			p.call(func() {
				for _, r := range p.e.readers {
					for _, x := range r.proxies {
						ready = ready && x.synced
					}
				}
			})
			if !ready {
				return false
			}
		}
		return true
	})
	for i := range n {
		for _, w := range writers {
			Write(t, w, Payload("%d", i))
		}
		time.Sleep(time.Millisecond)
	}
	for _, b := range boxes {
		Eventually(t, "all samples of all", func() bool { return b.Len() == 4*n })
		next := map[GUID]int64{}
		for _, s := range b.Samples() {
			if next[s.Writer]++; s.Sequence != next[s.Writer] {
				t.Fatalf("sample %d of %v where %d was due", s.Sequence, s.Writer, next[s.Writer])
			}
		}
	}
}

// TestLifespan: a late reader gets what is younger than the lifespan of the writer, and is
// told of nothing older.
func TestLifespan(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true})
	q := QoS{Reliable: true, TransientLocal: true, Depth: 10, Lifespan: 10 * time.Second}
	w := NewWriter(t, p.Participant, "x", q)
	for _, text := range []string{"past", "last"} {
		Write(t, w, Payload("%s", text))
		p.call(func() {
			for _, w := range p.e.dirty.take() {
				p.e.flush(w)
			}
		})
		p.Advance(6 * time.Second)
	}
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	d := q.describe(GUID{Prefix: a.Prefix, Entity: HostileReader}, "x", "T", nil)
	p.Take()
	a.say(d)
	a.Settle()
	first := int64(0)
	for _, s := range Submessages(p.Take(), wire.KindHeartbeat) {
		if h, err := s.Heartbeat(); err == nil && h.Writer == w.GUID().Entity {
			first = h.First
		}
	}
	if first != 2 {
		t.Errorf("a late reader gets sample %d as the first, want 2", first)
	}
	set := wire.NumberSet{Base: 1}
	set.Add(1)
	set.Add(2)
	a.Inject(func(m *wire.Builder) {
		m.AckNack(wire.AckNack{Reader: HostileReader, Writer: w.GUID().Entity, Missing: set, Count: 1, Final: true})
	})
	a.Settle()
	sent := Submessages(p.Take(), wire.KindData)
	if len(sent) != 1 {
		t.Fatalf("%d samples are sent, want the last one", len(sent))
	}
	if got, err := sent[0].Data(); err != nil || string(got.Payload[4:]) != "last" {
		t.Errorf("sent %q, %v", got.Payload, err)
	}
	if _, err := p.NewWriter(WriterOptions{Topic: "y", Type: "T", QoS: QoS{Lifespan: -1}}); err == nil {
		t.Error("a lifespan below 0 is taken")
	}
}

// TestRoomForReaders: a writer serves as many readers as it may. When one of them
// leaves, one that was refused takes its place, and when that one repeats itself it is
// not counted again.
func TestRoomForReaders(t *testing.T) {
	const most = 3
	var seen Events
	p := WithClock(t, Options{NoMulticast: true, Limits: Limits{Matches: most}, Notify: seen.Notify})
	w := NewWriter(t, p.Participant, "x", Reliable)
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	for i := range byte(most + 1) {
		a.Endpoint(ReaderID(i), "x")
	}
	a.Endpoint(ReaderID(100), "y") // of no concern
	a.Settle()
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
	drop := func(id wire.EntityID) { p.call(func() { p.e.dropReader(p.e.remotes[a.Prefix], id) }) }
	drop(ReaderID(1))
	if all := readers(); len(all) != most || w.Matched() != most || !all[GUID{Prefix: a.Prefix, Entity: ReaderID(most)}] {
		t.Errorf("%v are served, %d matched after one has made room", all, w.Matched())
	}
	drop(ReaderID(100))
	drop(ReaderID(0))
	drop(ReaderID(2))
	if n := len(readers()); n != 1 || w.Matched() != 1 {
		t.Errorf("%d readers, %d matched, want the last", n, w.Matched())
	}
	if n := state(p.Participant, func(e *engine) int { return e.endpoints }); n != 1 {
		t.Errorf("%d endpoints are counted, want 1", n)
	}
	if n := p.Stats().RefusedEndpoints; n != 1 {
		t.Errorf("%d endpoints were refused, want 1", n)
	}
	Eventually(t, "the news", func() bool { return len(seen.Of(Unmatched)) == 3 })
	if m := len(seen.Of(Matched)); m != most+1 {
		t.Errorf("told of %d matches, want %d", m, most+1)
	}
}

// TestUnmatchedWriter: a writer that leaves is taken off, told of and counted.
func TestUnmatchedWriter(t *testing.T) {
	var seen Events
	p := WithClock(t, Options{NoMulticast: true, Notify: seen.Notify})
	r, _ := NewReader(t, p.Participant, "x", Reliable)
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	first := a.Endpoint(WriterID(0), "x")
	second := a.Endpoint(WriterID(1), "x")
	a.Settle()
	p.call(func() { p.e.dropWriter(p.e.remotes[a.Prefix], first.Entity) })
	if n := r.Matched(); n != 1 {
		t.Errorf("%d writers match, want 1", n)
	}
	p.call(func() {
		l := p.e.readers[r.GUID().Entity]
		if len(l.proxies) != 1 || l.proxies[0].guid != second || p.e.endpoints != 1 {
			t.Errorf("%d writers are listened to, %d endpoints counted", len(l.proxies), p.e.endpoints)
		}
	})
	Eventually(t, "the news", func() bool { return len(seen.Of(Unmatched)) == 1 })
	if e := seen.Of(Unmatched)[0]; e.Local != r.GUID() || e.Remote.GUID != first || e.Remote.Topic != "x" {
		t.Errorf("told %+v", e)
	}
}

// TestBestEffortReader: a reliable writer neither reminds a reader that does not
// acknowledge nor waits for it.
func TestBestEffortReader(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true})
	w := NewWriter(t, p.Participant, "x", Reliable)
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	a.say(BestEffort.describe(GUID{Prefix: a.Prefix, Entity: HostileReader}, "x", "T", nil))
	if w.Matched() != 1 {
		t.Fatalf("%d readers match, want 1", w.Matched())
	}
	p.call(func() { p.e.writers[w.GUID().Entity].write(change{payload: Payload("1")}) })
	p.Advance(heartbeatLast)
	data := 0
	for _, s := range p.Take() {
		for _, m := range Submessages([]Posted{s}, wire.KindHeartbeat) {
			if h, err := m.Heartbeat(); err != nil || h.Reader == HostileReader {
				t.Errorf("heartbeat %+v, %v", h, err)
			}
		}
		for _, m := range Submessages([]Posted{s}, wire.KindData) {
			if d, err := m.Data(); err == nil && d.Reader == HostileReader {
				data++
			}
		}
	}
	if data != 1 {
		t.Errorf("the sample was sent %d times", data)
	}
}
