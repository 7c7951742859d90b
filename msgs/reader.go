package msgs

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Reader takes values off a ROS 1 serialisation, front to back. It never reads
// past the end: after the first fault all methods return zero values and
// [Reader.Finish] tells the fault.
type Reader struct {
	src []byte
	off int
	err error
}

// NewReader reads src, which it neither changes nor keeps beyond the reading.
func NewReader(src []byte) Reader { return Reader{src: src} }

// Finish ends the reading of a message of the named type. It returns the first
// fault, or an error when bytes are left over.
func (r *Reader) Finish(name string) error {
	if r.err == nil && r.off < len(r.src) {
		r.err = fmt.Errorf("%d surplus bytes after byte %d", len(r.src)-r.off, r.off)
	}
	if r.err != nil {
		return fmt.Errorf("%s: %w", name, r.err)
	}
	return nil
}

// take returns the next n bytes, or nil after a fault.
func (r *Reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if left := len(r.src) - r.off; n > left {
		r.err = fmt.Errorf("cut off: %d bytes needed at byte %d, %d left", n, r.off, left)
		return nil
	}
	b := r.src[r.off : r.off+n]
	r.off += n
	return b
}

// Count takes the number of elements of a variable-length array whose elements
// need at least size (> 0) bytes each. A count that the bytes left cannot hold
// is a fault, so the caller may allocate what Count returns.
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

// Bool takes one byte; everything but 0 is true.
func (r *Reader) Bool() bool { return r.Uint8() != 0 }

// Uint8 takes one byte.
func (r *Reader) Uint8() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// Int8 takes one byte.
func (r *Reader) Int8() int8 { return int8(r.Uint8()) }

// Uint16 takes two bytes.
func (r *Reader) Uint16() uint16 {
	if b := r.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// Int16 takes two bytes.
func (r *Reader) Int16() int16 { return int16(r.Uint16()) }

// Uint32 takes four bytes.
func (r *Reader) Uint32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Int32 takes four bytes.
func (r *Reader) Int32() int32 { return int32(r.Uint32()) }

// Uint64 takes eight bytes.
func (r *Reader) Uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Int64 takes eight bytes.
func (r *Reader) Int64() int64 { return int64(r.Uint64()) }

// Float32 takes four bytes.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint32()) }

// Float64 takes eight bytes.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }

// String takes a length and as many bytes.
func (r *Reader) String() string { return string(r.take(r.Count(1))) }

// Time takes seconds and nanoseconds.
func (r *Reader) Time() Time {
	sec, nsec := r.Uint32(), r.Uint32()
	return Time(int64(sec)*nanosPerSecond + int64(nsec))
}

// Duration takes seconds and nanoseconds.
func (r *Reader) Duration() Duration {
	sec, nsec := r.Int32(), r.Int32()
	return Duration(int64(sec)*nanosPerSecond + int64(nsec))
}
