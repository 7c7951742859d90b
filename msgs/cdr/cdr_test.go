package cdr_test

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"sinew/msgs/cdr"
)

// TestPrimitives writes and reads every primitive after one byte, so that its
// alignment shows; the bytes were written by hand.
func TestPrimitives(t *testing.T) {
	for _, c := range []struct {
		name        string
		write       func(*cdr.Writer)
		little, big string // body after the first byte
		read        func(*cdr.Reader) bool
	}{
		{"bool", func(w *cdr.Writer) { w.Bool(true); w.Bool(false) }, "01 00", "01 00",
			func(r *cdr.Reader) bool { return r.Bool() && !r.Bool() }},
		{"uint8", func(w *cdr.Writer) { w.Uint8(0xfe) }, "fe", "fe", func(r *cdr.Reader) bool { return r.Uint8() == 0xfe }},
		{"int8", func(w *cdr.Writer) { w.Int8(-2) }, "fe", "fe", func(r *cdr.Reader) bool { return r.Int8() == -2 }},
		{"uint16", func(w *cdr.Writer) { w.Uint16(0x0102) }, "00 0201", "00 0102",
			func(r *cdr.Reader) bool { return r.Uint16() == 0x0102 }},
		{"int16", func(w *cdr.Writer) { w.Int16(-2) }, "00 feff", "00 fffe", func(r *cdr.Reader) bool { return r.Int16() == -2 }},
		{"uint32", func(w *cdr.Writer) { w.Uint32(0x01020304) }, "000000 04030201", "000000 01020304",
			func(r *cdr.Reader) bool { return r.Uint32() == 0x01020304 }},
		{"int32", func(w *cdr.Writer) { w.Int32(-2) }, "000000 feffffff", "000000 fffffffe",
			func(r *cdr.Reader) bool { return r.Int32() == -2 }},
		{"uint64", func(w *cdr.Writer) { w.Uint64(0x0102030405060708) },
			"00000000000000 0807060504030201", "00000000000000 0102030405060708",
			func(r *cdr.Reader) bool { return r.Uint64() == 0x0102030405060708 }},
		{"int64", func(w *cdr.Writer) { w.Int64(-2) },
			"00000000000000 feffffffffffffff", "00000000000000 fffffffffffffffe",
			func(r *cdr.Reader) bool { return r.Int64() == -2 }},
		{"float32", func(w *cdr.Writer) { w.Float32(-2) }, "000000 000000c0", "000000 c0000000",
			func(r *cdr.Reader) bool { return r.Float32() == -2 }},
		{"float64", func(w *cdr.Writer) { w.Float64(math.Inf(1)) },
			"00000000000000 000000000000f07f", "00000000000000 7ff0000000000000",
			func(r *cdr.Reader) bool { return math.IsInf(r.Float64(), 1) }},
		{"numbers", func(w *cdr.Writer) { w.Float64s([]float64{1, -2}) },
			"00000000000000 000000000000f03f 00000000000000c0", "00000000000000 3ff0000000000000 c000000000000000",
			func(r *cdr.Reader) bool { v := make([]float64, 2); r.Float64s(v); return v[0] == 1 && v[1] == -2 }},
		{"single numbers", func(w *cdr.Writer) { w.Float32s([]float32{1, -2}) },
			"000000 0000803f 000000c0", "000000 3f800000 c0000000",
			func(r *cdr.Reader) bool { v := make([]float32, 2); r.Float32s(v); return v[0] == 1 && v[1] == -2 }},
		{"no single numbers", func(w *cdr.Writer) { w.Float32s(nil) }, "", "", func(r *cdr.Reader) bool { r.Float32s(nil); return true }},
		{"no numbers", func(w *cdr.Writer) { w.Float64s(nil) }, "", "", func(r *cdr.Reader) bool { r.Float64s(nil); return true }},
		{"bytes", func(w *cdr.Writer) { w.Uint8s([]byte("ab")) }, "6162", "6162",
			func(r *cdr.Reader) bool { v := make([]byte, 2); r.Uint8s(v); return string(v) == "ab" }},
		{"string", func(w *cdr.Writer) { w.String("ü") }, "000000 03000000 c3bc00", "000000 00000003 c3bc00",
			func(r *cdr.Reader) bool { return r.String() == "ü" }},
		{"empty string", func(w *cdr.Writer) { w.String("") }, "000000 01000000 00", "000000 00000001 00",
			func(r *cdr.Reader) bool { return r.String() == "" }},
		{"time", func(w *cdr.Writer) { w.Time(-1, 5) }, "000000 ffffffff 05000000", "000000 ffffffff 00000005",
			func(r *cdr.Reader) bool { sec, nanosec := r.Time(); return sec == -1 && nanosec == 5 }},
	} {
		little, big := unhex(t, "00010000 07"+c.little), unhex(t, "00000000 07"+c.big)
		w := cdr.NewWriter(nil)
		w.Uint8(7)
		c.write(&w)
		if !bytes.Equal(w.Bytes(), little) {
			t.Errorf("%s: wrote % x, want % x", c.name, w.Bytes(), little)
		}
		for _, src := range [][]byte{little, big} {
			r := cdr.NewReader(src)
			if r.Uint8() != 7 || !c.read(&r) || r.Finish(c.name) != nil {
				t.Errorf("%s: read something else from % x: %v", c.name, src, r.Err())
			}
		}
	}
}

