package rtps_test

import (
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
)

func TestGoodbye(t *testing.T) {
	var seen rtps.Events
	a, b := rtps.Join(t, rtps.Options{Notify: seen.Notify}), rtps.Join(t, rtps.Options{})
	w := rtps.NewWriter(t, a, "x", rtps.Reliable)
	r, _ := rtps.NewReader(t, b, "x", rtps.Reliable)
	rtps.MatchedInTest(t, w, 1, r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	rtps.Eventually(t, "reader gone", func() bool { return w.Matched() == 0 })
	r, _ = rtps.NewReader(t, b, "x", rtps.Reliable)
	rtps.MatchedInTest(t, w, 1, r)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	rtps.Eventually(t, "participant gone", func() bool {
		return w.Matched() == 0 && len(a.Remotes()) == 0 && len(seen.Of(rtps.ParticipantLost)) > 0 && len(seen.Of(rtps.Unmatched)) > 1
	})
	if e := seen.Of(rtps.ParticipantLost); len(e) != 1 || e[0].Reason != "left" {
		t.Errorf("told %+v", e)
	}
	if n := len(seen.Of(rtps.Unmatched)); n != 2 {
		t.Errorf("told %d times that the reader is gone", n)
	}
	for what, err := range map[string]error{"reader": r.Close(), "participant": b.Close()} {
		if err != rtps.ErrClosed {
			t.Errorf("closing the %s again: %v", what, err)
		}
	}
}

func TestIncompatible(t *testing.T) {
	var seen rtps.Events
	a, b := rtps.Join(t, rtps.Options{Notify: seen.Notify}), rtps.Join(t, rtps.Options{})
	w := rtps.NewWriter(t, a, "x", rtps.BestEffort)
	v := rtps.NewWriter(t, a, "y", rtps.Reliable)
	rtps.NewReader(t, b, "x", rtps.Reliable)
	rtps.NewReader(t, b, "y", rtps.Latched)
	if _, err := b.NewReader(rtps.ReaderOptions{Topic: "x", Type: "Other", Receive: func(rtps.Sample) {}}); err != nil {
		t.Fatal(err)
	}
	rtps.Eventually(t, "events", func() bool { return len(seen.Of(rtps.Incompatible)) == 3 })
	for _, want := range []string{
		"reliability: writer offers best effort, reader requests reliable",
		"durability: writer offers volatile, reader requests transient local",
		`type: writer has "T", reader "Other"`,
	} {
		found := false
		for _, e := range seen.Of(rtps.Incompatible) {
			found = found || strings.Contains(e.Reason, want)
		}
		if !found {
			t.Errorf("no log says %q", want)
		}
	}
	if w.Matched() != 0 || v.Matched() != 0 {
		t.Error("incompatible endpoints match")
	}
}

func TestNoGoroutineLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		a, err := rtps.NewParticipant(rtps.Options{Domain: rtps.Domain, Notify: func(rtps.Event) {}})
		if err != nil {
			t.Fatal(err)
		}
		b := rtps.Join(t, rtps.Options{})
		w := rtps.NewWriter(t, a, "x", rtps.Reliable)
		r, _ := rtps.NewReader(t, b, "x", rtps.Reliable)
		rtps.MatchedInTest(t, w, 1, r)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		b.Close()
		if err := w.Write(rtps.Payload("late")); err != rtps.ErrClosed {
			t.Errorf("Write after Close: %v", err)
		}
		if _, err := a.NewWriter(rtps.WriterOptions{Topic: "x", Type: "T"}); err != rtps.ErrClosed {
			t.Errorf("NewWriter after Close: %v", err)
		}
	}
	rtps.Eventually(t, "goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

func TestOptionsRefused(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for want, o := range map[string]rtps.Options{
		"domain 233":                 {Domain: 233},
		"participant identifier 120": {ParticipantID: 120},
		"participant name":           {Name: long},
		"user data":                  {UserData: []byte(long)},
		"peer":                       {Peers: []netip.AddrPort{netip.MustParseAddrPort("[::1]:7400")}},
		"lease 1ms":                  {Lease: time.Millisecond},
	} {
		if p, err := rtps.NewParticipant(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
			if p != nil {
				p.Close()
			}
		}
	}
	if missing, present := rtps.MissingInterfaces([]string{"lo", "nosuch0"}); !slices.Equal(missing, []string{"nosuch0"}) || !slices.Contains(present, "127.0.0.1") {
		t.Errorf("missing interfaces %v of %v", missing, present)
	}
	p := rtps.Join(t, rtps.Options{Interfaces: []string{"nosuch0"}}) // it may come
	for want, o := range map[string]rtps.WriterOptions{
		"topic name": {Type: "T"},
		"type name":  {Topic: "x", Type: long},
		"depth -1":   {Topic: "x", Type: "T", QoS: rtps.QoS{Depth: -1}},
		"user data":  {Topic: "x", Type: "T", UserData: []byte(long)},
	} {
		if _, err := p.NewWriter(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
	w := rtps.NewWriter(t, p, "x", rtps.Reliable)
	for _, b := range [][]byte{nil, {}, {0, 1, 0}} {
		if w.Write(b) == nil {
			t.Errorf("payload %x was taken", b)
		}
	}
}
