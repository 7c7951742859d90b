package rtps_test

import (
	"slices"
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
	"sinew/pkg/ros/rtps/wire"
)

// TestNoPhantoms: a sample that the writer has taken back is not delivered when a
// late copy of it comes, and a copy of one that waits takes no more room.
func TestNoPhantoms(t *testing.T) {
	l := rtps.ListenTo(t, rtps.Reliable)
	l.Heartbeat(1, 6)
	l.Gap(3, 3, 5)
	for range 2 {
		l.Data(3, rtps.Payload("taken back"))
		l.Data(4, rtps.Payload("four"))
		l.Data(5, rtps.Payload("taken back"))
	}
	l.Settle()
	if got, want := l.Buffered(), len(rtps.Payload("four")); got != [2]int{want, want} {
		t.Errorf("%v bytes are buffered, want %d", got, want)
	}
	for _, n := range []int64{2, 1, 1, 2, 6} {
		l.Data(n, rtps.Payload("%d", n))
	}
	l.Settle()
	if got := l.Numbers(t, 4); !slices.Equal(got, []int64{1, 2, 4, 6}) {
		t.Errorf("samples %v came", got)
	}
	if got := l.Buffered(); got != [2]int{} {
		t.Errorf("%v bytes stay buffered", got)
	}
	if s := l.Stats(); s.Lost+s.RefusedBuffers != 0 {
		t.Errorf("%d samples are lost, %d refused", s.Lost, s.RefusedBuffers)
	}
}

// TestGapOfParts: fragments of a sample that will not come, or that is complete, are
// passed over.
func TestGapOfParts(t *testing.T) {
	l := rtps.ListenTo(t, rtps.Reliable)
	part := func(n int64, first uint32) {
		l.Inject(func(m *wire.Builder) {
			m.DataFrag(wire.DataFrag{
				Data:  wire.Data{Writer: rtps.HostileWriter, Sequence: n, Payload: make([]byte, 1024)},
				First: first, Count: 1, Size: 1024, Sample: 2048,
			})
		})
		l.Settle()
	}
	l.Heartbeat(1, 4)
	l.Gap(2, 2)
	part(2, 1)
	if got := l.Buffered(); got != [2]int{} {
		t.Errorf("%v bytes are buffered for a sample that was taken back", got)
	}
	part(3, 1)
	part(3, 2)
	part(3, 1) // of one that is whole
	if got := l.Buffered(); got != [2]int{2048, 2048} {
		t.Errorf("%v bytes are buffered, want the one whole sample", got)
	}
	part(4, 2)
	l.Data(1, rtps.Payload("1"))
	l.Settle()
	part(3, 1) // of one that was delivered
	if got := l.Numbers(t, 2); !slices.Equal(got, []int64{1, 3}) {
		t.Errorf("samples %v came", got)
	}
	if got := l.Buffered(); got != [2]int{2048, 2048} {
		t.Errorf("%v bytes are buffered, want the sample whose second half has come", got)
	}
	l.Gap(4, 4)
	if got := l.Buffered(); got != [2]int{} {
		t.Errorf("%v bytes stay buffered", got)
	}
}

// TestGivenUp: samples that the writer has no longer are counted as lost, those that
// came are delivered in order.
func TestGivenUp(t *testing.T) {
	l := rtps.ListenTo(t, rtps.Reliable)
	l.Heartbeat(1, 9)
	for _, n := range []int64{6, 3, 8} {
		l.Data(n, rtps.Payload("%d", n))
	}
	l.Heartbeat(7, 9)
	l.Settle()
	if got := l.Numbers(t, 2); !slices.Equal(got, []int64{3, 6}) {
		t.Errorf("samples %v came", got)
	}
	if n := l.Stats().Lost; n != 4 { // 1, 2, 4, 5
		t.Errorf("%d samples are lost, want 4", n)
	}
	l.Data(7, rtps.Payload("7"))
	l.Settle()
	if got := l.Numbers(t, 4); !slices.Equal(got, []int64{3, 6, 7, 8}) {
		t.Errorf("samples %v came", got)
	}
}

