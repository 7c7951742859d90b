package rtps

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// exchange is one way to talk to a vendor.
type exchange struct {
	vendor vendor
	config string
	o      Options
	qos    string
	q      QoS
	period time.Duration // from one sample to the next
}

func TestVendors(t *testing.T) {
	var dropped atomic.Int64
	lossyWrap := func(l link) link { return lossy{l, func() bool { return rand.Float64() < 0.05 }, &dropped} }
	for name, c := range map[string]exchange{
		"Cyclone, multicast":   {cyclone, cycloneMulticast, Options{}, "rv1000", reliable, slow},
		"Cyclone, unicast":     {cyclone, cycloneUnicast, Options{NoMulticast: true}, "rv1000", reliable, slow},
		"Cyclone, best effort": {cyclone, cycloneMulticast, Options{}, "bv1000", bestEffort, slow},
		// Cyclone asks again only after 100 ms, and holds 128 samples meanwhile:
		// it could not catch up with 1 kHz
		"Cyclone, 5 % lost each way": {cyclone, fmt.Sprintf(cycloneMulticast, cycloneLossy), Options{wrap: lossyWrap}, "rv1000", reliable, 5 * slow},
		"Fast DDS":                   {fast, "", Options{}, "rv1000", reliable, slow},
		"Fast DDS, best effort":      {fast, "", Options{}, "bv1000", bestEffort, slow},
		"Fast DDS, 5 % of ours lost": {fast, "", Options{wrap: lossyWrap}, "rv1000", reliable, slow},
	} {
		t.Run(name+" out", c.out)
		t.Run(name+" in", c.in)
	}
	if dropped.Load() == 0 {
		t.Error("no datagram was lost on purpose: the test tested nothing")
	}
}

// TestVendorFoxglove writes to a third implementation, which has no writers of
// its own beside those of discovery.
func TestVendorFoxglove(t *testing.T) {
	t.Run("reliable", exchange{foxglove, "", Options{}, "rv1000", reliable, slow}.out)
	t.Run("best effort", exchange{foxglove, "", Options{}, "bv1000", bestEffort, slow}.out)
	t.Run("late joiner", func(t *testing.T) {
		w := peerWriter(t, join(t, Options{}), "rt/latched", latched)
		write(t, w, numbers(7, 1))
		them := startPeer(t, foxglove, "", "sub", "rt/latched", "rt1")
		eventually(t, "latched sample", func() bool { return them.len() == 1 })
		if got := them.numbers(t, 1); got[0] != 7 {
			t.Errorf("late reader of theirs got %v", got)
		}
	})
}

// TestVendorsFast exchanges samples at 10 kHz.
func TestVendorsFast(t *testing.T) {
	q := QoS{Reliable: true, Depth: 10_000}
	for name, c := range map[string]exchange{
		"Cyclone":  {cyclone, cycloneMulticast, Options{}, "rv10000", q, quick},
		"Fast DDS": {fast, "", Options{}, "rv10000", q, quick},
	} {
		t.Run(name+" out", c.out)
		t.Run(name+" in", c.in)
	}
}

// length is that of the arrays in small samples.
const length = 3

// out writes to a peer.
func (c exchange) out(t *testing.T) {
	us := join(t, c.o)
	w := peerWriter(t, us, "rt/out", c.q)
	them := startPeer(t, c.vendor, c.config, "sub", "rt/out", c.qos)
	matched(t, w, 1)
	them.matched(t)
	sent := 0
	if c.o.wrap != nil {
		// What told them where to begin may have been lost; a volatile reader
		// then begins with a later sample.
		eventually(t, "a sample", func() bool {
			write(t, w, numbers(sent, length))
			sent++
			return them.len() > 0
		})
	}
	start := time.Now()
	// what is lost on purpose of few datagrams may be nothing
	for i := 0; i < c.count() || i < 100*c.count() && c.o.wrap != nil && us.Stats().Resent == 0; i++ {
		write(t, w, numbers(sent, length))
		sent++
		time.Sleep(time.Until(start.Add(time.Duration(i+1) * c.period)))
	}
	first := 0
	if c.o.wrap != nil {
		first = them.numbers(t, length)[0]
		if us.Stats().Resent == 0 {
			t.Error("nothing was sent again: the test tested nothing")
		}
	}
	c.arrive(t, us, them, first, sent, them, length)
}

