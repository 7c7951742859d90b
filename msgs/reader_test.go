package msgs_test

import (
	"bytes"
	"math"
	"testing"

	"sinew/msgs"
)

// TestPrimitives compares every primitive with bytes written by hand.
func TestPrimitives(t *testing.T) {
	for _, c := range []struct {
		name string
		got  []byte
		want []byte
		read func(*msgs.Reader) bool
	}{
		{"bool", msgs.AppendBool(nil, true), []byte{1}, func(r *msgs.Reader) bool { return r.Bool() }},
		{"uint8", msgs.AppendUint8(nil, 0xfe), []byte{0xfe}, func(r *msgs.Reader) bool { return r.Uint8() == 0xfe }},
		{"int8", msgs.AppendInt8(nil, -2), []byte{0xfe}, func(r *msgs.Reader) bool { return r.Int8() == -2 }},
		{"uint16", msgs.AppendUint16(nil, 0x0102), []byte{2, 1}, func(r *msgs.Reader) bool { return r.Uint16() == 0x0102 }},
		{"int16", msgs.AppendInt16(nil, -2), []byte{0xfe, 0xff}, func(r *msgs.Reader) bool { return r.Int16() == -2 }},
		{"uint32", msgs.AppendUint32(nil, 0x01020304), []byte{4, 3, 2, 1}, func(r *msgs.Reader) bool { return r.Uint32() == 0x01020304 }},
		{"int32", msgs.AppendInt32(nil, -2), []byte{0xfe, 0xff, 0xff, 0xff}, func(r *msgs.Reader) bool { return r.Int32() == -2 }},
		{"uint64", msgs.AppendUint64(nil, 0x0102030405060708), []byte{8, 7, 6, 5, 4, 3, 2, 1}, func(r *msgs.Reader) bool { return r.Uint64() == 0x0102030405060708 }},
		{"int64", msgs.AppendInt64(nil, -2), []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, func(r *msgs.Reader) bool { return r.Int64() == -2 }},
		{"float32", msgs.AppendFloat32(nil, -2), []byte{0, 0, 0, 0xc0}, func(r *msgs.Reader) bool { return r.Float32() == -2 }},
		{"float64", msgs.AppendFloat64(nil, -2), []byte{0, 0, 0, 0, 0, 0, 0, 0xc0}, func(r *msgs.Reader) bool { return r.Float64() == -2 }},
		{"infinity", msgs.AppendFloat64(nil, math.Inf(1)), []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x7f}, func(r *msgs.Reader) bool { return math.IsInf(r.Float64(), 1) }},
		{"string", msgs.AppendString(nil, "ab"), []byte{2, 0, 0, 0, 'a', 'b'}, func(r *msgs.Reader) bool { return r.String() == "ab" }},
		{"time", msgs.AppendTime(nil, 2_000_000_003), []byte{2, 0, 0, 0, 3, 0, 0, 0}, func(r *msgs.Reader) bool { return r.Time() == 2_000_000_003 }},
	} {
		if !bytes.Equal(c.got, c.want) {
			t.Errorf("%s: wrote % x, want % x", c.name, c.got, c.want)
		}
		r := msgs.NewReader(c.want)
		if !c.read(&r) || r.Finish(c.name) != nil {
			t.Errorf("%s: read something else", c.name)
		}
	}
}

func TestReaderFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		src  []byte
		read func(*msgs.Reader)
		want string
	}{
		{"cut off", []byte{1, 2, 3}, func(r *msgs.Reader) { r.Uint8(); r.Uint32() },
			"m: cut off: 4 bytes needed at byte 1, 2 left"},
		{"first fault wins", []byte{1}, func(r *msgs.Reader) { r.Uint64(); r.Uint32() },
			"m: cut off: 8 bytes needed at byte 0, 1 left"},
		{"surplus", []byte{1, 2, 3}, func(r *msgs.Reader) { r.Uint8() },
			"m: 2 surplus bytes after byte 1"},
		{"huge count", []byte{0xff, 0xff, 0xff, 0xff, 0}, func(r *msgs.Reader) { r.Count(8) },
			"m: count 4294967295 at byte 0 needs at least 34359738360 bytes, 1 left"},
		{"long string", []byte{2, 0, 0, 0, 'a'}, func(r *msgs.Reader) { _ = r.String() },
			"m: count 2 at byte 0 needs at least 2 bytes, 1 left"},
	} {
		r := msgs.NewReader(c.src)
		c.read(&r)
		if err := r.Finish("m"); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestReaderReturnsZeroAfterFault(t *testing.T) {
	r := msgs.NewReader([]byte{9, 9})
	r.Uint32()
	if r.Uint8() != 0 || r.Count(1) != 0 || r.String() != "" || r.Bool() {
		t.Error("a value was read after a fault")
	}
}
