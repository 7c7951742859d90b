package view

import (
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"sinew/cmd/internal/program"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros/marker"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// What is drawn of a robot without markers and robot file, m in the drawing.
const (
	ballRadius = 0.004
	lineRadius = 0.003
	pathWidth  = 0.002
)

var (
	plain     = sim.Color{R: 0.2, G: 0.55, B: 0.8, A: 1}
	pathColor = sim.Color{R: 0.10, G: 0.80, B: 0.30, A: 1}
)

// measure finds how much larger than life the robot is drawn. Markers of a microrobot are enlarged, as the frame in which
// they show it says; a small motion is enlarged by itself, unless the scale of another recording is fixed.
func (r *recording) measure() {
	r.scale, r.free = 1, !r.hasMarkers()
	if k := r.drawnScale(); k > 0 {
		r.scale, r.free = k, false
	} else if extent := r.extent(); r.free && extent > 0 && extent < smallMotion {
		r.scale = decade(drawnMotion / extent)
	}
}

// hasMarkers reports whether the recording says how the robot looks.
func (r *recording) hasMarkers() bool {
	return slices.ContainsFunc(r.Topics(), func(t record.Topic) bool { return t.Type == visualization_msgs.MarkerArrayType })
}

// drawnScale is how much larger than life markers show the robot, 0 if that is unknown.
func (r *recording) drawnScale() float64 {
	if r.rod || !slices.ContainsFunc(r.Topics(), func(t record.Topic) bool { return t.Type == tf2_msgs.TFMessageType }) {
		return 0
	}
	place := func(tf *tf2_msgs.TFMessage, frame string) float64 {
		for i := range tf.Transforms {
			if tf.Transforms[i].ChildFrameID == strings.TrimPrefix(r.node, "/")+frame {
				return spatial.Vec(tf.Transforms[i].Transform.Translation).Norm()
			}
		}
		return 0
	}
	var ratio float64
	for _, at := range []time.Duration{r.last, (r.first + r.last) / 2, r.first} { // at the origin it does not show
		_ = r.At(at, func(m record.Message) { // what cannot be read is logged when it is shown
			if tf, ok := m.Message.(*tf2_msgs.TFMessage); ok && place(tf, "/body") > 0 {
				ratio = place(tf, "/drawn") / place(tf, "/body")
			}
		})
		if ratio > 0 {
			return decade(ratio)
		}
	}
	return 0
}

// agree lets recordings that could be drawn at any scale have that of one that cannot, or of the first.
func agree(recordings []*recording) {
	scale := recordings[0].scale
	if i := slices.IndexFunc(recordings, func(r *recording) bool { return !r.free }); i >= 0 {
		scale = recordings[i].scale
	}
	for _, r := range recordings {
		if r.free {
			r.scale = scale
		}
	}
}

// A motion smaller than smallMotion is drawn about as large as drawnMotion, m.
const (
	smallMotion = 0.02
	drawnMotion = 0.25
)

// decade is the power of ten nearest to x.
func decade(x float64) float64 { return math.Pow(10, math.Round(math.Log10(x))) }

// extent is that of a motion in memory, m; 0 for other recordings.
func (r *recording) extent() float64 {
	memory, ok := r.messageSource.(*Memory)
	if !ok {
		return 0
	}
	var low, high spatial.Vec
	any := false
	for _, c := range memory.channels {
		if c.topic.Name != r.shown {
			continue
		}
		stride := max(1, len(c.times)/1000)
		for i := 0; i < len(c.times); i += stride {
			p := spatial.Vec(c.message(i).(*geometry_msgs.PoseStamped).Pose.Position)
			if !any {
				low, high, any = p, p, true
			}
			low = spatial.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
			high = spatial.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
		}
	}
	return high.Sub(low).Norm()
}

// useSketch lets the robot of a robot file, which has a name, be drawn where there are no markers.
func (r *recording) useSketch(made *program.Instance, name string) {
	if made.Sketch == nil || r.hasMarkers() || r.flat { // how a robot without attitude is turned nobody knows
		return
	}
	r.sketch, r.drawnAs = made.Sketch, name
	var s sim.Scene
	r.sketch(&s, program.Observation{Poses: []spatial.Pose{spatial.IdentityPose()}})
	r.scale, r.free = max(s.Scale, 1), false
}

// scene is how the robot looks, enlarged by the scale of the recording.
func (r *recording) scene() *sim.Scene {
	own := new(sim.Scene)
	for _, topic := range slices.Sorted(maps.Keys(r.markers)) {
		add(own, r.markers[topic].Scene())
	}
	if len(r.markers) == 0 {
		seen := r.seen()
		if r.sketch != nil {
			r.sketch(own, seen)
		} else {
			r.drawPlain(own, seen)
		}
		r.drawPaths(own)
	}
	own.Scale = r.scale
	if r.overlay {
		ghost(own)
	}
	return own
}

// ownArrays are the topics of arrays beside the pose that stands for the robot, or all where there are none: those of hardware in the
// same recording are of another robot, in another frame.
func (r *recording) ownArrays() []string {
	all := slices.Sorted(maps.Keys(r.arrays))
	own := slices.DeleteFunc(slices.Clone(all), func(topic string) bool { return path.Dir(topic) != path.Dir(r.shown) })
	if r.shown == "" || len(own) == 0 {
		return all
	}
	return own
}

// seen is what is known of where the robot is.
func (r *recording) seen() (s program.Observation) {
	s.Shapes = r.shapes
	if r.pose != nil {
		s.Poses = append(s.Poses, marker.PoseOf(r.pose))
	}
	for _, topic := range r.ownArrays() {
		if r.rod && r.flatNodes {
			for _, p := range r.arrays[topic] {
				s.Line = append(s.Line, p.P)
			}
			continue
		}
		if r.rod {
			s.Nodes = r.arrays[topic]
			continue
		}
		for _, p := range r.arrays[topic] {
			if len(s.Poses) == 0 || p.P != s.Poses[0].P { // the robot that is shown is one of a swarm
				s.Poses = append(s.Poses, p)
			}
		}
	}
	return s
}

// drawPlain draws what is known of no robot in particular.
func (r *recording) drawPlain(s *sim.Scene, seen program.Observation) {
	if points := seen.Centerline(); len(points) > 1 {
		for i := range points {
			points[i] = points[i].Scale(r.scale)
		}
		s.Tubes = append(s.Tubes, sim.Tube{Name: "line", Points: points, Radius: lineRadius, Color: plain})
	}
	for _, p := range seen.Poses {
		g := spatial.Pose{P: p.P.Scale(r.scale), R: spatial.Identity3()}
		s.Spheres = append(s.Spheres, sim.Sphere{Name: "pose", Pose: g, SemiAxes: spatial.Vec{X: ballRadius, Y: ballRadius, Z: ballRadius}, Color: plain})
	}
}

// drawPaths draws where the robot has been.
func (r *recording) drawPaths(s *sim.Scene) {
	for _, topic := range slices.Sorted(maps.Keys(r.paths)) {
		line := sim.Polyline{Name: "path", Width: pathWidth, Color: pathColor}
		for _, p := range r.paths[topic] {
			line.Points = append(line.Points, p.Scale(r.scale))
		}
		if len(line.Points) > 1 {
			s.Polylines = append(s.Polylines, line)
		}
	}
}

// enlarge makes a scene so many times larger, about the origin.
func enlarge(s *sim.Scene, k float64) {
	if k == 1 {
		return
	}
	points := func(list []spatial.Vec) {
		for i := range list {
			list[i] = list[i].Scale(k)
		}
	}
	for i := range s.Tubes {
		t := &s.Tubes[i]
		points(t.Points)
		t.Radius *= k
		t.Radii = slices.Clone(t.Radii)
		for n := range t.Radii {
			t.Radii[n] *= k
		}
	}
	for i := range s.Disks {
		d := &s.Disks[i]
		d.Pose.P, d.Radius, d.Thickness = d.Pose.P.Scale(k), k*d.Radius, k*d.Thickness
	}
	for i := range s.Spheres {
		b := &s.Spheres[i]
		b.Pose.P, b.SemiAxes = b.Pose.P.Scale(k), b.SemiAxes.Scale(k)
	}
	for i := range s.Polylines {
		points(s.Polylines[i].Points)
		s.Polylines[i].Width *= k
	}
	for i := range s.Arrows {
		a := &s.Arrows[i]
		a.From, a.To, a.Radius = a.From.Scale(k), a.To.Scale(k), k*a.Radius
	}
	for i := range s.Meshes {
		m := &s.Meshes[i]
		m.Pose = m.Place()
		m.Pose.P = m.Pose.P.Scale(k)
		m.Corners = slices.Clone(m.Corners) // scenes share them
		points(m.Corners)
	}
}

// add adds the shapes of a scene to another.
func add(to, s *sim.Scene) {
	to.Tubes, to.Disks, to.Spheres = append(to.Tubes, s.Tubes...), append(to.Disks, s.Disks...), append(to.Spheres, s.Spheres...)
	to.Polylines, to.Arrows = append(to.Polylines, s.Polylines...), append(to.Arrows, s.Arrows...)
	to.Meshes = append(to.Meshes, s.Meshes...)
}

// ghost makes shapes look as what lies over others.
func ghost(s *sim.Scene) {
	look := func(name *string, c *sim.Color) {
		*name = "overlay " + strings.TrimPrefix(*name, "overlay ")
		*c = sim.Color{R: 0.95, G: 0.6, B: 0.15, A: 0.45 * c.A}
	}
	for i := range s.Tubes {
		look(&s.Tubes[i].Name, &s.Tubes[i].Color)
	}
	for i := range s.Disks {
		look(&s.Disks[i].Name, &s.Disks[i].Color)
	}
	for i := range s.Spheres {
		look(&s.Spheres[i].Name, &s.Spheres[i].Color)
	}
	for i := range s.Polylines {
		look(&s.Polylines[i].Name, &s.Polylines[i].Color)
	}
	for i := range s.Arrows {
		look(&s.Arrows[i].Name, &s.Arrows[i].Color)
	}
	for i := range s.Meshes {
		look(&s.Meshes[i].Name, &s.Meshes[i].Color)
	}
}
