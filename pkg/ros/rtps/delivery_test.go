package rtps

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

var (
	reliable   = QoS{Reliable: true, Depth: 1000}
	latched    = QoS{Reliable: true, TransientLocal: true, Depth: 1}
	bestEffort = QoS{Depth: 1000}
)

func TestDelivery(t *testing.T) {
	for name, q := range map[string]QoS{"reliable": reliable, "best effort": bestEffort} {
		t.Run(name, func(t *testing.T) {
			a, b := join(t, Options{}), join(t, Options{})
			w := newWriter(t, a, "x", q)
			r, got := newReader(t, b, "x", q)
			matched(t, w, 1, r)
			before := time.Now()
			const n = 200
			for i := range n {
				write(t, w, payload("%d", i))
				time.Sleep(100 * time.Microsecond)
			}
			eventually(t, "all samples", func() bool { return got.len() == n })
			for i, s := range got.samples() {
				if want := payload("%d", i); !bytes.Equal(s.Payload, want) || s.Sequence != int64(i+1) || s.Writer != w.GUID() {
					t.Fatalf("sample %d is %q, sequence %d, of %v", i, s.Payload, s.Sequence, s.Writer)
				}
				if s.Source.Before(before.Add(-time.Millisecond)) || s.Source.After(time.Now()) {
					t.Fatalf("source time %v is not between %v and now", s.Source, before)
				}
			}
		})
	}
}

// TestLoss loses 5 % of all datagrams, discovery included, both ways.
func TestLoss(t *testing.T) {
	const loss, least = 0.05, 1000
	var dropped atomic.Int64
	wrap := func(l link) link {
		return lossy{l, func() bool { return rand.Float64() < loss }, &dropped}
	}
	a, b := join(t, Options{wrap: wrap}), join(t, Options{wrap: wrap})
	w := newWriter(t, a, "x", reliable)
	r, got := newReader(t, b, "x", reliable)
	matched(t, w, 1, r)
	n := 0
	// on a busy machine a datagram has many samples, and few datagrams are sent
	for ; n < least || n < 100*least && (dropped.Load() < least/50 || a.Stats().Resent == 0); n++ {
		keepUp(t, n, got)
		write(t, w, payload("%d", n))
		time.Sleep(500 * time.Microsecond)
	}
	eventually(t, "all samples", func() bool { return got.len() >= n })
	for i, s := range got.texts() {
		if s != fmt.Sprint(i) {
			t.Fatalf("sample %d is %s", i, s)
		}
	}
	if dropped.Load() < least/50 || a.Stats().Resent == 0 {
		t.Fatalf("%d datagrams lost and %d samples resent: the test tested nothing", dropped.Load(), a.Stats().Resent)
	}
}

func TestLateJoiner(t *testing.T) {
	a := join(t, Options{})
	q := latched
	q.Depth = 3
	w := newWriter(t, a, "x", q)
	for i := range 10 {
		write(t, w, payload("%d", i))
	}
	b := join(t, Options{})
	r, kept := newReader(t, b, "x", q)
	volatile, fresh := newReader(t, b, "x", reliable)
	matched(t, w, 2, r, volatile)
	eventually(t, "kept samples", func() bool { return kept.len() == 3 })
	write(t, w, payload("new"))
	eventually(t, "new sample", func() bool { return kept.len() == 4 && fresh.len() >= 1 })
	if got := kept.texts(); !slices.Equal(got, []string{"7", "8", "9", "new"}) {
		t.Errorf("transient-local reader got %q", got)
	}
	if got := fresh.texts(); !slices.Equal(got, []string{"new"}) {
		t.Errorf("volatile reader got %q", got)
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
			a, b := join(t, Options{wrap: wrap}), join(t, Options{wrap: wrap})
			w := newWriter(t, a, "x", c.q)
			r, got := newReader(t, b, "x", c.q)
			matched(t, w, 1, r)
			big := make([]byte, 800_004)
			for i := range big {
				big[i] = byte(i * i >> 8)
			}
			for i := range 3 {
				write(t, w, big)
				write(t, w, payload("after"))
				eventually(t, "both samples", func() bool { return got.len() == 2*i+2 })
			}
			for i, s := range got.samples() {
				want := big
				if i%2 == 1 {
					want = payload("after")
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

// TestKeepLast holds the reader up: it must get the newest samples, and the
// writer must not wait.
func TestKeepLast(t *testing.T) {
	a, b := join(t, Options{}), join(t, Options{})
	w := newWriter(t, a, "x", reliable)
	began, hold, got := make(chan struct{}, 100), make(chan struct{}), new(box)
	r, err := b.NewReader(ReaderOptions{Topic: "x", Type: "T", QoS: QoS{Reliable: true, Depth: 5}, Receive: func(s Sample) {
		began <- struct{}{}
		<-hold
		got.receive(s)
	}})
	if err != nil {
		t.Fatal(err)
	}
	matched(t, w, 1, r)
	const n = 100
	for i := range n {
		write(t, w, payload("%d", i))
		if i == 0 {
			<-began // the first sample is out of the queue
		}
		time.Sleep(200 * time.Microsecond)
	}
	eventually(t, "overwriting", func() bool { return b.Stats().Overwritten == n-5-1 })
	close(hold)
	eventually(t, "kept samples", func() bool { return got.len() == 6 })
	if texts := got.texts(); !slices.Equal(texts, []string{"0", "95", "96", "97", "98", "99"}) {
		t.Errorf("got %q", texts)
	}
}

func TestVariants(t *testing.T) {
	a, b, c := join(t, Options{}), join(t, Options{}), join(t, Options{})
	w, err := a.NewWriter(WriterOptions{Topic: "x", Type: "T", QoS: latched, Variant: func(e Endpoint) int {
		if string(e.UserData) == "old" {
			return 1
		}
		return 0
	}})
	if err != nil {
		t.Fatal(err)
	}
	modern, old := new(box), new(box)
	for _, x := range []struct {
		p    *Participant
		data string
		to   *box
	}{{b, "new", modern}, {c, "old", old}} {
		if _, err := x.p.NewReader(ReaderOptions{Topic: "x", Type: "T", QoS: latched, UserData: []byte(x.data), Receive: x.to.receive}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteVariants(payload("16"), payload("24")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both forms", func() bool { return modern.len() == 1 && old.len() == 1 })
	if m, o := modern.texts(), old.texts(); m[0] != "16" || o[0] != "24" {
		t.Errorf("modern reader got %q, old one %q", m, o)
	}
}

func TestOwnReader(t *testing.T) {
	p := join(t, Options{})
	w := newWriter(t, p, "x", reliable)
	r, got := newReader(t, p, "x", reliable)
	matched(t, w, 1, r)
	write(t, w, payload("to myself"))
	eventually(t, "sample", func() bool { return got.len() == 1 })
}
