package rtps

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync/atomic"
	"testing"

	"sinew/pkg/ros/bounded"
)

// The readers of one participant share datagrams, and get everything in order where many are lost, beside
// a reader of another participant.
func TestSiblingsShareDatagrams(t *testing.T) {
	const n, readers = 300, 40
	for _, losing := range []bool{false, true} {
		t.Run(fmt.Sprintf("lossy=%t", losing), func(t *testing.T) {
			var on atomic.Bool
			var dropped atomic.Int64
			lose := func() bool { return on.Load() && rand.IntN(10) == 0 }
			a := join(t, Options{wrap: func(l link) link { return lossy{l, lose, &dropped} }})
			b, other := join(t, Options{}), join(t, Options{})
			w := newWriter(t, a, "x", reliable)
			var all []*Reader
			var boxes []*box
			for i := range readers {
				q := reliable
				q.Reliable = i%4 != 0
				p := b
				if i == readers/2+1 {
					p = other
				}
				r, got := newReader(t, p, "x", q)
				all, boxes = append(all, r), append(boxes, got)
			}
			matched(t, w, readers, all...)
			before := a.Stats().Sent
			on.Store(losing)
			for i := range n {
				write(t, w, payload("%d", i))
				for k, got := range boxes {
					if k%4 != 0 {
						keepUp(t, i, got)
					}
				}
			}
			for i, got := range boxes {
				if losing && i%4 == 0 {
					continue // best effort
				}
				eventually(t, "all samples", func() bool { return got.len() == n })
				for k, s := range got.texts() {
					if s != fmt.Sprint(k) {
						t.Fatalf("reader %d: sample %d is %s", i, k, s)
					}
				}
			}
			if losing && dropped.Load() == 0 {
				t.Error("nothing was lost")
			}
			// one datagram for each participant, and what is said beside
			if sent := a.Stats().Sent - before; !losing && sent > n*readers/4 {
				t.Errorf("%d datagrams for %d samples to %d readers of two participants", sent, n, readers)
			}
		})
	}
}

// Siblings do not share what would overtake an earlier sample, is not for all, needs fragments, has
// another form for some or goes to two addresses.
func TestSiblingsThatDiffer(t *testing.T) {
	at, elsewhere := addrPort("127.0.0.1:1"), addrPort("127.0.0.1:2")
	r, s := new(remote), new(remote)
	w := new(localWriter)
	for i, of := range []*remote{r, s, r, s, r} {
		p := &readerProxy{w: w, remote: of, guid: GUID{Entity: readerID(byte(i))}, to: func() netip.AddrPort { return at }, queue: bounded.NewRing[request](2)}
		w.add(p)
	}
	if n := siblings(w.proxies); n != 3 || siblings(w.proxies[n:]) != 2 {
		t.Fatalf("%d and %d are side by side, want 3 and 2", n, siblings(w.proxies[n:]))
	}
	all := w.proxies[:3]
	small := &change{payload: payload("x")}
	if !alike(all, small) {
		t.Error("those that do not differ do not share")
	}
	if alike(all, &change{payload: make([]byte, fragmentSize+1)}) || alike(all, &change{payload: payload("x"), to: all[0].guid}) {
		t.Error("what has fragments, or is for one, is shared")
	}
	last := all[2]
	for what, change := range map[string]func(){
		"an earlier sample": func() { last.queue.Put(request{}) },
		"another form":      func() { last.variant = 1 },
		"another address":   func() { last.to = func() netip.AddrPort { return elsewhere } },
	} {
		was := *last
		change()
		if alike(all, small) {
			t.Errorf("shared in spite of %s", what)
		}
		*last = was
		last.queue = bounded.NewRing[request](2)
	}
}
