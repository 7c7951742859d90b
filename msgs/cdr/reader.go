package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// Reader takes values off a header and body in plain CDR, front to back. It never
// reads past the end: after the first fault all methods return zero values and
// [Reader.Finish] tells the fault.
type Reader struct {
	src []byte // with the header
	off int
	big bool // byte order
	err error
}

// NewReader reads src, a header and a body in the byte order that the header
// tells. It neither changes src nor keeps it beyond the reading. Any other
// encapsulation (parameter lists, XCDR2, XML) is a fault.
func NewReader(src []byte) Reader {
	r := Reader{src: src}
	header := r.take(1, HeaderSize)
	if header == nil {
		return r
	}
	switch id := binary.BigEndian.Uint16(header); id {
	case littleEndian:
	case bigEndian:
		r.big = true
	default:
		r.err = fmt.Errorf("encapsulation %#04x, want plain CDR (0x0000 or 0x0001)", id)
	}
	return r
}

// Err returns the first fault so far.
func (r *Reader) Err() error { return r.err }

// Finish ends the reading of a value of the named type. It returns the first
// fault, or an error when bytes are left over. Up to three bytes that make the
// whole a multiple of four are no surplus: DDS implementations pad the last
// value of a packet so, and not all say it in the header's options.
func (r *Reader) Finish(name string) error {
	if left := len(r.src) - r.off; r.err == nil && left > 0 && (left > 3 || len(r.src)%4 != 0) {
		r.err = fmt.Errorf("%d surplus bytes after byte %d", left, r.off)
	}
	if r.err != nil {
		return fmt.Errorf("%s: %w", name, r.err)
	}
	return nil
}

// take skips padding to a multiple of align, a power of two, and returns the
// next n bytes, or nil after a fault. The header is a multiple of four long but
// not of eight, hence it is left out of the position.
func (r *Reader) take(align, n int) []byte {
	if r.err != nil {
		return nil
	}
	at := r.off + (HeaderSize-r.off)&(align-1)
	if n > len(r.src)-at {
		r.err = fmt.Errorf("cut off: %d bytes needed at byte %d, %d left", n, at, max(0, len(r.src)-at))
		return nil
	}
	r.off = at + n
	return r.src[at:r.off]
}

// Count takes the number of elements of a sequence whose elements need at least
// size (> 0) bytes each. A count that the bytes left cannot hold is a fault, so
// the caller may allocate what Count returns.
func (r *Reader) Count(size int) int {
	n := r.Uint32()
	if r.err != nil {
		return 0
	}
	if left := len(r.src) - r.off; uint64(n)*uint64(size) > uint64(left) {
		r.err = fmt.Errorf("count %d at byte %d needs at least %d bytes, %d left",
			n, r.off-4, uint64(n)*uint64(size), left)
		return 0
	}
	return int(n)
}

// BoundedCount is Count of a sequence that may have at most so many elements.
func (r *Reader) BoundedCount(size, most int) int {
	n := r.Count(size)
	if n > most {
		r.err = fmt.Errorf("count %d at byte %d is above the bound %d", n, r.off-4, most)
		return 0
	}
	return n
}

// Bool takes one byte; everything but 0 is true.
func (r *Reader) Bool() bool { return r.Uint8() != 0 }

// Uint8 takes one byte.
func (r *Reader) Uint8() uint8 {
	if b := r.take(1, 1); b != nil {
		return b[0]
	}
	return 0
}

// Int8 takes one byte.
func (r *Reader) Int8() int8 { return int8(r.Uint8()) }

// Uint16 takes two bytes.
func (r *Reader) Uint16() uint16 {
	b := r.take(2, 2)
	if b == nil {
		return 0
	}
	v := binary.LittleEndian.Uint16(b)
	if r.big {
		v = bits.ReverseBytes16(v)
	}
	return v
}

// Int16 takes two bytes.
func (r *Reader) Int16() int16 { return int16(r.Uint16()) }

// Uint32 takes four bytes.
func (r *Reader) Uint32() uint32 {
	b := r.take(4, 4)
	if b == nil {
		return 0
	}
	v := binary.LittleEndian.Uint32(b)
	if r.big {
		v = bits.ReverseBytes32(v)
	}
	return v
}

// Int32 takes four bytes.
func (r *Reader) Int32() int32 { return int32(r.Uint32()) }

// Uint64 takes eight bytes.
func (r *Reader) Uint64() uint64 {
	b := r.take(8, 8)
	if b == nil {
		return 0
	}
	v := binary.LittleEndian.Uint64(b)
	if r.big {
		v = bits.ReverseBytes64(v)
	}
	return v
}

// Int64 takes eight bytes.
func (r *Reader) Int64() int64 { return int64(r.Uint64()) }

// Float32 takes four bytes.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint32()) }

// Float64 takes eight bytes.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }
