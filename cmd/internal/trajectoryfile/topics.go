package trajectoryfile

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"sinew/msgs"
	"sinew/msgs/foxglove_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/nav_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
)

// The usual names of the topics of a trajectory.
const (
	poseName   = "measured_cp"
	tendonName = "measured_js"
	shapeName  = "backbone"
	markerName = "markers_measured"
)

// simulatedNames are the names of the poses that a simulator publishes.
var simulatedNames = []string{poseName, "drawn_cp"}

// trajectoryTopics are the topics of one trajectory in a recording.
type trajectoryTopics struct {
	pose, tendons, shape, markers string
	links                         map[string]string // of a mechanism: names of links by the topics of their poses
	child                         string            // frame to look for, of a topic of transforms
	origin                        string            // what else is known of where the poses come from, in words
}

// poseMessages lists the types that give the position of a tip. Where several topics may be the hardware, one of the first list goes
// before those of the next.
var poseMessages = [][]*msgs.Type{
	{geometry_msgs.PoseStampedType, geometry_msgs.PointStampedType, geometry_msgs.TransformStampedType},
	{geometry_msgs.PoseWithCovarianceStampedType, nav_msgs.OdometryType, foxglove_msgs.PoseInFrameType},
	{geometry_msgs.PoseType}, // without a stamp
	{geometry_msgs.PoseArrayType},
}

// rankOf is the number of the list of poseMessages that has a type; −1: none.
func rankOf(t *msgs.Type) int {
	return slices.IndexFunc(poseMessages, func(list []*msgs.Type) bool { return slices.Contains(list, t) })
}

// topicChoice chooses among the topics of a recording. Topics that were remapped count by their names in the node.
type topicChoice struct {
	Source
	list       []record.Topic
	simulators []string // nodes of simulators
	verb       string   // that made the recording; empty if unknown
}

// newTopicChoice finds which nodes of a recording are simulators: the one that was recorded, by what the recording says of
// itself, and those that publish what only simulators do.
func newTopicChoice(s Source, list []record.Topic, info map[string]string) *topicChoice {
	c := &topicChoice{Source: s, list: list, verb: info[record.InfoVerb]}
	if node := info[record.InfoNode]; node != "" {
		c.simulators = append(c.simulators, node)
	}
	for i := range list {
		if t := &list[i]; t.Type == sinew_msgs.OperatingStateType || t.Type == sinew_msgs.SimStatsType {
			c.simulators = append(c.simulators, path.Dir(t.InNode()))
		}
	}
	return c
}

// isHardware reports whether a topic is of hardware by its name: hardware/measured_cp, or measured_cp below hw.
func isHardware(t *record.Topic) bool {
	parts := strings.Split(t.InNode(), "/")
	return slices.Contains(parts, "hardware") || slices.Contains(parts, "hw")
}

// simulator returns the node of the simulator that publishes a topic, or, of transforms, a frame; empty if none does. A second
// simulator that is named hw stands for hardware.
func (c *topicChoice) simulator(t *record.Topic, child string) string {
	if isHardware(t) {
		return ""
	}
	for _, node := range c.simulators {
		name, below := strings.CutPrefix(t.InNode(), node+"/")
		switch {
		case t.Type == tf2_msgs.TFMessageType && strings.HasPrefix(child, strings.TrimPrefix(node, "/")+"/"):
			return node
		case below && slices.Contains(simulatedNames, name):
			return node
		}
	}
	return ""
}

// refuseSimulator refuses poses of a simulator as those of the hardware.
func (c *topicChoice) refuseSimulator(t *record.Topic, child string) error {
	node := c.simulator(t, child)
	if c.Role != Measured || node == "" || c.standsIn() {
		return nil
	}
	name := t.Name
	if child != "" {
		name += ":" + child
	}
	return fmt.Errorf("%s: %s is published by the simulator %s itself and is no pose of the hardware; choose the topic of the hardware with --hw-topic; %s", c.File, name, node, listTopics(c.list))
}

// standsIn reports whether a simulation may stand in for the hardware: that of sim, beside which there is none, and any
// where two files are compared and nothing else in the file can be of hardware.
func (c *topicChoice) standsIn() bool {
	return c.verb == record.VerbSim || c.Simulations && !slices.ContainsFunc(c.list, func(t record.Topic) bool { return c.isPose(&t) && !c.isOfSimulator(&t) })
}

// isPose reports whether a topic has poses, and not those that an observer estimates, which are taken where they are asked for.
func (c *topicChoice) isPose(t *record.Topic) bool {
	return rankOf(t.Type) >= 0 && t.Messages > 0 && !strings.HasSuffix(t.InNode(), "/"+shapeName) && !strings.Contains(t.InNode(), "/"+sim.EstimateTopics)
}

// isOfSimulator reports whether a topic is one of a simulator by its name: what it publishes, and commands for it.
func (c *topicChoice) isOfSimulator(t *record.Topic) bool {
	return !isHardware(t) && slices.ContainsFunc(c.simulators, func(node string) bool { return strings.HasPrefix(t.InNode(), node+"/") })
}

