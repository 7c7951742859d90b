package rtps

import (
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// TestLifespan: a late reader gets what is younger than the lifespan of the writer, and is
// told of nothing older.
func TestLifespan(t *testing.T) {
	p := withClock(t, Options{NoMulticast: true})
	q := QoS{Reliable: true, TransientLocal: true, Depth: 10, Lifespan: 10 * time.Second}
	w := newWriter(t, p.Participant, "x", q)
	for _, text := range []string{"past", "last"} {
		write(t, w, payload("%s", text))
		p.call(func() {
			for _, w := range p.e.dirty.take() {
				p.e.flush(w)
			}
		})
		p.advance(6 * time.Second)
	}
	a := &attacker{t: t, to: p.Participant, prefix: wire.Prefix{9}}
	a.announce()
	d := q.describe(GUID{Prefix: a.prefix, Entity: hostileReader}, "x", "T", nil)
	p.take()
	a.say(d)
	a.settle()
	first := int64(0)
	for _, s := range submessages(p.take(), wire.KindHeartbeat) {
		if h, err := s.Heartbeat(); err == nil && h.Writer == w.GUID().Entity {
			first = h.First
		}
	}
	if first != 2 {
		t.Errorf("a late reader is told that sample %d is the first, want 2", first)
	}
	set := wire.NumberSet{Base: 1}
	set.Add(1)
	set.Add(2)
	a.inject(func(m *wire.Builder) {
		m.AckNack(wire.AckNack{Reader: hostileReader, Writer: w.GUID().Entity, Missing: set, Count: 1, Final: true})
	})
	a.settle()
	sent := submessages(p.take(), wire.KindData)
	if len(sent) != 1 {
		t.Fatalf("%d samples are sent, want the last one", len(sent))
	}
	if got, err := sent[0].Data(); err != nil || string(got.Payload[4:]) != "last" {
		t.Errorf("sent %q, %v", got.Payload, err)
	}
	if _, err := p.NewWriter(WriterOptions{Topic: "y", Type: "T", QoS: QoS{Lifespan: -1}}); err == nil {
		t.Error("a lifespan below 0 is taken")
	}
}
