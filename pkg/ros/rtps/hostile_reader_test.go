package rtps

import (
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// TestGreedyReader asks for a large sample over and over: what goes out must
// have a bound in time.
func TestGreedyReader(t *testing.T) {
	p, sent, _, _, w := target(t, Options{})
	a := attack(t, p)
	big := make([]byte, 4<<20)
	for range 3 {
		write(t, w, big)
	}
	start := time.Now()
	for i := range 20_000 {
		set := wire.NumberSet{Base: 1}
		for n := range int64(wire.MaxSet) {
			set.Add(n + 1)
		}
		a.inject(func(m *wire.Builder) {
			m.AckNack(wire.AckNack{Reader: hostileReader, Writer: w.GUID().Entity, Missing: set, Count: uint32(i + 1)})
		})
	}
	a.settle()
	elapsed := time.Since(start)
	sent.mu.Lock()
	n := sent.bytes
	sent.mu.Unlock()
	// one burst per tick, and one more that may have begun
	bound := int(elapsed/burstEvery+2)*2*burstBytes + 20_000*400
	if n > bound {
		t.Errorf("%d bytes went out in %v, more than %d", n, elapsed, bound)
	}
	if n := state(p, func(e *engine) int { return e.writers[w.GUID().Entity].proxies[0].queue.Len() }); n > 4*(reliable.Depth+maxQueue) {
		t.Errorf("the queue has grown to %d", n)
	}
}

// TestImpatientReader asks for one sample over and over: it is sent again, but
// not each time.
func TestImpatientReader(t *testing.T) {
	p, sent, _, _, w := target(t, Options{})
	a := attack(t, p)
	write(t, w, payload("x"))
	count := uint32(0)
	ask := func() {
		count++
		a.inject(func(m *wire.Builder) {
			m.AckNack(wire.AckNack{Reader: hostileReader, Writer: w.GUID().Entity, Missing: wire.NumberSet{Base: 1, Bits: 1, Map: [8]uint32{1 << 31}}, Count: count})
		})
		a.settle()
	}
	start := time.Now()
	for range 1000 {
		ask()
	}
	if n, most := p.Stats().Resent, uint64(time.Since(start)/resendPause)+1; n < 1 || n > most {
		t.Errorf("the sample was sent again %d times, not 1 to %d", n, most)
	}
	// and again when it still does not come
	before := p.Stats().Resent
	eventually(t, "another try", func() bool { ask(); return p.Stats().Resent > before })
	if len(sent.sent(wire.KindHeartbeat)) == 0 {
		t.Error("the reader was not told to ask again")
	}
}
