package marker

import (
	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Kinds of sinew_msgs/SceneShapes; see the package sinew_msgs.
const (
	kindTube     = 1
	kindDisk     = 2
	kindSphere   = 3
	kindPolyline = 4
	kindArrow    = 5
	kindMesh     = 6
)

// Scene makes the message of a scene for viewers that draw it themselves. Shapes that follow
// one another and look alike become one of its shapes, so that a swarm is not much more than its poses. Meshes are
// no more than where they are: Triangles makes the message of the rest.
func Scene(scene *sim.Scene, seq uint32, stamp msgs.Time) *sinew_msgs.Scene {
	m := &sinew_msgs.Scene{Header: std_msgs.Header{Seq: seq, Stamp: stamp, FrameID: sim.World}, Scale: scaleOf(scene)}
	for i := range scene.Tubes {
		t := &scene.Tubes[i]
		s := addShapes(m, kindTube, t.Name, t.Color, spatial.Vec{X: t.Radius})
		s.Data = appendPoints(make([]float32, 0, 3*len(t.Points)), t.Points...)
		for _, r := range t.Radii {
			s.Radii = append(s.Radii, float32(r))
		}
	}
	for i := range scene.Disks {
		d := &scene.Disks[i]
		s := alike(m, kindDisk, d.Name, d.Color, spatial.Vec{X: d.Radius, Y: d.Radius, Z: d.Thickness}, poseWidth*(len(scene.Disks)-i))
		s.Data = appendPose(s.Data, d.Pose)
	}
	for i := range scene.Spheres {
		b := &scene.Spheres[i]
		s := alike(m, kindSphere, b.Name, b.Color, b.SemiAxes, poseWidth*(len(scene.Spheres)-i))
		s.Data = appendPose(s.Data, b.Pose)
	}
	for i := range scene.Polylines {
		l := &scene.Polylines[i]
		s := addShapes(m, kindPolyline, l.Name, l.Color, spatial.Vec{X: l.Width})
		s.Data = appendPoints(make([]float32, 0, 3*len(l.Points)), l.Points...)
	}
	for i := range scene.Arrows {
		a := &scene.Arrows[i]
		s := alike(m, kindArrow, a.Name, a.Color, spatial.Vec{X: a.Radius}, arrowWidth*(len(scene.Arrows)-i))
		s.Data = appendPoints(s.Data, a.From, a.To)
	}
	for i := range scene.Meshes {
		w := &scene.Meshes[i]
		s := addShapes(m, kindMesh, w.Name, w.Color, spatial.Vec{})
		s.Data = appendPose(make([]float32, 0, poseWidth), w.Place())
	}
	return m
}

// scaleOf is how many times larger than life a scene is drawn.
func scaleOf(scene *sim.Scene) float64 {
	if scene.Scale == 0 {
		return 1
	}
	return scene.Scale
}

func addShapes(m *sinew_msgs.Scene, kind uint8, name string, c sim.Color, size spatial.Vec) *sinew_msgs.SceneShapes {
	s := sinew_msgs.SceneShapes{Name: name, Kind: kind, Color: std_msgs.ColorRGBA{R: c.R, G: c.G, B: c.B, A: c.A}}
	s.Size.X, s.Size.Y, s.Size.Z = size.X, size.Y, size.Z
	m.Shapes = append(m.Shapes, s)
	return &m.Shapes[len(m.Shapes)-1]
}

// alike returns the last shapes of m if they look so, and otherwise new ones with room for so many
// numbers.
func alike(m *sinew_msgs.Scene, kind uint8, name string, c sim.Color, size spatial.Vec, room int) *sinew_msgs.SceneShapes {
	if n := len(m.Shapes); n > 0 {
		s := &m.Shapes[n-1]
		if s.Kind == kind && s.Name == name && s.Color == (std_msgs.ColorRGBA{R: c.R, G: c.G, B: c.B, A: c.A}) &&
			s.Size.X == size.X && s.Size.Y == size.Y && s.Size.Z == size.Z {
			return s
		}
	}
	s := addShapes(m, kind, name, c, size)
	s.Data = make([]float32, 0, room)
	return s
}

// How many numbers a pose and an arrow are.
const (
	poseWidth  = 7
	arrowWidth = 6
)

func appendPoints(dst []float32, points ...spatial.Vec) []float32 {
	for _, p := range points {
		dst = append(dst, float32(p.X), float32(p.Y), float32(p.Z))
	}
	return dst
}

func appendPose(dst []float32, g spatial.Pose) []float32 {
	q := g.R.Quat()
	return append(dst, float32(g.P.X), float32(g.P.Y), float32(g.P.Z), float32(q.X), float32(q.Y), float32(q.Z), float32(q.W))
}
