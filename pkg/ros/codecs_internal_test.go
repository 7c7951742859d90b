package ros

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/nav_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/sim"
)

// Tests of what has no exported name.

func TestEveryKindIsSentAsItsMessage(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	b, _ := Still(t, m, Options{}, net)
	for _, c := range EveryMessage {
		port := "in_" + c.Kind // shown by out_<kind>
		copy(m.value(port), c.values)
	}
	b.publish(snapshot(b, m, Noon, 1))
	for _, c := range EveryMessage {
		got := only[msgs.Message](t, net.Topic(t, "/lab/left/out_"+c.Kind))
		if !reflect.DeepEqual(got, c.Message) {
			t.Errorf("%s was sent as\n%+v, want\n%+v", c.Kind, got, c.Message)
		}
	}
}

func TestEveryKindIsUnderstoodFromItsMessage(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	b, _ := Still(t, m, Options{}, net)
	for _, c := range EveryMessage {
		in := newInputPort(0, &m.ports[m.index("in_"+c.Kind)], b.names)
		v := make([]float64, in.port.Width())
		if r := codecs[in.port.Kind].decode(in, c.Message, v); r.status != sim.Accepted {
			t.Errorf("%s was refused: %v, %s", c.Kind, r.status, r.detail)
		} else if !reflect.DeepEqual(v, c.values) {
			t.Errorf("%s was understood as %v, want %v", c.Kind, v, c.values)
		}
	}
}

func TestNoKindIsForgotten(t *testing.T) {
	const last = sim.ImagePoints
	for k := sim.Tension; k <= last; k++ {
		if c := codecs[k]; c.messageType == nil || c.encode == nil || c.decode == nil && k != sim.Path && k != sim.Contacts && k < sim.Transforms {
			t.Errorf("kind %d has no complete codec", k)
		}
	}
	if len(codecs) != int(last) {
		t.Errorf("%d codecs for %d kinds", len(codecs), last)
	}
}

func TestMessagesKeepNothingOfTheSnapshot(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	b, _ := Still(t, m, Options{}, net)
	for _, c := range EveryMessage {
		copy(m.value("in_"+c.Kind), c.values)
	}
	s := snapshot(b, m, Noon, 1)
	b.publish(s)
	before := make(map[string][]byte)
	messages := make(map[string]msgs.Message)
	for name, p := range net.Topics {
		for _, got := range p.Take() {
			messages[name], before[name] = got, got.AppendROS1(nil)
		}
	}
	for _, v := range s.Values {
		for i := range v {
			v[i] /= 2
		}
	}
	s.Seq++
	b.publish(s)
	for name, got := range messages {
		if !reflect.DeepEqual(got.AppendROS1(nil), before[name]) {
			t.Errorf("%s: a later snapshot changed a published message", name)
		}
	}
	if len(messages) < len(EveryMessage) {
		t.Errorf("only %d messages were published", len(messages))
	}
}

func TestPathKeepsTheNewestPosesAndRestartsWithTime(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	b, _ := Still(t, m, Options{PathPoses: 3}, net)
	topic := net.Topic(t, "/lab/left/out_path")
	send := func(simTime float64, slow bool) {
		m.value("out_path")[0] = simTime
		s := snapshot(b, m, Noon+seconds(simTime), simTime)
		s.Slow = slow
		b.publish(s)
	}
	xs := func() (xs []float64) {
		for _, p := range only[*nav_msgs.Path](t, topic).Poses {
			if want := msgs.At(Noon + seconds(p.Pose.Position.X)); p.Header.Stamp != want || p.Header.FrameID != "world" {
				t.Errorf("pose %v has header %+v", p.Pose.Position.X, p.Header)
			}
			xs = append(xs, p.Pose.Position.X)
		}
		return xs
	}
	topic.Unwanted.Store(true)
	for _, x := range []float64{1, 2, 3, 4} {
		send(x, true)
	}
	topic.Unwanted.Store(false)
	send(4.5, false)
	if got := topic.Take(); got != nil {
		t.Errorf("a path was sent between slow snapshots: %v", got)
	}
	send(5, true)
	if got := xs(); !reflect.DeepEqual(got, []float64{3, 4, 5}) {
		t.Errorf("path is %v, want 3 4 5, recorded without a subscriber", got)
	}
	send(0.5, true)
	if got := xs(); !reflect.DeepEqual(got, []float64{0.5}) {
		t.Errorf("path after a reset is %v, want 0.5", got)
	}
}

