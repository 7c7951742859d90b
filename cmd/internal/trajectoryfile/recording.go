package trajectoryfile

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"time"

	"sinew/msgs"
	"sinew/msgs/foxglove_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/nav_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// readRecording reads a trajectory from a recording. Times are those of headers, or of the
// log for messages without a stamp.
func readRecording(s Source) (*trajectory.Trajectory, error) {
	topics, err := chooseTopics(s)
	if err != nil {
		return nil, err
	}
	c := collector{Trajectory: trajectory.Trajectory{File: s.File, Name: s.File + " " + topics.pose, Topic: topics.pose, Origin: topics.origin, Stamped: true}}
	want := func(topic string, _ *msgs.Type) bool {
		return topic == topics.pose || topics.links[topic] != "" || topic == topics.tendons || topic == topics.shape || topic == topics.markers
	}
	err = s.reading().Read(want, func(r record.Message) error {
		if name := topics.links[r.Topic]; name != "" {
			c.addLink(name, r)
		}
		switch r.Topic {
		case topics.pose:
			c.addPose(r, topics.child)
			if c.failed != nil {
				return c.failed
			}
		case topics.tendons:
			c.addTendons(r)
		case topics.shape:
			c.addShape(r)
		case topics.markers:
			c.addMarkers(r)
		}
		return nil
	})
	if errors.Is(err, record.ErrIncomplete) {
		c.Warning = err.Error()
		err = nil
	}
	c.Repeated += c.Tip.OrderByStamps()
	for i := range c.Markers {
		c.Markers[i].OrderByStamps()
		c.Markers[i].Measured()
	}
	for topic, name := range topics.links {
		for i := range c.Markers {
			if c.Markers[i].Name == name {
				c.Markers[i].Topic = topic
			}
		}
	}
	if c.UseLink(topics.links[topics.pose]) {
		c.Name = s.File
	}
	return &c.Trajectory, err
}

// collector builds a trajectory from messages.
type collector struct {
	trajectory.Trajectory
	failed    error           // the first message that cannot be used
	unstamped map[string]bool // signals whose first message has no stamp, or that of a clock which began at 0
}

// poseOf returns which pose of an array is meant: the one of a number, or the only one; −1: none, which is a failure.
func (c *collector) poseOf(v *geometry_msgs.PoseArray, number string) int {
	i, err := strconv.Atoi(cmp.Or(number, "0"))
	switch n := len(v.Poses); {
	case n == 0: // nothing was seen
	case number == "" && n > 1:
		c.failed = cmp.Or(c.failed, fmt.Errorf("%s has arrays of %d poses; name one of them by its number, from 0: --hw-topic %s:0", c.Name, n, c.Topic))
	case err != nil || i < 0:
		c.failed = cmp.Or(c.failed, fmt.Errorf("%s has arrays of poses, of which %q is none; name one of them by its number, from 0: --hw-topic %s:0", c.Name, number, c.Topic))
	case i < n:
		return i
	}
	return -1
}

// time is the time of a message of a signal, of which there are those before. A first stamp of 0 is that of a clock which began there,
// where the second is nearer to 0 than to the time of the log.
func (c *collector) time(signal string, h *std_msgs.Header, r *record.Message, before []time.Duration) time.Duration {
	at := stampOf(h, r)
	switch {
	case h.Stamp == 0 && len(before) == 0:
		if c.unstamped == nil {
			c.unstamped = map[string]bool{}
		}
		c.unstamped[signal] = true
	case h.Stamp != 0 && len(before) == 1 && c.unstamped[signal] && at < before[0]/2:
		before[0] = 0
	}
	return at
}

// stampOf returns the time of a header, or the time of the log if the header has no
// stamp.
func stampOf(h *std_msgs.Header, r *record.Message) time.Duration {
	if h.Stamp == 0 {
		return r.Time
	}
	return time.Duration(h.Stamp)
}

// addPose adds the pose of a message.
func (c *collector) addPose(r record.Message, child string) {
	switch v := r.Message.(type) {
	case *geometry_msgs.PoseStamped:
		c.add(&v.Header, &r, v.Pose.Position, &v.Pose.Orientation)
	case *geometry_msgs.PointStamped:
		c.add(&v.Header, &r, v.Point, nil)
	case *geometry_msgs.TransformStamped:
		c.addTransform(&r, v, child)
	case *geometry_msgs.PoseWithCovarianceStamped:
		c.add(&v.Header, &r, v.Pose.Pose.Position, &v.Pose.Pose.Orientation)
	case *nav_msgs.Odometry:
		c.add(&v.Header, &r, v.Pose.Pose.Position, &v.Pose.Pose.Orientation)
	case *foxglove_msgs.PoseInFrame:
		c.add(&std_msgs.Header{Stamp: v.Timestamp, FrameID: v.FrameID}, &r, v.Pose.Position, &v.Pose.Orientation)
	case *geometry_msgs.Pose:
		c.Unframed = true
		c.add(&std_msgs.Header{}, &r, v.Position, &v.Orientation)
	case *geometry_msgs.PoseArray:
		if i := c.poseOf(v, child); i >= 0 {
			c.add(&v.Header, &r, v.Poses[i].Position, &v.Poses[i].Orientation)
		}
	case *tf2_msgs.TFMessage:
		for i := range v.Transforms {
			if v.Transforms[i].ChildFrameID == child {
				c.addTransform(&r, &v.Transforms[i], child)
			}
		}
	}
}

