package trajectoryfile

import (
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros/record"
)

// topicsOf makes a list of topics of poses, each with a message. One that ends in ? has
// none, and one that ends in ! has texts.
func topicsOf(names string) (list []record.Topic) {
	for name := range strings.FieldsSeq(names) {
		t := record.Topic{Name: strings.TrimRight(name, "?!"), Type: geometry_msgs.PoseStampedType, Messages: 1}
		if strings.HasSuffix(name, "?") {
			t.Messages = 0
		}
		if strings.HasSuffix(name, "!") {
			t.Type = std_msgs.StringType
		}
		t.TypeName = t.Type.Name
		list = append(list, t)
	}
	return list
}

// The topic of a role has its usual name; in a file of one role alone, less will do,
// but never one of two.
func TestUsualTopic(t *testing.T) {
	const sim, hw = Simulated, Measured
	for _, c := range []struct {
		role   Role
		alone  bool
		topics string
		want   string // or part of the error
		fails  bool
	}{
		{sim, false, "/robot/measured_cp /robot/hardware/measured_cp", "/robot/measured_cp", false},
		{hw, false, "/robot/measured_cp /robot/hardware/measured_cp", "/robot/hardware/measured_cp", false},
		{hw, false, "/hw/measured_cp /sim/measured_cp", "/hw/measured_cp", false},
		{hw, false, "/robot/measured_cp", "no topic with the pose of the hardware; choose one with --hw-topic", true},
		{sim, false, "/hw/measured_cp", "no topic with the pose of the simulation; choose one with --sim-topic", true},
		{sim, true, "/hw/measured_cp", "no topic with the pose of the simulation", true},
		{hw, true, "/robot/measured_cp", "/robot/measured_cp", false},
		{hw, true, "/robot/measured_cp /robot/camera", "/robot/measured_cp", false},
		{hw, true, "/tracker", "/tracker", false},
		{sim, true, "/tip", "/tip", false},
		{sim, false, "/tip", "no topic", true},
		{sim, true, "/tip /camera", "/tip, /camera may be the simulation", true},
		{sim, false, "/a/measured_cp /b/measured_cp", "/a/measured_cp, /b/measured_cp may be the simulation; choose one with --sim-topic", true},
		{hw, false, "/hw/measured_cp /b/hardware/measured_cp", "may be the hardware; choose one with --hw-topic", true},
		{sim, false, "/a/measured_cp? /b/measured_cp", "/b/measured_cp", false},
		{sim, false, "/a/measured_cp! /b/measured_cp", "/b/measured_cp", false},
		{sim, true, "/text! /empty?", "there are /text (std_msgs/String), /empty (geometry_msgs/PoseStamped)", true},
		{sim, true, "", "there are no topics", true},
		{sim, false, "/measured_cp", "/measured_cp", false},
		{sim, false, "/unmeasured_cp", "no topic", true},
	} {
		got, err := usualTopic(Source{File: "x.bag", Role: c.role, Alone: c.alone}, topicsOf(c.topics))
		if c.fails {
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.bag: ") {
				t.Errorf("%v, %q: %q, error %v, want %q", c.role, c.topics, got, err, c.want)
			}
		} else if got != c.want || err != nil {
			t.Errorf("%v, %q: %q, %v, want %q", c.role, c.topics, got, err, c.want)
		}
	}
}

// A topic that was asked for has to be there and to have poses.
func TestCheckTopic(t *testing.T) {
	list := topicsOf("/tip /text!")
	for _, kind := range []*msgs.Type{tf2_msgs.TFMessageType, geometry_msgs.PointStampedType, geometry_msgs.TransformStampedType} {
		list = append(list, record.Topic{Name: "/" + kind.Name, TypeName: kind.Name, Type: kind})
	}
	for _, c := range []struct{ pose, child, fails string }{
		{"/tip", "", ""},
		{"/geometry_msgs/PointStamped", "", ""},
		{"/geometry_msgs/TransformStamped", "", ""},
		{"/tf2_msgs/TFMessage", "elbow", ""},
		{"/tf2_msgs/TFMessage", "", "name the child frame"},
		{"/text", "", "which has no pose"},
		{"/other", "", "no topic /other; there are /tip"},
	} {
		err := checkTopic(Source{File: "x.bag"}, trajectoryTopics{pose: c.pose, child: c.child}, list)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: error %v, want %q", c.pose, err, c.fails)
		}
	}
	const one = "/t (geometry_msgs/PoseStamped)"
	for n, want := range map[int]string{
		1: "there are " + one,
		5: "there are " + strings.Repeat(one+", ", 4) + one,
		6: "there are " + strings.Repeat(one+", ", 5) + "1 more",
		9: "there are " + strings.Repeat(one+", ", 5) + "4 more",
	} {
		if got := listTopics(topicsOf(strings.Repeat("/t ", n))); got != want {
			t.Errorf("of %d topics: %s", n, got)
		}
	}
}
