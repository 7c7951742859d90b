package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Uint8s fills dst with as many bytes; after a fault dst is unchanged.
func (r *Reader) Uint8s(dst []byte) { copy(dst, r.take(1, len(dst))) }

// Float64s fills dst with as many numbers; after a fault dst is unchanged.
func (r *Reader) Float64s(dst []float64) {
	if len(dst) == 0 {
		return // an empty sequence leaves no padding behind
	}
	b := r.take(8, 8*len(dst))
	if b == nil {
		return
	}
	if r.big {
		for i := range dst {
			dst[i] = math.Float64frombits(binary.BigEndian.Uint64(b[8*i:]))
		}
		return
	}
	for i := range dst {
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
}

// Float32s fills dst with as many numbers; after a fault dst is unchanged.
func (r *Reader) Float32s(dst []float32) {
	if len(dst) == 0 {
		return // an empty sequence leaves no padding behind
	}
	b := r.take(4, 4*len(dst))
	if b == nil {
		return
	}
	if r.big {
		for i := range dst {
			dst[i] = math.Float32frombits(binary.BigEndian.Uint32(b[4*i:]))
		}
		return
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

// String takes a length, as many bytes and the NUL that is the last of them. A
// length of zero is the empty string, as some writers have it. The bytes are not
// checked to be UTF-8: ROS nodes send names and texts that are not.
func (r *Reader) String() string {
	n := r.Count(1)
	if n == 0 {
		return ""
	}
	b := r.take(1, n)
	if b == nil {
		return ""
	}
	if b[n-1] != 0 {
		r.err = fmt.Errorf("the string that ends before byte %d has no NUL", r.off)
		return ""
	}
	return string(b[:n-1])
}

// BoundedString takes a string of at most limit bytes, the NUL not counted.
func (r *Reader) BoundedString(limit int) string {
	v := r.String()
	if r.err == nil && len(v) > limit {
		r.err = fmt.Errorf("the string that ends before byte %d has %d bytes, at most %d allowed", r.off, len(v), limit)
		return ""
	}
	return v
}

// Time takes the seconds and nanoseconds of a ROS 2 time or duration.
func (r *Reader) Time() (sec int32, nanosec uint32) { return r.Int32(), r.Uint32() }
