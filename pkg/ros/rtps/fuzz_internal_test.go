package rtps

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// Tests of what has no exported name.

// FuzzParticipant gives a participant that knows the sender arbitrary
// submessages, many in a row.
func FuzzParticipant(f *testing.F) {
	for _, build := range []func(*wire.Builder){
		func(b *wire.Builder) { b.Heartbeat(wire.Heartbeat{Writer: HostileWriter, First: 1, Last: 9, Count: 9}) },
		func(b *wire.Builder) { b.Data(wire.Data{Writer: HostileWriter, Sequence: 1, Payload: Payload("x")}) },
		func(b *wire.Builder) {
			b.Gap(wire.Gap{Writer: HostileWriter, First: 1, More: wire.NumberSet{Base: 5}})
		},
		func(b *wire.Builder) {
			b.AckNack(wire.AckNack{Reader: HostileReader, Writer: wire.EntityID{0, 0, 2, 3}, Missing: wire.NumberSet{Base: 1, Bits: 1, Map: [8]uint32{1 << 31}}, Count: 3})
		},
		func(b *wire.Builder) {
			b.NackFrag(wire.NackFrag{Reader: HostileReader, Writer: wire.EntityID{0, 0, 2, 3}, Sequence: 1, Missing: wire.NumberSet{Base: 1, Bits: 1, Map: [8]uint32{1 << 31}}, Count: 3})
		},
		func(b *wire.Builder) {
			b.DataFrag(wire.DataFrag{Data: wire.Data{Writer: HostileWriter, Sequence: 2, Payload: Payload("abcd")}, First: 1, Count: 1, Size: 8, Sample: 16})
		},
		func(b *wire.Builder) {
			b.HeartbeatFrag(wire.HeartbeatFrag{Writer: HostileWriter, Sequence: 2, Last: 2, Count: 1})
		},
		func(b *wire.Builder) {
			b.InfoSource(wire.Header{Version: wire.ThisVersion, Prefix: wire.Prefix{1}})
			b.InfoReply(nil, nil)
			b.InfoDestination(wire.Prefix{1})
		},
	} {
		var b wire.Builder
		build(&b)
		f.Add(b.Bytes)
	}
	p, _ := offline(f, Options{Limits: Limits{SampleBytes: 1 << 16, BufferedBytes: 1 << 20}})
	if _, err := p.NewReader(ReaderOptions{Topic: "x", Type: "T", QoS: Reliable, Receive: func(Sample) {}}); err != nil {
		f.Fatal(err)
	}
	w, err := p.NewWriter(WriterOptions{Topic: "x", Type: "T", QoS: Reliable})
	if err != nil {
		f.Fatal(err)
	}
	a := Attack(f, p)
	w.Write(make([]byte, 20_000))
	f.Fuzz(func(t *testing.T, submessages []byte) {
		within(t, "one datagram", func() {
			a.Inject(func(b *wire.Builder) { b.Bytes = append(b.Bytes, submessages...) })
			a.Settle()
		})
		if n := state(p, func(e *engine) int { return e.buffered }); n < 0 || n > 1<<20 {
			t.Errorf("%d bytes are buffered", n)
		}
	})
}

// TestGoodbyeSent: the good-bye goes wherever an announcement went: to the ports where a participant
// may listen of which nothing is known yet, to every participant at its address, and to the group.
func TestGoodbyeSent(t *testing.T) {
	p := WithClock(t, Options{Domain: 3})
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	a.Settle()
	p.Advance(time.Minute)
	p.Take()
	p.call(p.e.goodbye)
	all, data := announcements(t, p.Take())
	want := append(p.e.wellKnown(), AttackerAddress, netip.AddrPortFrom(group, wire.SPDPMulticastPort(3)))
	if to := addresses(all); !slices.Equal(to, want) {
		t.Fatalf("said to %v, want %v", to, want)
	}
	for _, d := range data {
		if g, err := wire.ParseKey(d.Payload); !d.Key || !d.Inline.Ended() || !d.Inline.HasKey || d.Inline.GUID() != p.GUID() || g != p.GUID() || err != nil {
			t.Errorf("said %+v of %v, %v", d, g, err)
		}
	}
	if data[0].Sequence != helloTimes+1 {
		t.Errorf("number %d follows %d", data[0].Sequence, helloTimes)
	}
}

func addresses(all []Posted) (to []netip.AddrPort) {
	for _, p := range all {
		to = append(to, p.To)
	}
	return to
}

