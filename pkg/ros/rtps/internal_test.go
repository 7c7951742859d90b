package rtps

import (
	"net/netip"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// Tests of what has no exported name.

// TestAcksOutOfPlace: a reader that has acknowledged what was never written is still
// asked for what was, and a best-effort reader gets nothing again.
func TestAcksOutOfPlace(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true})
	w := NewWriter(t, p.Participant, "x", Reliable)
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	say := func(reliability wire.Reliability) {
		d := Reliable.describe(GUID{Prefix: a.Prefix, Entity: HostileReader}, "x", "T", nil)
		d.Reliability = reliability
		a.say(d)
	}
	count := uint32(0)
	ack := func(base int64, missing ...int64) {
		count++
		set := wire.NumberSet{Base: base}
		for _, n := range missing {
			set.Add(n)
		}
		a.Inject(func(m *wire.Builder) {
			m.AckNack(wire.AckNack{Reader: HostileReader, Writer: w.GUID().Entity, Missing: set, Count: count, Final: true})
		})
		a.Settle()
	}
	// asked counts the heartbeats of the writer in some seconds.
	asked := func() (n int) {
		p.Take()
		p.Advance(5 * time.Second)
		for _, s := range Submessages(p.Take(), wire.KindHeartbeat) {
			if h, err := s.Heartbeat(); err == nil && h.Writer == w.GUID().Entity {
				n++
			}
		}
		return n
	}
	say(wire.Reliable)
	Write(t, w, Payload("one"))
	Write(t, w, Payload("two"))
	p.call(func() {
		for _, w := range p.e.dirty.take() {
			p.e.flush(w)
		}
	})
	for _, c := range []struct {
		base int64
		goes bool // on asking
	}{{1, true}, {2, true}, {4, true}, {1 << 40, true}, {3, false}, {2, false}} {
		ack(c.base)
		if n := asked(); (n > 0) != c.goes {
			t.Errorf("after an acknowledgement before %d the reader is asked %d times", c.base, n)
		}
	}

	resent := func() int {
		p.Take()
		ack(1, 1, 2)
		p.Advance(time.Second)
		return len(Submessages(p.Take(), wire.KindData))
	}
	if n := resent(); n != 2 {
		t.Errorf("a reliable reader that misses two samples gets %d", n)
	}
	say(wire.BestEffort)
	if n := resent(); n != 0 {
		t.Errorf("a best-effort reader gets %d samples again", n)
	}
}

// TestMissedEvents: a receiver too slow for events gets one note, and again only when
// more were dropped.
func TestMissedEvents(t *testing.T) {
	busy, events := make(chan struct{}), make(chan Event)
	n := newNotifier(func(e Event) {
		<-busy
		events <- e
	})
	defer n.close()
	// next lets one event out.
	next := func() EventKind {
		busy <- struct{}{}
		return (<-events).Kind
	}
	missed := 0
	flood := func(more int) {
		for range maxEvents + more {
			n.post(Event{Kind: Matched})
		}
	}
	for round := 1; round <= 2; round++ {
		flood(10) // one may wait in the callback, the others in the queue
		for len(n.queue) > 0 {
			if next() == EventsMissed {
				missed++
			}
		}
		for range 3 { // what the callback still has in hand, and what follows
			n.post(Event{Kind: Unmatched})
		}
		for last := 0; last < 3; {
			switch next() {
			case EventsMissed:
				missed++
			case Unmatched:
				last++
			}
		}
		if missed != round {
			t.Errorf("after %d losses %d are reported", round, missed)
		}
	}
}

