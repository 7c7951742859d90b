package rtps

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// Tests of what has no exported name.

// TestLoss loses 5 % of all datagrams, discovery included, both ways.
func TestLoss(t *testing.T) {
	const loss, least = 0.05, 1000
	var dropped atomic.Int64
	wrap := func(l link) link {
		return lossy{l, func() bool { return rand.Float64() < loss }, &dropped}
	}
	a, b := Join(t, Options{wrap: wrap}), Join(t, Options{wrap: wrap})
	w := NewWriter(t, a, "x", Reliable)
	r, got := NewReader(t, b, "x", Reliable)
	MatchedInTest(t, w, 1, r)
	n := 0
	// on a busy machine a datagram has many samples, and few datagrams are sent
	for ; n < least || n < 100*least && (dropped.Load() < least/50 || a.Stats().Resent == 0); n++ {
		keepUp(t, n, got)
		Write(t, w, Payload("%d", n))
		time.Sleep(500 * time.Microsecond)
	}
	Eventually(t, "all samples", func() bool { return got.Len() >= n })
	for i, s := range got.Texts() {
		if s != fmt.Sprint(i) {
			t.Fatalf("sample %d is %s", i, s)
		}
	}
	if dropped.Load() < least/50 || a.Stats().Resent == 0 {
		t.Fatalf("%d datagrams lost and %d samples resent: the test tested nothing", dropped.Load(), a.Stats().Resent)
	}
}

// TestLarge sends the 100,000 numbers that the reference measured.
func TestLarge(t *testing.T) {
	for name, c := range map[string]struct {
		q    QoS
		loss float64
	}{"reliable": {QoS{Reliable: true, Depth: 4}, 0}, "best effort": {QoS{Depth: 4}, 0}, "reliable with loss": {QoS{Reliable: true, Depth: 4}, 0.05}} {
		t.Run(name, func(t *testing.T) {
			var dropped atomic.Int64
			wrap := func(l link) link { return lossy{l, func() bool { return rand.Float64() < c.loss }, &dropped} }
			a, b := Join(t, Options{wrap: wrap}), Join(t, Options{wrap: wrap})
			w := NewWriter(t, a, "x", c.q)
			r, got := NewReader(t, b, "x", c.q)
			MatchedInTest(t, w, 1, r)
			big := make([]byte, 800_004)
			for i := range big {
				big[i] = byte(i * i >> 8)
			}
			for i := range 3 {
				Write(t, w, big)
				Write(t, w, Payload("after"))
				Eventually(t, "both samples", func() bool { return got.Len() == 2*i+2 })
			}
			for i, s := range got.Samples() {
				want := big
				if i%2 == 1 {
					want = Payload("after")
				}
				if !bytes.Equal(s.Payload, want) {
					t.Fatalf("sample %d has %d bytes and differs", i, len(s.Payload))
				}
			}
			if b.e.buffered != 0 {
				t.Errorf("%d bytes are still buffered", b.e.buffered)
			}
		})
	}
}

