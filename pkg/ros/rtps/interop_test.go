package rtps_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
)

// TestVendorFoxglove writes to a third implementation, which has no writers of
// its own beside those of discovery.
func TestVendorFoxglove(t *testing.T) {
	t.Run("reliable", rtps.Exchange{rtps.Foxglove, "", rtps.Options{}, "rv1000", rtps.Reliable, rtps.Slow}.Out)
	t.Run("best effort", rtps.Exchange{rtps.Foxglove, "", rtps.Options{}, "bv1000", rtps.BestEffort, rtps.Slow}.Out)
	t.Run("late joiner", func(t *testing.T) {
		w := rtps.PeerWriter(t, rtps.Join(t, rtps.Options{}), "rt/latched", rtps.Latched)
		rtps.Write(t, w, rtps.Numbers(7, 1))
		them := rtps.StartPeer(t, rtps.Foxglove, "", "sub", "rt/latched", "rt1")
		rtps.Eventually(t, "latched sample", func() bool { return them.Len() == 1 })
		if got := them.Numbers(t, 1); got[0] != 7 {
			t.Errorf("late reader of theirs got %v", got)
		}
	})
}

// TestVendorsFast exchanges samples at 10 kHz.
func TestVendorsFast(t *testing.T) {
	q := rtps.QoS{Reliable: true, Depth: 10_000}
	for name, c := range map[string]rtps.Exchange{
		"Cyclone":  {rtps.Cyclone, rtps.CycloneMulticast, rtps.Options{}, "rv10000", q, rtps.Quick},
		"Fast DDS": {rtps.Fast, "", rtps.Options{}, "rv10000", q, rtps.Quick},
	} {
		t.Run(name+" out", c.Out)
		t.Run(name+" in", c.In)
	}
}

func TestVendorLateJoiner(t *testing.T) {
	for _, v := range []rtps.VendorInTest{rtps.Cyclone, rtps.Fast} {
		t.Run(v.Name, func(t *testing.T) { lateJoiner(t, v) })
	}
}

func lateJoiner(t *testing.T, v rtps.VendorInTest) {
	q := rtps.QoS{Reliable: true, TransientLocal: true, Depth: 2}
	us := rtps.Join(t, rtps.Options{})
	w := rtps.PeerWriter(t, us, "rt/latched", q)
	for i := range 5 {
		rtps.Write(t, w, rtps.Numbers(i, 1))
	}
	them := rtps.StartPeer(t, v, rtps.CycloneMulticast, "sub", "rt/latched", "rt2")
	rtps.Eventually(t, "kept samples", func() bool { return them.Len() == 2 })
	if got := them.Numbers(t, 1); got[0] != 3 || got[1] != 4 {
		t.Errorf("late reader of theirs got %v", got)
	}

	writer := rtps.StartPeer(t, v, rtps.CycloneMulticast, "pub", "rt/latched2", "rt2", "5", "0", "1")
	rtps.Eventually(t, "all written", func() bool { return writer.Said("written") })
	_, got := rtps.PeerReader(t, us, "rt/latched2", q)
	rtps.Eventually(t, "kept samples", func() bool { return got.Len() == 2 })
	if n := got.Numbers(t, 1); n[0] != 3 || n[1] != 4 {
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
		vendor rtps.VendorInTest
		name   string
		config string
	}{
		{rtps.Cyclone, "no loss", rtps.CycloneMulticast},
		{rtps.Cyclone, "5 % lost", fmt.Sprintf(rtps.CycloneMulticast, rtps.CycloneLossy)},
		{rtps.Fast, "no loss", ""},
	} {
		t.Run(c.vendor.Name+" "+c.name, func(t *testing.T) { large(t, c.vendor, c.config, n) })
	}
}

func large(t *testing.T, v rtps.VendorInTest, config string, n int) {
	const length = 100_000
	q := rtps.QoS{Reliable: true, Depth: n}
	qos := fmt.Sprint("rv", n)
	us := rtps.Join(t, rtps.Options{})
	w := rtps.PeerWriter(t, us, "rt/large_out", q)
	them := rtps.StartPeer(t, v, config, "sub", "rt/large_out", qos)
	rtps.MatchedInTest(t, w, 1)
	them.Matched(t)
	for i := range n {
		rtps.Write(t, w, rtps.Numbers(i, length))
		time.Sleep(20 * time.Millisecond)
	}
	c := rtps.Exchange{Q: q}
	c.Arrive(t, us, them, 0, n, them, length)

	r, got := rtps.PeerReader(t, us, "rt/large_in", q)
	them = rtps.StartPeer(t, v, config, "pub", "rt/large_in", qos, fmt.Sprint(n), "20000", fmt.Sprint(length))
	them.Begin(t, r)
	c.Arrive(t, us, them, 0, n, got, length)
}

// TestVendorReturns kills the peer without good-bye and starts it again: data
// must be back soon.
func TestVendorReturns(t *testing.T) {
	for _, v := range []rtps.VendorInTest{rtps.Cyclone, rtps.Fast} {
		t.Run(v.Name, func(t *testing.T) { returns(t, v) })
	}
}

func returns(t *testing.T, v rtps.VendorInTest) {
	us := rtps.Join(t, rtps.Options{})
	w := rtps.PeerWriter(t, us, "rt/return", rtps.Reliable)
	stop := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				w.Write(rtps.Numbers(i, 1))
			}
		}
	})
	defer writing.Wait()
	defer close(stop)
	rtps.Soon(t, 3*time.Second, func(int) time.Duration {
		start := time.Now()
		them := rtps.StartPeer(t, v, rtps.CycloneMulticast, "sub", "rt/return", "rv100")
		rtps.Eventually(t, "data", func() bool { return them.Len() > 10 })
		defer them.Cmd.Process.Kill()
		return time.Since(start)
	})
}

// TestVendorsFour talks to four peers at once and sees them go.
func TestVendorsFour(t *testing.T) {
	us := rtps.Join(t, rtps.Options{})
	w := rtps.PeerWriter(t, us, "rt/four", rtps.Reliable)
	var all []*rtps.Peer
	for i := range 4 {
		all = append(all, rtps.StartPeer(t, []rtps.VendorInTest{rtps.Cyclone, rtps.Fast}[i%2], rtps.CycloneMulticast, "sub", "rt/four", "rv1000"))
	}
	rtps.MatchedInTest(t, w, 4)
	for _, p := range all {
		p.Matched(t)
	}
	c := rtps.Exchange{Q: rtps.Reliable, Period: rtps.Slow}
	n := c.Count()
	start := time.Now()
	for i := range n {
		rtps.Write(t, w, rtps.Numbers(i, rtps.Length))
		time.Sleep(time.Until(start.Add(time.Duration(i+1) * c.Period)))
	}
	for _, p := range all {
		c.Arrive(t, us, p, 0, n, p, rtps.Length)
		p.Stdin.Close() // says good-bye
	}
	rtps.Eventually(t, "good-byes", func() bool { return w.Matched() == 0 && len(us.Remotes()) == 0 })
}
