package viewer_test

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros/viewer"
)

// A message in JSON has the names of ROS; what is not one is refused with what is wrong.
func TestJSON(t *testing.T) {
	joints := &sensor_msgs.JointState{Header: std_msgs.Header{Stamp: 3e9 + 4, FrameID: "base"}, Name: []string{"a"}, Effort: []float64{1.5}}
	wrench := new(geometry_msgs.WrenchStamped)
	wrench.Wrench.Force.Y = -2
	for _, c := range []struct {
		text string
		want msgs.Message
		why  string
	}{
		{`{"header":{"stamp":{"sec":3,"nanosec":4},"frame_id":"base"},"name":["a"],"effort":[1.5]}`, joints, ""},
		{`{"header":{"stamp":{"sec":3,"nsec":4},"frame_id":"base"},"name":["a"],"effort":[1.5]}`, joints, ""},
		{`{"wrench":{"force":{"y":-2}}}`, wrench, ""},
		{`{"field":{},"gradient":[1,2,3,4,5]}`, &sinew_msgs.FieldGradient{Gradient: [5]float64{1, 2, 3, 4, 5}}, ""},
		{`{}`, new(std_msgs.Float64MultiArray), ""},
		{`{"effort":[1]`, joints, "no JSON"},
		{`[1]`, joints, "no JSON object"},
		{`{"efort":[1]}`, joints, `unknown field "efort"`},
		{`{"data":[3,0,null,2]}`, new(std_msgs.Float64MultiArray), "data[2] is null, which JavaScript writes for NaN and infinity; send a number, or leave the field out"},
		{`{"wrench":{"force":{"y":null}}}`, wrench, "wrench.force.y is null"},
		{`{"data":null}`, new(std_msgs.Float64MultiArray), "data is null"},
		{`{"effort":"1"}`, joints, "sensor_msgs/msg/JointState"},
		{`{"a_b":1,"ab":2}`, joints, "twice"},
		{`{"data":` + strings.Repeat("[", 30) + strings.Repeat("]", 30) + `}`, new(std_msgs.Float64MultiArray), "nested deeper"},
	} {
		got := c.want.Type().New()
		err := viewer.ParseJSON([]byte(c.text), got)
		if c.why == "" && (err != nil || !reflect.DeepEqual(got, c.want)) {
			t.Errorf("%s: %+v, %v", c.text, got, err)
		}
		if c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.why)
		}
	}
}

// FuzzJSON: what is read can be serialised.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"header":{"stamp":{"sec":3,"nanosec":4},"frame_id":"base"},"name":["a"],"effort":[1.5]}`))
	f.Add([]byte(`{"header":{"stamp":{"sec":-1,"nanosec":4e9}},"name":null}`))
	f.Add([]byte(`{"Header":{"Stamp":12}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, again := new(sensor_msgs.JointState), new(sensor_msgs.JointState)
		if viewer.ParseJSON(b, m) == nil {
			if err := again.ParseCDR(m.AppendCDR(nil)); err != nil {
				t.Errorf("%q became %+v: %v", b, m, err)
			}
		}
	})
}

// A viewer publishes in JSON, and gets the reason why a command is refused, but not for each one.
func TestPublishJSON(t *testing.T) {
	n := viewer.NewFakeNode(t)
	n.Refuse = "another one commands"
	p := n.Connect(t)
	p.Text(`{"op":"advertise","channels":[{"id":1,"topic":"/command","encoding":"json","schemaName":"std_msgs/msg/Float64MultiArray"}]}`)
	send := func(text string) {
		p.Binary(append(binary.LittleEndian.AppendUint32([]byte{viewer.OpMessage}, 1), text...))
	}
	for range 20 {
		send(`{"data":[1,2]}`)
	}
	p.Told("/command: another one commands")
	send(`{"date":[1,2]}`)
	p.Told("unknown field")
	got := n.Got()
	if len(got) != 20 {
		t.Fatalf("%d commands", len(got))
	}
	if m := got[19].Message.(*std_msgs.Float64MultiArray); len(m.Data) != 2 || m.Data[1] != 2 {
		t.Errorf("%+v", m)
	}
}