func (c *collector) addTransform(r *record.Message, t *geometry_msgs.TransformStamped, child string) {
	if child == "" || child == t.ChildFrameID {
		c.add(&t.Header, r, geometry_msgs.Point(t.Transform.Translation), &t.Transform.Rotation)
	}
}

// add adds a pose; q is nil if it has no rotation.
func (c *collector) add(h *std_msgs.Header, r *record.Message, p geometry_msgs.Point, q *geometry_msgs.Quaternion) {
	at := c.time("tip", h, r, c.Tip.Stamps)
	pose := spatial.Pose{R: spatial.Identity3(), P: spatial.Vec(p)}
	if q != nil {
		pose.R = trajectory.Rotation(q.X, q.Y, q.Z, q.W)
	}
	c.Tip.Rotations = q != nil
	c.Frame = h.FrameID
	c.Tip.Stamps, c.Tip.Pose = append(c.Tip.Stamps, at), append(c.Tip.Pose, pose)
}

// addTendons adds joint states with the names of the first one and a new stamp.
func (c *collector) addTendons(r record.Message) {
	t := &c.Actuation
	v, ok := r.Message.(*sensor_msgs.JointState)
	if !ok {
		return
	}
	if t.Names == nil {
		t.Names = v.Name
	}
	at := c.time("tendons", &v.Header, &r, t.Stamps)
	if n := len(t.Stamps); len(v.Name) == 0 || !slices.Equal(v.Name, t.Names) || n > 0 && at <= t.Stamps[n-1] {
		return
	}
	first := len(t.Stamps) == 0
	pull, tension := len(v.Position) == len(v.Name), len(v.Effort) == len(v.Name)
	if !first && (pull != (t.Pull != nil) || tension != (t.Tension != nil)) {
		return // another kind of message under the same name
	}
	if !pull && !tension {
		return
	}
	t.Stamps = append(t.Stamps, at)
	if pull {
		t.Pull = append(t.Pull, v.Position)
	}
	if tension {
		t.Tension = append(t.Tension, v.Effort)
	}
}

// addShape adds a backbone with as many nodes as the first and a new stamp.
func (c *collector) addShape(r record.Message) {
	s := &c.Shape
	v, ok := r.Message.(*geometry_msgs.PoseArray)
	if !ok || len(v.Poses) < 2 {
		return
	}
	at := c.time("shape", &v.Header, &r, s.Stamps)
	if n := len(s.Stamps); n > 0 && (at <= s.Stamps[n-1] || len(v.Poses) != len(s.Nodes[0])) {
		return
	}
	nodes := make([]spatial.Vec, len(v.Poses))
	for i := range v.Poses {
		nodes[i] = spatial.Vec(v.Poses[i].Position)
	}
	s.Stamps, s.Nodes = append(s.Stamps, at), append(s.Nodes, nodes)
}

// addLink adds the pose of a link of a mechanism.
func (c *collector) addLink(name string, r record.Message) {
	v, ok := r.Message.(*geometry_msgs.PoseStamped)
	if !ok {
		return
	}
	q := &v.Pose.Orientation
	c.addMarker(name, &v.Header, &r, spatial.Pose{R: trajectory.Rotation(q.X, q.Y, q.Z, q.W), P: spatial.Vec(v.Pose.Position)}, true)
}

// addMarkers adds named transforms, each to the marker with the name of the last
// part of its frame.
func (c *collector) addMarkers(r record.Message) {
	v, ok := r.Message.(*tf2_msgs.TFMessage)
	if !ok {
		return
	}
	for i := range v.Transforms {
		t := &v.Transforms[i]
		c.addMarker(path.Base(t.ChildFrameID), &t.Header, &r, spatial.Pose{R: spatial.Identity3(), P: spatial.Vec(t.Transform.Translation)}, false)
	}
}

// addMarker adds a sample to the marker, or the link of a mechanism, of a name.
func (c *collector) addMarker(name string, h *std_msgs.Header, r *record.Message, pose spatial.Pose, rotations bool) {
	k := slices.IndexFunc(c.Markers, func(m trajectory.Marker) bool { return m.Name == name })
	if k < 0 {
		k, c.Markers = len(c.Markers), append(c.Markers, trajectory.Marker{Name: name})
	}
	p := &c.Markers[k].Poses
	p.Rotations = rotations
	p.Stamps, p.Pose = append(p.Stamps, c.time("marker "+name, h, r, p.Stamps)), append(p.Pose, pose)
}
