package wire

import (
	"encoding/binary"
	"errors"
	"time"
)

// errShort is the error of every value that ends before it should.
var errShort = errors.New("rtps: truncated")

// cursor reads values in one byte order. After a read past the end every
// further read gives zero, and ok is false.
type cursor struct {
	b     []byte
	big   bool
	short bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.b, c.short = nil, true
		return nil
	}
	v := c.b[:n:n]
	c.b = c.b[n:]
	return v
}

func (c *cursor) err() error {
	if c.short {
		return errShort
	}
	return nil
}

func (c *cursor) u16() uint16 {
	v := c.take(2)
	if v == nil {
		return 0
	}
	if c.big {
		return binary.BigEndian.Uint16(v)
	}
	return binary.LittleEndian.Uint16(v)
}

func (c *cursor) u32() uint32 {
	v := c.take(4)
	if v == nil {
		return 0
	}
	if c.big {
		return binary.BigEndian.Uint32(v)
	}
	return binary.LittleEndian.Uint32(v)
}

// pair reads a signed high and an unsigned low half: sequence numbers.
func (c *cursor) pair() int64 {
	high := c.u32()
	return int64(uint64(high)<<32 | uint64(c.u32()))
}

func (c *cursor) time() Time {
	s := c.u32()
	return Time(uint64(s)<<32 | uint64(c.u32()))
}

// duration reads seconds and fractions of 2⁻³² s; negative ones are zero.
func (c *cursor) duration() time.Duration {
	s, f := int32(c.u32()), c.u32()
	switch {
	case s < 0:
		return 0
	case s == 1<<31-1:
		return Forever
	}
	return time.Duration(s)*time.Second + time.Duration(uint64(f)*1_000_000_000>>32)
}

func (c *cursor) prefix() (p Prefix) {
	copy(p[:], c.take(12))
	return p
}

func (c *cursor) entity() (e EntityID) {
	copy(e[:], c.take(4))
	return e
}

func (c *cursor) guid() GUID { return GUID{c.prefix(), c.entity()} }

func (c *cursor) locator() (l Locator) {
	l.Kind, l.Port = int32(c.u32()), c.u32()
	copy(l.Address[:], c.take(16))
	return l
}

// bytes reads an octet sequence: a length and that many bytes.
func (c *cursor) bytes() []byte {
	n := c.u32()
	if uint64(n) > uint64(len(c.b)) {
		c.b, c.short = nil, true
		return nil
	}
	return c.take(int(n))
}

// text reads a string of at most limit bytes: a length that counts the
// terminating NUL, the bytes, the NUL.
func (c *cursor) text(limit int) string {
	v := c.bytes()
	if len(v) == 0 {
		return ""
	}
	if v[len(v)-1] == 0 {
		v = v[:len(v)-1]
	}
	if len(v) > limit {
		c.b, c.short = nil, true
		return ""
	}
	return string(v)
}
