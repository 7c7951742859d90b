package wire

import "errors"

// MaxSet is the most numbers a set can span.
const MaxSet = 256

var errSet = errors.New("rtps: number set out of range")

// NumberSet is a set of sequence or fragment numbers within MaxSet of Base.
// Bit 31 of Map[0] stands for Base (9.4.2.6, 9.4.2.8).
type NumberSet struct {
	Base int64
	Bits uint32 // how many numbers the map covers, at most MaxSet
	Map  [8]uint32
}

// Add puts n into the set; it reports false when n is below Base or beyond the
// largest span.
func (s *NumberSet) Add(n int64) bool {
	i := n - s.Base
	if n < s.Base || i < 0 || i >= MaxSet {
		return false
	}
	s.Bits = max(s.Bits, uint32(i)+1)
	s.Map[i/32] |= 1 << (31 - i%32)
	return true
}

// Has reports whether n is in the set.
func (s *NumberSet) Has(n int64) bool {
	i := n - s.Base
	return n >= s.Base && i >= 0 && i < int64(s.Bits) && s.Map[i/32]&(1<<(31-i%32)) != 0
}

// All calls yield with the numbers of the set, in order.
func (s *NumberSet) All(yield func(int64) bool) {
	for i := range int64(s.Bits) {
		if s.Map[i/32]&(1<<(31-i%32)) != 0 && !yield(s.Base+i) {
			return
		}
	}
}

// highest is the largest number that All may give: sums beyond it overflow.
const highest = 1<<63 - 1 - MaxSet

func (c *cursor) bitmap(s NumberSet) (NumberSet, error) {
	s.Bits = c.u32()
	if s.Bits > MaxSet || s.Base < 0 || s.Base > highest {
		return NumberSet{}, errSet
	}
	for i := range (s.Bits + 31) / 32 {
		s.Map[i] = c.u32()
	}
	return s, c.err()
}

// sequenceSet reads a set of sequence numbers. Base may be 0: some vendors ask
// for a first heartbeat that way.
func (c *cursor) sequenceSet() (NumberSet, error) { return c.bitmap(NumberSet{Base: c.pair()}) }

func (c *cursor) fragmentSet() (NumberSet, error) { return c.bitmap(NumberSet{Base: int64(c.u32())}) }

func (b *Builder) bitmap(s *NumberSet) {
	b.u32(s.Bits)
	for i := range (s.Bits + 31) / 32 {
		b.u32(s.Map[i])
	}
}

func (b *Builder) sequenceSet(s *NumberSet) {
	b.pair(s.Base)
	b.bitmap(s)
}

func (b *Builder) fragmentSet(s *NumberSet) {
	b.u32(uint32(s.Base))
	b.bitmap(s)
}