// chooseTopics finds the topics of a trajectory. A topic that was asked for may have
// the frame of a transform after a colon: /tf:CHILD.
func chooseTopics(s Source) (t trajectoryTopics, err error) {
	list, err := s.reading().Topics()
	if err != nil && (!errors.Is(err, record.ErrIncomplete) || len(list) == 0) {
		return t, err
	}
	info, err := record.Info(s.File)
	if err != nil {
		return t, err
	}
	c := newTopicChoice(s, list, info)
	var pose *record.Topic
	links := c.links()
	switch link := c.chooseLink(links, s.Topic); {
	case link != nil:
		return c.topicsOfLinks(links, link), nil
	case s.Topic != "":
		t.pose, t.child, _ = strings.Cut(s.Topic, ":")
		pose, err = c.asked(t.pose, t.child)
	default:
		pose, err = c.usual()
	}
	if err != nil {
		return t, err
	}
	t.pose, t.origin = pose.Name, c.origin(pose, t.child)
	if base, ok := strings.CutSuffix(pose.InNode(), poseName); ok {
		t.tendons, t.shape, t.markers = c.named(base+tendonName), c.named(base+shapeName), c.named(base+markerName)
	}
	return t, nil
}

// named is the topic that has a name in the node.
func (c *topicChoice) named(name string) string {
	if i := slices.IndexFunc(c.list, func(t record.Topic) bool { return t.Original == name }); i >= 0 {
		return c.list[i].Name
	}
	return name
}

// origin says what else is known of where poses come from.
func (c *topicChoice) origin(t *record.Topic, child string) string {
	var words []string
	if t.Original != "" {
		words = append(words, "remapped from "+t.Original)
	}
	if node := c.simulator(t, child); c.Role == Measured && node != "" {
		words = append(words, "published by the simulator "+node)
	}
	return strings.Join(words, ", ")
}

// asked is a topic that was asked for, if it is there and has poses.
func (c *topicChoice) asked(name, child string) (*record.Topic, error) {
	i := slices.IndexFunc(c.list, func(t record.Topic) bool { return t.Name == name })
	if i < 0 {
		i = slices.IndexFunc(c.list, func(t record.Topic) bool { return t.Original == name })
	}
	if i < 0 {
		return nil, fmt.Errorf("%s: no topic %s; %s", c.File, name, listTopics(c.list))
	}
	switch t := &c.list[i]; {
	case t.Type == tf2_msgs.TFMessageType && child == "":
		return nil, fmt.Errorf("%s: %s has many transforms; name the child frame: %[2]s:FRAME%s", c.File, t.Name, c.framesOf(t.Name))
	case t.Type == tf2_msgs.TFMessageType || rankOf(t.Type) >= 0:
		return t, c.refuseSimulator(t, child)
	default:
		return nil, fmt.Errorf("%s: %s is of type %s, which has no pose; allowed: PoseStamped, PointStamped, TransformStamped, TFMessage, PoseWithCovarianceStamped, Odometry, PoseInFrame, Pose, PoseArray", c.File, t.Name, t.TypeName)
	}
}

// usual is the only topic of poses that has the role's usual name: for the
// hardware hardware/measured_cp, or measured_cp below hw; for the simulation
// measured_cp elsewhere. In a file of the hardware alone any measured_cp will do,
// or the only topic of poses, unless a simulator publishes it.
func (c *topicChoice) usual() (*record.Topic, error) {
	var own, other, named, all []*record.Topic
	var refused error
	for i := range c.list {
		t := &c.list[i]
		if !c.isPose(t) {
			continue
		}
		if err := c.refuseSimulator(t, ""); err != nil {
			refused = err
			continue
		}
		if c.Role == Simulated || !c.isOfSimulator(t) {
			all = append(all, t)
		}
		if !strings.HasSuffix(t.InNode(), "/"+poseName) {
			continue
		}
		named = append(named, t)
		if isHardware(t) == (c.Role == Measured) {
			own = append(own, t)
		} else {
			other = append(other, t)
		}
	}
	candidates := [][]*record.Topic{own}
	if c.Alone && len(own) == 0 && (c.Role == Measured || len(other) == 0) {
		candidates = append(candidates, named)
		for rank := range poseMessages {
			candidates = append(candidates, slices.DeleteFunc(slices.Clone(all), func(t *record.Topic) bool { return rankOf(t.Type) != rank }))
		}
	}
	for _, list := range candidates {
		switch len(list) {
		case 0:
		case 1:
			return list[0], nil
		default:
			var names []string
			for _, t := range list {
				names = append(names, t.Name)
			}
			return nil, fmt.Errorf("%s: %s may be the %v; choose one with --%s-topic", c.File, strings.Join(names, ", "), c.Role, flagOf(c.Role))
		}
	}
	if refused != nil && c.Alone {
		return nil, refused
	}
	transforms := ""
	if i := slices.IndexFunc(c.list, func(t record.Topic) bool { return t.Type == tf2_msgs.TFMessageType && t.Messages > 0 }); i >= 0 {
		transforms = fmt.Sprintf(", of transforms as %s:FRAME%s", c.list[i].Name, c.framesOf(c.list[i].Name))
	}
	return nil, fmt.Errorf("%s: no topic with the pose of the %v; choose one with --%s-topic%s; %s", c.File, c.Role, flagOf(c.Role), transforms, listTopics(c.list))
}

// framesOf lists the child frames of a topic of transforms, as far as the recording can be read.
func (c *topicChoice) framesOf(topic string) string {
	const most = 8
	var frames []string
	_ = record.Read(c.File, func(name string, _ *msgs.Type) bool { return name == topic }, func(m record.Message) error {
		v, ok := m.Message.(*tf2_msgs.TFMessage)
		for i := 0; ok && i < len(v.Transforms); i++ {
			if frame := v.Transforms[i].ChildFrameID; !slices.Contains(frames, frame) {
				frames = append(frames, frame)
			}
		}
		return nil
	})
	if len(frames) == 0 {
		return ""
	}
	if n := len(frames) - most; n > 0 {
		frames = append(frames[:most], fmt.Sprintf("%d more", n))
	}
	return " (FRAME: " + strings.Join(frames, ", ") + ")"
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
