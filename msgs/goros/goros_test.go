package goros_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/bluenviron/goroslib/v2/pkg/msgproc"
	"github.com/bluenviron/goroslib/v2/pkg/protocommon"
	"github.com/bluenviron/goroslib/v2/pkg/serviceproc"

	"sinew/msgs"
	"sinew/msgs/catalog"
	"sinew/msgs/goros"
	"sinew/msgs/internal/msgtest"
	"sinew/msgs/rmw_dds_common"
	"sinew/msgs/std_msgs"
	"sinew/msgs/visualization_msgs"
)

// fillings is how many random messages of each type a test makes.
const fillings = 20

// types lists the types that ROS 1 has.
func types() []*msgs.Type {
	return slices.DeleteFunc(catalog.Types(), func(t *msgs.Type) bool { return t.MD5 == "" })
}

// eachMessage calls test with random messages of every type that ROS 1 has.
func eachMessage(t *testing.T, test func(t *testing.T, m msgs.Message)) {
	for i, typ := range types() {
		t.Run(typ.Name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(i), 2))
			for range fillings {
				m := typ.New()
				msgtest.FillROS1(m, rng)
				test(t, m)
			}
		})
	}
}

// encode returns goroslib's serialisation without the length before it.
func encode(t *testing.T, g any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := protocommon.MessageEncode(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()[4:]
}

// TestReflection compares what goroslib derives from our structs with what the
// generator computed from the field lists; package catalog pins the latter.
func TestReflection(t *testing.T) {
	for _, typ := range types() {
		g := reflect.ValueOf(goros.Prototype(typ)).Elem().Interface()
		if name, err := msgproc.Type(g); name != typ.Name || err != nil {
			t.Errorf("%s: goroslib calls it %s (error %v)", typ.Name, name, err)
		}
		if md5, err := msgproc.MD5(g); md5 != typ.MD5 || err != nil {
			t.Errorf("%s: goroslib's checksum is %s, want %s (error %v)", typ.Name, md5, typ.MD5, err)
		}
		if _, err := msgproc.Definition(g); err != nil {
			t.Errorf("%s: %v", typ.Name, err)
		}
	}
}

func TestServiceReflection(t *testing.T) {
	for _, s := range catalog.Services() {
		g := reflect.ValueOf(goros.Service(s)).Elem().Interface()
		if name, err := serviceproc.Type(g); name != s.Name || err != nil {
			t.Errorf("%s: goroslib calls it %s (error %v)", s.Name, name, err)
		}
		if md5, err := serviceproc.MD5(g); md5 != s.MD5 || err != nil {
			t.Errorf("%s: goroslib's checksum is %s, want %s (error %v)", s.Name, md5, s.MD5, err)
		}
		request, response, err := serviceproc.RequestResponse(g)
		if err != nil {
			t.Fatal(err)
		}
		for typ, half := range map[*msgs.Type]any{s.Request: request, s.Response: response} {
			if want := reflect.TypeOf(goros.Prototype(typ)).Elem(); reflect.TypeOf(half) != want {
				t.Errorf("%s has a %T, want %s", s.Name, half, want)
			}
		}
	}
}

// TestBytes takes goroslib's encoder as the judge of ours.
func TestBytes(t *testing.T) {
	eachMessage(t, func(t *testing.T, m msgs.Message) {
		if got, want := m.AppendROS1(nil), encode(t, goros.From(m)); !bytes.Equal(got, want) {
			t.Errorf("got  % x\nwant % x", got, want)
		}
	})
}

// TestDecoded converts what goroslib decodes from our bytes.
func TestDecoded(t *testing.T) {
	eachMessage(t, func(t *testing.T, m msgs.Message) {
		src := m.AppendROS1(nil)
		framed := append(msgs.AppendCount(nil, len(src)), src...)
		g := goros.Prototype(m.Type())
		if err := protocommon.MessageDecode(bytes.NewReader(framed), g); err != nil {
			t.Fatal(err)
		}
		if got := goros.To(g); !reflect.DeepEqual(got, m) {
			t.Errorf("got  %+v\nwant %+v", got, m)
		}
	})
}

func TestFromIsDeepCopy(t *testing.T) {
	eachMessage(t, func(t *testing.T, m msgs.Message) {
		g := goros.From(m)
		if reflect.TypeOf(g) != reflect.TypeOf(goros.Prototype(m.Type())) {
			t.Fatalf("From made a %T", g)
		}
		before := encode(t, g)
		msgtest.Scribble(m)
		if !bytes.Equal(encode(t, g), before) {
			t.Error("the goroslib struct changed with its source")
		}
	})
}

func TestToIsDeepCopy(t *testing.T) {
	eachMessage(t, func(t *testing.T, m msgs.Message) {
		g := goros.From(m)
		before := encode(t, g)
		copied := goros.To(g)
		if !reflect.DeepEqual(copied, m) {
			t.Fatalf("To(From(m)) = %+v, want %+v", copied, m)
		}
		msgtest.Scribble(copied)
		if !bytes.Equal(encode(t, g), before) {
			t.Error("the goroslib struct changed with its copy")
		}
	})
}

func TestTimesBeyondROS1(t *testing.T) {
	for _, stamp := range []msgs.Time{-5, 0, 1, 1 << 31 * 1e9, 1 << 62} {
		m := &std_msgs.Header{Stamp: stamp}
		if got, want := encode(t, goros.From(m)), m.AppendROS1(nil); !bytes.Equal(got, want) {
			t.Errorf("stamp %d: got % x, want % x", stamp, got, want)
		}
	}
	m := &visualization_msgs.Marker{Lifetime: 1 << 62}
	if got, want := encode(t, goros.From(m)), m.AppendROS1(nil); !bytes.Equal(got, want) {
		t.Errorf("long lifetime: got % x, want % x", got, want)
	}
}

// TestNegativeDuration pins what the documentation of From says.
func TestNegativeDuration(t *testing.T) {
	const lifetime = -1500 * msgs.Duration(time.Millisecond)
	g := goros.From(&visualization_msgs.Marker{Lifetime: lifetime})
	back := visualization_msgs.Marker{}
	if err := back.ParseROS1(encode(t, g)); err != nil {
		t.Fatal(err)
	}
	if back.Lifetime != lifetime {
		t.Errorf("lifetime %d became %d", lifetime, back.Lifetime)
	}
}

type foreign struct{ msgs.Message }

func TestUnknownIsNil(t *testing.T) {
	if goros.Prototype(&msgs.Type{}) != nil || goros.Prototype(rmw_dds_common.GidType) != nil || goros.Service(&msgs.Service{}) != nil ||
		goros.From(foreign{}) != nil || goros.To(&struct{}{}) != nil {
		t.Error("something was made of an unknown type")
	}
}