// TestDirected sends samples to one participant or one reader each: others get
// none of them and wait for none, with and without loss.
func TestDirected(t *testing.T) {
	const n = 300
	for name, loss := range map[string]float64{"sound link": 0, "loss": 0.05} {
		t.Run(name, func(t *testing.T) {
			var dropped atomic.Int64
			wrap := func(l link) link {
				return lossy{l, func() bool { return rand.Float64() < loss }, &dropped}
			}
			topic := "directed " + name
			w := NewWriter(t, Join(t, Options{wrap: wrap}), topic, Reliable)
			p, q := Join(t, Options{wrap: wrap}), Join(t, Options{wrap: wrap})
			r1, got1 := NewReader(t, p, topic, Reliable)
			r2, got2 := NewReader(t, p, topic, Reliable)
			r3, got3 := NewReader(t, q, topic, Reliable)
			r4, got4 := NewReader(t, q, topic, BestEffort)
			MatchedInTest(t, w, 4, r1, r2, r3, r4)
			related := SampleIdentity{Writer: r1.GUID(), Sequence: 5}
			for i := range n {
				to := []GUID{{}, {Prefix: p.GUID().Prefix}, r2.GUID(), r3.GUID()}[i%4]
				if err := w.WriteWith(WriteOptions{Related: related, To: to}, Payload("%d", i)); err != nil {
					t.Fatal(err)
				}
			}
			Write(t, w, Payload("end"))
			for _, c := range []struct {
				name string
				box  *Box
				kept [4]bool
			}{
				{"first reader", got1, [4]bool{true, true}},
				{"second reader", got2, [4]bool{true, true, true}},
				{"reader of the other participant", got3, [4]bool{true, false, false, true}},
			} {
				var want []string
				for i := range n {
					if c.kept[i%4] {
						want = append(want, fmt.Sprint(i))
					}
				}
				want = append(want, "end")
				Eventually(t, c.name+" gets the last sample", func() bool {
					all := c.box.Texts()
					return len(all) > 0 && all[len(all)-1] == "end"
				})
				if all := c.box.Texts(); fmt.Sprint(all) != fmt.Sprint(want) {
					t.Errorf("%s: %d samples, want %d: %v", c.name, len(all), len(want), all)
				}
				for _, s := range c.box.Samples()[:len(want)-1] {
					if s.Related != related {
						t.Fatalf("%s: sample %d is related to %v, want %v", c.name, s.Sequence, s.Related, related)
					}
				}
			}
			for _, s := range got4.Samples() {
				if i := int(s.Sequence) - 1; i < n && i%4 != 0 {
					t.Errorf("the best-effort reader got sample %d, which is for another", i)
				}
			}
			Eventually(t, "nothing is waited for", func() bool {
				waiting := 0
				_ = w.p.call(func() {
					for _, x := range w.p.e.writers[w.guid.Entity].proxies {
						if x.reliable && x.acked <= w.p.e.writers[w.guid.Entity].last {
							waiting++
						}
					}
				})
				return waiting == 0
			})
		})
	}
}

// TestWritersKeepTheirOrder: what one writer of a participant has written goes out before what
// another writes after it, whatever the engine hears of first.
func TestWritersKeepTheirOrder(t *testing.T) {
	p := Join(t, Options{})
	first, second := NewWriter(t, p, "first", Reliable), NewWriter(t, p, "second", Reliable)
	for i := range int64(40) {
		held, hold := make(chan struct{}), make(chan struct{})
		go p.call(func() { close(held); <-hold })
		<-held
		Write(t, first, Payload("earlier"))
		sent := make(chan int64)
		go func() {
			_, err := second.WriteNumbered(WriteOptions{}, Payload("later"))
			if err != nil {
				t.Error(err)
			}
			sent <- state(p, func(e *engine) int64 { return e.writers[first.GUID().Entity].last })
		}()
		time.Sleep(time.Millisecond) // for both to wait for the engine
		close(hold)
		if n := <-sent; n != i+1 {
			t.Fatalf("%d samples of the first writer have gone before sample %d of the second", n, i+1)
		}
	}
}

