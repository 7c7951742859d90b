package wire

import "errors"

var errSequence = errors.New("rtps: sequence number out of range")

// Heartbeat announces which samples a writer has: First to Last, none when
// Last = First - 1 (8.3.7.5).
type Heartbeat struct {
	Reader, Writer EntityID
	First, Last    int64
	Count          uint32
	Final          bool // no answer is needed when nothing is missing
}

// Heartbeat reads a heartbeat.
func (s Submessage) Heartbeat() (Heartbeat, error) {
	c := s.cursor()
	h := Heartbeat{Reader: c.entity(), Writer: c.entity(), First: c.pair(), Last: c.pair(), Count: c.u32(), Final: s.Flags&0x02 != 0}
	if h.First < 1 || h.Last < h.First-1 || h.Last > highest {
		return h, errSequence
	}
	return h, c.err()
}

// Heartbeat appends a heartbeat.
func (b *Builder) Heartbeat(h Heartbeat) {
	b.begin(KindHeartbeat, flag(h.Final, 0x02))
	b.entities(h.Reader, h.Writer)
	b.pair(h.First)
	b.pair(h.Last)
	b.u32(h.Count)
	b.end()
}

// AckNack acknowledges everything before Missing.Base and asks for the samples
// in Missing (8.3.7.1).
type AckNack struct {
	Reader, Writer EntityID
	Missing        NumberSet
	Count          uint32
	Final          bool // no heartbeat is asked for
}

// AckNack reads an acknowledgement.
func (s Submessage) AckNack() (AckNack, error) {
	c := s.cursor()
	a := AckNack{Reader: c.entity(), Writer: c.entity(), Final: s.Flags&0x02 != 0}
	var err error
	if a.Missing, err = c.sequenceSet(); err != nil {
		return a, err
	}
	a.Count = c.u32()
	return a, c.err()
}

// AckNack appends an acknowledgement.
func (b *Builder) AckNack(a AckNack) {
	b.begin(KindAckNack, flag(a.Final, 0x02))
	b.entities(a.Reader, a.Writer)
	b.sequenceSet(&a.Missing)
	b.u32(a.Count)
	b.end()
}

// Gap announces that the samples from First to before More.Base, and those in More,
// will never come (8.3.7.4).
type Gap struct {
	Reader, Writer EntityID
	First          int64
	More           NumberSet
}

// Gap reads a gap.
func (s Submessage) Gap() (Gap, error) {
	c := s.cursor()
	g := Gap{Reader: c.entity(), Writer: c.entity(), First: c.pair()}
	if c.short || g.First < 1 || g.First > highest {
		return g, errSequence
	}
	var err error
	if g.More, err = c.sequenceSet(); err == nil && g.More.Base < g.First {
		err = errSequence
	}
	return g, err
}

// Gap appends a gap.
func (b *Builder) Gap(g Gap) {
	b.begin(KindGap, 0)
	b.entities(g.Reader, g.Writer)
	b.pair(g.First)
	b.sequenceSet(&g.More)
	b.end()
}

// NackFrag asks for fragments of one sample (8.3.7.11).
type NackFrag struct {
	Reader, Writer EntityID
	Sequence       int64
	Missing        NumberSet // fragment numbers, from 1
	Count          uint32
}

// NackFrag reads a request for fragments.
func (s Submessage) NackFrag() (NackFrag, error) {
	c := s.cursor()
	n := NackFrag{Reader: c.entity(), Writer: c.entity(), Sequence: c.pair()}
	if n.Sequence < 1 || n.Sequence > highest {
		return n, errSequence
	}
	var err error
	if n.Missing, err = c.fragmentSet(); err != nil {
		return n, err
	}
	n.Count = c.u32()
	return n, c.err()
}

// NackFrag appends a request for fragments.
func (b *Builder) NackFrag(n NackFrag) {
	b.begin(KindNackFrag, 0)
	b.entities(n.Reader, n.Writer)
	b.pair(n.Sequence)
	b.fragmentSet(&n.Missing)
	b.u32(n.Count)
	b.end()
}

// HeartbeatFrag announces that fragments 1 to Last of a sample are available
// (8.3.7.6).
type HeartbeatFrag struct {
	Reader, Writer EntityID
	Sequence       int64
	Last           uint32
	Count          uint32
}

// HeartbeatFrag reads a heartbeat of fragments.
func (s Submessage) HeartbeatFrag() (HeartbeatFrag, error) {
	c := s.cursor()
	h := HeartbeatFrag{Reader: c.entity(), Writer: c.entity(), Sequence: c.pair(), Last: c.u32(), Count: c.u32()}
	if h.Sequence < 1 || h.Sequence > highest {
		return h, errSequence
	}
	return h, c.err()
}

// HeartbeatFrag appends a heartbeat of fragments.
func (b *Builder) HeartbeatFrag(h HeartbeatFrag) {
	b.begin(KindHeartbeatFrag, 0)
	b.entities(h.Reader, h.Writer)
	b.pair(h.Sequence)
	b.u32(h.Last)
	b.u32(h.Count)
	b.end()
}

func (b *Builder) entities(reader, writer EntityID) {
	b.Bytes = append(append(b.Bytes, reader[:]...), writer[:]...)
}

func flag(on bool, bit byte) byte {
	if on {
		return bit
	}
	return 0
}
