package catalog_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/catalog"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/visualization_msgs"
)

func TestRoundTrip(t *testing.T) {
	eachForm(t, func(t *testing.T, f form, m msgs.Message) {
		src := f.append(m, nil)
		got := m.Type().New()
		if err := f.parse(got, src); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("parsed\n%+v\nwant\n%+v", got, m)
		}
		// A message that holds something else is overwritten, not added to.
		f.fill(got, rand.New(rand.NewPCG(7, 7)))
		if err := f.parse(got, src); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("parsed into a used message\n%+v\nwant\n%+v", got, m)
		}
	})
}

// TestAppendKeepsPrefix appends to an odd number of bytes: CDR must not align to
// what stands before it.
func TestAppendKeepsPrefix(t *testing.T) {
	eachForm(t, func(t *testing.T, f form, m msgs.Message) {
		const prefix = "prefix!"
		got := f.append(m, []byte(prefix)[:len(prefix):len(prefix)])
		if want := append([]byte(prefix), f.append(m, nil)...); !bytes.Equal(got, want) {
			t.Errorf("got  % x\nwant % x", got, want)
		}
	})
}

func TestTruncated(t *testing.T) {
	eachForm(t, func(t *testing.T, f form, m msgs.Message) {
		src := f.append(m, nil)
		for n := range len(src) {
			checkFault(t, f, m.Type(), src[:n])
		}
	})
}

// TestSurplus appends up to eight bytes. DDS pads values to a multiple of four
// bytes, so CDR must accept just that.
func TestSurplus(t *testing.T) {
	eachForm(t, func(t *testing.T, f form, m msgs.Message) {
		src := f.append(m, nil)
		for n := 1; n <= 8; n++ {
			padded := append(bytes.Clone(src), make([]byte, n)...)
			if f.name == "CDR" && n <= 3 && len(padded)%4 == 0 {
				if err := f.parse(m.Type().New(), padded); err != nil {
					t.Errorf("with %d bytes of padding: %v", n, err)
				}
				continue
			}
			checkFault(t, f, m.Type(), padded)
		}
	})
}

func checkFault(t *testing.T, f form, typ *msgs.Type, src []byte) {
	t.Helper()
	err := f.parse(typ.New(), src)
	if err == nil {
		t.Fatalf("no error from %d bytes % x", len(src), src)
	}
	if !strings.HasPrefix(err.Error(), f.errorName(typ)+": ") {
		t.Errorf("the error does not name the type: %v", err)
	}
}

// TestHugeCounts overwrites each four bytes of a message in turn with a huge
// count. What that hits may be a number, but parsing must stay cheap.
func TestHugeCounts(t *testing.T) {
	eachForm(t, func(t *testing.T, f form, m msgs.Message) {
		src := f.append(m, nil)
		for i := 0; i+4 <= len(src); i++ {
			left := uint32(len(src) - i - 4) // holds as many elements of one byte
			for _, count := range []uint32{1, left, left + 1, 1 << 16, math.MaxInt32, math.MaxUint32} {
				bad := bytes.Clone(src)
				copy(bad[i:], msgs.AppendUint32(nil, count))
				checkSize(t, f, m.Type(), bad)
			}
		}
	})
}

// maxGrowth bounds the memory of a parsed message per byte that it was parsed
// from. The worst are strings: 4 bytes for an empty one, which takes 16.
const maxGrowth = 8

// checkSize parses src and checks the size of what comes out, error or not.
func checkSize(t *testing.T, f form, typ *msgs.Type, src []byte) {
	t.Helper()
	m := typ.New()
	err := f.parse(m, src)
	limit := int(reflect.TypeOf(m).Elem().Size()) + maxGrowth*len(src)
	if got := memory(reflect.ValueOf(m).Elem()); got > limit {
		t.Errorf("%d bytes became %d bytes of memory, limit %d (error %v)", len(src), got, limit, err)
	}
}

// memory is the number of bytes that v occupies and refers to.
func memory(v reflect.Value) int {
	return int(v.Type().Size()) + referred(v)
}

func referred(v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.String:
		n = v.Len()
	case reflect.Struct:
		for i := range v.NumField() {
			n += referred(v.Field(i))
		}
	case reflect.Slice:
		n = v.Len() * int(v.Type().Elem().Size())
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			n += referred(v.Index(i))
		}
	}
	return n
}

