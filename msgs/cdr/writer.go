package cdr

import (
	"encoding/binary"
	"math"
	"slices"
)

// HeaderSize is the number of bytes before the body.
const HeaderSize = 4

// The encapsulation identifiers of plain CDR, the first two bytes of the header.
// The other two bytes are options; the low two bits of the last say how many
// bytes of padding follow the body.
const (
	bigEndian    = 0x0000
	littleEndian = 0x0001
)

// Writer appends one value in plain CDR to a byte slice. It allocates only when
// the slice has to grow. The zero value is not usable: see [NewWriter].
type Writer struct {
	buf  []byte
	body int // index in buf from which alignment counts
}

// NewWriter appends the header of a little-endian body to dst and returns the
// writer of that body. What dst holds already has no part in the alignment.
func NewWriter(dst []byte) Writer {
	dst = append(dst, littleEndian>>8, littleEndian&0xff, 0, 0)
	return Writer{buf: dst, body: len(dst)}
}

// Bytes returns the slice given to [NewWriter] with all that was appended.
func (w *Writer) Bytes() []byte { return w.buf }

// align appends zeros until a value of n bytes may follow; n is a power of two.
func (w *Writer) align(n int) {
	for (len(w.buf)-w.body)&(n-1) != 0 {
		w.buf = append(w.buf, 0)
	}
}

// Bool appends one byte, 0 or 1.
func (w *Writer) Bool(v bool) {
	if v {
		w.Uint8(1)
	} else {
		w.Uint8(0)
	}
}

// Uint8 appends one byte.
func (w *Writer) Uint8(v uint8) { w.buf = append(w.buf, v) }

// Int8 appends one byte.
func (w *Writer) Int8(v int8) { w.Uint8(uint8(v)) }

// Uint16 appends two bytes.
func (w *Writer) Uint16(v uint16) {
	w.align(2)
	w.buf = binary.LittleEndian.AppendUint16(w.buf, v)
}

// Int16 appends two bytes.
func (w *Writer) Int16(v int16) { w.Uint16(uint16(v)) }

// Uint32 appends four bytes.
func (w *Writer) Uint32(v uint32) {
	w.align(4)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, v)
}

// Int32 appends four bytes.
func (w *Writer) Int32(v int32) { w.Uint32(uint32(v)) }

// Uint64 appends eight bytes.
func (w *Writer) Uint64(v uint64) {
	w.align(8)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, v)
}

// Int64 appends eight bytes.
func (w *Writer) Int64(v int64) { w.Uint64(uint64(v)) }

// Float32 appends the four bytes of the IEEE 754 form.
func (w *Writer) Float32(v float32) { w.Uint32(math.Float32bits(v)) }

// Float64 appends the eight bytes of the IEEE 754 form.
func (w *Writer) Float64(v float64) { w.Uint64(math.Float64bits(v)) }

// Count appends the number of elements of a sequence.
func (w *Writer) Count(n int) { w.Uint32(uint32(n)) }

// Uint8s appends the elements of an array or sequence of bytes.
func (w *Writer) Uint8s(v []byte) { w.buf = append(w.buf, v...) }

// Float64s appends the elements of an array or sequence of float64. An empty
// one leaves no padding behind.
func (w *Writer) Float64s(v []float64) {
	if len(v) == 0 {
		return
	}
	w.align(8)
	w.buf = slices.Grow(w.buf, 8*len(v))
	for _, x := range v {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(x))
	}
}

// Float32s appends the elements of an array or sequence of float32.
func (w *Writer) Float32s(v []float32) {
	if len(v) == 0 {
		return
	}
	w.align(4)
	at := len(w.buf)
	w.buf = slices.Grow(w.buf, 4*len(v))[:at+4*len(v)]
	b := w.buf[at:]
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
	}
}

// String appends the length of v with its NUL, the bytes of v and the NUL. A NUL
// within v is sent, though peers written in C end the string there.
func (w *Writer) String(v string) {
	w.Count(len(v) + 1)
	w.buf = append(w.buf, v...)
	w.buf = append(w.buf, 0)
}

// Time appends the seconds and nanoseconds of a ROS 2 time or duration.
func (w *Writer) Time(sec int32, nanosec uint32) {
	w.Int32(sec)
	w.Uint32(nanosec)
}
