package rtps

import (
	"encoding/binary"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// events collects what Notify tells.
type events struct {
	mu  sync.Mutex
	all []Event
}

func (e *events) notify(v Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, v)
}

func (e *events) of(k EventKind) (all []Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, v := range e.all {
		if v.Kind == k {
			all = append(all, v)
		}
	}
	return all
}

// TestParticipantMessage renews a lease as those do who say nothing else.
func TestParticipantMessage(t *testing.T) {
	p, sent := offline(t, Options{})
	if b := state(p, func(e *engine) uint32 { return e.describe(true).Builtin }); b&wire.HasMessageReader == 0 {
		t.Fatalf("built-in endpoints %b: nobody will send participant messages", b)
	}
	a := attack(t, p)
	a.inject(func(m *wire.Builder) {
		m.Data(wire.Data{Writer: wire.MessageWriter, Sequence: 1, Payload: make([]byte, 28)})
		m.Heartbeat(wire.Heartbeat{Writer: wire.MessageWriter, First: 1, Last: 1, Count: 1})
	})
	a.settle()
	var acked bool
	for _, s := range sent.sent(wire.KindAckNack) {
		n, err := s.AckNack()
		acked = acked || err == nil && n.Reader == wire.MessageReader && n.Missing.Base == 2
	}
	if !acked {
		t.Error("a participant message is not acknowledged")
	}
}

// TestFirstHeartbeat asks each vendor in the form that it answers at once.
func TestFirstHeartbeat(t *testing.T) {
	for v, base := range map[wire.Vendor]int64{wire.VendorUnknown: 1, wire.VendorFastDDS: 0} {
		p, sent, _, _, _ := target(t, Options{})
		a := attack(t, p)
		p.call(func() {
			p.e.remotes[a.prefix].data.Vendor = v
			proxyOf(p.e).retry()
		})
		asked := sent.sent(wire.KindAckNack)
		last := asked[len(asked)-1].Body
		if got := binary.LittleEndian.Uint32(last[12:]); int64(got) != base || asked[len(asked)-1].Flags&2 != 0 {
			t.Errorf("vendor %v was asked with base %d, flags %b", v, got, asked[len(asked)-1].Flags)
		}
	}
}

func TestGoodbye(t *testing.T) {
	var seen events
	a, b := join(t, Options{Notify: seen.notify}), join(t, Options{})
	w := newWriter(t, a, "x", reliable)
	r, _ := newReader(t, b, "x", reliable)
	matched(t, w, 1, r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "reader gone", func() bool { return w.Matched() == 0 })
	r, _ = newReader(t, b, "x", reliable)
	matched(t, w, 1, r)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "participant gone", func() bool {
		return w.Matched() == 0 && len(a.Remotes()) == 0 && len(seen.of(ParticipantLost)) > 0 && len(seen.of(Unmatched)) > 1
	})
	if e := seen.of(ParticipantLost); len(e) != 1 || e[0].Reason != "left" {
		t.Errorf("told %+v", e)
	}
	if n := len(seen.of(Unmatched)); n != 2 {
		t.Errorf("told %d times that the reader is gone", n)
	}
	for what, err := range map[string]error{"reader": r.Close(), "participant": b.Close()} {
		if err != ErrClosed {
			t.Errorf("closing the %s again: %v", what, err)
		}
	}
}

// TestStandstill: who was stopped for longer than the lease of another forgets nobody.
func TestStandstill(t *testing.T) {
	var seen events
	a := join(t, Options{Notify: seen.notify})
	b := join(t, Options{Lease: time.Second, NoMulticast: true})
	w := newWriter(t, a, "x", reliable)
	r, got := newReader(t, b, "x", reliable)
	matched(t, w, 1, r)
	for range 2 {
		if err := a.call(func() { time.Sleep(1500 * time.Millisecond) }); err != nil {
			t.Fatal(err)
		}
		write(t, w, payload("after a standstill"))
	}
	eventually(t, "what was written after each standstill", func() bool { return got.len() == 2 })
	if e := seen.of(ParticipantLost); len(e) > 0 {
		t.Errorf("told %+v", e)
	}
}

// TestLease cuts a participant off, so that its lease expires, and lets it
// return.
func TestLease(t *testing.T) {
	var cut atomic.Bool
	var dropped atomic.Int64
	wrap := func(l link) link { return lossy{l, cut.Load, &dropped} }
	var seen events
	a := join(t, Options{Notify: seen.notify})
	b := join(t, Options{Lease: 2 * time.Second, NoMulticast: true, wrap: wrap}) // which a busy machine renews in time
	w := newWriter(t, a, "x", reliable)
	r, got := newReader(t, b, "x", reliable)
	matched(t, w, 1, r)
	cut.Store(true)
	eventually(t, "lease expired", func() bool { return w.Matched() == 0 && len(seen.of(ParticipantLost)) > 0 })
	if e := seen.of(ParticipantLost); len(e) != 1 || e[0].Reason != "lease expired" {
		t.Errorf("told %+v", e)
	}
	write(t, w, payload("unheard"))
	cut.Store(false)
	matched(t, w, 1)
	eventually(t, "data again", func() bool {
		write(t, w, payload("heard"))
		return got.len() > 0
	})
}