func TestParseKeepsNoReference(t *testing.T) {
	eachForm(t, func(t *testing.T, f form, m msgs.Message) {
		src := f.append(m, nil)
		got := m.Type().New()
		if err := f.parse(got, src); err != nil {
			t.Fatal(err)
		}
		for i := range src {
			src[i] ^= 0xff
		}
		if !reflect.DeepEqual(got, m) {
			t.Error("the message changed with the bytes it was parsed from")
		}
	})
}

func TestAppendDoesNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, f := range forms {
		for _, typ := range f.types() {
			m := f.random(typ, rng)
			buf := f.append(m, nil)
			if n := testing.AllocsPerRun(10, func() { buf = f.append(m, buf[:0]) }); n != 0 {
				t.Errorf("%s, %s: %v allocations", f.name, typ.Name, n)
			}
		}
	}
}

// TestOtherVersionsFields proves that the marks in the field lists have an effect.
func TestOtherVersionsFields(t *testing.T) {
	var plain, full visualization_msgs.Marker
	full.TextureResource = "x"
	full.Texture.Format = "png"
	full.UvCoordinates = make([]visualization_msgs.UVCoordinate, 3)
	full.MeshFile.Filename = "y"
	if !bytes.Equal(plain.AppendROS1(nil), full.AppendROS1(nil)) {
		t.Error("a ROS 2 field is in the ROS 1 form")
	}
	full = plain
	full.Header.Seq = 7
	if !bytes.Equal(plain.AppendCDR(nil), full.AppendCDR(nil)) {
		t.Error("a ROS 1 field is in the ROS 2 form")
	}
}

// TestAbsentForms checks the messages that only one ROS version has.
func TestAbsentForms(t *testing.T) {
	absent := map[string]error{"ROS1": msgs.ErrNotInROS1, "CDR": msgs.ErrNotInROS2}
	seen := map[string]bool{}
	for _, f := range forms {
		for _, typ := range catalog.Types() {
			if f.has(typ) {
				continue
			}
			seen[f.name] = true
			m := typ.New()
			if got := f.append(m, []byte("x")); string(got) != "x" {
				t.Errorf("%s appended % x in the form %s", typ.Name, got, f.name)
			}
			if err := f.parse(m, nil); !errors.Is(err, absent[f.name]) || !strings.HasPrefix(err.Error(), typ.Name+": ") {
				t.Errorf("%s in the form %s: %v", typ.Name, f.name, err)
			}
		}
	}
	if len(seen) != len(forms) {
		t.Errorf("only %v have absent messages", seen)
	}
}

func FuzzParseROS1(f *testing.F) { fuzzParse(f, ros1) }

func FuzzParseCDR(f *testing.F) { fuzzParse(f, cdr) }

func fuzzParse(f *testing.F, form form) {
	types := form.types()
	rng := rand.New(rand.NewPCG(4, 4))
	for i, typ := range types {
		f.Add(uint8(i), form.append(form.random(typ, rng), nil))
	}
	f.Fuzz(func(t *testing.T, i uint8, src []byte) {
		typ := types[int(i)%len(types)]
		checkSize(t, form, typ, src)
		m := typ.New()
		if form.parse(m, src) != nil {
			return
		}
		// What parses must come back from its own serialisation, though not every
		// input is one: a bool may be 2, nanoseconds may exceed a second.
		again := form.append(m, nil)
		back := typ.New()
		if err := form.parse(back, again); err != nil {
			t.Fatalf("%s: own serialisation: %v", typ.Name, err)
		}
		if third := form.append(back, nil); !bytes.Equal(again, third) {
			t.Fatalf("%s: % x became % x", typ.Name, again, third)
		}
	})
}

// samples are a pose, as at the control rate, and markers, the largest messages.
func samples() map[string]msgs.Message {
	list := map[string]msgs.Message{"PoseStamped": &geometry_msgs.PoseStamped{Header: std_msgs.Header{FrameID: "world"}}}
	for _, points := range []int{101, 4320} {
		list[fmt.Sprintf("Marker/points=%d", points)] = &visualization_msgs.Marker{Points: make([]geometry_msgs.Point, points)}
	}
	return list
}

func BenchmarkAppend(b *testing.B) {
	for _, f := range forms {
		for name, m := range samples() {
			b.Run(f.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				var buf []byte
				for b.Loop() {
					buf = f.append(m, buf[:0])
				}
				b.SetBytes(int64(len(buf)))
			})
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, f := range forms {
		for name, m := range samples() {
			b.Run(f.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				src := f.append(m, nil)
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					if err := f.parse(m, src); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
