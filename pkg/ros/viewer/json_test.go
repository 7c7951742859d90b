package viewer_test

import (
	"encoding/binary"
	"fmt"
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
		{`{"wrench":{"force":{"x":0,"y":-2,"z":0},"torque":{"x":0,"y":0,"z":0}}}`, wrench, ""},
		{`{"header":{"frame_id":"tip"},"wrench":{"force":{"x":0,"y":0,"z":0},"torque":{"x":0,"y":0,"z":0}}}`, &geometry_msgs.WrenchStamped{Header: std_msgs.Header{FrameID: "tip"}}, ""},
		{`{"field":{"x":0,"y":0,"z":0},"gradient":[1,2,3,4,5]}`, &sinew_msgs.FieldGradient{Gradient: [5]float64{1, 2, 3, 4, 5}}, ""},
		{`{"magnetic_field":{"x":0,"y":0,"z":0.5}}`, &sensor_msgs.MagneticField{MagneticField: geometry_msgs.Vector3{Z: 0.5}}, ""},
		{`{}`, new(std_msgs.Float64MultiArray), ""},
		{`{"layout":{"dim":[{"label":"a","size":1,"stride":1}]},"data":[]}`, &std_msgs.Float64MultiArray{
			Layout: std_msgs.MultiArrayLayout{Dim: []std_msgs.MultiArrayDimension{{Label: "a", Size: 1, Stride: 1}}}, Data: []float64{},
		}, ""},
		{`{"effort":[1]`, joints, "no JSON"},
		{`{"effort":[1]} {"effort":[2]}`, joints, "no JSON: data after the object"},
		{`[1]`, joints, "no JSON object"},
		{`{"efort":[1]}`, joints, `unknown field "efort"`},
		{`{"header":{"stmp":{}}}`, joints, `unknown field "header.stmp"`},
		{`{"a_b":1,"ab":2}`, joints, "twice"},
		{`{"Effort":[1],"effort":[2]}`, joints, "twice"},
		{`{"data":` + strings.Repeat("[", 30) + strings.Repeat("]", 30) + `}`, new(std_msgs.Float64MultiArray), "nested deeper"},

		// What JavaScript makes of NaN, infinity, undefined and the text of an input.
		{`{"data":[3,0,null,2]}`, new(std_msgs.Float64MultiArray), "data[2] is null, which JavaScript writes for NaN and infinity; allowed: a finite number"},
		{`{"data":null}`, new(std_msgs.Float64MultiArray), "data is null, which JavaScript writes for NaN and infinity; allowed: an array"},
		{`{"data":[3,"2"]}`, new(std_msgs.Float64MultiArray), `data[1] is "2"; allowed: a finite number`},
		{`{"data":[3,1e400]}`, new(std_msgs.Float64MultiArray), "data[1] is 1e400; allowed: a finite number"},
		{`{"data":[3,true]}`, new(std_msgs.Float64MultiArray), "data[1] is true; allowed: a finite number"},
		{`{"effort":"1"}`, joints, `no sensor_msgs/msg/JointState: effort is "1"; allowed: an array`},
		{`{"effort":1}`, joints, "effort is 1; allowed: an array"},
		{`{"name":[1]}`, joints, "name[0] is 1; allowed: a text"},
		{`{"header":{"stamp":12}}`, joints, "header.stamp is 12; allowed: an object of sec and nanosec"},
		{`{"header":{"stamp":{"sec":1}}}`, joints, `header.stamp is {"sec":1}; allowed: an object of sec and nanosec`},
		{`{"header":null}`, joints, "header is null, which"},
		{`{"wrench":{"force":{"y":null}}}`, wrench, "wrench.force.x is missing; allowed: a finite number"},
		{`{"wrench":{"force":{"x":0,"y":null,"z":0}}}`, wrench, "wrench.force.y is null, which"},
		{`{"wrench":{"force":{"x":0,"y":-2}}}`, wrench, "wrench.force.z is missing; allowed: a finite number"},
		{`{"wrench":{"force":{"x":0,"y":-2,"z":0}}}`, wrench, "wrench.torque is missing; allowed: an object with all numbers of Vector3"},
		{`{"wrench":[]}`, wrench, "wrench is []; allowed: an object"},
		{`{}`, wrench, "wrench is missing"},
		{`{"field":{"x":0,"y":0,"z":0}}`, new(sinew_msgs.FieldGradient), "gradient is missing; allowed: an array of 5 elements"},
		{`{"field":{"x":0,"y":0,"z":0},"gradient":[1,2,3,4]}`, new(sinew_msgs.FieldGradient), "gradient has 4 elements; allowed: an array of 5 elements"},
		{`{"field":{"x":0,"y":0,"z":0},"gradient":[1,2,3,4,5,6]}`, new(sinew_msgs.FieldGradient), "gradient has 6 elements"},
		{`{"magnetic_field":{"x":0,"y":0}}`, new(sensor_msgs.MagneticField), "magnetic_field.z is missing"},
		{`{"axis":{"x":0,"y":0,"z":1},"amplitude":0.01}`, new(sinew_msgs.RotatingField), "frequency is missing"},
		{`{"poses":[{"position":{"x":0,"y":0,"z":1}}]}`, new(geometry_msgs.PoseArray), "poses[0].orientation is missing; allowed: an object with all numbers of Quaternion"},
		{`{"layout":{"data_offset":-1}}`, new(std_msgs.Float64MultiArray), "layout.data_offset is -1; allowed: an integer from 0 to 4294967295"},
		{`{"data":1}`, new(std_msgs.String), "data is 1; allowed: a text"},
		{`{"data":1}`, new(std_msgs.Bool), "data is 1; allowed: true or false"},
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
	f.Add([]byte(`{"effort":[1,null,"2",1e400],"position":{}}`))
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
	if m := p.Json(); m["op"] != "status" || m["id"] != "out_of_range:/command" || m["message"] != "/command: another one commands" {
		t.Fatalf("%v", m)
	}
	send(`{"date":[1,2]}`)
	p.Told("unknown field")
	send(`{"data":[3,0,null,2]}`)
	p.Told("/command: no std_msgs/msg/Float64MultiArray: data[2] is null, which JavaScript writes for NaN and infinity; allowed: a finite number")
	send(`{"data":[3,"2"]}`)
	p.Told(`/command: no std_msgs/msg/Float64MultiArray: data[1] is "2"; allowed: a finite number`)
	got := n.Got()
	if len(got) != 20 {
		t.Fatalf("%d commands", len(got))
	}
	if m := got[19].Message.(*std_msgs.Float64MultiArray); len(m.Data) != 2 || m.Data[1] != 2 {
		t.Errorf("%+v", m)
	}
}

// A number of a parameter is no text, but for those that JSON does not have.
func TestParameterNumberAsText(t *testing.T) {
	for _, c := range []struct{ kind, value, want string }{
		{"float64", `"NaN"`, "NaN"}, {"float64", `"-Infinity"`, "-Inf"}, {"float64_array", `[1,"Infinity"]`, "[1 +Inf]"},
		{"float64", `"5"`, "refused"}, {"float64", `""`, "refused"}, {"float64", `"inf"`, "refused"},
		{"float64_array", `[1,"5"]`, "refused"}, {"float64_array", `[1,null]`, "refused"}, {"", `[1,null]`, "refused"}, {"", `"5"`, "5"},
	} {
		r, _, err := viewer.ParseRequest([]byte(`{"op":"setParameters","parameters":[{"name":"a","type":"` + c.kind + `","value":` + c.value + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		got := "refused"
		if v, err := viewer.Decode(&r.Parameters[0]); err == nil {
			got = fmt.Sprint(v)
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.kind, c.value, got, c.want)
		}
	}
}
