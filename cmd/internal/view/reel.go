package view

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"sinew/cmd/internal/exit"
	"sinew/cmd/internal/verb"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros/marker"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// reel is a recording with the robot in it. Times are those of the page: of the first recording.
type reel struct {
	recording
	file        string
	overlay     bool   // it lies over another
	node        string // absolute
	shown       string // topic of the pose that stands for the robot, or empty
	first, last time.Duration
	later       time.Duration // than in the file

	markers map[string]*marker.Reader           // by topic
	poses   map[string]*geometry_msgs.Pose      // by topic
	lines   map[string]*geometry_msgs.PoseArray // by topic
	changed bool
}

// drawable are the types of which a robot is drawn.
var drawable = []*msgs.Type{visualization_msgs.MarkerArrayType, geometry_msgs.PoseStampedType, geometry_msgs.PoseArrayType}

// describe finds the robot.
func (r *reel) describe(e *verb.Env) error {
	topics := r.Topics()
	var any bool
	if r.first, r.last, any = r.Span(); !any {
		return exit.Usagef("%s: no messages in it", r.file)
	}
	i := slices.IndexFunc(topics, func(t record.Topic) bool {
		return path.Base(t.Name) == e.Robot.Shown && t.Type == geometry_msgs.PoseStampedType
	})
	if i < 0 {
		i = slices.IndexFunc(topics, func(t record.Topic) bool { return slices.Contains(drawable, t.Type) })
	}
	if i < 0 {
		return exit.Usagef("%s: no robot in it: no topic of MarkerArray, PoseStamped or PoseArray; there are %s", r.file, listTopics(topics))
	}
	r.node = path.Dir(topics[i].Name)
	if r.node == "/" {
		r.node = "/" + e.Robot.Name
	}
	if topics[i].Type == geometry_msgs.PoseStampedType {
		r.shown = topics[i].Name
	}
	r.forget()
	return nil
}

// align sets how much later this recording is shown, and says so.
func (r *reel) align(to *reel, offset *float64) string {
	switch {
	case offset != nil:
		r.later = time.Duration(*offset * 1e9)
		if !overlap(r, to) {
			r.later += to.first - r.first
		}
	case !overlap(r, to):
		r.later = to.first - r.first
	default:
		return fmt.Sprintf("%s lies over %s by the times at which both were logged", r.file, to.file)
	}
	return fmt.Sprintf("%s lies over %s, shown %.9g s later", r.file, to.file, r.later.Seconds())
}

// overlap reports whether the recordings have a moment in common as their files say.
func overlap(a, b *reel) bool { return a.first <= b.last && b.first <= a.last }

// topic is the name that viewers have for a topic.
func (r *reel) topic(name string) string {
	if r.overlay {
		return overlayPrefix + name
	}
	return name
}

// overlayPrefix is before the topics of the recording that lies over another.
const overlayPrefix = "/overlay"

// forget begins the drawing anew.
func (r *reel) forget() {
	r.markers, r.poses, r.lines = map[string]*marker.Reader{}, map[string]*geometry_msgs.Pose{}, map[string]*geometry_msgs.PoseArray{}
	r.changed = true
}

// take takes a message for the drawing.
func (r *reel) take(m record.Message) {
	switch v := m.Message.(type) {
	case *visualization_msgs.MarkerArray:
		if r.markers[m.Topic] == nil {
			r.markers[m.Topic] = new(marker.Reader)
		}
		r.markers[m.Topic].Take(v)
	case *geometry_msgs.PoseStamped:
		if m.Topic != r.shown {
			return
		}
		r.poses[m.Topic] = &v.Pose
	case *geometry_msgs.PoseArray:
		r.lines[m.Topic] = v
	default:
		return
	}
	r.changed = true
}

// What is drawn of a robot without markers, m.
const (
	ballRadius = 0.004
	lineRadius = 0.003
)

var plain = sim.Color{R: 0.2, G: 0.55, B: 0.8, A: 1}

// draw adds the robot to a scene.
func (r *reel) draw(s *sim.Scene) {
	var own sim.Scene
	for _, m := range r.markers {
		add(&own, m.Scene())
	}
	if len(r.markers) == 0 {
		for _, line := range r.lines {
			points := make([]spatial.Vec, len(line.Poses))
			for i := range line.Poses {
				points[i] = spatial.Vec(line.Poses[i].Position)
			}
			if len(points) > 1 {
				own.Tubes = append(own.Tubes, sim.Tube{Name: "line", Points: points, Radius: lineRadius, Color: plain})
			}
		}
		for _, p := range r.poses {
			g := spatial.Pose{P: spatial.Vec(p.Position), R: spatial.Identity3()}
			own.Spheres = append(own.Spheres, sim.Sphere{Name: "pose", Pose: g, SemiAxes: spatial.Vec{X: ballRadius, Y: ballRadius, Z: ballRadius}, Color: plain})
		}
	}
	if r.overlay {
		ghost(&own)
	}
	add(s, &own)
}

// add adds the shapes of a scene to another.
func add(to, s *sim.Scene) {
	to.Tubes, to.Disks, to.Spheres = append(to.Tubes, s.Tubes...), append(to.Disks, s.Disks...), append(to.Spheres, s.Spheres...)
	to.Polylines, to.Arrows = append(to.Polylines, s.Polylines...), append(to.Arrows, s.Arrows...)
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
}