// TestWriterAppends: the header and what stands before it have no part in the
// alignment, so that eight-byte values are off by four in the slice.
func TestWriterAppends(t *testing.T) {
	w := cdr.NewWriter([]byte("abc"))
	w.Float64(1)
	if want := append([]byte("abc"), unhex(t, "00010000 000000000000f03f")...); !bytes.Equal(w.Bytes(), want) {
		t.Errorf("got % x, want % x", w.Bytes(), want)
	}
}

func TestReaderFaults(t *testing.T) {
	for _, c := range []struct {
		name, src string
		read      func(*cdr.Reader)
		want      string
	}{
		{"no header", "0001", func(r *cdr.Reader) { r.Uint8() }, "m: cut off: 4 bytes needed at byte 0, 2 left"},
		{"parameter list", "00030000 00", func(r *cdr.Reader) { r.Uint8() },
			"m: encapsulation 0x0003, want plain CDR (0x0000 or 0x0001)"},
		{"XCDR2", "00070000 00", func(r *cdr.Reader) { r.Uint8() },
			"m: encapsulation 0x0007, want plain CDR (0x0000 or 0x0001)"},
		{"cut off", "00010000 010203", func(r *cdr.Reader) { r.Uint8(); r.Uint16() },
			"m: cut off: 2 bytes needed at byte 6, 1 left"},
		{"cut off in padding", "00010000 0102", func(r *cdr.Reader) { r.Uint8(); r.Uint64() },
			"m: cut off: 8 bytes needed at byte 12, 0 left"},
		{"first fault wins", "00010000 01", func(r *cdr.Reader) { r.Uint64(); r.Uint32() },
			"m: cut off: 8 bytes needed at byte 4, 1 left"},
		{"surplus", "00010000 0102030405", func(r *cdr.Reader) { r.Uint32() }, "m: 1 surplus bytes after byte 8"},
		{"four surplus", "00010000 0102030405060708", func(r *cdr.Reader) { r.Uint32() }, "m: 4 surplus bytes after byte 8"},
		{"huge count", "00010000 ffffffff 00", func(r *cdr.Reader) { r.Count(8) },
			"m: count 4294967295 at byte 4 needs at least 34359738360 bytes, 1 left"},
		{"long string", "00010000 03000000 6100", func(r *cdr.Reader) { _ = r.String() },
			"m: count 3 at byte 4 needs at least 3 bytes, 2 left"},
		{"no NUL", "00010000 02000000 6162", func(r *cdr.Reader) { _ = r.String() },
			"m: the string that ends before byte 10 has no NUL"},
		{"bound", "00010000 03000000 616200", func(r *cdr.Reader) { _ = r.BoundedString(1) },
			"m: the string that ends before byte 11 has 2 bytes, at most 1 allowed"},
		{"sequence bound", "00010000 02000000 0102", func(r *cdr.Reader) { r.BoundedCount(1, 1) },
			"m: count 2 at byte 4 is above the bound 1"},
		{"numbers", "00010000 0000000000000000", func(r *cdr.Reader) { r.Float64s(make([]float64, 2)) },
			"m: cut off: 16 bytes needed at byte 4, 8 left"},
	} {
		r := cdr.NewReader(unhex(t, c.src))
		c.read(&r)
		if err := r.Finish("m"); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// TestAccepted: what other implementations write and we do not.
func TestAccepted(t *testing.T) {
	for _, c := range []struct {
		name, src string
		read      func(*cdr.Reader) bool
	}{
		{"padding to four bytes", "00010003 07 000000", func(r *cdr.Reader) bool { return r.Uint8() == 7 }},
		{"string of length 0", "00010000 00000000", func(r *cdr.Reader) bool { return r.String() == "" }},
		{"true is 2", "00010000 02", func(r *cdr.Reader) bool { return r.Bool() }},
		{"text that is not UTF-8", "00010000 02000000 fc00", func(r *cdr.Reader) bool { return r.String() == "\xfc" }},
		{"sequence bound reached", "00010000 01000000 07", func(r *cdr.Reader) bool { return r.BoundedCount(1, 1) == 1 && r.Uint8() == 7 }},
		{"bound reached", "00010000 02000000 6100", func(r *cdr.Reader) bool { return r.BoundedString(1) == "a" }},
	} {
		r := cdr.NewReader(unhex(t, c.src))
		if ok := c.read(&r); !ok || r.Finish("m") != nil {
			t.Errorf("%s: %v", c.name, r.Err())
		}
	}
}

func TestReaderReturnsZeroAfterFault(t *testing.T) {
	r := cdr.NewReader(unhex(t, "00010000 0909"))
	r.Uint32()
	numbers, raw := []float64{3}, []byte{3}
	r.Float64s(numbers)
	r.Uint8s(raw)
	sec, nanosec := r.Time()
	if r.Err() == nil || r.Uint8() != 0 || r.Uint16() != 0 || r.Count(1) != 0 || r.String() != "" || r.Bool() ||
		r.Float64() != 0 || sec != 0 || nanosec != 0 || numbers[0] != 3 || raw[0] != 3 {
		t.Error("a value was read after a fault")
	}
}

func TestWriterDoesNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 64)
	n := testing.AllocsPerRun(100, func() {
		w := cdr.NewWriter(buf)
		w.Uint8(1)
		w.String("tip")
		w.Float64(2)
		w.Float64s([]float64{1, 2})
		w.Float32s([]float32{1, 2})
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzReader reads src by a program: each byte of it picks the next method.
func FuzzReader(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x00\x02\x00\x00\x00a\x00"), []byte{5, 0, 3})
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x02a\x00"), []byte{6, 7, 8, 4})
	f.Fuzz(func(t *testing.T, src, program []byte) {
		r := cdr.NewReader(src)
		for _, method := range program {
			read(t, &r, method, len(src))
		}
		if r.Err() != nil && !strings.HasSuffix(r.Finish("m").Error(), r.Err().Error()) {
			t.Errorf("Finish hides %v", r.Err())
		}
	})
}

func read(t *testing.T, r *cdr.Reader, method byte, size int) {
	switch method % 10 {
	case 0:
		r.Uint8()
	case 1:
		r.Uint16()
	case 2:
		r.Uint32()
	case 3:
		r.Uint64()
	case 4:
		r.Time()
	case 5:
		if n := len(r.String()); n > size {
			t.Fatalf("a string of %d bytes from %d", n, size)
		}
	case 6:
		if n := r.Count(8); 8*n > size {
			t.Fatalf("%d elements of 8 bytes from %d", n, size)
		}
	case 7:
		r.Float64s(make([]float64, method/16))
	case 8:
		r.Uint8s(make([]byte, method/16))
	case 9:
		r.Float32s(make([]float32, method/16))
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
