package catalog_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/internal/msgtest"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/std_srvs"
)

// TestGoldenBytes checks messages whose bytes were laid out by hand.
func TestGoldenBytes(t *testing.T) {
	for _, c := range []struct {
		name string
		m    msgs.Message
		want string
	}{
		{"one byte for an empty message", &std_srvs.TriggerRequest{}, "00010000 00"},
		{"string with NUL", &std_msgs.String{Data: "hi"}, "00010000 03000000 686900"},
		{"stamp before 1970, number at a multiple of eight",
			&geometry_msgs.PointStamped{
				Header: std_msgs.Header{Seq: 9, Stamp: -1, FrameID: "tip"},
				Point:  geometry_msgs.Point{X: 1, Y: -2, Z: 0.5},
			},
			"00010000 ffffffff ffc99a3b 04000000 74697000" + // 16 bytes of body: no padding
				"000000000000f03f 00000000000000c0 000000000000e03f"},
		{"padding before numbers, none for empty sequences",
			&sensor_msgs.JointState{Name: []string{"a"}, Velocity: []float64{1}},
			"00010000 00000000 00000000 01000000 00" + "000000" + "01000000 02000000 6100" + "0000" +
				"00000000 01000000" + "00000000" + "000000000000f03f 00000000"},
	} {
		want, err := hex.DecodeString(strings.ReplaceAll(c.want, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.m.AppendCDR(nil); !bytes.Equal(got, want) {
			t.Errorf("%s:\ngot  % x\nwant % x", c.name, got, want)
		}
	}
}

// TestBothByteOrders compares the generated code with an encoder by reflection.
func TestBothByteOrders(t *testing.T) {
	cdr.each(t, func(t *testing.T, m msgs.Message) {
		if got, want := m.AppendCDR(nil), reflectCDR(m, binary.LittleEndian); !bytes.Equal(got, want) {
			t.Fatalf("got  % x\nwant % x", got, want)
		}
		got := m.Type().New()
		if err := got.ParseCDR(reflectCDR(m, binary.BigEndian)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("parsed\n%+v\nwant\n%+v", got, m)
		}
	})
}

// byteOrder is encoding/binary's two orders.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// reflectCDR encodes m in either byte order from the Go struct alone.
func reflectCDR(m msgs.Message, order byteOrder) []byte {
	e := encoder{order: order}
	e.value(reflect.ValueOf(m).Elem())
	header := []byte{0, 0, 0, 0}
	if order == binary.LittleEndian {
		header[1] = 1
	}
	return append(header, e.body...)
}

type encoder struct {
	order byteOrder
	body  []byte
}

func (e *encoder) value(v reflect.Value) {
	switch x := v.Interface().(type) {
	case msgs.Time:
		e.time(int64(x))
		return
	case msgs.Duration:
		e.time(int64(x))
		return
	case string:
		e.unsigned(uint64(len(x)+1), 4)
		e.body = append(append(e.body, x...), 0)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.NumField() == 0 {
			e.body = append(e.body, 0)
		}
		for i := range v.NumField() {
			if msgtest.OnlyIn(v.Type().Field(i)) != "1" {
				e.value(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			e.unsigned(uint64(v.Len()), 4)
		}
		for i := range v.Len() {
			e.value(v.Index(i))
		}
	case reflect.Bool:
		e.unsigned(map[bool]uint64{true: 1}[v.Bool()], 1)
	case reflect.Float32:
		e.unsigned(uint64(math.Float32bits(float32(v.Float()))), 4)
	case reflect.Float64:
		e.unsigned(math.Float64bits(v.Float()), 8)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.unsigned(uint64(v.Int()), int(v.Type().Size()))
	default:
		e.unsigned(v.Uint(), int(v.Type().Size()))
	}
}

func (e *encoder) time(nanoseconds int64) {
	t := time.Unix(0, nanoseconds)
	e.unsigned(uint64(t.Unix()), 4)
	e.unsigned(uint64(t.Nanosecond()), 4)
}

func (e *encoder) unsigned(v uint64, size int) {
	for len(e.body)%size != 0 {
		e.body = append(e.body, 0)
	}
	switch size {
	case 1:
		e.body = append(e.body, byte(v))
	case 2:
		e.body = e.order.AppendUint16(e.body, uint16(v))
	case 4:
		e.body = e.order.AppendUint32(e.body, uint32(v))
	case 8:
		e.body = e.order.AppendUint64(e.body, v)
	}
}
