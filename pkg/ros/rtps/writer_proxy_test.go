package rtps

import (
	"slices"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// listener is a participant with a reader of "x" that an attacker writes to.
type listener struct {
	*clocked
	*attacker
	got *box
}

func listenTo(t *testing.T, q QoS) *listener {
	t.Helper()
	p := withClock(t, Options{NoMulticast: true})
	_, got := newReader(t, p.Participant, "x", q)
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	a.endpoint(hostileWriter, "x")
	a.settle()
	p.take()
	return &listener{p, a, got}
}

// gap says that the samples from first to last will not come, nor those in more.
func (l *listener) gap(first, last int64, more ...int64) {
	g := wire.Gap{Writer: hostileWriter, First: first, More: wire.NumberSet{Base: last + 1}}
	for _, n := range more {
		g.More.Add(n)
	}
	l.inject(func(m *wire.Builder) { m.Gap(g) })
	l.settle()
}

// numbers delivers all that has come and returns the sequence numbers.
func (l *listener) numbers(t *testing.T, n int) []int64 {
	t.Helper()
	eventually(t, "samples", func() bool { return l.got.len() >= n })
	var all []int64
	for _, s := range l.got.samples() {
		all = append(all, s.Sequence)
	}
	return all
}

// buffered is what waits for earlier samples: bytes of all, and of this writer.
func (l *listener) buffered() [2]int {
	return state(l.Participant, func(e *engine) [2]int { return [2]int{e.buffered, proxyOf(e).held} })
}

// lastAck is the last acknowledgement that was sent since the last call.
func (l *listener) lastAck(t *testing.T) *wire.AckNack {
	t.Helper()
	all := submessages(l.take(), wire.KindAckNack)
	if len(all) == 0 {
		return nil
	}
	a, err := all[len(all)-1].AckNack()
	if err != nil {
		t.Fatal(err)
	}
	return &a
}

// TestNoPhantoms: a sample that the writer has taken back is not delivered when a
// late copy of it comes, and a copy of one that waits takes no more room.
func TestNoPhantoms(t *testing.T) {
	l := listenTo(t, reliable)
	l.heartbeat(1, 6)
	l.gap(3, 3, 5)
	for range 2 {
		l.data(3, payload("taken back"))
		l.data(4, payload("four"))
		l.data(5, payload("taken back"))
	}
	l.settle()
	if got, want := l.buffered(), len(payload("four")); got != [2]int{want, want} {
		t.Errorf("%v bytes are buffered, want %d", got, want)
	}
	for _, n := range []int64{2, 1, 1, 2, 6} {
		l.data(n, payload("%d", n))
	}
	l.settle()
	if got := l.numbers(t, 4); !slices.Equal(got, []int64{1, 2, 4, 6}) {
		t.Errorf("samples %v came", got)
	}
	if got := l.buffered(); got != [2]int{} {
		t.Errorf("%v bytes stay buffered", got)
	}
	if s := l.Stats(); s.Lost+s.RefusedBuffers != 0 {
		t.Errorf("%d samples are lost, %d refused", s.Lost, s.RefusedBuffers)
	}
}

// TestGapOfParts: fragments of a sample that will not come, or that is complete, are
// passed over.
func TestGapOfParts(t *testing.T) {
	l := listenTo(t, reliable)
	part := func(n int64, first uint32) {
		l.inject(func(m *wire.Builder) {
			m.DataFrag(wire.DataFrag{
				Data:  wire.Data{Writer: hostileWriter, Sequence: n, Payload: make([]byte, 1024)},
				First: first, Count: 1, Size: 1024, Sample: 2048,
			})
		})
		l.settle()
	}
	l.heartbeat(1, 4)
	l.gap(2, 2)
	part(2, 1)
	if got := l.buffered(); got != [2]int{} {
		t.Errorf("%v bytes are buffered for a sample that was taken back", got)
	}
	part(3, 1)
	part(3, 2)
	part(3, 1) // of one that is whole
	if got := l.buffered(); got != [2]int{2048, 2048} {
		t.Errorf("%v bytes are buffered, want the one whole sample", got)
	}
	part(4, 2)
	l.data(1, payload("1"))
	l.settle()
	part(3, 1) // of one that was delivered
	if got := l.numbers(t, 2); !slices.Equal(got, []int64{1, 3}) {
		t.Errorf("samples %v came", got)
	}
	if got := l.buffered(); got != [2]int{2048, 2048} {
		t.Errorf("%v bytes are buffered, want the sample whose second half has come", got)
	}
	l.gap(4, 4)
	if got := l.buffered(); got != [2]int{} {
		t.Errorf("%v bytes stay buffered", got)
	}
}

// TestGivenUp: samples that the writer has no longer are counted as lost, those that
// came are delivered in order.
func TestGivenUp(t *testing.T) {
	l := listenTo(t, reliable)
	l.heartbeat(1, 9)
	for _, n := range []int64{6, 3, 8} {
		l.data(n, payload("%d", n))
	}
	l.heartbeat(7, 9)
	l.settle()
	if got := l.numbers(t, 2); !slices.Equal(got, []int64{3, 6}) {
		t.Errorf("samples %v came", got)
	}
	if n := l.Stats().Lost; n != 4 { // 1, 2, 4, 5
		t.Errorf("%d samples are lost, want 4", n)
	}
	l.data(7, payload("7"))
	l.settle()
	if got := l.numbers(t, 4); !slices.Equal(got, []int64{3, 6, 7, 8}) {
		t.Errorf("samples %v came", got)
	}
}

// TestVolatileReader: what a writer kept from before is not delivered to a reader that
// did not ask for it; the very next sample is.
func TestVolatileReader(t *testing.T) {
	l := listenTo(t, reliable)
	d := latched.describe(GUID{Prefix: l.prefix, Entity: hostileWriter}, "x", "T", nil)
	l.say(d)
	l.heartbeat(1, 5)
	for n := int64(4); n <= 7; n++ {
		l.data(n, payload("%d", n))
	}
	l.settle()
	if got := l.numbers(t, 2); !slices.Equal(got, []int64{6, 7}) {
		t.Errorf("samples %v came, want 6 and 7", got)
	}
}

// TestOldHeartbeats: a copy of a heartbeat, or an older one, says nothing new.
func TestOldHeartbeats(t *testing.T) {
	l := listenTo(t, reliable)
	say := func(count uint32, first, last int64, final bool) *wire.AckNack {
		l.advance(askAgain)
		l.take()
		l.inject(func(m *wire.Builder) {
			m.Heartbeat(wire.Heartbeat{Writer: hostileWriter, First: first, Last: last, Count: count, Final: final})
		})
		l.settle()
		return l.lastAck(t)
	}
	if a := say(7, 1, 0, false); a == nil || a.Missing.Base != 1 || a.Missing.Bits != 0 || !a.Final {
		t.Errorf("the first heartbeat is answered by %+v", a)
	}
	if a := say(8, 1, 0, true); a != nil {
		t.Errorf("a final heartbeat is answered by %+v though nothing is missing", a)
	}
	for _, old := range []uint32{8, 7, 8 + 1<<31} {
		if a := say(old, 1, 3, false); a != nil {
			t.Errorf("heartbeat %d after 8 is answered by %+v", old, a)
		}
	}
	if a := say(9, 1, 3, true); a == nil || a.Missing.Base != 1 || a.Missing.Bits != 3 || !a.Missing.Has(1) || !a.Missing.Has(3) {
		t.Errorf("what is missing is asked for by %+v", a)
	}
	l.data(2, payload("2"))
	if a := say(10, 1, 2, true); a == nil || a.Missing.Has(2) || !a.Missing.Has(3) {
		t.Errorf("after sample 2 %+v is asked for", a)
	}
}

// TestSyncWithoutHeartbeat: if heartbeats never come, delivery begins with the
// earliest sample that has come once so many wait that no more fit.
func TestSyncWithoutHeartbeat(t *testing.T) {
	l := listenTo(t, reliable)
	l.call(func() { l.e.opts.Limits.BufferedCount = 3 })
	l.data(9, payload("9"))
	l.data(7, payload("7"))
	l.settle()
	if l.got.len() != 0 {
		t.Fatal("delivered before it is known where to begin")
	}
	l.data(8, payload("8"))
	if got := l.numbers(t, 3); !slices.Equal(got, []int64{7, 8, 9}) {
		t.Errorf("samples %v came", got)
	}
	for n := range int64(4) {
		l.data(11+n, payload("%d", 11+n))
	}
	l.settle()
	if n := l.Stats().RefusedBuffers; n != 1 {
		t.Errorf("%d samples are refused, want 1", n)
	}
	l.data(10, payload("10"))
	if got := l.numbers(t, 7); !slices.Equal(got, []int64{7, 8, 9, 10, 11, 12, 13}) {
		t.Errorf("samples %v came", got)
	}
}

// TestBestEffort: late samples are dropped, and heartbeats ask for nothing.
func TestBestEffort(t *testing.T) {
	l := listenTo(t, bestEffort)
	l.heartbeat(1, 9)
	for _, n := range []int64{4, 3, 4, 6, 5} {
		l.data(n, payload("%d", n))
	}
	l.gap(7, 7)
	l.data(7, payload("7")) // a gap means nothing to it
	l.settle()
	if got := l.numbers(t, 3); !slices.Equal(got, []int64{4, 6, 7}) {
		t.Errorf("samples %v came", got)
	}
	if a := l.lastAck(t); a != nil {
		t.Errorf("asked for %+v", a)
	}
}

// TestFragmentHeartbeats: each asks once for the fragments that are missing; a copy of
// one asks for nothing.
func TestFragmentHeartbeats(t *testing.T) {
	l := listenTo(t, reliable)
	l.heartbeat(1, 1)
	l.inject(func(m *wire.Builder) {
		m.DataFrag(wire.DataFrag{
			Data:  wire.Data{Writer: hostileWriter, Sequence: 1, Payload: make([]byte, 1024)},
			First: 1, Count: 1, Size: 1024, Sample: 2048,
		})
	})
	for _, c := range []struct {
		count uint32
		asked int
	}{{3, 1}, {3, 0}, {2, 0}, {4, 1}} {
		l.advance(askAgain)
		l.take()
		l.inject(func(m *wire.Builder) {
			m.HeartbeatFrag(wire.HeartbeatFrag{Writer: hostileWriter, Sequence: 1, Last: 2, Count: c.count})
		})
		l.settle()
		if n := len(submessages(l.take(), wire.KindNackFrag)); n != c.asked {
			t.Errorf("heartbeat %d is answered by %d requests, want %d", c.count, n, c.asked)
		}
	}
}

// TestRetryTimes: what is missing is asked for again at intervals that double from
// 40 ms to 1 s.
func TestRetryTimes(t *testing.T) {
	l := listenTo(t, reliable)
	l.heartbeat(1, 2)
	l.settle()
	l.take()
	l.advance(5 * time.Second)
	want, at := 2*retryFirst, time.Unix(0, 0)
	n := 0
	for _, p := range l.take() {
		if len(submessages([]posted{p}, wire.KindAckNack)) == 0 || p.to != attackerAddress {
			continue
		}
		a, err := submessages([]posted{p}, wire.KindAckNack)[0].AckNack()
		if err != nil || a.Writer != hostileWriter {
			continue // of the built-in readers
		}
		if got := p.at.Sub(at); got != want || a.Missing.Base != 1 || a.Missing.Bits != 2 {
			t.Fatalf("asked for %+v after %v, want 2 samples from 1 after %v", a.Missing, got, want)
		}
		at, want = p.at, min(2*want, retryLast)
		n++
	}
	if n < 6 {
		t.Errorf("asked %d times in 5 s", n)
	}
}