// TestOldHeartbeats: a copy of a heartbeat, or an older one, says nothing new.
func TestOldHeartbeats(t *testing.T) {
	l := rtps.ListenTo(t, rtps.Reliable)
	say := func(count uint32, first, last int64, final bool) *wire.AckNack {
		l.Advance(rtps.AskAgain)
		l.Take()
		l.Inject(func(m *wire.Builder) {
			m.Heartbeat(wire.Heartbeat{Writer: rtps.HostileWriter, First: first, Last: last, Count: count, Final: final})
		})
		l.Settle()
		return l.LastAck(t)
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
	l.Data(2, rtps.Payload("2"))
	if a := say(10, 1, 2, true); a == nil || a.Missing.Has(2) || !a.Missing.Has(3) {
		t.Errorf("after sample 2 %+v is asked for", a)
	}
}

// TestBestEffort: late samples are dropped, and heartbeats ask for nothing.
func TestBestEffort(t *testing.T) {
	l := rtps.ListenTo(t, rtps.BestEffort)
	l.Heartbeat(1, 9)
	for _, n := range []int64{4, 3, 4, 6, 5} {
		l.Data(n, rtps.Payload("%d", n))
	}
	l.Gap(7, 7)
	l.Data(7, rtps.Payload("7")) // a gap means nothing to it
	l.Settle()
	if got := l.Numbers(t, 3); !slices.Equal(got, []int64{4, 6, 7}) {
		t.Errorf("samples %v came", got)
	}
	if a := l.LastAck(t); a != nil {
		t.Errorf("asked for %+v", a)
	}
}

// TestFragmentHeartbeats: each asks once for the fragments that are missing; a copy of
// one asks for nothing.
func TestFragmentHeartbeats(t *testing.T) {
	l := rtps.ListenTo(t, rtps.Reliable)
	l.Heartbeat(1, 1)
	l.Inject(func(m *wire.Builder) {
		m.DataFrag(wire.DataFrag{
			Data:  wire.Data{Writer: rtps.HostileWriter, Sequence: 1, Payload: make([]byte, 1024)},
			First: 1, Count: 1, Size: 1024, Sample: 2048,
		})
	})
	for _, c := range []struct {
		count uint32
		asked int
	}{{3, 1}, {3, 0}, {2, 0}, {4, 1}} {
		l.Advance(rtps.AskAgain)
		l.Take()
		l.Inject(func(m *wire.Builder) {
			m.HeartbeatFrag(wire.HeartbeatFrag{Writer: rtps.HostileWriter, Sequence: 1, Last: 2, Count: c.count})
		})
		l.Settle()
		if n := len(rtps.Submessages(l.Take(), wire.KindNackFrag)); n != c.asked {
			t.Errorf("heartbeat %d is answered by %d requests, want %d", c.count, n, c.asked)
		}
	}
}

// TestRetryTimes: what is missing is asked for again at intervals that double from
// 40 ms to 1 s.
func TestRetryTimes(t *testing.T) {
	l := rtps.ListenTo(t, rtps.Reliable)
	l.Heartbeat(1, 2)
	l.Settle()
	l.Take()
	l.Advance(5 * time.Second)
	want, at := 2*rtps.RetryFirst, time.Unix(0, 0)
	n := 0
	for _, p := range l.Take() {
		if len(rtps.Submessages([]rtps.Posted{p}, wire.KindAckNack)) == 0 || p.To != rtps.AttackerAddress {
			continue
		}
		a, err := rtps.Submessages([]rtps.Posted{p}, wire.KindAckNack)[0].AckNack()
		if err != nil || a.Writer != rtps.HostileWriter {
			continue // of the built-in readers
		}
		if got := p.At.Sub(at); got != want || a.Missing.Base != 1 || a.Missing.Bits != 2 {
			t.Fatalf("asked for %+v after %v, want 2 samples from 1 after %v", a.Missing, got, want)
		}
		at, want = p.At, min(2*want, rtps.RetryLast)
		n++
	}
	if n < 6 {
		t.Errorf("asked %d times in 5 s", n)
	}
}
