package rtps_test

import (
	"testing"

	"sinew/pkg/ros/rtps"
	"sinew/pkg/ros/rtps/wire"
)

// TestLateLocals: a reader and a writer that are made after the others have announced
// themselves match those of their topic, up to the limit.
func TestLateLocals(t *testing.T) {
	const most = 3
	p := rtps.WithClock(t, rtps.Options{NoMulticast: true, Limits: rtps.Limits{Matches: most}})
	a := &rtps.Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	for i := range byte(most + 2) {
		a.Endpoint(rtps.ReaderID(i), "x")
		a.Endpoint(rtps.WriterID(i), "x")
	}
	a.Endpoint(rtps.ReaderID(100), "y")
	a.Endpoint(rtps.WriterID(100), "y")
	a.Settle()
	for topic, want := range map[string]int{"x": most, "y": 1, "z": 0} {
		r, _ := rtps.NewReader(t, p.Participant, topic, rtps.Reliable)
		w := rtps.NewWriter(t, p.Participant, topic, rtps.Reliable)
		if r.Matched() != want || w.Matched() != want {
			t.Errorf("%s: the reader has %d matches, the writer %d, want %d", topic, r.Matched(), w.Matched(), want)
		}
	}
}