// TestDeath ends a participant without a word; its successor gets data.
func TestDeath(t *testing.T) {
	a := join(t, Options{})
	w := newWriter(t, a, "x", reliable)
	dead, err := NewParticipant(Options{Domain: testDomain, Lease: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := newReader(t, dead, "x", reliable)
	matched(t, w, 1, r)
	dead.once.Do(dead.end)
	b := join(t, Options{})
	r, got := newReader(t, b, "x", reliable)
	eventually(t, "match", func() bool { return r.Matched() == 1 })
	eventually(t, "data", func() bool {
		write(t, w, payload("x"))
		return got.len() > 0
	})
	matched(t, w, 1)
}

func TestIncompatible(t *testing.T) {
	var seen events
	a, b := join(t, Options{Notify: seen.notify}), join(t, Options{})
	w := newWriter(t, a, "x", bestEffort)
	v := newWriter(t, a, "y", reliable)
	newReader(t, b, "x", reliable)
	newReader(t, b, "y", latched)
	if _, err := b.NewReader(ReaderOptions{Topic: "x", Type: "Other", Receive: func(Sample) {}}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "events", func() bool { return len(seen.of(Incompatible)) == 3 })
	for _, want := range []string{
		"reliability: writer offers best effort, reader requests reliable",
		"durability: writer offers volatile, reader requests transient local",
		`type: writer has "T", reader "Other"`,
	} {
		found := false
		for _, e := range seen.of(Incompatible) {
			found = found || strings.Contains(e.Reason, want)
		}
		if !found {
			t.Errorf("nobody said %q", want)
		}
	}
	if w.Matched() != 0 || v.Matched() != 0 {
		t.Error("incompatible endpoints match")
	}
}

func TestFourParticipants(t *testing.T) {
	const n = 100
	var all []*Participant
	var writers []*Writer
	var boxes []*box
	for range 4 {
		p := join(t, Options{})
		all = append(all, p)
		writers = append(writers, newWriter(t, p, "x", reliable))
		_, b := newReader(t, p, "x", reliable)
		boxes = append(boxes, b)
	}
	for _, w := range writers {
		matched(t, w, 4)
	}
	eventually(t, "readers synchronised", func() bool {
		for _, p := range all {
			ready := true
			p.call(func() {
				for _, r := range p.e.readers {
					for _, x := range r.proxies {
						ready = ready && x.synced
					}
				}
			})
			if !ready {
				return false
			}
		}
		return true
	})
	for i := range n {
		for _, w := range writers {
			write(t, w, payload("%d", i))
		}
		time.Sleep(time.Millisecond)
	}
	for _, b := range boxes {
		eventually(t, "all samples of all", func() bool { return b.len() == 4*n })
		next := map[GUID]int64{}
		for _, s := range b.samples() {
			if next[s.Writer]++; s.Sequence != next[s.Writer] {
				t.Fatalf("sample %d of %v where %d was due", s.Sequence, s.Writer, next[s.Writer])
			}
		}
	}
}

func TestNoGoroutineLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		a, err := NewParticipant(Options{Domain: testDomain, Notify: func(Event) {}})
		if err != nil {
			t.Fatal(err)
		}
		b := join(t, Options{})
		w := newWriter(t, a, "x", reliable)
		r, _ := newReader(t, b, "x", reliable)
		matched(t, w, 1, r)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		b.Close()
		if err := w.Write(payload("late")); err != ErrClosed {
			t.Errorf("Write after Close: %v", err)
		}
		if _, err := a.NewWriter(WriterOptions{Topic: "x", Type: "T"}); err != ErrClosed {
			t.Errorf("NewWriter after Close: %v", err)
		}
	}
	eventually(t, "goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

func TestOptionsRefused(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for want, o := range map[string]Options{
		"domain 233":                 {Domain: 233},
		"participant identifier 120": {ParticipantID: 120},
		"participant name":           {Name: long},
		"user data":                  {UserData: []byte(long)},
		"peer":                       {Peers: []netip.AddrPort{netip.MustParseAddrPort("[::1]:7400")}},
		"lease 1ms":                  {Lease: time.Millisecond},
	} {
		if p, err := NewParticipant(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
			if p != nil {
				p.Close()
			}
		}
	}
	if missing, present := MissingInterfaces([]string{"lo", "nosuch0"}); !slices.Equal(missing, []string{"nosuch0"}) || !slices.Contains(present, "127.0.0.1") {
		t.Errorf("missing interfaces %v of %v", missing, present)
	}
	p := join(t, Options{Interfaces: []string{"nosuch0"}}) // it may come
	for want, o := range map[string]WriterOptions{
		"topic name": {Type: "T"},
		"type name":  {Topic: "x", Type: long},
		"depth -1":   {Topic: "x", Type: "T", QoS: QoS{Depth: -1}},
		"user data":  {Topic: "x", Type: "T", UserData: []byte(long)},
	} {
		if _, err := p.NewWriter(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
	w := newWriter(t, p, "x", reliable)
	for _, b := range [][]byte{nil, {}, {0, 1, 0}} {
		if w.Write(b) == nil {
			t.Errorf("payload %x was taken", b)
		}
	}
}
