package trajectoryfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros/record"
)

// The usual names of the topics of a trajectory.
const (
	poseName   = "measured_cp"
	tendonName = "measured_js"
	shapeName  = "backbone"
	markerName = "markers_measured"
)

// trajectoryTopics are the topics of one trajectory in a recording.
type trajectoryTopics struct {
	pose, tendons, shape, markers string
	child                         string // frame to select in a topic of transforms
}

// poseMessages lists the types that give the position of a tip.
var poseMessages = []*msgs.Type{geometry_msgs.PoseStampedType, geometry_msgs.PointStampedType, geometry_msgs.TransformStampedType}

// chooseTopics finds the topics of a trajectory. A requested topic may be followed by a colon and
// the frame of a transform: /tf:CHILD.
func chooseTopics(s Source) (trajectoryTopics, error) {
	list, err := s.reading().Topics()
	if err != nil && !errors.Is(err, record.ErrIncomplete) {
		return trajectoryTopics{}, err
	}
	var c trajectoryTopics
	if s.Topic != "" {
		c.pose, c.child, _ = strings.Cut(s.Topic, ":")
		err = checkTopic(s, c, list)
	} else {
		c.pose, err = usualTopic(s, list)
	}
	if err != nil {
		return c, err
	}
	if base, ok := strings.CutSuffix(c.pose, poseName); ok {
		c.tendons, c.shape, c.markers = base+tendonName, base+shapeName, base+markerName
	}
	return c, nil
}

// checkTopic returns an error if a requested topic is missing or has no poses.
func checkTopic(s Source, c trajectoryTopics, list []record.Topic) error {
	i := slices.IndexFunc(list, func(t record.Topic) bool { return t.Name == c.pose })
	if i < 0 {
		return fmt.Errorf("%s: no topic %s; %s", s.File, c.pose, listTopics(list))
	}
	t := list[i].Type
	switch {
	case t == tf2_msgs.TFMessageType && c.child == "":
		return fmt.Errorf("%s: %s has many transforms; name the child frame: %s:FRAME", s.File, c.pose, c.pose)
	case t == tf2_msgs.TFMessageType || slices.Contains(poseMessages, t):
		return nil
	}
	return fmt.Errorf("%s: %s is of type %s, which has no pose; allowed: PoseStamped, PointStamped, TransformStamped, TFMessage", s.File, c.pose, list[i].TypeName)
}

// usualTopic finds the only topic of poses with the usual name of the role: for the hardware
// hardware/measured_cp, or measured_cp in a namespace hw; for the simulation measured_cp elsewhere.
// In a file of the hardware alone any measured_cp is taken, or the only topic of poses.
func usualTopic(s Source, list []record.Topic) (string, error) {
	var own, other, named, all []string
	for _, t := range list {
		if !slices.Contains(poseMessages, t.Type) || t.Messages == 0 {
			continue
		}
		all = append(all, t.Name)
		if !strings.HasSuffix(t.Name, "/"+poseName) {
			continue
		}
		named = append(named, t.Name)
		parts := strings.Split(t.Name, "/")
		isHardware := slices.Contains(parts, "hardware") || slices.Contains(parts, "hw")
		if isHardware == (s.Role == Measured) {
			own = append(own, t.Name)
		} else {
			other = append(other, t.Name)
		}
	}
	candidates := [][]string{own}
	if s.Alone && len(own) == 0 && (s.Role == Measured || len(other) == 0) {
		candidates = append(candidates, named, all)
	}
	for _, c := range candidates {
		switch len(c) {
		case 0:
		case 1:
			return c[0], nil
		default:
			return "", fmt.Errorf("%s: %s may be the %v; choose one with --%s-topic", s.File, strings.Join(c, ", "), s.Role, flagOf(s.Role))
		}
	}
	return "", fmt.Errorf("%s: no topic with the pose of the %v; choose one with --%s-topic; %s", s.File, s.Role, flagOf(s.Role), listTopics(list))
}

func flagOf(r Role) string {
	if r == Simulated {
		return "sim"
	}
	return "hw"
}

func listTopics(list []record.Topic) string {
	const most = 5 // more are no error message but a listing
	if len(list) == 0 {
		return "there are no topics"
	}
	var names []string
	for i, t := range list {
		if i == most {
			names = append(names, fmt.Sprintf("%d more", len(list)-most))
			break
		}
		names = append(names, t.Name+" ("+t.TypeName+")")
	}
	return "there are " + strings.Join(names, ", ")
}
