package trajectoryfile

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Tests of what has no exported name.

// joints is a message of joint states at a time.
func joints(at time.Duration, names string, position, effort []float64) record.Message {
	return record.Message{Time: at, Message: &sensor_msgs.JointState{Name: strings.Fields(names), Position: position, Effort: effort}}
}

// Of joint states those count that are like the first one and later than the last.
func TestTendonRows(t *testing.T) {
	var r collector
	two := []float64{1, 2}
	for _, m := range []record.Message{
		joints(1, "a b", nil, nil), // neither pull nor tension
		joints(2, "a b", two, two),
		joints(2, "a b", two, two),          // the same time
		joints(1, "a b", two, two),          // earlier
		joints(3, "b a", two, two),          // other names
		joints(4, "", nil, two),             // no names
		joints(5, "a b", two, nil),          // no tension
		joints(6, "a b", nil, two),          // no pull
		joints(7, "a b", two, []float64{1}), // a tension too few
		{Time: 8, Message: &std_msgs.String{}},
		joints(9, "a b", []float64{3, 4}, []float64{5, 6}),
	} {
		r.addTendons(m)
	}
	want := trajectory.Actuation{Names: []string{"a", "b"}, Stamps: []time.Duration{2, 9}, Pull: [][]float64{two, {3, 4}}, Tension: [][]float64{two, {5, 6}}}
	if !reflect.DeepEqual(r.Actuation, want) {
		t.Errorf("%+v, want %+v", r.Actuation, want)
	}
	var tensions collector
	tensions.addTendons(joints(1, "a b", nil, two))
	tensions.addTendons(joints(2, "a b", nil, two))
	if tensions.Actuation.Pull != nil || len(tensions.Actuation.Tension) != 2 {
		t.Errorf("%+v", tensions.Actuation)
	}
}

// Of backbones those count that have as many nodes as the first, two at least, and are
// later than the last. They are placed with the poses.
func TestShapeRows(t *testing.T) {
	var m collector
	m.Tip.Pose = []spatial.Pose{{R: spatial.Identity3(), P: spatial.Vec{X: 1}}}
	line := func(at time.Duration, n int) record.Message {
		p := &geometry_msgs.PoseArray{Header: std_msgs.Header{Stamp: msgs.At(at)}, Poses: make([]geometry_msgs.Pose, n)}
		p.Poses[n-1].Position = geometry_msgs.Point{X: 1}
		return record.Message{Time: 99, Message: p}
	}
	for _, r := range []record.Message{line(1, 1), line(2, 2), line(2, 2), line(3, 3), {Time: 4, Message: &std_msgs.String{}}, line(5, 2)} {
		m.addShape(r)
	}
	if want := []time.Duration{2, 5}; !reflect.DeepEqual(m.Shape.Stamps, want) {
		t.Errorf("backbones at %v, want %v", m.Shape.Stamps, want)
	}
	m.Transform(spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: math.Pi / 2}), P: spatial.Vec{Y: 2}})
	want := spatial.Vec{Y: 3}
	if m.Tip.Pose[0].P.Sub(want).Norm() > 1e-12 || m.Shape.Nodes[1][1].Sub(want).Norm() > 1e-12 || m.Shape.Nodes[0][0].Sub(spatial.Vec{Y: 2}).Norm() > 1e-12 {
		t.Errorf("placed at %v, %v", m.Tip.Pose, m.Shape.Nodes)
	}
}

// Poses come from any message that has one, at the time of its header or, without, of
// the log; those that repeat a stamp are counted.
func TestPosesOfMessages(t *testing.T) {
	var m collector
	header := std_msgs.Header{Stamp: msgs.At(7), FrameID: "camera"}
	transform := func(child string, x float64) geometry_msgs.TransformStamped {
		return geometry_msgs.TransformStamped{ChildFrameID: child, Transform: geometry_msgs.Transform{
			Translation: geometry_msgs.Vector3{X: x}, Rotation: geometry_msgs.Quaternion{W: 1}}}
	}
	elbow, wrist := transform("elbow", 4), transform("wrist", 5)
	for _, c := range []struct {
		at      time.Duration
		message msgs.Message
		child   string
	}{
		{1, &geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: 1}, Orientation: geometry_msgs.Quaternion{W: 1}}}, ""},
		{1, &geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: 9}, Orientation: geometry_msgs.Quaternion{W: 1}}}, ""},
		{2, &geometry_msgs.PointStamped{Header: header, Point: geometry_msgs.Point{X: 2}}, ""},
		{8, &elbow, ""},
		{9, &wrist, "elbow"},
		{10, &wrist, "wrist"},
		{11, &std_msgs.String{}, ""},
	} {
		m.addPose(record.Message{Time: c.at, Message: c.message}, c.child)
	}
	m.Repeated = m.Tip.OrderByStamps()
	var x []float64
	for _, p := range m.Tip.Pose {
		x = append(x, p.P.X)
	}
	if !reflect.DeepEqual(x, []float64{1, 2, 4, 5}) || !reflect.DeepEqual(m.Tip.Stamps, []time.Duration{1, 7, 8, 10}) || m.Repeated != 1 || !m.Tip.Rotations {
		t.Errorf("poses at x = %v, times %v, %d repeated, rotations %t", x, m.Tip.Stamps, m.Repeated, m.Tip.Rotations)
	}
}

// A topic that was asked for has to be there and to have poses.
func TestCheckTopic(t *testing.T) {
	list := TopicsOf("/tip /text!")
	for _, kind := range []*msgs.Type{tf2_msgs.TFMessageType, geometry_msgs.PointStampedType, geometry_msgs.TransformStampedType} {
		list = append(list, record.Topic{Name: "/" + kind.Name, TypeName: kind.Name, Type: kind})
	}
	for _, c := range []struct{ pose, child, fails string }{
		{"/tip", "", ""},
		{"/geometry_msgs/PointStamped", "", ""},
		{"/geometry_msgs/TransformStamped", "", ""},
		{"/tf2_msgs/TFMessage", "elbow", ""},
		{"/tf2_msgs/TFMessage", "", "name the child frame"},
		{"/text", "", "which has no pose"},
		{"/other", "", "no topic /other; there are /tip"},
	} {
		_, err := newTopicChoice(Source{File: "x.bag"}, list, nil).asked(c.pose, c.child)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: error %v, want %q", c.pose, err, c.fails)
		}
	}
	const one = "/t (geometry_msgs/PoseStamped)"
	for n, want := range map[int]string{
		1: "there are " + one,
		5: "there are " + strings.Repeat(one+", ", 4) + one,
		6: "there are " + strings.Repeat(one+", ", 5) + "1 more",
		9: "there are " + strings.Repeat(one+", ", 5) + "4 more",
	} {
		if got := listTopics(TopicsOf(strings.Repeat("/t ", n))); got != want {
			t.Errorf("of %d topics: %s", n, got)
		}
	}
}
