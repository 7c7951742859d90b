package ros

import (
	"math"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// TestMeasuredShapeIsDrawn: points along the hardware, in its frame, lie as a ghost over the simulated robot; a
// message that cannot be a shape is refused and leaves the last one.
func TestMeasuredShapeIsDrawn(t *testing.T) {
	o := beside(geometry_msgs.PoseStampedType)
	o.Shape, o.Frame = "out_poses", "mocap"
	o.Place = spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: math.Pi / 2}), P: spatial.Vec{X: -1}}
	net := newMemory()
	b, _ := still(t, everyKind(), Options{Hardware: o}, net)
	draw := func() []sim.Tube {
		scene := sim.Scene{Scale: 10, Tubes: []sim.Tube{{Name: "rod", Radius: 0.5}}}
		b.hardware.draw(&scene)
		return scene.Tubes[1:]
	}
	if got := draw(); len(got) != 0 {
		t.Errorf("before anything was measured: %+v", got)
	}
	send := func(frame string, points ...geometry_msgs.Point) {
		m := &geometry_msgs.PoseArray{Header: headerAt(0, frame)}
		for _, p := range points {
			m.Poses = append(m.Poses, geometry_msgs.Pose{Position: p}) // without an orientation
		}
		net.arrive(t, "/lab/left/hardware/out_poses", msgs.Message(m))
	}
	check := func() {
		t.Helper()
		got := draw()
		if len(got) != 1 || len(got[0].Points) != 3 || got[0].Radius != 0.5 || got[0].Color.A > 0.5 || got[0].Name != "hardware_shape" {
			t.Fatalf("%+v", got)
		}
		if d := got[0].Points[2].Sub(spatial.Vec{X: 20}).Norm(); d > 1e-12 { // (0, −3, 0) there is (2, 0, 0) here, ten times as large
			t.Errorf("%g m beside", d)
		}
	}
	send("mocap", geometry_msgs.Point{}, geometry_msgs.Point{Y: -1}, geometry_msgs.Point{Y: -3})
	check()
	for _, c := range []struct {
		frame, want string
		points      []geometry_msgs.Point
	}{
		{"elsewhere", "elsewhere", []geometry_msgs.Point{{}, {Y: 1}}},
		{"mocap", "1 poses; allowed are 2 to 2000", []geometry_msgs.Point{{}}},
		{"mocap", "2001 poses", make([]geometry_msgs.Point, 2001)},
		{"mocap", "the position of pose 1 is NaN, 0, 0", []geometry_msgs.Point{{}, {X: math.NaN()}}},
	} {
		before := b.hardware.refused
		send(c.frame, c.points...)
		if b.hardware.refused != before+1 {
			t.Errorf("%s: not refused", c.want)
		}
		poses := make([]geometry_msgs.Pose, len(c.points))
		for i, p := range c.points {
			poses[i].Position = p
		}
		if c.frame != "mocap" {
			check()
			continue
		}
		if r := b.hardware.takeShape(&geometry_msgs.PoseArray{Poses: poses}, refusal{}); !strings.Contains(r.detail, c.want) {
			t.Errorf("%q, want %q", r.detail, c.want)
		}
		check()
	}
	o = beside(geometry_msgs.PoseStampedType)
	o.Shape = "out_pose"
	if _, err := newBridge(b.sim, b.names, []Transport{newMemory()}, Options{Hardware: o}); err == nil {
		t.Error("a pose is taken for poses along the robot")
	}
}
