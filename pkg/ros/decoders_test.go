package ros

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// decodeBy lets a port of the every-kind model read a message.
func decodeBy(port string, decode decoder, m msgs.Message) ([]float64, refusal) {
	model := EveryKind()
	in := newInputPort(0, &model.ports[model.index(port)], Names())
	if decode == nil {
		decode = codecs[in.port.Kind].decode
	}
	v := make([]float64, in.port.Width())
	return v, decode(in, m, v)
}

// same compares values; Keep is equal to itself only.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

func TestCommandsAreRead(t *testing.T) {
	array := func(offset uint32, data ...float64) *std_msgs.Float64MultiArray {
		return &std_msgs.Float64MultiArray{Layout: std_msgs.MultiArrayLayout{DataOffset: offset}, Data: data}
	}
	wrench := func(frame string) *geometry_msgs.WrenchStamped {
		return &geometry_msgs.WrenchStamped{Header: At(frame), Wrench: geometry_msgs.Wrench{Force: vec(1, 2, 3), Torque: vec(4, 5, 6)}}
	}
	for _, c := range []struct {
		name, port string
		decode     decoder
		message    msgs.Message
		want       []float64
	}{
		{"names in another order", "in_tension", nil, &sensor_msgs.JointState{Name: []string{"right", "left"}, Effort: []float64{1, 2}}, []float64{2, 1}},
		{"a subset leaves the others alone", "in_tension", nil, &sensor_msgs.JointState{Name: []string{"right"}, Effort: []float64{1}}, []float64{sim.Keep, 1}},
		{"a subset of several parts", "in_joints", nil, &sensor_msgs.JointState{Name: []string{"right"}, Position: []float64{1}, Effort: []float64{2}}, []float64{sim.Keep, 1, sim.Keep, 2}},
		{"no names: file order", "in_tension", nil, &sensor_msgs.JointState{Effort: []float64{1, 2}}, []float64{1, 2}},
		{"parts not asked for are ignored", "in_tension", nil, &sensor_msgs.JointState{Position: []float64{9}, Effort: []float64{1, 2}}, []float64{1, 2}},
		{"plain array", "in_tension", decodePlain, array(0, 1, 2), []float64{1, 2}},
		{"plain array with an offset", "in_tension", decodePlain, array(3, 9, 9, 9, 1, 2), []float64{1, 2}},
		{"plain wrench in the first frame", "in_wrench", decodePlain, array(0, 1, 2, 3, 4, 5, 6), []float64{1, 2, 3, 4, 5, 6, 0}},
		{"wrench without a frame", "in_wrench", nil, wrench(""), []float64{1, 2, 3, 4, 5, 6, 0}},
		{"wrench in a ROS frame", "in_wrench", nil, wrench("lab/left/tip"), []float64{1, 2, 3, 4, 5, 6, 1}},
		{"wrench in a frame with a slash", "in_wrench", nil, wrench("/lab/left/tip"), []float64{1, 2, 3, 4, 5, 6, 1}},
		{"wrench in a frame of the robot", "in_wrench", nil, wrench("tip"), []float64{1, 2, 3, 4, 5, 6, 1}},
		{"quaternion made unit", "in_pose", nil, &geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Orientation: geometry_msgs.Quaternion{X: 2, Y: -4, Z: 5, W: 6}}}, []float64{0, 0, 0, 2. / 9, -4. / 9, 5. / 9, 6. / 9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, r := decodeBy(c.port, c.decode, c.message)
			if r.status != sim.Accepted || !same(v, c.want) {
				t.Errorf("got %v (%v %s), want %v", v, r.status, r.detail, c.want)
			}
		})
	}
}

