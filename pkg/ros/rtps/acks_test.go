package rtps_test

import (
	"testing"

	"sinew/pkg/ros/rtps"
	"sinew/pkg/ros/rtps/wire"
)

// TestFragmentsUnderWay: while fragments arrive, no others are asked for.
func TestFragmentsUnderWay(t *testing.T) {
	l := rtps.ListenTo(t, rtps.Reliable)
	l.Heartbeat(1, 1)
	part := func(first uint32) {
		l.Inject(func(m *wire.Builder) {
			m.DataFrag(wire.DataFrag{
				Data:  wire.Data{Writer: rtps.HostileWriter, Sequence: 1, Payload: make([]byte, 1024)},
				First: first, Count: 1, Size: 1024, Sample: 8 * 1024,
			})
		})
		l.Settle()
	}
	beat := func(count uint32) int {
		l.Take()
		l.Inject(func(m *wire.Builder) {
			m.HeartbeatFrag(wire.HeartbeatFrag{Writer: rtps.HostileWriter, Sequence: 1, Last: 8, Count: count})
		})
		l.Settle()
		return len(rtps.Submessages(l.Take(), wire.KindNackFrag))
	}
	part(1)
	for i := range uint32(4) {
		l.Advance(rtps.AskAgain / 2)
		part(i + 2)
		l.Advance(rtps.AskAgain / 2)
		if n := beat(i + 1); n != 0 {
			t.Errorf("half of askAgain after fragment %d, %d requests are sent", i+2, n)
		}
	}
	l.Advance(rtps.AskAgain)
	if n := beat(9); n != 1 {
		t.Errorf("%d requests are sent once no fragment has come for a while, want 1", n)
	}
	last := uint32(0)
	for i := range uint32(3) { // a writer takes only a request that counts more than the last
		l.Advance(rtps.AskAgain)
		l.Inject(func(m *wire.Builder) {
			m.HeartbeatFrag(wire.HeartbeatFrag{Writer: rtps.HostileWriter, Sequence: 1, Last: 8, Count: 10 + i})
		})
		l.Settle()
		for _, s := range rtps.Submessages(l.Take(), wire.KindNackFrag) {
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
