package marker_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/ros/marker"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// What a Writer makes of a scene a Reader turns back into it, and shapes that go are gone.
func TestReader(t *testing.T) {
	turned := spatial.Pose{P: spatial.Vec{X: 1, Y: 2, Z: 3}, R: spatial.Quat{W: math.Sqrt(0.5), Y: math.Sqrt(0.5)}.Rot()}
	line := []spatial.Vec{{}, {X: 0.1}, {X: 0.2, Z: 0.05}, {X: 0.25, Z: 0.15}}
	c := sim.Color{R: 0.1, G: 0.2, B: 0.3, A: 0.4}
	scene := sim.Scene{
		Tubes:     []sim.Tube{{Name: "rod", Points: line, Radius: 0.01, Radii: []float64{0.01, 0.008, 0.006, 0.004}, Color: c}},
		Disks:     []sim.Disk{{Name: "disks", Pose: turned, Radius: 0.02, Thickness: 0.002, Color: c}, {Name: "disks", Pose: turned, Radius: 0.01, Thickness: 0.002, Color: c}},
		Spheres:   []sim.Sphere{{Name: "body", Pose: turned, SemiAxes: spatial.Vec{X: 1, Y: 2, Z: 3}, Color: c}},
		Polylines: []sim.Polyline{{Name: "tendon", Points: line, Width: 0.001, Color: c}},
		Arrows:    []sim.Arrow{{Name: "field", From: line[1], To: line[3], Radius: 0.003, Color: c}},
		Meshes:    []sim.Mesh{{Name: "wall", Corners: slices.Repeat(line[:3], 2*(marker.TubeSides-2)+2*marker.TubeSides), Color: c}}, // as many as of a tube
	}
	var w marker.Writer
	var r marker.Reader
	r.Take(w.Message(&scene, 1, 1))
	got := r.Scene()
	if len(got.Tubes) != 1 || len(got.Disks) != 2 || len(got.Spheres) != 1 || len(got.Polylines) != 1 || len(got.Arrows) != 1 ||
		len(got.Meshes) != 1 {
		t.Fatalf("%+v", got)
	}
	const close = 1e-12
	for i, p := range got.Tubes[0].Points {
		if p.Sub(line[i]).Norm() > close || math.Abs(got.Tubes[0].Radii[i]-scene.Tubes[0].Radii[i]) > close {
			t.Errorf("point %d of the tube is %v, radius %g", i, p, got.Tubes[0].Radii[i])
		}
	}
	if d := got.Disks[1]; d.Name != "disks" || d.Radius != 0.01 || d.Thickness != 0.002 || d.Color != c || d.Pose.P != turned.P || d.Pose.R.Col3().Sub(turned.R.Col3()).Norm() > close {
		t.Errorf("disk %+v", d)
	}
	if s := got.Spheres[0]; s.SemiAxes != scene.Spheres[0].SemiAxes || s.Color != c {
		t.Errorf("sphere %+v", s)
	}
	if a := got.Arrows[0]; a != scene.Arrows[0] {
		t.Errorf("arrow %+v", a)
	}
	if m := got.Meshes[0]; m.Name != "wall" || m.Color != c || !slices.Equal(m.Corners, scene.Meshes[0].Corners) {
		t.Errorf("mesh %+v", m)
	}
	scene.Disks = scene.Disks[:1]
	scene.Arrows[0].To = scene.Arrows[0].From
	r.Take(w.Message(&scene, 2, 2))
	if got := r.Scene(); len(got.Disks) != 1 || len(got.Arrows) != 0 || len(got.Tubes) != 1 {
		t.Errorf("after shapes have gone: %+v", got)
	}
	var fresh marker.Writer
	r.Take(fresh.Message(&sim.Scene{}, 3, 3))
	if !r.Empty() {
		t.Errorf("after all were deleted: %+v", r.Scene())
	}
}
