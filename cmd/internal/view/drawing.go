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

// Sizes in drawings of a robot without markers and robot file, m.
const (
	ballRadius = 0.004
	lineRadius = 0.003
	pathWidth  = 0.002
)

var (
	plain     = sim.Color{R: 0.2, G: 0.55, B: 0.8, A: 1}
	pathColor = sim.Color{R: 0.10, G: 0.80, B: 0.30, A: 1}
)

// measure determines the scale at which the robot is drawn. Markers of a microrobot are enlarged,
// by the factor that their frame gives. A small motion is enlarged, unless the scale of another
// recording is fixed.
func (r *recording) measure() {
	r.scale, r.free = 1, !r.hasMarkers()
	if k := r.drawnScale(); k > 0 {
		r.scale, r.free = k, false
	} else if extent := r.extent(); r.free && extent > 0 && extent < smallMotion {
		r.scale = decade(drawnMotion / extent)
	}
}

// hasMarkers reports whether the recording has markers of the robot.
func (r *recording) hasMarkers() bool {
	return slices.ContainsFunc(r.Topics(), func(t record.Topic) bool { return t.Type == visualization_msgs.MarkerArrayType })
}

// drawnScale returns the scale at which markers show the robot, 0 if it is unknown.
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
	for _, at := range []time.Duration{r.last, (r.first + r.last) / 2, r.first} { // at the origin the scale cannot be determined
		_ = r.At(at, func(m record.Message) { // errors of reading are logged when the message is shown
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

// agree sets the scale of recordings without a fixed one to that of a recording with a fixed one,
// or of the first.
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

// decade returns the power of ten nearest to x.
func decade(x float64) float64 { return math.Pow(10, math.Round(math.Log10(x))) }

// extent returns the extent of a motion in memory, m; 0 for other recordings.
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

// useSketch draws the robot of a robot file, which is called name, if the recording has no markers.
func (r *recording) useSketch(made *program.Instance, name string) {
	if made.Sketch == nil || r.hasMarkers() || r.flat { // the attitude of a robot in a flat recording is unknown
		return
	}
	r.sketch, r.drawnAs = made.Sketch, name
	var s sim.Scene
	r.sketch(&s, program.Observation{Poses: []spatial.Pose{spatial.IdentityPose()}})
	r.scale, r.free = max(s.Scale, 1), false
}

// scene returns the scene with the robot, enlarged by the scale of the recording.
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

// ownArrays returns the topics of pose arrays in the namespace of the shown pose, or all if there
// are none. Arrays of hardware in the same recording belong to another robot, in another frame.
func (r *recording) ownArrays() []string {
	all := slices.Sorted(maps.Keys(r.arrays))
	own := slices.DeleteFunc(slices.Clone(all), func(topic string) bool { return path.Dir(topic) != path.Dir(r.shown) })
	if r.shown == "" || len(own) == 0 {
		return all
	}
	return own
}

// seen returns the recorded poses of the robot.
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
			if len(s.Poses) == 0 || p.P != s.Poses[0].P { // the shown robot is itself one of the swarm
				s.Poses = append(s.Poses, p)
			}
		}
	}
	return s
}

// drawPlain draws the recorded poses without a robot file.
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

// drawPaths draws the paths of the robot.
func (r *recording) drawPaths(s *sim.Scene) {
	lines := make([][]spatial.Vec, 0, 1)
	for _, topic := range slices.Sorted(maps.Keys(r.paths)) {
		lines = append(lines, r.paths[topic])
	}
	if r.sketch != nil && !r.hasPaths() {
		lines = append(lines, r.trail.points())
	}
	for _, points := range lines {
		line := sim.Polyline{Name: "path", Width: pathWidth, Color: pathColor}
		for _, p := range points {
			line.Points = append(line.Points, p.Scale(r.scale))
		}
		if len(line.Points) > 1 {
			s.Polylines = append(s.Polylines, line)
		}
	}
}

// enlarge scales a scene by k about the origin.
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

// ghost gives shapes the colours of an overlay.
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
