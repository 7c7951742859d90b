package rtps

import (
	"runtime"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// dataTo counts the samples of user topics that were sent to an address, their fragments included.
func dataTo(all []Posted, to string) (n int) {
	for _, p := range all {
		if p.To != AddrPort(to) {
			continue
		}
		for _, s := range Submessages([]Posted{p}, wire.KindData) {
			if d, err := s.Data(); err == nil && !isBuiltin(d.Writer) {
				n++
			}
		}
		n += len(Submessages([]Posted{p}, wire.KindDataFrag))
	}
	return n
}

// TestReflection: a participant that never answers, with readers at an address that it gives, makes this one send
// nothing there after a while, also if somebody else answers in its place. Once it answers it gets samples again.
func TestReflection(t *testing.T) {
	for name, q := range map[string]QoS{"best effort": {Depth: 10}, "reliable": Reliable} {
		t.Run(name, func(t *testing.T) {
			p := WithClock(t, Options{NoMulticast: true, Range: Subnet})
			w := NewWriter(t, p.Participant, "x", Reliable)
			const victim = "10.0.0.7:7410"
			a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}, at: AddrPort(victim)}
			a.Announce()
			// the announcements of its endpoints without their heartbeats: what is known after they came
			p.call(func() {
				d := q.describe(GUID{Prefix: a.Prefix, Entity: HostileReader}, "x", "T", nil)
				r := p.e.remotes[a.Prefix]
				r.readers[HostileReader] = &d
				p.e.endpoints++
				p.e.matchRemote(r, &d, false)
			})
			second := func() int {
				for range 10 {
					Write(t, w, Payload("x"))
					p.call(func() {
						for _, w := range p.e.dirty.take() {
							p.e.flush(w)
						}
					})
					p.Advance(time.Second / 10)
				}
				return dataTo(p.Take(), victim)
			}
			if n := second(); n < 10 {
				t.Errorf("%d samples in the first second, want 10 at least", n)
			}
			p.Advance(graceOfUnproven)
			p.Take()
			ack := func(from string, count uint32) {
				a.at = AddrPort(from)
				a.Inject(func(m *wire.Builder) {
					m.AckNack(wire.AckNack{Reader: wire.SEDPPubReader, Writer: wire.SEDPPubWriter, Missing: wire.NumberSet{Base: 1}, Count: count, Final: true})
				})
				a.Settle()
			}
			for i := range 5 {
				if n := second(); n > 0 {
					t.Fatalf("%d samples to a participant that has never answered", n)
				}
				ack("10.0.0.66:7410", uint32(i+1))
			}
			ack(victim, 10)
			if n := second(); n < 10 {
				t.Errorf("%d samples after an answer, want 10 at least", n)
			}
		})
	}
}

// TestKeptSamplesWait: samples that a best-effort reader gets from before the match, which may be large, are sent once
// its participant has answered.
func TestKeptSamplesWait(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true})
	w := NewWriter(t, p.Participant, "x", QoS{TransientLocal: true, Reliable: true, Depth: 1})
	Write(t, w, make([]byte, 1<<20))
	p.call(func() {
		for _, w := range p.e.dirty.take() {
			p.e.flush(w)
		}
	})
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
	a.Announce()
	a.Settle()
	p.call(func() {
		d := QoS{TransientLocal: true, Depth: 1}.describe(GUID{Prefix: a.Prefix, Entity: HostileReader}, "x", "T", nil)
		p.e.matchRemote(p.e.remotes[a.Prefix], &d, false)
	})
	p.Advance(time.Second)
	if n := dataTo(p.Take(), AttackerAddress.String()); n != 0 {
		t.Errorf("%d datagrams before an answer", n)
	}
	a.Inject(func(m *wire.Builder) {
		m.AckNack(wire.AckNack{Reader: wire.SEDPPubReader, Writer: wire.SEDPPubWriter, Missing: wire.NumberSet{Base: 1}, Count: 1, Final: true})
	})
	a.Settle()
	p.Advance(time.Second)
	if n := dataTo(p.Take(), AttackerAddress.String()); n < (1<<20)/fragmentSize {
		t.Errorf("%d datagrams after an answer", n)
	}
}

