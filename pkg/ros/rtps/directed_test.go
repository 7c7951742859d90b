package rtps

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"
)

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
			w := newWriter(t, join(t, Options{wrap: wrap}), topic, reliable)
			p, q := join(t, Options{wrap: wrap}), join(t, Options{wrap: wrap})
			r1, got1 := newReader(t, p, topic, reliable)
			r2, got2 := newReader(t, p, topic, reliable)
			r3, got3 := newReader(t, q, topic, reliable)
			r4, got4 := newReader(t, q, topic, bestEffort)
			matched(t, w, 4, r1, r2, r3, r4)
			related := SampleIdentity{Writer: r1.GUID(), Sequence: 5}
			for i := range n {
				to := []GUID{{}, {Prefix: p.GUID().Prefix}, r2.GUID(), r3.GUID()}[i%4]
				if err := w.WriteWith(WriteOptions{Related: related, To: to}, payload("%d", i)); err != nil {
					t.Fatal(err)
				}
			}
			write(t, w, payload("end"))
			for _, c := range []struct {
				name string
				box  *box
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
				eventually(t, c.name+" gets the last sample", func() bool {
					all := c.box.texts()
					return len(all) > 0 && all[len(all)-1] == "end"
				})
				if all := c.box.texts(); fmt.Sprint(all) != fmt.Sprint(want) {
					t.Errorf("%s: %d samples, want %d: %v", c.name, len(all), len(want), all)
				}
				for _, s := range c.box.samples()[:len(want)-1] {
					if s.Related != related {
						t.Fatalf("%s: sample %d is related to %v, want %v", c.name, s.Sequence, s.Related, related)
					}
				}
			}
			for _, s := range got4.samples() {
				if i := int(s.Sequence) - 1; i < n && i%4 != 0 {
					t.Errorf("the best-effort reader got sample %d, which is for another", i)
				}
			}
			eventually(t, "nothing is waited for", func() bool {
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

// TestDirectedLargeSample is one of many fragments.
func TestDirectedLargeSample(t *testing.T) {
	w := newWriter(t, join(t, Options{}), "large", reliable)
	p, q := join(t, Options{}), join(t, Options{})
	r1, got1 := newReader(t, p, "large", reliable)
	r2, got2 := newReader(t, q, "large", reliable)
	matched(t, w, 2, r1, r2)
	related := SampleIdentity{Writer: r1.GUID(), Sequence: 9}
	big := payload("%0*d", 20*fragmentSize, 7)
	if err := w.WriteWith(WriteOptions{Related: related, To: r1.GUID()}, big); err != nil {
		t.Fatal(err)
	}
	write(t, w, payload("end"))
	eventually(t, "samples", func() bool { return got1.len() == 2 && got2.len() == 1 })
	if s := got1.samples()[0]; string(s.Payload) != string(big) || s.Related != related {
		t.Errorf("%d bytes related to %v, want %d related to %v", len(s.Payload), s.Related, len(big), related)
	}
	if got := got2.texts()[0]; got != "end" {
		t.Errorf("the other reader got %.20q", got)
	}
}

// TestDirectedBeforeMatch: what was written for a reader that is not known yet
// reaches it, unless that was long ago, and reaches no other late reader.
func TestDirectedBeforeMatch(t *testing.T) {
	a, b, c := join(t, Options{}), join(t, Options{}), join(t, Options{})
	w := newWriter(t, a, "late", reliable)
	say := func(to *Participant, text string) {
		if err := w.WriteWith(WriteOptions{To: GUID{Prefix: to.GUID().Prefix}}, payload("%s", text)); err != nil {
			t.Fatal(err)
		}
	}
	say(b, "old")
	time.Sleep(awaitReader + 200*time.Millisecond)
	say(b, "first")
	say(c, "of another")
	say(b, "second")
	r, got := newReader(t, b, "late", reliable)
	matched(t, w, 1, r)
	eventually(t, "samples", func() bool { return got.len() >= 2 })
	write(t, w, payload("end"))
	eventually(t, "the last sample", func() bool { return got.len() >= 3 })
	if all := fmt.Sprint(got.texts()); all != "[first second end]" {
		t.Errorf("got %s", all)
	}
}

// TestWriteNumbered returns the numbers that readers see, also behind samples that
// are on their way.
func TestWriteNumbered(t *testing.T) {
	a, b := join(t, Options{}), join(t, Options{})
	w := newWriter(t, a, "numbered", reliable)
	r, got := newReader(t, b, "numbered", reliable)
	matched(t, w, 1, r)
	numbers := map[string]int64{}
	for i := range 50 {
		write(t, w, payload("plain"))
		n, err := w.WriteNumbered(WriteOptions{}, payload("%d", i))
		if err != nil {
			t.Fatal(err)
		}
		numbers[fmt.Sprint(i)] = n
	}
	eventually(t, "samples", func() bool { return got.len() == 100 })
	for i, s := range got.samples() {
		text := string(s.Payload[4:])
		if (text == "plain") != (i%2 == 0) {
			t.Fatalf("sample %d is %s, which was not written then", i, text)
		}
		if text != "plain" && numbers[text] != s.Sequence {
			t.Errorf("sample %s has number %d, returned was %d", text, s.Sequence, numbers[text])
		}
	}
	w.Close()
	if _, err := w.WriteNumbered(WriteOptions{}, payload("x")); err != ErrClosed {
		t.Errorf("after Close: %v", err)
	}
}

// TestWritersKeepTheirOrder: what one writer of a participant has written goes out before what
// another writes after it, whatever the engine hears of first.
func TestWritersKeepTheirOrder(t *testing.T) {
	p := join(t, Options{})
	first, second := newWriter(t, p, "first", reliable), newWriter(t, p, "second", reliable)
	for i := range int64(40) {
		held, hold := make(chan struct{}), make(chan struct{})
		go p.call(func() { close(held); <-hold })
		<-held
		write(t, first, payload("earlier"))
		sent := make(chan int64)
		go func() {
			_, err := second.WriteNumbered(WriteOptions{}, payload("later"))
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
