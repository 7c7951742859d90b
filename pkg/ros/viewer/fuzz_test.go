package viewer

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"sinew/pkg/ros/parameter"
)

// FuzzBinary: what is read is what was written, and nothing else is taken.
func FuzzBinary(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{opMessage, 1, 0, 0, 0, 0, 1, 0, 0})
	f.Add(appendCall(1, 2, "cdr", 0, 1, 0, 0))
	f.Add([]byte{opCall, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseBinary(b)
		if err != nil {
			return
		}
		again := b
		switch m := m.(type) {
		case published:
			again = append([]byte{opMessage, byte(m.channel), byte(m.channel >> 8), byte(m.channel >> 16), byte(m.channel >> 24)}, m.data...)
		case call:
			again = appendCall(m.service, m.id, m.encoding, m.data...)
		}
		if !bytes.Equal(again, b) {
			t.Errorf("% x read as %+v", b, m)
		}
	})
}

// FuzzRequest: every request is refused, or one that can be done; values of parameters that are
// taken are what they are when written again.
func FuzzRequest(f *testing.F) {
	for _, s := range []string{
		`{"op":"subscribe","subscriptions":[{"id":0,"channelId":3}]}`, `{"op":"advertise","channels":[{"id":1,"topic":"a","encoding":"cdr","schemaName":"b"}]}`,
		`{"op":"setParameters","parameters":[{"name":"a","value":[1,2.5],"type":"float64_array"},{"name":"b","value":"Infinity","type":"float64"}]}`,
		`{"op":"setParameters","parameters":[{"name":"a","value":[true]},{"name":"b","value":"QUI=","type":"byte_array"},{"name":"c","value":null}]}`,
		`{"op":"fetchAsset","uri":"x","requestId":1}`, `{"op":"setParameters","parameters":[{"name":"a","value":[["x"],{}]}]}`, `[`, `{"op":1}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, do, err := parseRequest(b)
		if err != nil {
			return
		}
		if do == nil {
			t.Fatalf("nothing does %q", b)
		}
		for i := range r.Parameters {
			v, err := decode(&r.Parameters[i])
			if err != nil || v == nil {
				continue
			}
			if _, bytes := v.([]byte); bytes {
				continue // no parameter has them
			}
			out := encode(&parameter.Parameter{Name: "x", Value: v})
			if !json.Valid(out.Value) {
				t.Fatalf("%#v becomes %q", v, out.Value)
			}
			again, err := decode(&out)
			if x, ok := v.(float64); ok && (err != nil || again != v && !math.IsNaN(x)) {
				t.Errorf("%#v becomes %#v, %v", v, again, err)
			}
		}
	})
}
