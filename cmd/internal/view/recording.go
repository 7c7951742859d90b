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

// recording is one of the shown files or trajectories, with its robot. Times are those of the page,
// which are those of the first recording.
type recording struct {
	messageSource
	file        string
	overlay     bool   // it is drawn over another
	node        string // absolute
	shown       string // topic of the pose of the robot, or empty
	first, last time.Duration
	later       time.Duration // offset of its times from those in the file
	content     string        // a short description; empty: its duration
	lacks       string        // the missing parts of the robot, or empty
	without     []string      // topics that are not published

	rod       bool   // the robot is a rod: pose arrays are its nodes
	flat      bool   // its poses have no attitude
	flatNodes bool   // its nodes have no attitude
	drawnAs   string // description of the robot of sketch
	sketch    func(*sim.Scene, program.Observation)
	scale     float64 // scale of the drawing
	free      bool    // scale is not determined by markers

	markers map[string]*marker.Reader // by topic
	pose    *geometry_msgs.Pose       // of shown
	arrays  map[string][]spatial.Pose // by topic
	paths   map[string][]spatial.Vec  // by topic
	trail   trail                     // of the robot, for recordings without paths
	shapes  map[string]spatial.Pose   // of the environment, by the names of their topics
	framed  bool                      // transforms give the poses of shapes, which reach commanded poses only later
	changed bool
}

// drawable lists the types of messages from which a robot is drawn.
var drawable = []*msgs.Type{visualization_msgs.MarkerArrayType, geometry_msgs.PoseStampedType, geometry_msgs.PoseArrayType}

// describe finds the robot in the topics.
func (r *recording) describe(e *cli.Env) error {
	topics := r.Topics()
	var any bool
	if r.first, r.last, any = r.Span(); !any {
		return exitcode.Usagef("%s: no messages in it", r.file)
	}
	shown := func(t record.Topic) bool { // remapped ones by their names in the node
		return path.Base(t.InNode()) == e.Robot.Shown && t.Type == geometry_msgs.PoseStampedType
	}
	i := slices.IndexFunc(topics, func(t record.Topic) bool { return shown(t) && path.Base(path.Dir(t.InNode())) != "hardware" })
	if i < 0 {
		i = slices.IndexFunc(topics, shown)
	}
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
	r.resetDrawing()
	r.measure()
	return nil
}

// choose sets another topic for the pose of the robot, if its type has poses.
func (r *recording) choose(topic string) {
	if slices.ContainsFunc(r.Topics(), func(t record.Topic) bool { return t.Name == topic && t.Type == geometry_msgs.PoseStampedType }) {
		r.shown, r.node = topic, path.Dir(topic)
	}
}

// align sets the offset of this recording relative to another, and describes it.
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

// overlap reports whether the time spans of the recordings overlap.
func overlap(a, b *recording) bool { return a.first <= b.last && b.first <= a.last }

// topic returns the name of a topic for viewers.
func (r *recording) topic(name string) string {
	if r.overlay {
		return overlayPrefix + name
	}
	return name
}

// overlayPrefix is the prefix of the topics of an overlay.
const overlayPrefix = "/overlay"

// resetDrawing discards the state of the drawing.
func (r *recording) resetDrawing() {
	r.markers, r.pose = map[string]*marker.Reader{}, nil
	r.arrays, r.paths = map[string][]spatial.Pose{}, map[string][]spatial.Vec{}
	r.shapes, r.framed = map[string]spatial.Pose{}, false
	r.trail = r.trail[:0]
	r.changed = true
}

// take updates the state of the drawing by a message.
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
			r.trail.add(m.Time, spatial.Vec(v.Pose.Position))
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

// shapeOf returns the shape of the environment that poses on a topic move, by the name of its
// topic.
func (r *recording) shapeOf(topic string) (shape string, is bool) {
	shape, is = strings.CutPrefix(path.Dir(topic), strings.TrimSuffix(r.node, "/")+"/")
	return shape, is && path.Base(topic) == "pose" && !strings.Contains(shape, "/")
}

// takeFrames takes the poses of shapes from transforms, and reports whether there are any.
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

// aheadTime is how far ahead drawings are read: markers are rare, and the beginning of a recording
// would be empty.
const aheadTime = time.Second

// lookAhead takes the next messages of the drawing if there are none up to a time.
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

// drawn reports whether the recording has anything that can be drawn.
func (r *recording) drawn() bool {
	if r.hasMarkers() {
		return len(r.markers) > 0
	}
	return r.pose != nil || len(r.arrays) > 0
}
