package rtps

import (
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// TestLaggingReaders: a reliable reader that is silent, or asks for what is gone, is reported
// once a minute; one that keeps up, is new or is best-effort, never.
func TestLaggingReaders(t *testing.T) {
	const period = 10 * time.Millisecond
	for _, c := range []struct {
		name        string
		reliability wire.Reliability
		depth       int
		answers     func(at time.Duration, last int64) (base int64, missing []int64) // base 0: none
		lasts       time.Duration
		reason      string // none: no report
		events      int
	}{
		{"keeps up", wire.Reliable, 10, func(_ time.Duration, last int64) (int64, []int64) { return last + 1, nil }, 5 * time.Second, "", 0},
		{"frozen", wire.Reliable, 10, func(at time.Duration, last int64) (int64, []int64) {
			if at > time.Second {
				return 0, nil
			}
			return last + 1, nil
		}, 10 * time.Second, "it has acknowledged nothing for 1s", 1},
		{"frozen for half a second", wire.Reliable, 10, func(at time.Duration, last int64) (int64, []int64) {
			if at > time.Second && at < 1500*time.Millisecond {
				return 0, nil
			}
			return last + 1, nil
		}, 5 * time.Second, "", 0},
		{"frozen, all kept", wire.Reliable, 10_000, func(at time.Duration, last int64) (int64, []int64) {
			if at > time.Second {
				return 0, nil
			}
			return last + 1, nil
		}, 10 * time.Second, "", 0},
		{"never answers", wire.Reliable, 10, func(time.Duration, int64) (int64, []int64) { return 0, nil }, 10 * time.Second, "", 0},
		{"asks for what is gone", wire.Reliable, 10, func(at time.Duration, last int64) (int64, []int64) {
			if at > 2*time.Second {
				return last - 20, []int64{last - 20, last - 19, last}
			}
			return last + 1, nil
		}, 5 * time.Second, "it asks for 2 that are no longer kept: the history has 10", 1},
		{"asks for what is gone, when new", wire.Reliable, 10, func(at time.Duration, last int64) (int64, []int64) {
			if at < time.Second/2 && last > 30 {
				return last - 20, []int64{last - 20}
			}
			return last + 1, nil
		}, 5 * time.Second, "", 0},
		{"frozen now and then", wire.Reliable, 10, func(at time.Duration, last int64) (int64, []int64) {
			if at%(70*time.Second) > 65*time.Second {
				return 0, nil
			}
			return last + 1, nil
		}, 150 * time.Second, "it has acknowledged nothing for 1s", 2},
		{"best effort", wire.BestEffort, 10, func(at time.Duration, last int64) (int64, []int64) {
			return last - 20, []int64{last - 20}
		}, 5 * time.Second, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen Events
			p := WithClock(t, Options{NoMulticast: true, Lease: time.Hour, Notify: seen.Notify})
			w := NewWriter(t, p.Participant, "x", QoS{Reliable: true, Depth: c.depth})
			a := &Attacker{T: t, To: p.Participant, Prefix: wire.Prefix{9}}
			a.Announce()
			d := Reliable.describe(GUID{Prefix: a.Prefix, Entity: HostileReader}, "x", "T", nil)
			d.Reliability = c.reliability
			a.say(d)
			count := uint32(0)
			for at := time.Duration(0); at < c.lasts; at += period {
				last := int64(at/period) + 1
				Write(t, w, Payload("sample"))
				p.call(func() {
					for _, w := range p.e.dirty.take() {
						p.e.flush(w)
					}
				})
				if base, missing := c.answers(at, last); base > 0 {
					set := wire.NumberSet{Base: base}
					for _, n := range missing {
						set.Add(n)
					}
					count++
					a.Inject(func(m *wire.Builder) {
						m.AckNack(wire.AckNack{Reader: HostileReader, Writer: w.GUID().Entity, Missing: set, Count: count, Final: true})
					})
				}
				p.Advance(period)
				p.Take()
			}
			if c.events > 0 {
				Eventually(t, "the news", func() bool { return len(seen.Of(Lagging)) >= c.events })
			} else {
				time.Sleep(20 * time.Millisecond) // of the notifier
			}
			events := seen.Of(Lagging)
			if len(events) != c.events {
				t.Fatalf("told %+v, want %d", events, c.events)
			}
			for _, e := range events {
				if e.Local != w.GUID() || e.Remote.GUID != d.GUID || !strings.Contains(e.Reason, c.reason) {
					t.Errorf("told %+v, want %q", e, c.reason)
				}
			}
		})
	}
}