// TestDiscovery finds others by each way alone.
func TestDiscovery(t *testing.T) {
	t.Run("well-known ports", func(t *testing.T) {
		var seen Events
		a := Join(t, Options{NoMulticast: true, Name: "first", UserData: []byte("enclave=/;"), Notify: seen.Notify})
		b := Join(t, Options{NoMulticast: true, Name: "second", UserData: []byte("data")})
		Eventually(t, "both found", func() bool { return len(a.Remotes()) == 1 && len(b.Remotes()) == 1 })
		r := b.Remotes()[0]
		if r.GUID != a.GUID() || r.Name != "first" || string(r.UserData) != "enclave=/;" || r.Address.Addr() != loopback {
			t.Errorf("second found %+v", r)
		}
		Eventually(t, "event", func() bool { return len(seen.Of(ParticipantFound)) == 1 })
		if e := seen.Of(ParticipantFound)[0]; e.Name != "second" || e.Remote.GUID != b.GUID() {
			t.Errorf("first was told %+v", e)
		}
	})
	t.Run("multicast", func(t *testing.T) {
		// unicast announcements to well-known ports are lost; only answers to a
		// participant that is known already, by its address, pass
		o := Options{wrap: func(l link) link { return onlyMulticast{l} }}
		a, b := Join(t, o), Join(t, o)
		Eventually(t, "both found", func() bool { return len(a.Remotes()) == 1 && len(b.Remotes()) == 1 })
	})
	t.Run("given peer", func(t *testing.T) {
		o := Options{NoMulticast: true, wrap: func(l link) link { return onlyPort{l, wire.SPDPUnicastPort(Domain, 77)} }}
		a := Join(t, o)
		o.ParticipantID = 77
		b := Join(t, o)
		if b.ID() != 77 {
			t.Skipf("port of participant 77 of domain %d is in use", Domain)
		}
		time.Sleep(100 * time.Millisecond)
		if len(a.Remotes()) != 0 {
			t.Fatal("found without being told where")
		}
		o.ParticipantID = 0
		o.Peers = []netip.AddrPort{netip.AddrPortFrom(loopback, wire.SPDPUnicastPort(Domain, 77))}
		Join(t, o)
		Eventually(t, "given peer found", func() bool { return len(b.Remotes()) == 1 })
	})
}

// onlyMulticast loses the first announcements by unicast.
type onlyMulticast struct{ link }

func (l onlyMulticast) send(to netip.AddrPort, b []byte) {
	if !isAnnouncement(b) {
		l.link.send(to, b)
	}
}

// isAnnouncement reports whether a message is an announcement for no one in
// particular.
func isAnnouncement(b []byte) bool { return b[wire.HeaderSize] == wire.KindInfoTimestamp }

// onlyPort loses announcements to other ports.
type onlyPort struct {
	link
	port uint16
}

func (l onlyPort) send(to netip.AddrPort, b []byte) {
	if to.Port() == l.port || !isAnnouncement(b) {
		l.link.send(to, b)
	}
}

// TestMetAtOnce announces somebody to participants before they have done anything.
func TestMetAtOnce(t *testing.T) {
	a := Attacker{T: t, Prefix: wire.Prefix{77}}
	for range 20 { // which event comes first is for the scheduler to say
		early := newPacket(AttackerAddress, a.message(a.announcement))
		p := Join(t, Options{NoMulticast: true, wrap: func(l link) link {
			l.(*udp).packets <- early
			return l
		}})
		Eventually(t, "meeting", func() bool { return state(p, func(e *engine) bool { return e.remotes[a.Prefix] != nil }) })
		p.Close()
	}
}

// TestWriteNeverWaits holds the engine up: writers must not notice.
func TestWriteNeverWaits(t *testing.T) {
	a, b := Join(t, Options{}), Join(t, Options{})
	w := NewWriter(t, a, "x", Reliable)
	r, got := NewReader(t, b, "x", Reliable)
	MatchedInTest(t, w, 1, r)
	held, hold := make(chan struct{}), make(chan struct{})
	go a.call(func() { close(held); <-hold })
	<-held
	n := 3 * Reliable.Depth
	for i := range n {
		Write(t, w, Payload("%d", i)) // would never return
	}
	close(hold)
	Eventually(t, "the newest samples", func() bool { return got.Len() == Reliable.Depth })
	if first := got.Texts()[0]; first != fmt.Sprint(n-Reliable.Depth) || a.Stats().Overrun != uint64(n-Reliable.Depth) {
		t.Errorf("began with sample %s, %d were overrun", first, a.Stats().Overrun)
	}
}
