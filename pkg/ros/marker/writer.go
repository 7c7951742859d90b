package marker

import (
	"math"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// thinnest is the smallest extent (m) of a marker: rviz complains about zero.
const thinnest = 1e-9

// Writer turns scenes into markers in frame world. A marker's namespace is the
// name of its shape, its id counts the shapes of that name, so both stay the
// same from scene to scene.
type Writer struct {
	shown map[markerKey]bool // what viewers hold
	drawn bool               // whether there was a drawing
}

type markerKey struct {
	ns string
	id int32
}

// Message makes the message for a scene. The first one clears what an earlier run
// may have left in a viewer; later ones delete the shapes that are gone.
func (w *Writer) Message(scene *sim.Scene, seq uint32, stamp msgs.Time) *visualization_msgs.MarkerArray {
	s := messageBuilder{header: std_msgs.Header{Seq: seq, Stamp: stamp, FrameID: sim.World}, used: make(map[markerKey]bool), count: make(map[string]int32)}
	if !w.drawn {
		s.markers = append(s.markers, visualization_msgs.Marker{
			Header: s.header, Action: visualization_msgs.MarkerDeleteall, Pose: identity(),
		})
	}
	s.scene(scene)
	for key := range w.shown {
		if !s.used[key] {
			s.markers = append(s.markers, visualization_msgs.Marker{
				Header: s.header, Ns: key.ns, ID: key.id, Action: visualization_msgs.MarkerDelete, Pose: identity(),
			})
		}
	}
	w.shown, w.drawn = s.used, true
	return &visualization_msgs.MarkerArray{Markers: s.markers}
}

// messageBuilder collects the markers of one scene.
type messageBuilder struct {
	header  std_msgs.Header
	markers []visualization_msgs.Marker
	used    map[markerKey]bool
	count   map[string]int32
}

func (s *messageBuilder) scene(scene *sim.Scene) {
	for i := range scene.Tubes {
		t := &scene.Tubes[i]
		m := s.marker(t.Name, visualization_msgs.MarkerTriangleList, t.Color)
		m.Scale = geometry_msgs.Vector3{X: 1, Y: 1, Z: 1}
		radii := t.Radii
		if len(radii) == 0 {
			radii = []float64{t.Radius}
		}
		m.Points = tubeTriangles(t.Points, radii...)
		s.add(m, len(m.Points) > 0)
	}
	for i := range scene.Disks {
		d := &scene.Disks[i]
		m := s.marker(d.Name, visualization_msgs.MarkerCylinder, d.Color)
		m.Pose = Pose(d.Pose)
		m.Scale = extent(2*d.Radius, 2*d.Radius, d.Thickness)
		s.add(m, true)
	}
	for i := range scene.Spheres {
		b := &scene.Spheres[i]
		m := s.marker(b.Name, visualization_msgs.MarkerSphere, b.Color)
		m.Pose = Pose(b.Pose)
		m.Scale = extent(2*b.SemiAxes.X, 2*b.SemiAxes.Y, 2*b.SemiAxes.Z)
		s.add(m, true)
	}
	for i := range scene.Polylines {
		l := &scene.Polylines[i]
		m := s.marker(l.Name, visualization_msgs.MarkerLineStrip, l.Color)
		m.Scale.X = max(l.Width, thinnest)
		m.Points = points(l.Points)
		s.add(m, len(m.Points) > 1)
	}
	for i := range scene.Arrows {
		s.arrow(&scene.Arrows[i])
	}
	for i := range scene.Meshes {
		w := &scene.Meshes[i]
		m := s.marker(w.Name, visualization_msgs.MarkerTriangleList, w.Color)
		m.Scale = geometry_msgs.Vector3{X: 1, Y: 1, Z: 1}
		m.Pose = Pose(w.Place())
		m.Points = points(w.Corners)
		s.add(m, len(m.Points) > 0)
	}
}

// arrow draws a shaft with a head twice as wide; the head takes a quarter of the
// length, but is never longer than four diameters.
func (s *messageBuilder) arrow(a *sim.Arrow) {
	m := s.marker(a.Name, visualization_msgs.MarkerArrow, a.Color)
	length := a.To.Sub(a.From).Norm()
	m.Points = []geometry_msgs.Point{point(a.From), point(a.To)}
	m.Scale = extent(2*a.Radius, 4*a.Radius, math.Min(length/4, 8*a.Radius))
	s.add(m, length > 0)
}

// marker begins the marker of the next shape of a name.
func (s *messageBuilder) marker(name string, kind int32, c sim.Color) visualization_msgs.Marker {
	id := s.count[name]
	s.count[name]++
	return visualization_msgs.Marker{
		Header: s.header, Ns: name, ID: id, Kind: kind, Action: visualization_msgs.MarkerAdd,
		Pose: identity(), Color: std_msgs.ColorRGBA{R: c.R, G: c.G, B: c.B, A: c.A},
	}
}

// add takes a marker unless it has nothing to show now, such as an arrow without
// length; what viewers have of it then goes.
func (s *messageBuilder) add(m visualization_msgs.Marker, visible bool) {
	if !visible {
		return
	}
	s.used[markerKey{m.Ns, m.ID}] = true
	s.markers = append(s.markers, m)
}

func points(list []spatial.Vec) []geometry_msgs.Point {
	out := make([]geometry_msgs.Point, len(list))
	for i, p := range list {
		out[i] = point(p)
	}
	return out
}

func extent(x, y, z float64) geometry_msgs.Vector3 {
	return geometry_msgs.Vector3{X: max(x, thinnest), Y: max(y, thinnest), Z: max(z, thinnest)}
}

func identity() geometry_msgs.Pose {
	return geometry_msgs.Pose{Orientation: geometry_msgs.Quaternion{W: 1}}
}

// Pose is the message of a pose.
func Pose(g spatial.Pose) geometry_msgs.Pose {
	q := g.R.Quat()
	return geometry_msgs.Pose{Position: point(g.P), Orientation: geometry_msgs.Quaternion{X: q.X, Y: q.Y, Z: q.Z, W: q.W}}
}