func TestCommandsAreRefused(t *testing.T) {
	stranger := At("somewhere")
	for _, c := range []struct {
		name, port string
		decode     decoder
		message    msgs.Message
		want       sim.CommandStatus
		detail     string
	}{
		{"too many values", "in_tension", nil, &sensor_msgs.JointState{Effort: []float64{1, 2, 3}}, sim.WrongLength, "effort has 3 values, want 2"},
		{"the wrong array", "in_tension", nil, &sensor_msgs.JointState{Position: []float64{1, 2}}, sim.WrongLength, "effort has 0 values, want 2"},
		{"nothing", "in_tension", nil, &sensor_msgs.JointState{}, sim.WrongLength, "effort has 0 values, want 2"},
		{"fewer values than names", "in_tension", nil, &sensor_msgs.JointState{Name: two, Effort: []float64{1}}, sim.WrongLength, "effort has 1 values, want 2"},
		{"a missing part", "in_joints", nil, &sensor_msgs.JointState{Position: []float64{1, 2}}, sim.WrongLength, "effort has 0 values, want 2"},
		{"unknown name", "in_tension", nil, &sensor_msgs.JointState{Name: []string{"left", "middle"}, Effort: []float64{1, 2}}, sim.UnknownName, `no "middle" here, only ["left" "right"]`},
		{"repeated name", "in_tension", nil, &sensor_msgs.JointState{Name: []string{"left", "left"}, Effort: []float64{1, 2}}, sim.UnknownName, `"left" is named twice`},
		{"plain array too short", "in_tension", decodePlain, &std_msgs.Float64MultiArray{Data: []float64{1}}, sim.WrongLength, "data has 1 values, want 2"},
		{"offset beyond the data", "in_tension", decodePlain, &std_msgs.Float64MultiArray{Layout: std_msgs.MultiArrayLayout{DataOffset: math.MaxUint32}, Data: []float64{1, 2}}, sim.WrongLength, "layout.data_offset is 4294967295"},
		{"too few currents", "in_currents", nil, &sinew_msgs.CoilCurrents{Currents: []float64{1}}, sim.WrongLength, "currents has 1 values, want 3"},
		{"too few poses", "in_poses", nil, &geometry_msgs.PoseArray{}, sim.WrongLength, "poses has 0 values, want 2"},
		{"zero quaternion", "in_pose", nil, &geometry_msgs.PoseStamped{}, sim.Unreadable, "is no orientation"},
		{"infinite quaternion", "in_pose", nil, &geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Orientation: geometry_msgs.Quaternion{W: math.Inf(1)}}}, sim.Unreadable, "is no orientation"},
		{"zero quaternion in an array", "in_poses", nil, &geometry_msgs.PoseArray{Poses: make([]geometry_msgs.Pose, 2)}, sim.Unreadable, "is no orientation"},
		{"wrench in a strange frame", "in_wrench", nil, &geometry_msgs.WrenchStamped{Header: stranger}, sim.UnknownFrame, `header.frame_id is "somewhere", want one of ["lab/left/base" "lab/left/tip" "lab/left/body"]`},
		{"pose in a strange frame", "in_pose", nil, &geometry_msgs.PoseStamped{Header: stranger}, sim.UnknownFrame, "somewhere"},
		{"poses in a strange frame", "in_poses", nil, &geometry_msgs.PoseArray{Header: stranger}, sim.UnknownFrame, "somewhere"},
		{"twist in a strange frame", "in_twist", nil, &geometry_msgs.TwistStamped{Header: stranger}, sim.UnknownFrame, "somewhere"},
		{"field in a strange frame", "in_field", nil, &sensor_msgs.MagneticField{Header: stranger}, sim.UnknownFrame, "somewhere"},
		{"gradient in a strange frame", "in_gradient", nil, &sinew_msgs.FieldGradient{Header: stranger}, sim.UnknownFrame, "somewhere"},
		{"rotating field in a strange frame", "in_rotating", nil, &sinew_msgs.RotatingField{Header: stranger}, sim.UnknownFrame, "somewhere"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, r := decodeBy(c.port, c.decode, c.message)
			if r.status != c.want || !strings.Contains(r.detail, c.detail) {
				t.Errorf("verdict %v, %q (values %v); want %v, %q", r.status, r.detail, v, c.want, c.detail)
			}
		})
	}
}

// Keep is a NaN of its own inside the simulator. Somebody who sends those bits
// over the network has sent a NaN.
func TestKeepCannotBeSmuggledIn(t *testing.T) {
	for _, m := range []struct {
		port   string
		decode decoder
		sent   msgs.Message
	}{
		{"in_tension", nil, &sensor_msgs.JointState{Effort: []float64{sim.Keep, 1}}},
		{"in_tension", nil, &sensor_msgs.JointState{Name: two, Effort: []float64{sim.Keep, 1}}},
		{"in_tension", decodePlain, &std_msgs.Float64MultiArray{Data: []float64{sim.Keep, 1}}},
		{"in_twist", nil, &geometry_msgs.TwistStamped{Twist: geometry_msgs.Twist{Linear: vec(sim.Keep, 0, 0)}}},
		{"in_currents", nil, &sinew_msgs.CoilCurrents{Currents: []float64{sim.Keep, 1, 2}}},
	} {
		v, _ := decodeBy(m.port, m.decode, m.sent)
		if !math.IsNaN(v[0]) || sim.IsKeep(v[0]) {
			t.Errorf("%s: Keep was read as %v (Keep: %v), want an ordinary NaN", m.port, v[0], sim.IsKeep(v[0]))
		}
	}
}
