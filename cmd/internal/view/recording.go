package view

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/nav_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros/marker"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// recording is one of the files or trajectories that are shown, with the robot in it. Times are those of the page: of the first one.
type recording struct {
	messageSource
	file        string
	overlay     bool   // it lies over another
	node        string // absolute
	shown       string // topic of the pose that stands for the robot, or empty
	first, last time.Duration
	later       time.Duration // than in the file
	content     string        // what it is, in a few words; empty: how long it lasts
	lacks       string        // what of the robot it does not have, or empty
	without     []string      // topics that are not passed on

	rod       bool   // the robot is one: poses in an array are along it
	flat      bool   // its poses have no attitude
	flatNodes bool   // those along it have none
	drawnAs   string // the robot of sketch, in words
	sketch    func(*sim.Scene, program.Observation)
	scale     float64 // of what is drawn over life
	free      bool    // nobody says which

	markers map[string]*marker.Reader // by topic
	pose    *geometry_msgs.Pose       // of shown
	arrays  map[string][]spatial.Pose // by topic
	paths   map[string][]spatial.Vec  // by topic
	shapes  map[string]spatial.Pose   // of the environment, by the names of their topics
	framed  bool                      // transforms give the poses of shapes, which reach commanded poses only later
	changed bool
}

// drawable are the types of which a robot is drawn.
var drawable = []*msgs.Type{visualization_msgs.MarkerArrayType, geometry_msgs.PoseStampedType, geometry_msgs.PoseArrayType}

// describe finds the robot.
func (r *recording) describe(e *cli.Env) error {
	topics := r.Topics()
	var any bool
	if r.first, r.last, any = r.Span(); !any {
		return exitcode.Usagef("%s: no messages in it", r.file)
	}
	i := slices.IndexFunc(topics, func(t record.Topic) bool {
		return path.Base(t.Name) == e.Robot.Shown && t.Type == geometry_msgs.PoseStampedType
	})
	if i < 0 {
		i = slices.IndexFunc(topics, func(t record.Topic) bool { return slices.Contains(drawable, t.Type) })
	}
	if i < 0 {
		return exitcode.Usagef("%s: no robot in it: no topic of MarkerArray, PoseStamped or PoseArray; there are %s", r.file, listTopics(topics))
	}
	r.node = path.Dir(topics[i].Name)
	if r.node == "/" {
		r.node = "/" + e.Robot.Name
	}
	if topics[i].Type == geometry_msgs.PoseStampedType {
		r.shown = topics[i].Name
	}
	r.rod = e.Robot.Shape != nil
	if m, ok := r.messageSource.(*Memory); ok {
		r.flat, r.flatNodes = m.flat, m.flatNodes
	}
	if r.content == "" {
		r.content = fmt.Sprintf("%.6g s", (r.last - r.first).Seconds())
	}
	r.forget()
	r.measure()
	return nil
}

// choose takes another topic for the pose that stands for the robot, if it is one of poses.
func (r *recording) choose(topic string) {
	if slices.ContainsFunc(r.Topics(), func(t record.Topic) bool { return t.Name == topic && t.Type == geometry_msgs.PoseStampedType }) {
		r.shown, r.node = topic, path.Dir(topic)
	}
}

// align sets how much later this recording is shown, and says so.
func (r *recording) align(to *recording, offset *float64) string {
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
func overlap(a, b *recording) bool { return a.first <= b.last && b.first <= a.last }

// topic is the name that viewers have for a topic.
func (r *recording) topic(name string) string {
	if r.overlay {
		return overlayPrefix + name
	}
	return name
}

// overlayPrefix is before the topics of the recording that lies over another.
const overlayPrefix = "/overlay"

// forget begins the drawing anew.
func (r *recording) forget() {
	r.markers, r.pose = map[string]*marker.Reader{}, nil
	r.arrays, r.paths = map[string][]spatial.Pose{}, map[string][]spatial.Vec{}
	r.shapes, r.framed = map[string]spatial.Pose{}, false
	r.changed = true
}

// take takes a message for the drawing.
func (r *recording) take(m record.Message) {
	switch v := m.Message.(type) {
	case *visualization_msgs.MarkerArray:
		if r.markers[m.Topic] == nil {
			r.markers[m.Topic] = new(marker.Reader)
		}
		r.markers[m.Topic].Take(v)
	case *geometry_msgs.PoseStamped:
		shape, is := r.shapeOf(m.Topic)
		switch {
		case m.Topic == r.shown:
			r.pose = &v.Pose
		case is && !r.framed:
			r.shapes[shape] = marker.PoseOf(&v.Pose)
		default:
			return
		}
	case *tf2_msgs.TFMessage:
		if !r.takeFrames(v) {
			return
		}
	case *geometry_msgs.PoseArray:
		all := make([]spatial.Pose, len(v.Poses))
		for i := range all {
			all[i] = marker.PoseOf(&v.Poses[i])
		}
		r.arrays[m.Topic] = all
	case *nav_msgs.Path:
		line := make([]spatial.Vec, len(v.Poses))
		for i := range line {
			line[i] = spatial.Vec(v.Poses[i].Pose.Position)
		}
		r.paths[m.Topic] = line
	default:
		return
	}
	r.changed = true
}

// shapeOf is the shape of the environment, by the name of its topic, that poses on a topic move.
func (r *recording) shapeOf(topic string) (shape string, is bool) {
	shape, is = strings.CutPrefix(path.Dir(topic), strings.TrimSuffix(r.node, "/")+"/")
	return shape, is && path.Base(topic) == "pose" && !strings.Contains(shape, "/")
}

// takeFrames takes where the frames of shapes are, and reports whether there are any.
func (r *recording) takeFrames(m *tf2_msgs.TFMessage) (any bool) {
	for i := range m.Transforms {
		t := &m.Transforms[i]
		shape, is := strings.CutPrefix(t.ChildFrameID, strings.TrimPrefix(r.node, "/")+"/shapes/")
		if is && t.Header.FrameID == sim.World {
			r.shapes[shape] = marker.PoseOf(&geometry_msgs.Pose{Position: geometry_msgs.Point(t.Transform.Translation), Orientation: t.Transform.Rotation})
			r.framed, any = true, true
		}
	}
	return any
}

// aheadTime is how far drawings that a recording does not have yet are looked for: markers come rarely, and at its beginning there
// would be nothing to see.
const aheadTime = time.Second

// lookAhead takes the first of what the robot is drawn from where nothing of it has come up to a time.
func (r *recording) lookAhead(t time.Duration) error {
	taken := map[string]bool{}
	if r.drawn() {
		return nil
	}
	return r.Between(t, t+aheadTime, func(m record.Message) {
		if !taken[m.Topic] && slices.Contains(drawable, m.Message.Type()) {
			taken[m.Topic] = true
			r.take(m)
		}
	})
}

// drawn reports whether anything is known of how the robot looks.
func (r *recording) drawn() bool {
	if r.hasMarkers() {
		return len(r.markers) > 0
	}
	return r.pose != nil || len(r.arrays) > 0
}
