package marker_test

import (
	"slices"
	"testing"

	"sinew/pkg/ros/marker"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// The triangles of scenes are given once, and again when they are others; where they are does not matter.
func TestMeshes(t *testing.T) {
	at := func(x float64) spatial.Pose { return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: x}} }
	wall := func(x float64) []spatial.Vec { return []spatial.Vec{{X: x}, {Y: 1}, {Z: 2}} }
	first := wall(1)
	var m marker.Meshes
	for i, step := range []struct {
		name   string
		meshes []sim.Mesh
		want   bool
	}{
		{"no walls", nil, false},
		{"a wall", []sim.Mesh{{Name: "wall", Corners: first}}, true},
		{"the same", []sim.Mesh{{Name: "wall", Corners: first}}, false},
		{"elsewhere and of another colour", []sim.Mesh{{Name: "wall", Corners: first, Pose: at(3), Color: sim.Color{R: 1}}}, false},
		{"read anew", []sim.Mesh{{Name: "wall", Corners: wall(1)}}, false},
		{"of another shape", []sim.Mesh{{Name: "wall", Corners: wall(2)}}, true},
		{"smaller", []sim.Mesh{{Name: "wall", Corners: wall(2)[:0]}}, true},
		{"one more", []sim.Mesh{{Corners: nil}, {Corners: first}}, true},
		{"in another order", []sim.Mesh{{Corners: first}, {Corners: nil}}, true},
		{"none again", nil, true},
	} {
		if got := m.Changed(&sim.Scene{Meshes: step.meshes}); got != step.want {
			t.Errorf("%d, %s: changed is %t, want %t", i, step.name, got, step.want)
		}
	}
}

// The message of triangles has the corners of all meshes in their axes, wherever these are.
func TestMeshesMessage(t *testing.T) {
	s := sim.Scene{Scale: 3, Meshes: []sim.Mesh{
		{Name: "vessel", Corners: []spatial.Vec{{X: 1}, {Y: 2}, {Z: 3}}, Pose: spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 9}}, Color: sim.Color{G: 1}},
		{Name: "plane", Corners: []spatial.Vec{{}, {X: 4}, {Y: 5}}},
	}}
	m := marker.Triangles(&s, 7, 9)
	if m.Header.Seq != 7 || m.Header.Stamp != 9 || m.Header.FrameID != "world" || m.Scale != 3 || len(m.Shapes) != 2 {
		t.Fatalf("%+v, scale %g, %d shapes", m.Header, m.Scale, len(m.Shapes))
	}
	for i, want := range [][]float32{{1, 0, 0, 0, 2, 0, 0, 0, 3}, {0, 0, 0, 4, 0, 0, 0, 5, 0}} {
		if got := &m.Shapes[i]; got.Kind != marker.KindMesh || got.Name != s.Meshes[i].Name || !slices.Equal(got.Data, want) {
			t.Errorf("mesh %d: %+v, want %v", i, got, want)
		}
	}
}
