package marker

import (
	"slices"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Meshes detects when the triangles of scenes must be sent to viewers again. A vessel would be megabytes a second as
// part of each picture, although only its pose changes. In the zero value viewers have no triangles.
type Meshes struct{ given [][]spatial.Vec }

// Changed reports whether a scene has other triangles than the last one, and notes that they are sent.
func (m *Meshes) Changed(scene *sim.Scene) bool {
	same := slices.EqualFunc(scene.Meshes, m.given, func(w sim.Mesh, given []spatial.Vec) bool {
		if len(w.Corners) == len(given) && len(given) > 0 && &w.Corners[0] == &given[0] {
			return true // triangles do not change in their place
		}
		return slices.Equal(w.Corners, given)
	})
	if same {
		return false
	}
	m.given = m.given[:0]
	for i := range scene.Meshes {
		m.given = append(m.given, scene.Meshes[i].Corners)
	}
	return true
}

// Triangles makes the message of the triangles of a scene: of each mesh, in order, the corners in its axes.
func Triangles(scene *sim.Scene, seq uint32, stamp msgs.Time) *sinew_msgs.Scene {
	m := &sinew_msgs.Scene{Header: std_msgs.Header{Seq: seq, Stamp: stamp, FrameID: sim.World}, Scale: scaleOf(scene)}
	for i := range scene.Meshes {
		w := &scene.Meshes[i]
		s := addShapes(m, kindMesh, w.Name, w.Color, spatial.Vec{})
		s.Data = appendPoints(make([]float32, 0, 3*len(w.Corners)), w.Corners...)
	}
	return m
}
