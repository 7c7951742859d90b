package series

import (
	"errors"
	"path"
	"slices"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// readTrackRecording reads a track from a .mcap or .bag file. Times are those of
// headers, or the log's for messages without.
func readTrackRecording(s Source) (*Track, error) {
	topics, err := chooseTopics(s)
	if err != nil {
		return nil, err
	}
	m := &Track{Name: s.File + " " + topics.pose, Topic: topics.pose, clock: true}
	want := func(topic string, _ *msgs.Type) bool {
		return topic == topics.pose || topic == topics.tendons || topic == topics.shape || topic == topics.markers
	}
	err = s.reading().Read(want, func(r record.Message) error {
		switch r.Topic {
		case topics.pose:
			m.addPose(r, topics.child)
		case topics.tendons:
			m.tendons.add(r)
		case topics.shape:
			m.shape.add(r)
		case topics.markers:
			m.addMarkers(r)
		}
		return nil
	})
	if errors.Is(err, record.ErrIncomplete) {
		m.Warning = err.Error()
		err = nil
	}
	return m, err
}

// stampOf returns the time of a header, or the time of the log if the header has no
// stamp.
func stampOf(h *std_msgs.Header, r *record.Message) time.Duration {
	if h.Stamp == 0 {
		return r.Time
	}
	return time.Duration(h.Stamp)
}

// addPose adds the pose that a message has.
func (m *Track) addPose(r record.Message, child string) {
	switch v := r.Message.(type) {
	case *geometry_msgs.PoseStamped:
		m.add(&v.Header, &r, v.Pose.Position, &v.Pose.Orientation)
	case *geometry_msgs.PointStamped:
		m.add(&v.Header, &r, v.Point, nil)
	case *geometry_msgs.TransformStamped:
		m.addTransform(&r, v, child)
	case *tf2_msgs.TFMessage:
		for i := range v.Transforms {
			if v.Transforms[i].ChildFrameID == child {
				m.addTransform(&r, &v.Transforms[i], child)
			}
		}
	}
}

func (m *Track) addTransform(r *record.Message, t *geometry_msgs.TransformStamped, child string) {
	if child == "" || child == t.ChildFrameID {
		m.add(&t.Header, r, geometry_msgs.Point(t.Transform.Translation), &t.Transform.Rotation)
	}
}

// add adds a pose; q is nil if it has no rotation.
func (m *Track) add(h *std_msgs.Header, r *record.Message, p geometry_msgs.Point, q *geometry_msgs.Quaternion) {
	at := stampOf(h, r)
	if n := len(m.stamps); n > 0 && m.stamps[n-1] == at {
		m.Repeated++
		return
	}
	pose := spatial.Pose{R: spatial.Identity3(), P: spatial.Vec(p)}
	if q != nil {
		pose.R = trajectory.Rotation(q.X, q.Y, q.Z, q.W)
	}
	m.rotations = q != nil
	m.Frame = h.FrameID
	m.stamps, m.poses = append(m.stamps, at), append(m.poses, pose)
}

// add adds joint states that have the names of the first and a new stamp.
func (t *tendonRows) add(r record.Message) {
	v, ok := r.Message.(*sensor_msgs.JointState)
	if !ok {
		return
	}
	if t.names == nil {
		t.names = v.Name
	}
	at := stampOf(&v.Header, &r)
	if n := len(t.stamps); len(v.Name) == 0 || !slices.Equal(v.Name, t.names) || n > 0 && at <= t.stamps[n-1] {
		return
	}
	first := len(t.stamps) == 0
	pull, tension := len(v.Position) == len(v.Name), len(v.Effort) == len(v.Name)
	if !first && (pull != (t.pull != nil) || tension != (t.tension != nil)) {
		return // another kind of message under the same name
	}
	if !pull && !tension {
		return
	}
	t.stamps = append(t.stamps, at)
	if pull {
		t.pull = append(t.pull, v.Position)
	}
	if tension {
		t.tension = append(t.tension, v.Effort)
	}
}

// add adds a backbone with as many nodes as the first and a new stamp.
func (s *shapeRows) add(r record.Message) {
	v, ok := r.Message.(*geometry_msgs.PoseArray)
	if !ok || len(v.Poses) < 2 {
		return
	}
	at := stampOf(&v.Header, &r)
	if n := len(s.stamps); n > 0 && (at <= s.stamps[n-1] || len(v.Poses) != len(s.nodes[0])) {
		return
	}
	nodes := make([]spatial.Vec, len(v.Poses))
	for i := range v.Poses {
		nodes[i] = spatial.Vec(v.Poses[i].Position)
	}
	s.stamps, s.nodes = append(s.stamps, at), append(s.nodes, nodes)
}

// addMarkers adds named transforms, each to the points of the last part of its frame's name and with a new stamp.
func (m *Track) addMarkers(r record.Message) {
	v, ok := r.Message.(*tf2_msgs.TFMessage)
	if !ok {
		return
	}
	for i := range v.Transforms {
		t := &v.Transforms[i]
		name, at := path.Base(t.ChildFrameID), stampOf(&t.Header, &r)
		k := slices.IndexFunc(m.markers, func(k markerRows) bool { return k.name == name })
		if k < 0 {
			k, m.markers = len(m.markers), append(m.markers, markerRows{name: name})
		}
		if rows := &m.markers[k]; len(rows.stamps) == 0 || at > rows.stamps[len(rows.stamps)-1] {
			rows.stamps, rows.points = append(rows.stamps, at), append(rows.points, spatial.Vec(t.Transform.Translation))
		}
	}
}
