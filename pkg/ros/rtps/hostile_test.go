package rtps

import (
	"encoding/binary"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sinew/pkg/ros/rtps/wire"
)

// prompt is how much time of the processor anything may cost.
const prompt = 2 * time.Second

// within fails when f costs more than prompt, whatever else the machine does.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	start := processorTime(t)
	f()
	if d := processorTime(t) - start; d > prompt {
		t.Errorf("%s took %v", what, d)
	}
}

// processorTime is what this process has used so far.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Target is a participant with a reader and a writer of topic "x".
func Target(t *testing.T, o Options) (*Participant, *record, *Reader, *Box, *Writer) {
	p, sent := offline(t, o)
	r, got := NewReader(t, p, "x", Reliable)
	w := NewWriter(t, p, "x", Reliable)
	return p, sent, r, got, w
}

// state reads from the engine, in its goroutine.
func state[T any](p *Participant, read func(e *engine) T) (v T) {
	p.call(func() { v = read(p.e) })
	return v
}

func proxyOf(e *engine) *writerProxy {
	for _, r := range e.readers {
		if r.handle != nil {
			return r.proxies[len(r.proxies)-1]
		}
	}
	return nil
}

func TestManyParticipants(t *testing.T) {
	flood := 100_000
	if testing.Short() {
		flood /= 10 // with the race detector each takes 60 µs
	}
	p, _ := offline(t, Options{})
	a := &Attacker{T: t, To: p}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	for i := range flood {
		binary.BigEndian.PutUint32(a.Prefix[4:], uint32(i+1))
		a.Announce()
	}
	a.Settle()
	runtime.GC()
	runtime.ReadMemStats(&after)
	limit := Limits{}.filled().Participants
	if n := len(p.Remotes()); n != limit {
		t.Errorf("%d participants are kept, not %d", n, limit)
	}
	// a slow flood makes others give way meanwhile
	turns := 2 + int(time.Since(start)/graceOfUnproven)
	if n, least := p.Stats().RefusedParticipants, flood-turns*limit; n < uint64(max(0, least)) {
		t.Errorf("%d participants were refused, want %d", n, least)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 16<<20 {
		t.Errorf("memory grew by %d bytes", grown)
	}
	// made-up participants give way to a real one once they had their chance
	p.call(func() {
		for _, r := range p.e.remotes {
			r.met = r.met.Add(-graceOfUnproven)
		}
	})
	a.Prefix = wire.Prefix{99}
	a.Announce()
	a.Settle()
	if !state(p, func(e *engine) bool { return e.remotes[wire.Prefix{99}] != nil }) {
		t.Error("a flood of participants shuts out a real one")
	}
}

func TestManyEndpoints(t *testing.T) {
	p, _, r, _, _ := Target(t, Options{Limits: Limits{Endpoints: 100, Matches: 1000}})
	// one participant may have an eighth
	for k, limit := range []int{12, 24, 36, 48, 60, 72, 84, 96, 100, 100} {
		a := &Attacker{T: t, To: p, Prefix: wire.Prefix{0xba, 0xd, byte(k)}}
		a.Announce()
		for i := range 100 {
			a.Endpoint(wire.EntityID{1, byte(i >> 8), byte(i), wire.KindWriterNoKey}, "x")
		}
		a.Settle()
		if n := state(p, func(e *engine) int { return e.endpoints }); n != limit {
			t.Errorf("%d endpoints of %d participants are kept, not %d", n, k+1, limit)
		}
	}
	if n := p.Stats().RefusedEndpoints; n != 900 {
		t.Errorf("%d endpoints were refused", n)
	}
	if n := r.Matched(); n != 100 {
		t.Errorf("%d writers match", n)
	}
}

// TestCrowd has a participant with more readers than a writer serves.
func TestCrowd(t *testing.T) {
	var seen Events
	p, _, _, _, w := Target(t, Options{Limits: Limits{Matches: 10}, Notify: seen.Notify})
	a := Attack(t, p) // has one
	readerID := func(i int) wire.EntityID { return wire.EntityID{1, byte(i >> 8), byte(i), wire.KindReaderNoKey} }
	const many = 2000
	for i := range many {
		a.Endpoint(readerID(i), "x")
	}
	a.Settle()
	if n := w.Matched(); n != 10 {
		t.Errorf("%d readers match, not 10", n)
	}
	if n, limit := state(p, func(e *engine) int { return e.endpoints }), p.e.opts.Limits.Endpoints/8; n > limit {
		t.Errorf("%d endpoints of one participant are kept, more than %d", n, limit)
	}
	Eventually(t, "complaint", func() bool {
		events := seen.Of(Incompatible)
		return len(events) > 0 && strings.HasPrefix(events[0].Reason, "limit")
	})
	// one that leaves makes room for one that was refused
	was := state(p, func(e *engine) GUID { return e.writers[w.GUID().Entity].proxies[5].guid })
	p.call(func() { p.e.dropReader(p.e.remotes[a.Prefix], was.Entity) })
	if n := w.Matched(); n != 10 {
		t.Errorf("%d readers match after one left", n)
	}
	p.call(func() { p.e.removeRemote(p.e.remotes[a.Prefix], "test") })
	if n := w.Matched(); n != 0 {
		t.Errorf("%d readers match after all left", n)
	}
}

// TestCrowdOfWriters has a participant with more writers than a reader listens to.
func TestCrowdOfWriters(t *testing.T) {
	var seen Events
	p, _, r, _, _ := Target(t, Options{Limits: Limits{Matches: 10}, Notify: seen.Notify})
	a := Attack(t, p) // has one
	for i := range 500 {
		a.Endpoint(wire.EntityID{1, byte(i >> 8), byte(i), wire.KindWriterNoKey}, "x")
	}
	a.Settle()
	proxies := func() (guids []GUID) {
		return state(p, func(e *engine) (guids []GUID) {
			for _, x := range e.readers[r.GUID().Entity].proxies {
				guids = append(guids, x.guid)
			}
			return guids
		})
	}
	distinct := func(guids []GUID) int {
		set := map[GUID]bool{}
		for _, g := range guids {
			set[g] = true
		}
		return len(set)
	}
	if n, all := r.Matched(), proxies(); n != 10 || len(all) != 10 || distinct(all) != 10 {
		t.Errorf("%d writers match, with %d proxies for %d writers, not 10", n, len(all), distinct(all))
	}
	Eventually(t, "complaint", func() bool {
		events := seen.Of(Incompatible)
		return len(events) > 0 && strings.HasPrefix(events[0].Reason, "limit")
	})
	// one that leaves makes room for one that was refused, not for a match again
	was := proxies()[5]
	p.call(func() { p.e.dropWriter(p.e.remotes[a.Prefix], was.Entity) })
	if n, all := r.Matched(), proxies(); n != 10 || len(all) != 10 || distinct(all) != 10 {
		t.Errorf("after one left %d writers match, with %d proxies for %d writers", n, len(all), distinct(all))
	}
	p.call(func() { p.e.removeRemote(p.e.remotes[a.Prefix], "test") })
	if n := r.Matched(); n != 0 || len(proxies()) != 0 {
		t.Errorf("%d writers match after all left, %d proxies", n, len(proxies()))
	}
}

func TestHugeSample(t *testing.T) {
	p, _, _, got, _ := Target(t, Options{})
	a := Attack(t, p)
	a.Heartbeat(1, 100)
	fragmentOf := func(n int64, size uint32) {
		a.Inject(func(m *wire.Builder) {
			m.DataFrag(wire.DataFrag{
				Data:  wire.Data{Writer: HostileWriter, Sequence: n, Payload: make([]byte, 1024)},
				First: 1, Count: 1, Size: 1024, Sample: size,
			})
		})
	}
	within(t, "4 GB sample", func() {
		fragmentOf(1, 1<<32-1)
		a.Settle()
	})
	if s := p.Stats(); s.RefusedSamples != 1 {
		t.Errorf("refused %d samples", s.RefusedSamples)
	}
	within(t, "many samples of 16 MiB", func() {
		for n := range int64(100) {
			fragmentOf(n+1, 16<<20)
		}
		a.Settle()
	})
	if n := state(p, func(e *engine) int { return e.buffered }); n > 16<<20 {
		t.Errorf("%d bytes are buffered for one writer", n)
	}
	// fragments that contradict each other are refused
	before := p.Stats().RefusedSamples
	fragmentOf(1, 16<<20-1)
	a.Settle()
	if p.Stats().RefusedSamples != before+1 {
		t.Error("contradicting fragments are taken")
	}
	a.Heartbeat(101, 100)
	a.Data(101, Payload("on"))
	a.Settle()
	if n := state(p, func(e *engine) int { return e.buffered }); n != 0 {
		t.Errorf("%d bytes stay buffered", n)
	}
	Eventually(t, "the next sample", func() bool { return got.Len() == 1 })
}

func TestManyMissing(t *testing.T) {
	const far = 1_000_000_000
	many := int64(20_000)
	if testing.Short() {
		many = 5000 // with the race detector each takes 60 µs
	}
	p, sent, _, got, _ := Target(t, Options{})
	a := Attack(t, p)
	within(t, "10⁹ missing", func() {
		a.Heartbeat(1, far)
		a.Settle()
	})
	asked := sent.Sent(wire.KindAckNack)
	last, err := asked[len(asked)-1].AckNack()
	if err != nil || last.Missing.Base != 1 || last.Missing.Bits != wire.MaxSet {
		t.Errorf("asked for %+v, %v", last, err)
	}
	within(t, "out-of-order samples", func() {
		for n := range many {
			a.Data(3*n+5, Payload("%d", n))
		}
		a.Settle()
	})
	limit := Limits{}.filled().BufferedCount
	if n := state(p, func(e *engine) int { return len(proxyOf(e).pending) }); n != limit {
		t.Errorf("%d samples are pending, not %d", n, limit)
	}
	within(t, "gaps", func() {
		for n := range many {
			a.Inject(func(m *wire.Builder) {
				m.Gap(wire.Gap{Writer: HostileWriter, First: 2*n + far/2, More: wire.NumberSet{Base: 2*n + far/2 + 1}})
			})
		}
		a.Settle()
	})
	if n := state(p, func(e *engine) int { return len(proxyOf(e).gaps) }); n > maxGapIntervals {
		t.Errorf("%d gaps are kept", n)
	}
	within(t, "skipping 10⁹", func() {
		a.Heartbeat(far, far)
		a.Settle()
	})
	a.Data(far, Payload("end"))
	a.Settle()
	Eventually(t, "the last sample", func() bool {
		s := got.Samples()
		return len(s) > 0 && s[len(s)-1].Sequence == far
	})
	if n := state(p, func(e *engine) int { return e.buffered }); n != 0 {
		t.Errorf("%d bytes stay buffered", n)
	}
	if n := p.Stats().Lost; n != far-1-uint64(limit) {
		t.Errorf("%d samples count as lost, not %d", n, far-1-limit)
	}
}

// TestForged sends what is not RTPS, and claims about others.
func TestForged(t *testing.T) {
	p, _, r, _, _ := Target(t, Options{})
	a := Attack(t, p)
	if r.Matched() != 1 {
		t.Fatalf("%d writers match", r.Matched())
	}
	other := &Attacker{T: t, To: p, Prefix: wire.Prefix{77}}
	other.Announce()
	// a good-bye for somebody else
	var key wire.Builder
	key.ParticipantKey(GUID{Prefix: a.Prefix, Entity: wire.EntityParticipant})
	other.Inject(func(m *wire.Builder) {
		m.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: 2, Key: true, Payload: key.Bytes, Inline: wire.Inline{Status: wire.StatusDisposed}})
	})
	// an endpoint of somebody else
	d := Reliable.describe(GUID{Prefix: a.Prefix, Entity: wire.EntityID{9, 9, 9, wire.KindWriterNoKey}}, "x", "T", nil)
	var b wire.Builder
	b.Endpoint(&d)
	other.Inject(func(m *wire.Builder) {
		m.Heartbeat(wire.Heartbeat{Reader: wire.SEDPPubReader, Writer: wire.SEDPPubWriter, First: 1, Last: 1, Count: 1})
		m.Data(wire.Data{Reader: wire.SEDPPubReader, Writer: wire.SEDPPubWriter, Sequence: 1, Payload: b.Bytes})
	})
	other.Settle()
	if n := len(p.Remotes()); n != 2 {
		t.Errorf("%d participants are known, not 2", n)
	}
	if r.Matched() != 1 || p.Stats().RefusedEndpoints != 1 {
		t.Errorf("%d writers match, %d endpoints were refused", r.Matched(), p.Stats().RefusedEndpoints)
	}
	for _, junk := range [][]byte{nil, []byte("GET / HTTP/1.1"), make([]byte, 65000)} {
		p.e.packets <- newPacket(AttackerAddress, junk)
	}
	a.Settle()
	if n := p.Stats().Malformed; n != 3 {
		t.Errorf("%d datagrams count as malformed, not 3", n)
	}
}
