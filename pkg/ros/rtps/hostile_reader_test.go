package rtps_test

import (
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
	"sinew/pkg/ros/rtps/wire"
)

// TestImpatientReader asks for one sample over and over: it is sent again, but
// not each time.
func TestImpatientReader(t *testing.T) {
	p, sent, _, _, w := rtps.Target(t, rtps.Options{})
	a := rtps.Attack(t, p)
	rtps.Write(t, w, rtps.Payload("x"))
	count := uint32(0)
	ask := func() {
		count++
		a.Inject(func(m *wire.Builder) {
			m.AckNack(wire.AckNack{Reader: rtps.HostileReader, Writer: w.GUID().Entity, Missing: wire.NumberSet{Base: 1, Bits: 1, Map: [8]uint32{1 << 31}}, Count: count})
		})
		a.Settle()
	}
	start := time.Now()
	for range 1000 {
		ask()
	}
	if n, most := p.Stats().Resent, uint64(time.Since(start)/rtps.ResendPause)+1; n < 1 || n > most {
		t.Errorf("the sample was sent again %d times, not 1 to %d", n, most)
	}
	// and again when it still does not come
	before := p.Stats().Resent
	rtps.Eventually(t, "another try", func() bool { ask(); return p.Stats().Resent > before })
	if len(sent.Sent(wire.KindHeartbeat)) == 0 {
		t.Error("the reader was not told to ask again")
	}
}