// Each measurement of a sensor is sent once, in the order of arrival, stamped with the time at which it was taken; what snapshots were too
// rare for is told, and a state restored sends nothing again.
func TestMeasurementsOfSensors(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	m.Add(sim.Port{Name: "sensors/imu", Kind: sim.Imu, Direction: sim.Out, Frames: []string{"imu"}, Samples: 3, Noise: []float64{1, 1, 1, 2, 2, 2}}, -1)
	b, _ := Still(t, m, Options{}, net)
	topic := net.Topic(t, "/lab/left/sensors/imu")
	send := func(v ...float64) (seen []float64) {
		copy(m.value("sensors/imu"), v)
		b.publish(snapshot(b, m, Noon, 1))
		for _, s := range topic.Take() {
			imu := s.(*sensor_msgs.Imu)
			if age := Noon.Seconds() - float64(imu.Header.Stamp)/1e9; math.Abs(age-imu.AngularVelocity.X) > 1e-6 {
				t.Errorf("a measurement %g s old is stamped %g s ago", imu.AngularVelocity.X, age)
			}
			if imu.OrientationCovariance[0] != -1 || imu.AngularVelocityCovariance[4] != 1 || imu.LinearAccelerationCovariance[8] != 4 || imu.Header.FrameID != "left/imu" && imu.Header.FrameID != "lab/left/imu" {
				t.Errorf("%+v", imu)
			}
			seen = append(seen, imu.LinearAcceleration.Z)
		}
		return seen
	}
	sample := func(age, z float64) []float64 { return []float64{age, age, 0, 0, 0, 0, z} }
	for _, c := range []struct {
		values []float64
		want   []float64
	}{
		{slices.Concat([]float64{0}, sample(0.1, 1)), nil},
		{slices.Concat([]float64{1}, sample(0.1, 2)), []float64{2}},
		{slices.Concat([]float64{1}, sample(0.2, 2)), nil},
		{slices.Concat([]float64{3}, sample(0.25, 4), sample(0.125, 3), sample(0.5, 2)), []float64{3, 4}},
		{slices.Concat([]float64{8}, sample(0.25, 9), sample(0.5, 8), sample(1, 7)), []float64{7, 8, 9}},
		{slices.Concat([]float64{4}, sample(0.25, 5), sample(0.5, 4), sample(1, 3)), []float64{5}},
	} {
		if got := send(c.values...); !slices.Equal(got, c.want) {
			t.Errorf("%g measurements: %v were sent, want %v", c.values[0], got, c.want)
		}
	}
	st := b.publisher.sensorStatus()()
	if st.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(st.Message, "2 measurements of sensors/imu were lost") {
		t.Errorf("status %+v", st)
	}
}

// TestNewCommand: what a command's message says is what the bridge reads from it.
func TestNewCommand(t *testing.T) {
	m := EveryKind()
	names := Names()
	at := msgs.At(3 * time.Second)
	for i := range m.ports {
		p := &m.ports[i]
		if p.Direction != sim.In {
			continue
		}
		v := make([]float64, p.Width())
		for k := range v {
			v[k] = 0.25 * float64(k+1)
		}
		switch p.Kind {
		case sim.Pose:
			copy(v, tipValues)
		case sim.PoseArray:
			copy(v, tipValues)
			copy(v[7:], baseValues)
		case sim.Wrench:
			v[6] = 1 // the second frame
		case sim.Tension, sim.TendonLength:
			v[1] = sim.Keep
		}
		topic, s, err := NewCommand(names, p, v, at)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if want := "/lab/left/" + p.Name; topic.Name != want || topic.Type != s.Message().Type() || s.Time != at {
			t.Errorf("%s: topic %+v at %v", p.Name, topic, s.Time)
		}
		got := make([]float64, p.Width())
		if r := codecs[p.Kind].decode(newInputPort(i, p, names), s.Message(), got); r.status != sim.Accepted {
			t.Errorf("%s: %v", p.Name, r)
		}
		for k := range v {
			if math.Float64bits(got[k]) != math.Float64bits(v[k]) {
				t.Errorf("%s: value %d is %v, want %v", p.Name, k, got[k], v[k])
			}
		}
	}
	field := &m.ports[m.index("in_field")]
	if _, _, err := NewCommand(names, field, []float64{0, sim.Keep, 0}, at); err == nil {
		t.Error("a field with a value to be kept: no error")
	}
	if _, _, err := NewCommand(names, field, []float64{0}, at); err == nil {
		t.Error("a field of one value: no error")
	}
	path := &sim.Port{Name: "path", Kind: sim.Path, Labels: two, Frames: []string{"world"}}
	if _, _, err := NewCommand(names, path, make([]float64, path.Width()), at); err == nil {
		t.Error("a path, which nothing can be commanded with: no error")
	}
}

