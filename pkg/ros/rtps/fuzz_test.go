package rtps

import (
	"testing"

	"sinew/pkg/ros/rtps/wire"
)

// FuzzParticipant gives a participant that knows the sender arbitrary
// submessages, many in a row.
func FuzzParticipant(f *testing.F) {
	for _, build := range []func(*wire.Builder){
		func(b *wire.Builder) { b.Heartbeat(wire.Heartbeat{Writer: hostileWriter, First: 1, Last: 9, Count: 9}) },
		func(b *wire.Builder) { b.Data(wire.Data{Writer: hostileWriter, Sequence: 1, Payload: payload("x")}) },
		func(b *wire.Builder) {
			b.Gap(wire.Gap{Writer: hostileWriter, First: 1, More: wire.NumberSet{Base: 5}})
		},
		func(b *wire.Builder) {
			b.AckNack(wire.AckNack{Reader: hostileReader, Writer: wire.EntityID{0, 0, 2, 3}, Missing: wire.NumberSet{Base: 1, Bits: 1, Map: [8]uint32{1 << 31}}, Count: 3})
		},
		func(b *wire.Builder) {
			b.NackFrag(wire.NackFrag{Reader: hostileReader, Writer: wire.EntityID{0, 0, 2, 3}, Sequence: 1, Missing: wire.NumberSet{Base: 1, Bits: 1, Map: [8]uint32{1 << 31}}, Count: 3})
		},
		func(b *wire.Builder) {
			b.DataFrag(wire.DataFrag{Data: wire.Data{Writer: hostileWriter, Sequence: 2, Payload: payload("abcd")}, First: 1, Count: 1, Size: 8, Sample: 16})
		},
		func(b *wire.Builder) {
			b.HeartbeatFrag(wire.HeartbeatFrag{Writer: hostileWriter, Sequence: 2, Last: 2, Count: 1})
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
	if _, err := p.NewReader(ReaderOptions{Topic: "x", Type: "T", QoS: reliable, Receive: func(Sample) {}}); err != nil {
		f.Fatal(err)
	}
	w, err := p.NewWriter(WriterOptions{Topic: "x", Type: "T", QoS: reliable})
	if err != nil {
		f.Fatal(err)
	}
	a := attack(f, p)
	w.Write(make([]byte, 20_000))
	f.Fuzz(func(t *testing.T, submessages []byte) {
		within(t, "one datagram", func() {
			a.inject(func(b *wire.Builder) { b.Bytes = append(b.Bytes, submessages...) })
			a.settle()
		})
		if n := state(p, func(e *engine) int { return e.buffered }); n < 0 || n > 1<<20 {
			t.Errorf("%d bytes are buffered", n)
		}
	})
}