// TestReady: a reader that asks for a first heartbeat gets one that asks back, as often as
// needed, and counts as ready when it has answered; a writer counts when it has sent one.
func TestReady(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true})
	w := NewWriter(t, p.Participant, "x", Reliable)
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	a.say(Reliable.describe(GUID{Prefix: a.Prefix, Entity: HostileReader}, "x", "T", nil))
	a.say(Reliable.describe(GUID{Prefix: a.Prefix, Entity: HostileWriter}, "y", "T", nil))
	asking := func(list []Posted) (n int) {
		for _, s := range Submessages(list, wire.KindHeartbeat) {
			if h, err := s.Heartbeat(); err == nil && h.Writer == w.GUID().Entity && !h.Final {
				n++
			}
		}
		return n
	}
	ack := func(count uint32, final bool) {
		a.Inject(func(m *wire.Builder) {
			m.AckNack(wire.AckNack{Reader: HostileReader, Writer: w.GUID().Entity, Missing: wire.NumberSet{Base: 1}, Count: count, Final: final})
		})
		a.Settle()
	}
	p.Take()
	p.Advance(5 * time.Second)
	if n := asking(p.Take()); n < 5 || w.Matched() != 1 || len(w.Ready()) != 0 {
		t.Errorf("a matched reader that says nothing is asked %d times in 5 s; ready: %v", n, w.Ready())
	}
	ack(1, false)
	if n := asking(p.Take()); n != 1 || len(w.Ready()) != 0 {
		t.Errorf("a reader that asks for a heartbeat gets %d that ask for an answer; ready: %v", n, w.Ready())
	}
	ack(2, true)
	if got := w.Ready(); len(got) != 1 || got[0] != a.Prefix {
		t.Errorf("the reader has answered; ready: %v", got)
	}
	p.Take()
	p.Advance(5 * time.Second)
	if n := asking(p.Take()); n != 0 {
		t.Errorf("a reader that is ready is asked %d times more", n)
	}

	r, _ := NewReader(t, p.Participant, "y", Reliable)
	p.Advance(silentWriter / 2)
	if r.Matched() != 1 || len(r.Ready()) != 0 {
		t.Errorf("a writer that has said nothing; ready: %v", r.Ready())
	}
	a.Inject(func(m *wire.Builder) {
		m.Heartbeat(wire.Heartbeat{Reader: r.GUID().Entity, Writer: HostileWriter, First: 1, Last: 0, Count: 1})
	})
	a.Settle()
	if got := r.Ready(); len(got) != 1 || got[0] != a.Prefix {
		t.Errorf("the writer has sent a heartbeat; ready: %v", got)
	}
	silent, _ := NewReader(t, p.Participant, "y", Reliable)
	p.Advance(silentWriter)
	if got := silent.Ready(); len(got) != 1 || silent.Matched() != 1 {
		t.Errorf("a writer that owes a heartbeat for %v; ready: %v", silentWriter, got)
	}
}

// discard is a link that goes nowhere.
type discard struct{}

func (discard) send(netip.AddrPort, []byte)                  {}
func (discard) multicast(netip.AddrPort, []byte, netip.Addr) {}

// BenchmarkWrite is the cost of a pose for the writer's side, to four readers
// and without the system calls. It must not allocate.
func BenchmarkWrite(b *testing.B) {
	p, w := fourReaders(b)
	payload := make([]byte, PoseBytes)
	b.ReportAllocs()
	for b.Loop() {
		for range minStaged {
			if err := w.Write(payload); err != nil {
				b.Fatal(err)
			}
		}
		p.call(func() { p.e.flush(w) })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/minStaged, "ns/pose")
}

func fourReaders(t testing.TB) (*Participant, *Writer) {
	p, _ := offline(t, Options{})
	p.call(func() { p.e.link = discard{} })
	a := Attack(t, p)
	for i := range byte(4) {
		a.Endpoint(wire.EntityID{2, 0, i, wire.KindReaderNoKey}, "pose")
	}
	w, err := p.NewWriter(WriterOptions{Topic: "pose", Type: "T", QoS: Reliable})
	if err != nil {
		t.Fatal(err)
	}
	if n := w.Matched(); n != 4 {
		t.Fatalf("%d readers match", n)
	}
	return p, w
}

// TestWriteAllocates counts the allocations of publishing, once the history is
// full.
func TestWriteAllocates(t *testing.T) {
	p, w := fourReaders(t)
	payload := make([]byte, PoseBytes)
	const batch = minStaged
	perBatch := testing.AllocsPerRun(200, func() {
		for range batch {
			if err := w.Write(payload); err != nil {
				t.Fatal(err)
			}
		}
		p.call(func() { p.e.flush(w) })
	})
	// do itself allocates: its channel and closures
	if perBatch > 8 {
		t.Errorf("%.1f allocations for %d samples", perBatch, batch)
	}
}

// TestContestedGUID: of two participants that claim one GUID at different places, the first
// stays where it is, with a report; one that moves once is followed, and so is one that
// adds and drops addresses.
func TestContestedGUID(t *testing.T) {
	guid := GUID{Prefix: wire.Prefix{9}, Entity: wire.EntityParticipant}
	events := make(chan Event, 100)
	p := WithClock(t, Options{Notify: func(e Event) { events <- e }})
	says := func(ports ...uint16) {
		d := wire.ParticipantData{GUID: guid, Domain: wire.NoDomain, Lease: time.Minute}
		for _, port := range ports {
			d.Metatraffic = append(d.Metatraffic, wire.LocatorOf(netip.AddrPortFrom(loopback, port)))
		}
		d.Default = d.Metatraffic
		p.call(func() {
			if r := p.e.remotes[guid.Prefix]; r != nil {
				r.heard = p.e.now
			}
			p.e.updateRemote(&interpreter{e: p.e, source: guid.Prefix, from: loopback}, d)
		})
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
			case e := <-events:
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
	p.Advance(contestTime)
	says(3) // it moves
	isAt(3)
	p.Advance(contestTime)
	says(1, 2) // and returns
	isAt(1)
	contested(false)
	p.Advance(contestTime)
	says(3)
	says(1, 2)
	contested(true)
	for range 50 {
		p.Advance(contestTime / 10)
		says(3)
		isAt(1)
		says(1, 2)
	}
	p.Advance(contestTime + time.Second)
	says(3) // the other one is gone
	isAt(3)
}
