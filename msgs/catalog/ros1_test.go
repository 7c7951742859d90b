package catalog_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/catalog"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/internal/msgtest"
	"sinew/msgs/visualization_msgs"
)

// fillings is how many random messages of each type a test makes.
const fillings = 20

// eachMessage calls test with random messages of every type.
func eachMessage(t *testing.T, test func(t *testing.T, m msgs.Message)) {
	for i, typ := range catalog.Types() {
		t.Run(typ.Name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			for range fillings {
				m := typ.New()
				msgtest.Fill(m, rng)
				test(t, m)
			}
		})
	}
}

func TestRoundTrip(t *testing.T) {
	eachMessage(t, func(t *testing.T, m msgs.Message) {
		src := m.AppendROS1(nil)
		got := m.Type().New()
		if err := got.ParseROS1(src); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("parsed\n%+v\nwant\n%+v", got, m)
		}
		// A message that holds something else is overwritten, not added to.
		msgtest.Fill(got, rand.New(rand.NewPCG(7, 7)))
		if err := got.ParseROS1(src); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("parsed into a used message\n%+v\nwant\n%+v", got, m)
		}
	})
}

func TestAppendKeepsPrefix(t *testing.T) {
	eachMessage(t, func(t *testing.T, m msgs.Message) {
		prefix := []byte("prefix")
		if got := m.AppendROS1(prefix[:6:6]); !bytes.Equal(got, append(prefix, m.AppendROS1(nil)...)) {
			t.Error("AppendROS1 does not append")
		}
	})
}

func TestTruncatedAndSurplus(t *testing.T) {
	eachMessage(t, func(t *testing.T, m msgs.Message) {
		src := m.AppendROS1(nil)
		for n := range len(src) {
			checkFault(t, m.Type(), src[:n])
		}
		checkFault(t, m.Type(), append(src, 0))
	})
}

func checkFault(t *testing.T, typ *msgs.Type, src []byte) {
	t.Helper()
	err := typ.New().ParseROS1(src)
	if err == nil {
		t.Fatalf("no error from %d bytes % x", len(src), src)
	}
	if !strings.HasPrefix(err.Error(), typ.Name+": ") {
		t.Errorf("the error does not name the type: %v", err)
	}
}

// TestHugeCounts overwrites each four bytes of a message in turn with a huge
// count. What that hits may be a number, but parsing must stay cheap.
func TestHugeCounts(t *testing.T) {
	eachMessage(t, func(t *testing.T, m msgs.Message) {
		src := m.AppendROS1(nil)
		for i := 0; i+4 <= len(src); i++ {
			left := uint32(len(src) - i - 4) // holds as many elements of one byte
			for _, count := range []uint32{1, left, left + 1, 1 << 16, math.MaxInt32, math.MaxUint32} {
				bad := bytes.Clone(src)
				copy(bad[i:], msgs.AppendUint32(nil, count))
				checkSize(t, m.Type(), bad)
			}
		}
	})
}

// maxGrowth bounds the memory of a parsed message per byte that it was parsed
// from. The worst are strings: 4 bytes for an empty one, which takes 16.
const maxGrowth = 8

// checkSize parses src and checks the size of what comes out, error or not.
func checkSize(t *testing.T, typ *msgs.Type, src []byte) {
	t.Helper()
	m := typ.New()
	err := m.ParseROS1(src)
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
	eachMessage(t, func(t *testing.T, m msgs.Message) {
		src := m.AppendROS1(nil)
		got := m.Type().New()
		if err := got.ParseROS1(src); err != nil {
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
	for _, typ := range catalog.Types() {
		m := typ.New()
		msgtest.Fill(m, rng)
		buf := m.AppendROS1(nil)
		if n := testing.AllocsPerRun(10, func() { buf = m.AppendROS1(buf[:0]) }); n != 0 {
			t.Errorf("%s: %v allocations", typ.Name, n)
		}
	}
}

// TestROS1LeavesOutROS2Fields proves that the marks have an effect.
func TestROS1LeavesOutROS2Fields(t *testing.T) {
	var plain, full visualization_msgs.Marker
	full.TextureResource = "x"
	full.Texture.Format = "png"
	full.UvCoordinates = make([]visualization_msgs.UVCoordinate, 3)
	full.MeshFile.Filename = "y"
	if !bytes.Equal(plain.AppendROS1(nil), full.AppendROS1(nil)) {
		t.Error("a ROS 2 field is in the ROS 1 form")
	}
}

func FuzzParse(f *testing.F) {
	types := catalog.Types()
	rng := rand.New(rand.NewPCG(4, 4))
	for i, typ := range types {
		m := typ.New()
		msgtest.Fill(m, rng)
		f.Add(uint8(i), m.AppendROS1(nil))
	}
	f.Fuzz(func(t *testing.T, i uint8, src []byte) {
		typ := types[int(i)%len(types)]
		checkSize(t, typ, src)
		m := typ.New()
		if m.ParseROS1(src) != nil {
			return
		}
		// What parses must come back from its own serialisation, though not every
		// input is one: a bool may be 2, nanoseconds may exceed a second.
		again := m.AppendROS1(nil)
		back := typ.New()
		if err := back.ParseROS1(again); err != nil {
			t.Fatalf("%s: own serialisation: %v", typ.Name, err)
		}
		if third := back.AppendROS1(nil); !bytes.Equal(again, third) {
			t.Fatalf("%s: % x became % x", typ.Name, again, third)
		}
	})
}

func BenchmarkAppendROS1(b *testing.B) {
	for _, points := range []int{101, 4320} {
		b.Run(fmt.Sprintf("Marker/points=%d", points), func(b *testing.B) {
			var m visualization_msgs.Marker
			m.Points = make([]geometry_msgs.Point, points)
			var buf []byte
			for b.Loop() {
				buf = m.AppendROS1(buf[:0])
			}
		})
	}
}
