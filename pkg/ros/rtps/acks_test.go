package rtps

import (
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// TestAcksOutOfPlace: a reader that has acknowledged what was never written is still
// asked for what was, and a best-effort reader gets nothing again.
func TestAcksOutOfPlace(t *testing.T) {
	p := withClock(t, Options{NoMulticast: true})
	w := newWriter(t, p.Participant, "x", reliable)
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	say := func(reliability wire.Reliability) {
		d := reliable.describe(GUID{Prefix: a.prefix, Entity: hostileReader}, "x", "T", nil)
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
		a.inject(func(m *wire.Builder) {
			m.AckNack(wire.AckNack{Reader: hostileReader, Writer: w.GUID().Entity, Missing: set, Count: count, Final: true})
		})
		a.settle()
	}
	// asked counts the heartbeats of the writer in some seconds.
	asked := func() (n int) {
		p.take()
		p.advance(5 * time.Second)
		for _, s := range submessages(p.take(), wire.KindHeartbeat) {
			if h, err := s.Heartbeat(); err == nil && h.Writer == w.GUID().Entity {
				n++
			}
		}
		return n
	}
	say(wire.Reliable)
	write(t, w, payload("one"))
	write(t, w, payload("two"))
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
		p.take()
		ack(1, 1, 2)
		p.advance(time.Second)
		return len(submessages(p.take(), wire.KindData))
	}
	if n := resent(); n != 2 {
		t.Errorf("a reliable reader that misses two samples gets %d", n)
	}
	say(wire.BestEffort)
	if n := resent(); n != 0 {
		t.Errorf("a best-effort reader gets %d samples again", n)
	}
}

// TestFragmentsUnderWay: while fragments arrive, no others are asked for.
func TestFragmentsUnderWay(t *testing.T) {
	l := listenTo(t, reliable)
	l.heartbeat(1, 1)
	part := func(first uint32) {
		l.inject(func(m *wire.Builder) {
			m.DataFrag(wire.DataFrag{
				Data:  wire.Data{Writer: hostileWriter, Sequence: 1, Payload: make([]byte, 1024)},
				First: first, Count: 1, Size: 1024, Sample: 8 * 1024,
			})
		})
		l.settle()
	}
	beat := func(count uint32) int {
		l.take()
		l.inject(func(m *wire.Builder) {
			m.HeartbeatFrag(wire.HeartbeatFrag{Writer: hostileWriter, Sequence: 1, Last: 8, Count: count})
		})
		l.settle()
		return len(submessages(l.take(), wire.KindNackFrag))
	}
	part(1)
	for i := range uint32(4) {
		l.advance(askAgain / 2)
		part(i + 2)
		l.advance(askAgain / 2)
		if n := beat(i + 1); n != 0 {
			t.Errorf("half of askAgain after fragment %d, %d requests are sent", i+2, n)
		}
	}
	l.advance(askAgain)
	if n := beat(9); n != 1 {
		t.Errorf("%d requests are sent once no fragment has come for a while, want 1", n)
	}
	last := uint32(0)
	for i := range uint32(3) { // a writer takes only a request that counts more than the last
		l.advance(askAgain)
		l.inject(func(m *wire.Builder) {
			m.HeartbeatFrag(wire.HeartbeatFrag{Writer: hostileWriter, Sequence: 1, Last: 8, Count: 10 + i})
		})
		l.settle()
		for _, s := range submessages(l.take(), wire.KindNackFrag) {
			n, err := s.NackFrag()
			if err != nil || n.Count <= last || n.Count > 20 {
				t.Errorf("request %d follows request %d, %v", n.Count, last, err)
			}
			last = n.Count
		}
	}
	if last < 4 {
		t.Errorf("the last request has number %d, want one for each heartbeat", last)
	}
}

// TestMissedEvents: who is too slow for events is told so once, and again only when
// more were dropped.
func TestMissedEvents(t *testing.T) {
	busy, told := make(chan struct{}), make(chan Event)
	n := newNotifier(func(e Event) {
		<-busy
		told <- e
	})
	defer n.close()
	// next lets one event out.
	next := func() EventKind {
		busy <- struct{}{}
		return (<-told).Kind
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
			t.Errorf("after %d losses %d are told of", round, missed)
		}
	}
}

// TestReady: a reader that asks for a first heartbeat gets one that asks back, as often as
// needed, and counts as ready when it has answered; a writer counts when it has sent one.
func TestReady(t *testing.T) {
	p := withClock(t, Options{NoMulticast: true})
	w := newWriter(t, p.Participant, "x", reliable)
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	a.say(reliable.describe(GUID{Prefix: a.prefix, Entity: hostileReader}, "x", "T", nil))
	a.say(reliable.describe(GUID{Prefix: a.prefix, Entity: hostileWriter}, "y", "T", nil))
	asking := func(list []posted) (n int) {
		for _, s := range submessages(list, wire.KindHeartbeat) {
			if h, err := s.Heartbeat(); err == nil && h.Writer == w.GUID().Entity && !h.Final {
				n++
			}
		}
		return n
	}
	ack := func(count uint32, final bool) {
		a.inject(func(m *wire.Builder) {
			m.AckNack(wire.AckNack{Reader: hostileReader, Writer: w.GUID().Entity, Missing: wire.NumberSet{Base: 1}, Count: count, Final: final})
		})
		a.settle()
	}
	p.take()
	p.advance(5 * time.Second)
	if n := asking(p.take()); n < 5 || w.Matched() != 1 || len(w.Ready()) != 0 {
		t.Errorf("a matched reader that says nothing is asked %d times in 5 s; ready: %v", n, w.Ready())
	}
	ack(1, false)
	if n := asking(p.take()); n != 1 || len(w.Ready()) != 0 {
		t.Errorf("a reader that asks for a heartbeat gets %d that ask for an answer; ready: %v", n, w.Ready())
	}
	ack(2, true)
	if got := w.Ready(); len(got) != 1 || got[0] != a.prefix {
		t.Errorf("the reader has answered; ready: %v", got)
	}
	p.take()
	p.advance(5 * time.Second)
	if n := asking(p.take()); n != 0 {
		t.Errorf("a reader that is ready is asked %d times more", n)
	}

	r, _ := newReader(t, p.Participant, "y", reliable)
	p.advance(silentWriter / 2)
	if r.Matched() != 1 || len(r.Ready()) != 0 {
		t.Errorf("a writer that has said nothing; ready: %v", r.Ready())
	}
	a.inject(func(m *wire.Builder) {
		m.Heartbeat(wire.Heartbeat{Reader: r.GUID().Entity, Writer: hostileWriter, First: 1, Last: 0, Count: 1})
	})
	a.settle()
	if got := r.Ready(); len(got) != 1 || got[0] != a.prefix {
		t.Errorf("the writer has sent a heartbeat; ready: %v", got)
	}
	silent, _ := newReader(t, p.Participant, "y", reliable)
	p.advance(silentWriter)
	if got := silent.Ready(); len(got) != 1 || silent.Matched() != 1 {
		t.Errorf("a writer that owes a heartbeat for %v; ready: %v", silentWriter, got)
	}
}
