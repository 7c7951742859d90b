package rtps_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
)

func TestDelivery(t *testing.T) {
	for name, q := range map[string]rtps.QoS{"reliable": rtps.Reliable, "best effort": rtps.BestEffort} {
		t.Run(name, func(t *testing.T) {
			a, b := rtps.Join(t, rtps.Options{}), rtps.Join(t, rtps.Options{})
			w := rtps.NewWriter(t, a, "x", q)
			r, got := rtps.NewReader(t, b, "x", q)
			rtps.MatchedInTest(t, w, 1, r)
			before := time.Now()
			const n = 200
			for i := range n {
				rtps.Write(t, w, rtps.Payload("%d", i))
				time.Sleep(100 * time.Microsecond)
			}
			rtps.Eventually(t, "all samples", func() bool { return got.Len() == n })
			for i, s := range got.Samples() {
				if want := rtps.Payload("%d", i); !bytes.Equal(s.Payload, want) || s.Sequence != int64(i+1) || s.Writer != w.GUID() {
					t.Fatalf("sample %d is %q, sequence %d, of %v", i, s.Payload, s.Sequence, s.Writer)
				}
				if s.Source.Before(before.Add(-time.Millisecond)) || s.Source.After(time.Now()) {
					t.Fatalf("source time %v is not between %v and now", s.Source, before)
				}
			}
		})
	}
}

func TestLateJoiner(t *testing.T) {
	a := rtps.Join(t, rtps.Options{})
	q := rtps.Latched
	q.Depth = 3
	w := rtps.NewWriter(t, a, "x", q)
	for i := range 10 {
		rtps.Write(t, w, rtps.Payload("%d", i))
	}
	b := rtps.Join(t, rtps.Options{})
	r, kept := rtps.NewReader(t, b, "x", q)
	volatile, fresh := rtps.NewReader(t, b, "x", rtps.Reliable)
	rtps.MatchedInTest(t, w, 2, r, volatile)
	rtps.Eventually(t, "kept samples", func() bool { return kept.Len() == 3 })
	rtps.Write(t, w, rtps.Payload("new"))
	rtps.Eventually(t, "new sample", func() bool { return kept.Len() == 4 && fresh.Len() >= 1 })
	if got := kept.Texts(); !slices.Equal(got, []string{"7", "8", "9", "new"}) {
		t.Errorf("transient-local reader got %q", got)
	}
	if got := fresh.Texts(); !slices.Equal(got, []string{"new"}) {
		t.Errorf("volatile reader got %q", got)
	}
}

// TestKeepLast holds the reader up: it must get the newest samples, and the
// writer must not wait.
func TestKeepLast(t *testing.T) {
	a, b := rtps.Join(t, rtps.Options{}), rtps.Join(t, rtps.Options{})
	w := rtps.NewWriter(t, a, "x", rtps.Reliable)
	began, hold, got := make(chan struct{}, 100), make(chan struct{}), new(rtps.Box)
	r, err := b.NewReader(rtps.ReaderOptions{Topic: "x", Type: "T", QoS: rtps.QoS{Reliable: true, Depth: 5}, Receive: func(s rtps.Sample) {
		began <- struct{}{}
		<-hold
		got.Receive(s)
	}})
	if err != nil {
		t.Fatal(err)
	}
	rtps.MatchedInTest(t, w, 1, r)
	const n = 100
	for i := range n {
		rtps.Write(t, w, rtps.Payload("%d", i))
		if i == 0 {
			<-began // the first sample is out of the queue
		}
		time.Sleep(200 * time.Microsecond)
	}
	rtps.Eventually(t, "overwriting", func() bool { return b.Stats().Overwritten == n-5-1 })
	close(hold)
	rtps.Eventually(t, "kept samples", func() bool { return got.Len() == 6 })
	if texts := got.Texts(); !slices.Equal(texts, []string{"0", "95", "96", "97", "98", "99"}) {
		t.Errorf("got %q", texts)
	}
}

func TestVariants(t *testing.T) {
	a, b, c := rtps.Join(t, rtps.Options{}), rtps.Join(t, rtps.Options{}), rtps.Join(t, rtps.Options{})
	w, err := a.NewWriter(rtps.WriterOptions{Topic: "x", Type: "T", QoS: rtps.Latched, Variant: func(e rtps.Endpoint) int {
		if string(e.UserData) == "old" {
			return 1
		}
		return 0
	}})
	if err != nil {
		t.Fatal(err)
	}
	modern, old := new(rtps.Box), new(rtps.Box)
	for _, x := range []struct {
		p    *rtps.Participant
		data string
		to   *rtps.Box
	}{{b, "new", modern}, {c, "old", old}} {
		if _, err := x.p.NewReader(rtps.ReaderOptions{Topic: "x", Type: "T", QoS: rtps.Latched, UserData: []byte(x.data), Receive: x.to.Receive}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteVariants(rtps.Payload("16"), rtps.Payload("24")); err != nil {
		t.Fatal(err)
	}
	rtps.Eventually(t, "both forms", func() bool { return modern.Len() == 1 && old.Len() == 1 })
	if m, o := modern.Texts(), old.Texts(); m[0] != "16" || o[0] != "24" {
		t.Errorf("modern reader got %q, old one %q", m, o)
	}
}

func TestOwnReader(t *testing.T) {
	p := rtps.Join(t, rtps.Options{})
	w := rtps.NewWriter(t, p, "x", rtps.Reliable)
	r, got := rtps.NewReader(t, p, "x", rtps.Reliable)
	rtps.MatchedInTest(t, w, 1, r)
	rtps.Write(t, w, rtps.Payload("to myself"))
	rtps.Eventually(t, "sample", func() bool { return got.Len() == 1 })
}