// What hardware has measured may name more than the port; what is no measurement, or names
// nothing that the port has, is refused.
func TestMeasuredPassesOthersBy(t *testing.T) {
	port := sim.Port{Name: "shaft_jp", Kind: sim.JointState, Labels: []string{"bow", "sway"}, Parts: sim.Position}
	for _, c := range []struct {
		names    []string
		measured bool
		want     []float64 // nil: refused
	}{
		{[]string{"front", "sway", "back", "bow", "left"}, true, []float64{3, 1}},
		{[]string{"sway", "front"}, true, []float64{sim.Keep, 0}},
		{[]string{"front", "sway"}, true, []float64{sim.Keep, 1}},
		{[]string{"front", "back"}, true, nil},
		{[]string{"front", "sway"}, false, nil},
		{[]string{"sway", "bow"}, false, []float64{1, 0}},
	} {
		p := port
		p.Measured = c.measured
		js, v := &sensor_msgs.JointState{Name: c.names}, make([]float64, 2)
		for i := range c.names {
			js.Position = append(js.Position, float64(i))
		}
		r := decodeJoints(newInputPort(0, &p, Names()), js, v)
		if c.want == nil {
			if r.status != sim.UnknownName || r.detail == "" {
				t.Errorf("%v, measured %v: %+v", c.names, c.measured, r)
			}
			continue
		}
		same := func(x, y float64) bool { return x == y || sim.IsKeep(x) && sim.IsKeep(y) }
		if r.status != sim.Accepted || !slices.EqualFunc(v, c.want, same) {
			t.Errorf("%v, measured %v: %v, %+v, want %v", c.names, c.measured, v, r, c.want)
		}
	}
}

// A value is named by its label where each has one, by its number elsewhere.
func TestValueNames(t *testing.T) {
	two := []string{"left", "right"}
	for want, c := range map[string]struct {
		port sim.Port
		i    int
	}{
		"right":   {sim.Port{Kind: sim.Tension, Labels: two}, 1},
		"value 1": {sim.Port{Kind: sim.JointState, Labels: two, Parts: sim.Position | sim.Effort}, 1},
		"value 3": {sim.Port{Kind: sim.JointState, Labels: two, Parts: sim.Position | sim.Effort}, 3},
		"value 2": {sim.Port{Kind: sim.Field}, 2},
		"left":    {sim.Port{Kind: sim.JointState, Labels: two, Parts: sim.Effort}, 0},
	} {
		if got := (&inputPort{port: &c.port}).valueName(c.i); got != want {
			t.Errorf("value %d of %+v is called %q, want %q", c.i, c.port, got, want)
		}
	}
}

// TestContactsAreSentAsTheirMessage sends none, one and as many as there can be.
func TestContactsAreSentAsTheirMessage(t *testing.T) {
	out := &outputPort{port: &sim.Port{Kind: sim.Contacts, Labels: []string{"left", "right"}}}
	head := std_msgs.Header{FrameID: "world"}
	for _, n := range []int{0, 1, sim.MostContacts} {
		v := make([]float64, out.port.Width())
		want := &sinew_msgs.Contacts{Header: head, Contacts: []sinew_msgs.Contact{}}
		for i := range sim.MostContacts {
			c := v[sim.ContactHead+i*sim.ContactWidth:]
			if c[0] = -1; i >= n {
				continue
			}
			copy(c, []float64{1, 0.1, -1e-6, 2, 3, 4, 5, 0, 0, 1, 0.5, 0, float64(i)})
			want.Contacts = append(want.Contacts, sinew_msgs.Contact{
				Shape: "right", ArcLength: 0.1, Gap: -1e-6, NormalForce: 2, Position: geometry_msgs.Point{X: 3, Y: 4, Z: 5},
				Normal: geometry_msgs.Vector3{Z: 1}, Friction: geometry_msgs.Vector3{X: 0.5, Z: float64(i)},
			})
		}
		if got := encodeContacts(out, head, v); !reflect.DeepEqual(got, want) {
			t.Errorf("%d contacts: %+v, want %+v", n, got, want)
		}
	}
	if MessageType(sim.Contacts) != sinew_msgs.ContactsType {
		t.Error("contacts are no sinew_msgs/Contacts")
	}
}

// Markers go out as transforms with a name each, below the node's own.
func TestMarkersAreTransforms(t *testing.T) {
	net := NewMemory()
	ports := []sim.Port{{Name: "markers_measured", Kind: sim.Transforms, Direction: sim.Out, Labels: []string{"m1", "m2"}, Frames: []string{sim.World}}}
	b, _ := Still(t, EveryKind(), Options{}, NewMemory())
	p, err := NewModelPublisher(ports, b.names, []Transport{net}, 0)
	if err != nil {
		t.Fatal(err)
	}
	o := p.outputs[0]
	m := o.encode(o, std_msgs.Header{FrameID: o.frame}, []float64{1, 2, 3, 0, 0, 0, 1, 4, 5, 6, 0, 0, 1, 0}).(*tf2_msgs.TFMessage)
	if len(m.Transforms) != 2 {
		t.Fatalf("%d transforms, want 2", len(m.Transforms))
	}
	got := m.Transforms[1]
	want := geometry_msgs.TransformStamped{
		Header: std_msgs.Header{FrameID: "world"}, ChildFrameID: b.names.Frame("m2"),
		Transform: geometry_msgs.Transform{Translation: geometry_msgs.Vector3{X: 4, Y: 5, Z: 6}, Rotation: geometry_msgs.Quaternion{Z: 1}},
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if MessageType(sim.Transforms) != tf2_msgs.TFMessageType {
		t.Error("markers are not of type TFMessage")
	}
}
