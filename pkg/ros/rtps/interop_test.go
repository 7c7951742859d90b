package rtps

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestVendors(t *testing.T) {
	const n, period, length = 500, time.Millisecond, 3
	var dropped atomic.Int64
	lossyWrap := func(l link) link { return lossy{l, func() bool { return rand.Float64() < 0.05 }, &dropped} }
	for name, c := range map[string]struct {
		vendor vendor
		config string
		o      Options
		qos    string
		q      QoS
	}{
		"Cyclone, multicast":         {cyclone, cycloneMulticast, Options{}, "rv1000", reliable},
		"Cyclone, unicast":           {cyclone, cycloneUnicast, Options{NoMulticast: true}, "rv1000", reliable},
		"Cyclone, best effort":       {cyclone, cycloneMulticast, Options{}, "bv1000", bestEffort},
		"Cyclone, 5 % lost each way": {cyclone, fmt.Sprintf(cycloneMulticast, cycloneLossy), Options{wrap: lossyWrap}, "rv1000", reliable},
		"Fast DDS":                   {fast, "", Options{}, "rv1000", reliable},
		"Fast DDS, best effort":      {fast, "", Options{}, "bv1000", bestEffort},
		"Fast DDS, 5 % of ours lost": {fast, "", Options{wrap: lossyWrap}, "rv1000", reliable},
	} {
		t.Run(name+" out", func(t *testing.T) {
			us := join(t, c.o)
			w := peerWriter(t, us, "rt/out", c.q)
			them := startPeer(t, c.vendor, c.config, "sub", "rt/out", c.qos)
			matched(t, w, 1)
			settle := 200 * time.Millisecond // a volatile reader must know us too
			if c.o.wrap != nil {
				settle = 2 * time.Second // and may have to be told again
			}
			time.Sleep(settle)
			for i := range n {
				write(t, w, numbers(i, length))
				time.Sleep(period)
			}
			eventually(t, "all samples", func() bool { return len(them.got("")) >= n })
			if c.o.wrap != nil && (dropped.Load() == 0 || us.Stats().Resent == 0) {
				t.Fatal("nothing was lost: the test tested nothing")
			}
			for i, l := range them.got("") {
				if l != line(i, length) {
					t.Fatalf("sample %d is %q, not %q", i, l, line(i, length))
				}
			}
		})
		t.Run(name+" in", func(t *testing.T) {
			us := join(t, c.o)
			_, got := peerReader(t, us, "rt/in", c.q)
			them := startPeer(t, c.vendor, c.config, "pub", "rt/in", c.qos, fmt.Sprint(n), fmt.Sprint(period.Microseconds()), fmt.Sprint(length))
			eventually(t, "all written", func() bool { return len(them.got("written")) == 1 })
			eventually(t, "all samples", func() bool { return got.len() >= n })
			for i, s := range got.samples() {
				if string(s.Payload) != string(numbers(i, length)) {
					t.Fatalf("sample %d is %x", i, s.Payload)
				}
			}
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
	eventually(t, "kept samples", func() bool { return len(them.got("")) == 2 })
	if got := them.got(""); got[0] != line(3, 1) || got[1] != line(4, 1) {
		t.Errorf("late reader of theirs got %q", got)
	}

	writer := startPeer(t, v, cycloneMulticast, "pub", "rt/latched2", "rt2", "5", "0", "1")
	eventually(t, "all written", func() bool { return len(writer.got("written")) == 1 })
	_, got := peerReader(t, us, "rt/latched2", q)
	eventually(t, "kept samples", func() bool { return got.len() == 2 })
	if s := got.samples(); string(s[0].Payload) != string(numbers(3, 1)) || string(s[1].Payload) != string(numbers(4, 1)) {
		t.Errorf("late reader got %x", s)
	}
}

// TestVendorLarge sends 100,000 doubles, 800 kB, in fragments.
func TestVendorLarge(t *testing.T) {
	const n, length = 20, 100_000
	us := join(t, Options{})
	for _, c := range []struct {
		vendor vendor
		name   string
		config string
	}{
		{cyclone, "no loss", cycloneMulticast},
		{cyclone, "5 % lost", fmt.Sprintf(cycloneMulticast, cycloneLossy)},
		{fast, "no loss", ""},
	} {
		t.Run(c.vendor.name+" "+c.name, func(t *testing.T) {
			q := QoS{Reliable: true, Depth: n}
			w := peerWriter(t, us, "rt/large_out", q)
			them := startPeer(t, c.vendor, c.config, "sub", "rt/large_out", "rv20")
			matched(t, w, 1)
			time.Sleep(200 * time.Millisecond)
			for i := range n {
				write(t, w, numbers(i, length))
				time.Sleep(20 * time.Millisecond)
			}
			eventually(t, "samples at theirs", func() bool { return len(them.got("")) == n })
			for i, l := range them.got("") {
				if l != line(i, length) {
					t.Fatalf("sample %d is %q", i, l)
				}
			}
			_, got := peerReader(t, us, "rt/large_in", q)
			startPeer(t, c.vendor, c.config, "pub", "rt/large_in", "rv20", fmt.Sprint(n), "20000", fmt.Sprint(length))
			eventually(t, "samples from theirs", func() bool { return got.len() == n })
			for i, s := range got.samples() {
				if string(s.Payload) != string(numbers(i, length)) {
					t.Fatalf("sample %d has %d bytes and differs", i, len(s.Payload))
				}
			}
			w.Close()
		})
	}
}

// TestVendorReturns kills the peer without good-bye and starts it again: data
// must be back within 3 s.
func TestVendorReturns(t *testing.T) {
	for _, v := range []vendor{cyclone, fast} {
		t.Run(v.name, func(t *testing.T) { returns(t, v) })
	}
}

func returns(t *testing.T, v vendor) {
	const limit = 3 * time.Second
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
	for range 2 {
		start := time.Now()
		them := startPeer(t, v, cycloneMulticast, "sub", "rt/return", "rv100")
		eventually(t, "data", func() bool { return len(them.got("")) > 10 })
		if d := time.Since(start); d > limit {
			t.Errorf("data came after %v", d)
		}
		them.cmd.Process.Kill()
	}
}

// TestVendorsFour talks to four peers at once and sees them go.
func TestVendorsFour(t *testing.T) {
	const n = 300
	us := join(t, Options{})
	w := peerWriter(t, us, "rt/four", reliable)
	var all []*peer
	for i := range 4 {
		all = append(all, startPeer(t, []vendor{cyclone, fast}[i%2], cycloneMulticast, "sub", "rt/four", "rv1000"))
	}
	matched(t, w, 4)
	time.Sleep(200 * time.Millisecond)
	for i := range n {
		write(t, w, numbers(i, 2))
		time.Sleep(time.Millisecond)
	}
	for k, p := range all {
		eventually(t, fmt.Sprintf("samples at peer %d", k), func() bool { return len(p.got("")) == n })
		p.stdin.Close() // says good-bye
	}
	eventually(t, "good-byes", func() bool { return w.Matched() == 0 && len(us.Remotes()) == 0 })
}