// in reads from a peer.
func (c exchange) in(t *testing.T) {
	us := join(t, c.o)
	r, got := peerReader(t, us, "rt/in", c.q)
	n := c.count()
	them := startPeer(t, c.vendor, c.config, "pub", "rt/in", c.qos, fmt.Sprint(n), fmt.Sprint(c.period.Microseconds()), fmt.Sprint(length))
	them.begin(t, r)
	eventually(t, "all written", func() bool { return them.said("written") })
	c.arrive(t, us, them, 0, n, got, length)
}

// sink is where samples arrive: a box of ours or a peer.
type sink interface {
	len() int
	numbers(t *testing.T, length int) []int
}

// arrive waits for the numbers from first to before end: in order and each
// once. A best-effort reader that knows its writer, and is known, may lack as
// many as the kernel dropped for want of room.
func (c exchange) arrive(t *testing.T, us *Participant, them *peer, first, end int, at sink, length int) {
	t.Helper()
	drops := func() int { return 0 }
	if !c.q.Reliable {
		drops = func() int { return kernelDrops(t, os.Getpid(), them.cmd.Process.Pid) }
	}
	defer func() {
		if t.Failed() {
			t.Logf("%d of %d samples arrived; we: %+v", at.len(), end-first, us.Stats())
		}
	}()
	eventually(t, "all samples", func() bool { return at.len()+drops() >= end-first })
	last := first - 1
	for i, k := range at.numbers(t, length) {
		if k <= last || c.q.Reliable && k != last+1 || k >= end {
			t.Fatalf("sample %d has number %d, after %d", i, k, last)
		}
		last = k
	}
	if n := us.Stats().Overwritten; n != 0 {
		t.Errorf("%d samples were overwritten before they were received", n)
	}
}

// holding is a link that keeps back what it is told to.
type holding struct {
	link
	holds func(b []byte) bool
}

func (l holding) send(to netip.AddrPort, b []byte) {
	if !l.holds(b) {
		l.link.send(to, b)
	}
}

// TestVendorReady: a reader that has not been told of a writer yet is not ready for it,
// although they are matched here, and then gets the very first sample.
func TestVendorReady(t *testing.T) {
	for _, v := range []vendor{cyclone, fast} {
		t.Run(v.name, func(t *testing.T) {
			const topic = "rt/ready"
			var held atomic.Bool
			held.Store(true)
			wrap := func(l link) link {
				return holding{l, func(b []byte) bool { return held.Load() && bytes.Contains(b, []byte(topic)) }}
			}
			them := startPeer(t, v, cycloneMulticast, "sub", topic, "rv10")
			w := peerWriter(t, join(t, Options{wrap: wrap}), topic, reliable)
			eventually(t, "match", func() bool { return w.Matched() == 1 })
			time.Sleep(200 * time.Millisecond)
			if got := w.Ready(); len(got) != 0 {
				t.Errorf("ready for %v, who cannot know the writer", got)
			}
			held.Store(false)
			eventually(t, "a reader that knows the writer", func() bool { return len(w.Ready()) == 1 })
			write(t, w, numbers(7, 1))
			eventually(t, "the sample", func() bool { return them.len() == 1 })
		})
	}
}

func TestVendorLateJoiner(t *testing.T) {
	for _, v := range []vendor{cyclone, fast} {
		t.Run(v.name, func(t *testing.T) { lateJoiner(t, v) })
	}
}