// TestLocatorsElsewhere: a participant that names only addresses of others gets no datagram sent to them.
func TestLocatorsElsewhere(t *testing.T) {
	p := WithClock(t, Options{NoMulticast: true, Range: Subnet})
	a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}, at: AddrPort("203.0.113.7:53")}
	message := a.message(a.announcement)
	p.e.packets <- newPacket(AddrPort("10.250.0.66:7410"), message)
	a.Settle()
	p.Advance(10 * time.Second)
	for _, d := range p.Take() {
		if d.To == a.at {
			t.Fatalf("%d bytes are sent to %v", len(d.bytes), d.To)
		}
	}
	if n, refused := len(p.Remotes()), p.Stats().RefusedParticipants; n != 0 || refused != 1 {
		t.Errorf("%d participants are known and %d refused, want 0 and 1", n, refused)
	}
}

// TestFragmentBomb: fragments of large samples cost the memory of what has arrived, wherever in the sample they are.
func TestFragmentBomb(t *testing.T) {
	const writers, length, size = 40, 16 << 20, 1024
	p, _ := offline(t, Options{})
	_, _ = NewReader(t, p, "x", Reliable)
	a := &Attacker{T: t, To: p, Prefix: wire.Prefix{9}}
	a.Announce()
	for i := range byte(writers) {
		a.Endpoint(WriterID(i), "x")
	}
	a.Settle()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const each = 4
	for i := range byte(writers) {
		for n := range uint32(each) {
			a.Inject(func(m *wire.Builder) {
				m.DataFrag(wire.DataFrag{
					Data:  wire.Data{Writer: WriterID(i), Sequence: int64(n) + 1, Payload: make([]byte, size)},
					First: 1 + n*(length/size/each), Count: 1, Size: size, Sample: length,
				})
			})
		}
	}
	a.Settle()
	held := state(p, func(e *engine) int { return e.buffered })
	runtime.GC()
	runtime.ReadMemStats(&after)
	if most := writers * each * blockBytes; held == 0 || held > most {
		t.Errorf("%d bytes are reserved for %d fragments, want at most %d", held, writers*each, most)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 20<<20 {
		t.Errorf("memory grew by %d bytes for %d bytes of fragments", grown, writers*each*size)
	}
	if n := p.Stats().RefusedBuffers; n != 0 {
		t.Errorf("%d fragments are refused", n)
	}
}

// TestFragmentsInAnyOrder: a sample of several blocks is whole, whatever the order and the size of its fragments.
func TestFragmentsInAnyOrder(t *testing.T) {
	for _, size := range []int{1, 7, 1024, 8192, 65000} {
		payload := make([]byte, 200_003)
		if size == 1 {
			payload = payload[:70_001]
		}
		for i := range payload {
			payload[i] = byte(i * 7 >> 3)
		}
		copy(payload, []byte{0, 1, 0, 0})
		count := (len(payload) + size - 1) / size
		var a *assembly
		for k := range count {
			i := (k*7919 + 3) % count // 7919 is prime and divides no count
			d := &wire.DataFrag{Data: wire.Data{Payload: payload[i*size : min((i+1)*size, len(payload))]}, First: uint32(i) + 1, Count: 1, Size: uint16(size), Sample: uint32(len(payload))}
			if a == nil {
				a = newAssembly(d)
			}
			if need, held := a.need(d), a.held; !a.fits(d) || a.left != count-k {
				t.Fatalf("size %d: %d fragments are left of %d after %d", size, a.left, count, k)
			} else if a.put(d); a.held != held+need {
				t.Fatalf("size %d: %d bytes more than %d are held, not %d", size, a.held-held, held, need)
			}
		}
		if m := a.missing(); a.left != 0 || m.Bits != 0 || a.held != len(payload) {
			t.Errorf("size %d: %d fragments are left, %+v is missing, %d bytes are held of %d", size, a.left, m, a.held, len(payload))
		}
		if got := a.whole().payload; string(got) != string(payload) {
			t.Errorf("size %d: the sample differs", size)
		}
	}
}
