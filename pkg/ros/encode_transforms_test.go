package ros

import (
	"testing"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/sim"
)

// Markers go out as transforms with a name each, below the node's own.
func TestMarkersAreTransforms(t *testing.T) {
	net := newMemory()
	ports := []sim.Port{{Name: "markers_measured", Kind: sim.Transforms, Direction: sim.Out, Labels: []string{"m1", "m2"}, Frames: []string{sim.World}}}
	b, _ := still(t, everyKind(), Options{}, newMemory())
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
