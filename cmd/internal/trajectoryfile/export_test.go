package trajectoryfile

import (
	"strings"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros/record"
)

// Unexported names for the external tests.

// UsualTopic is the topic that a recording, which says nothing of itself, has for a source.
func UsualTopic(s Source, list []record.Topic) (string, error) { return ChooseUsual(s, list, nil) }

// ChooseUsual is UsualTopic of a recording that says something of itself.
func ChooseUsual(s Source, list []record.Topic, info map[string]string) (string, error) {
	t, err := newTopicChoice(s, list, info).usual()
	if err != nil {
		return "", err
	}
	return t.Name, nil
}

// TopicsOf makes a list of topics of poses, each with a message. One that ends in ? has
// none, and one that ends in ! has texts.
func TopicsOf(names string) (list []record.Topic) {
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
