package ros

import (
	"reflect"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/nav_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

const noon = 1000 * time.Second

func at(frame string) std_msgs.Header { return std_msgs.Header{Stamp: msgs.At(noon), FrameID: frame} }

func vec(x, y, z float64) geometry_msgs.Vector3 { return geometry_msgs.Vector3{X: x, Y: y, Z: z} }

var tipPose = geometry_msgs.Pose{
	Position:    geometry_msgs.Point{X: 0.25, Y: -0.5, Z: 2},
	Orientation: geometry_msgs.Quaternion{X: 0.5, Y: 0.5, Z: 0.5, W: 0.5},
}

var basePose = geometry_msgs.Pose{
	Position:    geometry_msgs.Point{X: 1, Y: 2, Z: 3},
	Orientation: geometry_msgs.Quaternion{Z: 1},
}

// everyMessage is, for each kind, values and the message that they are, sent at
// noon by the port of that kind. The second is written down, not computed.
var everyMessage = []struct {
	kind    string
	values  []float64
	message msgs.Message
}{
	{"tension", []float64{1, 2}, &sensor_msgs.JointState{Header: at(""), Name: two, Effort: []float64{1, 2}}},
	{"length", []float64{0.001, -0.002}, &sensor_msgs.JointState{Header: at(""), Name: two, Position: []float64{0.001, -0.002}}},
	{"pose", tipValues, &geometry_msgs.PoseStamped{Header: at("world"), Pose: tipPose}},
	{"twist", []float64{1, 2, 3, 4, 5, 6}, &geometry_msgs.TwistStamped{Header: at("world"),
		Twist: geometry_msgs.Twist{Linear: vec(1, 2, 3), Angular: vec(4, 5, 6)}}},
	{"wrench", []float64{1, 2, 3, 4, 5, 6, 1}, &geometry_msgs.WrenchStamped{Header: at("lab/left/tip"),
		Wrench: geometry_msgs.Wrench{Force: vec(1, 2, 3), Torque: vec(4, 5, 6)}}},
	{"joints", []float64{1, 2, 3, 4}, &sensor_msgs.JointState{Header: at(""), Name: two,
		Position: []float64{1, 2}, Effort: []float64{3, 4}}},
	{"poses", append(append([]float64{}, baseValues...), tipValues...), &geometry_msgs.PoseArray{Header: at("world"),
		Poses: []geometry_msgs.Pose{basePose, tipPose}}},
	{"field", []float64{0.01, -0.02, 0.03}, &sensor_msgs.MagneticField{Header: at("world"), MagneticField: vec(0.01, -0.02, 0.03)}},
	{"gradient", []float64{1, 2, 3, 4, 5, 6, 7, 8}, &sinew_msgs.FieldGradient{Header: at("world"),
		Field: vec(1, 2, 3), Gradient: [5]float64{4, 5, 6, 7, 8}}},
	{"rotating", []float64{0, 0, 1, 0.005, 10, 0.001}, &sinew_msgs.RotatingField{Header: at("world"),
		Axis: vec(0, 0, 1), Amplitude: 0.005, Frequency: 10, Offset: 0.001}},
	{"currents", []float64{1, -2, 3}, &sinew_msgs.CoilCurrents{Header: at(""), Currents: []float64{1, -2, 3}}},
}

func TestEveryKindIsSentAsItsMessage(t *testing.T) {
	m, net := everyKind(), newMemory()
	b, _ := still(t, m, Options{}, net)
	for _, c := range everyMessage {
		port := "in_" + c.kind // shown by out_<kind>
		copy(m.value(port), c.values)
	}
	b.publish(snapshot(b, m, noon, 1))
	for _, c := range everyMessage {
		got := only[msgs.Message](t, net.topic(t, "/lab/left/out_"+c.kind))
		if !reflect.DeepEqual(got, c.message) {
			t.Errorf("%s was sent as\n%+v, want\n%+v", c.kind, got, c.message)
		}
	}
}

func TestQuaternionsAreInTheOrderOfROS(t *testing.T) {
	want := geometry_msgs.Pose{
		Position:    geometry_msgs.Point{X: 1, Y: 2, Z: 3},
		Orientation: geometry_msgs.Quaternion{X: 4, Y: 5, Z: 6, W: 7},
	}
	if got := pose([]float64{1, 2, 3, 4, 5, 6, 7}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestEveryKindIsUnderstoodFromItsMessage(t *testing.T) {
	m, net := everyKind(), newMemory()
	b, _ := still(t, m, Options{}, net)
	for _, c := range everyMessage {
		in := newInputPort(0, &m.ports[m.index("in_"+c.kind)], b.names)
		v := make([]float64, in.port.Width())
		if r := codecs[in.port.Kind].decode(in, c.message, v); r.status != sim.Accepted {
			t.Errorf("%s was refused: %v, %s", c.kind, r.status, r.detail)
		} else if !reflect.DeepEqual(v, c.values) {
			t.Errorf("%s was understood as %v, want %v", c.kind, v, c.values)
		}
	}
}

func TestNoKindIsForgotten(t *testing.T) {
	const last = sim.Transforms
	for k := sim.Tension; k <= last; k++ {
		if c := codecs[k]; c.messageType == nil || c.encode == nil || c.decode == nil && k != sim.Path && k != sim.Contacts && k != sim.Transforms {
			t.Errorf("kind %d has no complete codec", k)
		}
	}
	if len(codecs) != int(last) {
		t.Errorf("%d codecs for %d kinds", len(codecs), last)
	}
}

func TestMessagesKeepNothingOfTheSnapshot(t *testing.T) {
	m, net := everyKind(), newMemory()
	b, _ := still(t, m, Options{}, net)
	for _, c := range everyMessage {
		copy(m.value("in_"+c.kind), c.values)
	}
	s := snapshot(b, m, noon, 1)
	b.publish(s)
	before := make(map[string][]byte)
	messages := make(map[string]msgs.Message)
	for name, p := range net.topics {
		for _, got := range p.take() {
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
	if len(messages) < len(everyMessage) {
		t.Errorf("only %d messages were published", len(messages))
	}
}

func TestPathKeepsTheNewestPosesAndRestartsWithTime(t *testing.T) {
	m, net := everyKind(), newMemory()
	b, _ := still(t, m, Options{PathPoses: 3}, net)
	topic := net.topic(t, "/lab/left/out_path")
	send := func(simTime float64, slow bool) {
		m.value("out_path")[0] = simTime
		s := snapshot(b, m, noon+seconds(simTime), simTime)
		s.Slow = slow
		b.publish(s)
	}
	xs := func() (xs []float64) {
		for _, p := range only[*nav_msgs.Path](t, topic).Poses {
			if want := msgs.At(noon + seconds(p.Pose.Position.X)); p.Header.Stamp != want || p.Header.FrameID != "world" {
				t.Errorf("pose %v has header %+v", p.Pose.Position.X, p.Header)
			}
			xs = append(xs, p.Pose.Position.X)
		}
		return xs
	}
	topic.unwanted.Store(true)
	for _, x := range []float64{1, 2, 3, 4} {
		send(x, true)
	}
	topic.unwanted.Store(false)
	send(4.5, false)
	if got := topic.take(); got != nil {
		t.Errorf("a path was sent between slow snapshots: %v", got)
	}
	send(5, true)
	if got := xs(); !reflect.DeepEqual(got, []float64{3, 4, 5}) {
		t.Errorf("path is %v, want 3 4 5, recorded while nobody listened", got)
	}
	send(0.5, true)
	if got := xs(); !reflect.DeepEqual(got, []float64{0.5}) {
		t.Errorf("path after a reset is %v, want 0.5", got)
	}
}
