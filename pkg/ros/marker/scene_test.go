package marker_test

import (
	"slices"
	"testing"

	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/marker"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Every shape is in the message of a scene, and those that look alike are together.
func TestSceneMessage(t *testing.T) {
	at := func(x float64) spatial.Pose { return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: x}} }
	ball := func(x, size float64) sim.Sphere {
		return sim.Sphere{Name: "swarm", Pose: at(x), SemiAxes: spatial.Vec{X: size, Y: 2, Z: 3}}
	}
	red := sim.Color{R: 1, A: 0.5}
	m := marker.Scene(&sim.Scene{
		Tubes:     []sim.Tube{{Name: "rod", Points: []spatial.Vec{{X: 1}, {Y: 2}}, Radius: 0.1, Radii: []float64{0.1, 0.25}, Color: red}},
		Disks:     []sim.Disk{{Name: "disk", Pose: at(1), Radius: 2, Thickness: 0.5}},
		Spheres:   []sim.Sphere{ball(1, 1), ball(2, 1), ball(3, 4)},
		Polylines: []sim.Polyline{{Name: "tendon", Points: []spatial.Vec{{Z: 3}}, Width: 0.2}},
		Arrows: []sim.Arrow{
			{Name: "force", From: spatial.Vec{X: 1}, To: spatial.Vec{Y: 1}, Radius: 0.3},
			{Name: "force", From: spatial.Vec{X: 2}, To: spatial.Vec{Y: 2}, Radius: 0.3},
			{Name: "field", From: spatial.Vec{X: 3}, To: spatial.Vec{Y: 3}, Radius: 0.3},
		},
		Meshes: []sim.Mesh{{Name: "wall", Corners: []spatial.Vec{{}, {X: 1}, {Y: 1}}}, {Name: "wall", Pose: at(5)}},
	}, 7, 9)
	if m.Header.Seq != 7 || m.Header.Stamp != 9 || m.Header.FrameID != "world" || m.Scale != 1 {
		t.Errorf("%+v, scale %g", m.Header, m.Scale)
	}
	want := []struct {
		kind uint8
		name string
		size [3]float64
		data []float32
	}{
		{marker.KindTube, "rod", [3]float64{0.1, 0, 0}, []float32{1, 0, 0, 0, 2, 0}},
		{marker.KindDisk, "disk", [3]float64{2, 2, 0.5}, []float32{1, 0, 0, 0, 0, 0, 1}},
		{marker.KindSphere, "swarm", [3]float64{1, 2, 3}, []float32{1, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 1}},
		{marker.KindSphere, "swarm", [3]float64{4, 2, 3}, []float32{3, 0, 0, 0, 0, 0, 1}},
		{marker.KindPolyline, "tendon", [3]float64{0.2, 0, 0}, []float32{0, 0, 3}},
		{marker.KindArrow, "force", [3]float64{0.3, 0, 0}, []float32{1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 2, 0}},
		{marker.KindArrow, "field", [3]float64{0.3, 0, 0}, []float32{3, 0, 0, 0, 3, 0}},
		{marker.KindMesh, "wall", [3]float64{}, []float32{0, 0, 0, 0, 0, 0, 1}},
		{marker.KindMesh, "wall", [3]float64{}, []float32{5, 0, 0, 0, 0, 0, 1}},
	}
	if len(m.Shapes) != len(want) {
		t.Fatalf("%d shapes: %+v", len(m.Shapes), m.Shapes)
	}
	for i, w := range want {
		s := m.Shapes[i]
		if s.Kind != w.kind || s.Name != w.name || [3]float64{s.Size.X, s.Size.Y, s.Size.Z} != w.size || !slices.Equal(s.Data, w.data) {
			t.Errorf("shapes %d: %+v, want %+v", i, s, w)
		}
	}
	if c := m.Shapes[0].Color; c.R != 1 || c.A != 0.5 || c.G != 0 {
		t.Errorf("colour %+v", c)
	}
	if r := m.Shapes[0].Radii; !slices.Equal(r, []float32{0.1, 0.25}) {
		t.Errorf("radii %v", r)
	}
	var again sinew_msgs.Scene
	if err := again.ParseCDR(m.AppendCDR(nil)); err != nil || len(again.Shapes) != len(want) {
		t.Errorf("%v, %+v", err, again)
	}
}

// swarmScene is a scene of many bodies that look alike.
func swarmScene(count int) *sim.Scene {
	s := new(sim.Scene)
	for i := range count {
		s.Spheres = append(s.Spheres, sim.Sphere{
			Name: "swarm", Pose: spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: float64(i)}}, SemiAxes: spatial.Vec{X: 1, Y: 2, Z: 3},
		})
	}
	return s
}

// A swarm is hardly more bytes than its poses: 10,000 bodies are 280 kB a picture.
func TestSwarmIsCompact(t *testing.T) {
	const count, pose, rest = 10_000, 7 * 4, 256 // bytes
	m := marker.Scene(swarmScene(count), 1, 1)
	if n := len(m.AppendCDR(nil)); len(m.Shapes) != 1 || n > count*pose+rest {
		t.Errorf("%d shapes, %d bytes; want 1, at most %d", len(m.Shapes), n, count*pose+rest)
	}
}

// BenchmarkSwarm makes the bytes of a picture of 10,000 bodies, of which viewers get 60 a second.
func BenchmarkSwarm(b *testing.B) {
	s, room := swarmScene(10_000), 0
	for b.Loop() {
		room = len(marker.Scene(s, 1, 1).AppendCDR(make([]byte, 0, room)))
	}
	b.SetBytes(int64(room))
	b.ReportAllocs()
}
