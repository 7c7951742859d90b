package main

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"net/netip"

	"sinew/pkg/ros/rtps/wire"
)

// attacker makes the datagrams.
type attacker struct {
	topic, typeName string
	address         netip.AddrPort // its own
	known           wire.Prefix    // the participant that the target gets to know
	count           uint32
	sequence        [2]int64 // sequence numbers of its announcements of writers and readers
	random          *rand.Rand
	only            []int // the kinds of datagrams that it sends, or nil for all
}

// kinds is how many kinds of datagrams there are.
const kinds = 11

// only are the kinds of datagrams that can be chosen by a name.
var only = map[string][]int{"all": nil, "participants": {2}, "fragments": {8}}

func newAttacker(topic, typeName string) *attacker {
	return &attacker{topic: topic, typeName: typeName, known: wire.Prefix{0xba, 0xd}, random: rand.New(rand.NewPCG(1, 2))}
}

var (
	writer = wire.EntityID{0, 0, 1, wire.KindWriterNoKey}
	reader = wire.EntityID{0, 0, 2, wire.KindReaderNoKey}
)

// next is the i-th datagram, and whether it goes to the port for data.
func (a *attacker) next(i int) (datagram []byte, data bool) {
	a.count++
	if i < 3 { // known before anything else
		i = 3 + i
	} else if len(a.only) > 0 {
		i = a.only[i%len(a.only)]
	}
	switch i % kinds {
	case 0:
		return a.noise(), true
	case 1:
		return a.broken(), a.random.IntN(2) == 0
	case 2:
		return a.stranger(), false
	case 3:
		return a.announce(a.known), false
	case 4:
		return a.endpoint(true, writer), false
	case 5:
		return a.endpoint(false, reader), false
	case 6: // one more, forever
		return a.endpoint(a.random.IntN(2) == 0, wire.EntityID{1, byte(i >> 8), byte(i), 0}), false
	case 7:
		return a.message(func(m *wire.Builder) {
			m.Heartbeat(wire.Heartbeat{Writer: writer, First: 1, Last: 1e9, Count: a.count})
		}), true
	case 8:
		return a.message(a.huge), true
	case 9:
		return a.message(a.greedy), true
	default: // far out of order
		n := 2 + a.random.Int64N(1e9)
		return a.message(func(m *wire.Builder) {
			m.Data(wire.Data{Writer: writer, Sequence: n, Payload: make([]byte, 1000)})
			m.Gap(wire.Gap{Writer: writer, First: n + 2, More: wire.NumberSet{Base: n + 3}})
		}), true
	}
}

func (a *attacker) message(build func(*wire.Builder)) []byte { return messageOf(a.known, build) }

func messageOf(p wire.Prefix, build func(*wire.Builder)) []byte {
	var b wire.Builder
	b.Header(wire.Header{Version: wire.ThisVersion, Prefix: p})
	build(&b)
	return b.Bytes
}

func (a *attacker) noise() []byte {
	b := make([]byte, a.random.IntN(1400))
	for i := range b {
		b[i] = byte(a.random.Uint32())
	}
	return b
}

// broken is a message whose submessages are noise under known kinds.
func (a *attacker) broken() []byte {
	return a.message(func(m *wire.Builder) {
		kinds := [...]byte{wire.KindData, wire.KindDataFrag, wire.KindHeartbeat, wire.KindAckNack, wire.KindGap, wire.KindNackFrag, wire.KindInfoDestination}
		body := a.noise()
		m.Bytes = append(m.Bytes, kinds[a.random.IntN(len(kinds))], byte(a.random.Uint32()), byte(len(body)), byte(len(body)>>8))
		m.Bytes = append(m.Bytes, body...)
	})
}

func (a *attacker) stranger() []byte {
	var p wire.Prefix
	binary.BigEndian.PutUint64(p[4:], a.random.Uint64())
	return a.announce(p)
}

func (a *attacker) announce(p wire.Prefix) []byte {
	at := []wire.Locator{wire.LocatorOf(a.address)}
	var b wire.Builder
	b.Participant(&wire.ParticipantData{
		GUID: wire.GUID{Prefix: p, Entity: wire.EntityParticipant}, Version: wire.ThisVersion, Domain: wire.NoDomain,
		Builtin: math.MaxUint32, Metatraffic: at, Default: at, Lease: wire.Forever,
	})
	return messageOf(p, func(m *wire.Builder) {
		m.Data(wire.Data{Writer: wire.SPDPWriter, Sequence: 1, Payload: b.Bytes})
	})
}

// endpoint announces a writer or reader of the topic.
func (a *attacker) endpoint(isWriter bool, id wire.EntityID) []byte {
	d := wire.NewEndpointData(isWriter)
	i, from, to := 1, wire.SEDPSubWriter, wire.SEDPSubReader
	id[3] = wire.KindReaderNoKey
	if isWriter {
		i, from, to, id[3] = 0, wire.SEDPPubWriter, wire.SEDPPubReader, wire.KindWriterNoKey
	}
	d.GUID, d.Topic, d.Type = wire.GUID{Prefix: a.known, Entity: id}, a.topic, a.typeName
	d.Reliability, d.Depth = wire.Reliable, math.MaxInt32
	var b wire.Builder
	b.Endpoint(&d)
	a.sequence[i]++
	return a.message(func(m *wire.Builder) {
		m.Data(wire.Data{Reader: to, Writer: from, Sequence: a.sequence[i], Payload: b.Bytes})
		m.Heartbeat(wire.Heartbeat{Reader: to, Writer: from, First: a.sequence[i], Last: a.sequence[i], Count: a.count})
	})
}

// huge begins samples of 4 GB and of 16 MiB.
func (a *attacker) huge(m *wire.Builder) {
	for k, size := range []uint32{math.MaxUint32, 16 << 20} {
		m.DataFrag(wire.DataFrag{
			Data:  wire.Data{Writer: writer, Sequence: 1 + int64(k) + a.random.Int64N(100), Payload: make([]byte, 512)},
			First: 1, Count: 1, Size: 512, Sample: size,
		})
	}
}

// greedy asks the first writers of the target for everything.
func (a *attacker) greedy(m *wire.Builder) {
	set := wire.NumberSet{Base: 1}
	for n := range int64(wire.MaxSet) {
		set.Add(n + 1)
	}
	for k := range byte(16) {
		m.AckNack(wire.AckNack{Reader: reader, Writer: wire.EntityID{0, 0, k, wire.KindWriterNoKey}, Missing: set, Count: a.count})
	}
}