// TestNothingAfterGoodbye: a timer that is due when a participant leaves says nothing any more,
// which would bring it back to others for as long as its lease.
func TestNothingAfterGoodbye(t *testing.T) {
	p, net := offline(t, Options{})
	_ = p.call(func() {
		p.e.after(-1, &p.e.spdp.timer)
		p.e.goodbye()
	})
	select {
	case <-p.done:
	case <-time.After(time.Minute):
		t.Fatal("the participant does not end")
	}
	all := net.Sent(wire.KindData)
	if d, err := all[len(all)-1].Data(); err != nil || !d.Inline.Ended() {
		t.Errorf("said last: %+v, %v", d, err)
	}
}

// TestGreedyReader asks for a large sample over and over: what goes out must
// have a bound in time.
func TestGreedyReader(t *testing.T) {
	p, sent, _, _, w := Target(t, Options{})
	a := Attack(t, p)
	big := make([]byte, 4<<20)
	for range 3 {
		Write(t, w, big)
	}
	start := time.Now()
	for i := range 20_000 {
		set := wire.NumberSet{Base: 1}
		for n := range int64(wire.MaxSet) {
			set.Add(n + 1)
		}
		a.Inject(func(m *wire.Builder) {
			m.AckNack(wire.AckNack{Reader: HostileReader, Writer: w.GUID().Entity, Missing: set, Count: uint32(i + 1)})
		})
	}
	a.Settle()
	elapsed := time.Since(start)
	sent.mu.Lock()
	n := sent.bytes
	sent.mu.Unlock()
	// one burst per tick, and one more that may have begun
	bound := int(elapsed/burstEvery+2)*2*burstBytes + 20_000*400
	if n > bound {
		t.Errorf("%d bytes went out in %v, more than %d", n, elapsed, bound)
	}
	if n := state(p, func(e *engine) int { return e.writers[w.GUID().Entity].proxies[0].queue.Len() }); n > 4*(Reliable.Depth+maxQueue) {
		t.Errorf("the queue has grown to %d", n)
	}
}

func TestVendors(t *testing.T) {
	var dropped atomic.Int64
	lossyWrap := func(l link) link { return lossy{l, func() bool { return rand.Float64() < 0.05 }, &dropped} }
	for name, c := range map[string]Exchange{
		"Cyclone, multicast":   {Cyclone, CycloneMulticast, Options{}, "rv1000", Reliable, Slow},
		"Cyclone, unicast":     {Cyclone, CycloneUnicast, Options{NoMulticast: true}, "rv1000", Reliable, Slow},
		"Cyclone, best effort": {Cyclone, CycloneMulticast, Options{}, "bv1000", BestEffort, Slow},
		// Cyclone asks again only after 100 ms, and holds 128 samples meanwhile:
		// it could not catch up with 1 kHz
		"Cyclone, 5 % lost each way": {Cyclone, fmt.Sprintf(CycloneMulticast, CycloneLossy), Options{wrap: lossyWrap}, "rv1000", Reliable, 5 * Slow},
		"Fast DDS":                   {Fast, "", Options{}, "rv1000", Reliable, Slow},
		"Fast DDS, best effort":      {Fast, "", Options{}, "bv1000", BestEffort, Slow},
		"Fast DDS, 5 % of ours lost": {Fast, "", Options{wrap: lossyWrap}, "rv1000", Reliable, Slow},
	} {
		t.Run(name+" out", c.Out)
		t.Run(name+" in", c.In)
	}
	if dropped.Load() == 0 {
		t.Error("no datagram was lost on purpose: the test tested nothing")
	}
}

// holding is a link that keeps back chosen packets.
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
	for _, v := range []VendorInTest{Cyclone, Fast} {
		t.Run(v.Name, func(t *testing.T) {
			const topic = "rt/ready"
			var held atomic.Bool
			held.Store(true)
			wrap := func(l link) link {
				return holding{l, func(b []byte) bool { return held.Load() && bytes.Contains(b, []byte(topic)) }}
			}
			them := StartPeer(t, v, CycloneMulticast, "sub", topic, "rv10")
			w := PeerWriter(t, Join(t, Options{wrap: wrap}), topic, Reliable)
			Eventually(t, "match", func() bool { return w.Matched() == 1 })
			time.Sleep(200 * time.Millisecond)
			if got := w.Ready(); len(got) != 0 {
				t.Errorf("ready for %v, who cannot know the writer", got)
			}
			held.Store(false)
			Eventually(t, "a reader that knows the writer", func() bool { return len(w.Ready()) == 1 })
			Write(t, w, Numbers(7, 1))
			Eventually(t, "the sample", func() bool { return them.Len() == 1 })
		})
	}
}
