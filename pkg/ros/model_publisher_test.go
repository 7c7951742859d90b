package ros

import (
	"testing"

	"sinew/msgs/sinew_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Viewers get the triangles of walls once, before the first picture with them, and again when they are others; networks get none.
func TestTrianglesGoOnce(t *testing.T) {
	m, screen, network := everyKind(), views{newMemory()}, newMemory()
	s, err := NewModelPublisher(m.ports, testNames(), []Transport{screen, network}, 0)
	if err != nil {
		t.Fatal(err)
	}
	wall := func(z float64) []spatial.Vec { return []spatial.Vec{{Z: z}, {X: 1}, {Y: 1}} }
	low, high := wall(0), wall(1)
	for i, step := range []struct {
		meshes []sim.Mesh
		want   int // messages of triangles
	}{
		{nil, 0},
		{[]sim.Mesh{{Name: "wall", Corners: low}}, 1},
		{[]sim.Mesh{{Name: "wall", Corners: low, Pose: spatial.Pose{P: spatial.Vec{X: 2}, R: spatial.Identity3()}}}, 0},
		{[]sim.Mesh{{Name: "wall", Corners: high}}, 1},
	} {
		s.publishScene(&sim.Scene{Meshes: step.meshes}, 1)
		if got := len(screen.topic(t, "/lab/left/meshes").take()); got != step.want {
			t.Errorf("picture %d: %d messages of triangles, want %d", i, got, step.want)
		}
		picture := only[*sinew_msgs.Scene](t, screen.topic(t, "/lab/left/scene"))
		if len(picture.Shapes) != len(step.meshes) {
			t.Errorf("picture %d has %d shapes", i, len(picture.Shapes))
		}
	}
	if network.topics["/lab/left/meshes"] != nil || network.topics["/lab/left/scene"] != nil {
		t.Error("pictures for viewers go to a network")
	}
}