func lateJoiner(t *testing.T, v vendor) {
	q := QoS{Reliable: true, TransientLocal: true, Depth: 2}
	us := join(t, Options{})
	w := peerWriter(t, us, "rt/latched", q)
	for i := range 5 {
		write(t, w, numbers(i, 1))
	}
	them := startPeer(t, v, cycloneMulticast, "sub", "rt/latched", "rt2")
	eventually(t, "kept samples", func() bool { return them.len() == 2 })
	if got := them.numbers(t, 1); got[0] != 3 || got[1] != 4 {
		t.Errorf("late reader of theirs got %v", got)
	}

	writer := startPeer(t, v, cycloneMulticast, "pub", "rt/latched2", "rt2", "5", "0", "1")
	eventually(t, "all written", func() bool { return writer.said("written") })
	_, got := peerReader(t, us, "rt/latched2", q)
	eventually(t, "kept samples", func() bool { return got.len() == 2 })
	if n := got.numbers(t, 1); n[0] != 3 || n[1] != 4 {
		t.Errorf("late reader got %v", n)
	}
}

// TestVendorLarge sends 100,000 doubles, 800 kB, in fragments.
func TestVendorLarge(t *testing.T) {
	n := 10
	if testing.Short() {
		n = 2
	}
	for _, c := range []struct {
		vendor vendor
		name   string
		config string
	}{
		{cyclone, "no loss", cycloneMulticast},
		{cyclone, "5 % lost", fmt.Sprintf(cycloneMulticast, cycloneLossy)},
		{fast, "no loss", ""},
	} {
		t.Run(c.vendor.name+" "+c.name, func(t *testing.T) { large(t, c.vendor, c.config, n) })
	}
}

func large(t *testing.T, v vendor, config string, n int) {
	const length = 100_000
	q := QoS{Reliable: true, Depth: n}
	qos := fmt.Sprint("rv", n)
	us := join(t, Options{})
	w := peerWriter(t, us, "rt/large_out", q)
	them := startPeer(t, v, config, "sub", "rt/large_out", qos)
	matched(t, w, 1)
	them.matched(t)
	for i := range n {
		write(t, w, numbers(i, length))
		time.Sleep(20 * time.Millisecond)
	}
	c := exchange{q: q}
	c.arrive(t, us, them, 0, n, them, length)

	r, got := peerReader(t, us, "rt/large_in", q)
	them = startPeer(t, v, config, "pub", "rt/large_in", qos, fmt.Sprint(n), "20000", fmt.Sprint(length))
	them.begin(t, r)
	c.arrive(t, us, them, 0, n, got, length)
}

// TestVendorReturns kills the peer without good-bye and starts it again: data
// must be back soon.
func TestVendorReturns(t *testing.T) {
	for _, v := range []vendor{cyclone, fast} {
		t.Run(v.name, func(t *testing.T) { returns(t, v) })
	}
}

func returns(t *testing.T, v vendor) {
	us := join(t, Options{})
	w := peerWriter(t, us, "rt/return", reliable)
	stop := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				w.Write(numbers(i, 1))
			}
		}
	})
	defer writing.Wait()
	defer close(stop)
	soon(t, 3*time.Second, func(int) time.Duration {
		start := time.Now()
		them := startPeer(t, v, cycloneMulticast, "sub", "rt/return", "rv100")
		eventually(t, "data", func() bool { return them.len() > 10 })
		defer them.cmd.Process.Kill()
		return time.Since(start)
	})
}

// TestVendorsFour talks to four peers at once and sees them go.
func TestVendorsFour(t *testing.T) {
	us := join(t, Options{})
	w := peerWriter(t, us, "rt/four", reliable)
	var all []*peer
	for i := range 4 {
		all = append(all, startPeer(t, []vendor{cyclone, fast}[i%2], cycloneMulticast, "sub", "rt/four", "rv1000"))
	}
	matched(t, w, 4)
	for _, p := range all {
		p.matched(t)
	}
	c := exchange{q: reliable, period: slow}
	n := c.count()
	start := time.Now()
	for i := range n {
		write(t, w, numbers(i, length))
		time.Sleep(time.Until(start.Add(time.Duration(i+1) * c.period)))
	}
	for _, p := range all {
		c.arrive(t, us, p, 0, n, p, length)
		p.stdin.Close() // says good-bye
	}
	eventually(t, "good-byes", func() bool { return w.Matched() == 0 && len(us.Remotes()) == 0 })
}
