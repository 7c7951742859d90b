package viewer_test

import (
	"encoding/json"
	"math"
	"testing"

	"sinew/pkg/ros/parameter"
	"sinew/pkg/ros/viewer"
)

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
		r, do, err := viewer.ParseRequest(b)
		if err != nil {
			return
		}
		if do == nil {
			t.Fatalf("nothing does %q", b)
		}
		for i := range r.Parameters {
			v, err := viewer.Decode(&r.Parameters[i])
			if err != nil || v == nil {
				continue
			}
			if _, bytes := v.([]byte); bytes {
				continue // no parameter has them
			}
			out := viewer.Encode(&parameter.Parameter{Name: "x", Value: v})
			if !json.Valid(out.Value) {
				t.Fatalf("%#v becomes %q", v, out.Value)
			}
			again, err := viewer.Decode(&out)
			if x, ok := v.(float64); ok && (err != nil || again != v && !math.IsNaN(x)) {
				t.Errorf("%#v becomes %#v, %v", v, again, err)
			}
		}
	})
}
