package msgs

import (
	"encoding/binary"
	"math"
	"slices"
)

// The functions below append one value in the ROS 1 serialisation: little
// endian, unaligned, counts and string lengths as uint32. They allocate only
// when dst has to grow.

// AppendBool appends one byte, 0 or 1.
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// AppendUint8 appends one byte.
func AppendUint8(dst []byte, v uint8) []byte { return append(dst, v) }

// AppendInt8 appends one byte.
func AppendInt8(dst []byte, v int8) []byte { return append(dst, uint8(v)) }

// AppendUint16 appends two bytes.
func AppendUint16(dst []byte, v uint16) []byte { return binary.LittleEndian.AppendUint16(dst, v) }

// AppendInt16 appends two bytes.
func AppendInt16(dst []byte, v int16) []byte { return AppendUint16(dst, uint16(v)) }

// AppendUint32 appends four bytes.
func AppendUint32(dst []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(dst, v) }

// AppendInt32 appends four bytes.
func AppendInt32(dst []byte, v int32) []byte { return AppendUint32(dst, uint32(v)) }

// AppendUint64 appends eight bytes.
func AppendUint64(dst []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(dst, v) }

// AppendInt64 appends eight bytes.
func AppendInt64(dst []byte, v int64) []byte { return AppendUint64(dst, uint64(v)) }

// AppendFloat32 appends the four bytes of the IEEE 754 form.
func AppendFloat32(dst []byte, v float32) []byte { return AppendUint32(dst, math.Float32bits(v)) }

// AppendFloat64 appends the eight bytes of the IEEE 754 form.
func AppendFloat64(dst []byte, v float64) []byte { return AppendUint64(dst, math.Float64bits(v)) }

// AppendFloat64s appends the numbers of v without their count.
func AppendFloat64s(dst []byte, v []float64) []byte {
	dst = slices.Grow(dst, 8*len(v))
	for _, x := range v {
		dst = AppendFloat64(dst, x)
	}
	return dst
}

// AppendFloat32s appends the numbers of v without their count.
func AppendFloat32s(dst []byte, v []float32) []byte {
	at := len(dst)
	dst = slices.Grow(dst, 4*len(v))[:at+4*len(v)]
	b := dst[at:]
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
	}
	return dst
}

// AppendCount appends the number of elements of a variable-length array.
func AppendCount(dst []byte, n int) []byte { return AppendUint32(dst, uint32(n)) }

// AppendString appends the length of v in bytes, then the bytes.
func AppendString(dst []byte, v string) []byte {
	return append(AppendCount(dst, len(v)), v...)
}

// AppendTime appends seconds and nanoseconds; see [Time.ROS1] for the range.
func AppendTime(dst []byte, v Time) []byte {
	sec, nsec := v.ROS1()
	return AppendUint32(AppendUint32(dst, sec), nsec)
}

// AppendDuration appends seconds and nanoseconds; see [Duration.ROS1] for the
// range.
func AppendDuration(dst []byte, v Duration) []byte {
	sec, nsec := v.ROS1()
	return AppendInt32(AppendInt32(dst, sec), nsec)
}
