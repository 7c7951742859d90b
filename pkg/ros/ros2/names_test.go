package ros2_test

import (
	"strings"
	"testing"

	"sinew/pkg/ros/ros2"
)

func TestMangle(t *testing.T) {
	for topic, want := range map[string]string{
		"/tf":                       "rt/tf",
		"/lab/left/measured_cp":     "rt/lab/left/measured_cp",
		"/a/_hidden/B2":             "rt/a/_hidden/B2",
		"/" + long(ros2.MaxTopic-1): "rt/" + long(ros2.MaxTopic-1),
		"/tendonsim/hardware/x_y":   "rt/tendonsim/hardware/x_y",
	} {
		if got, err := ros2.Mangle(topic); err != nil || got != want {
			t.Errorf("mangle(%q) = %q, %v", topic, got, err)
		}
	}
	for topic, why := range map[string]string{
		"":                        "not absolute",
		"tf":                      "not absolute",
		"/":                       "empty element",
		"/a/":                     "empty element",
		"/a//b":                   "empty element",
		"/a/2nd":                  `"2nd", which begins with a digit`,
		"/a-b":                    `contains '-'`,
		"/größe":                  `contains 'ö'`,
		"/a b":                    `contains ' '`,
		"/a\x00":                  `contains '\x00'`,
		"/" + long(ros2.MaxTopic): "has 248 bytes, at most 247",
	} {
		if got, err := ros2.Mangle(topic); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("mangle(%q) = %q, %v, want an error with %q", topic, got, err, why)
		}
	}
}

func TestSplitNode(t *testing.T) {
	for node, want := range map[string][2]string{
		"/tendonsim":      {"/", "tendonsim"},
		"/lab/left":       {"/lab", "left"},
		"/AZaz_09/zaZA90": {"/AZaz_09", "zaZA90"},
		"/lab/east/left2": {"/lab/east", "left2"},
	} {
		namespace, name, err := ros2.SplitNode(node)
		if err != nil || namespace != want[0] || name != want[1] {
			t.Errorf("splitNode(%q) = %q, %q, %v", node, namespace, name, err)
		}
		if back := ros2.JoinNode(namespace, name); back != node {
			t.Errorf("joinNode(%q, %q) = %q", namespace, name, back)
		}
	}
	for _, node := range []string{"", "x", "/", "/lab/", "/2nd", "/lab/2nd", "/2/left", "/a-b/left", "//left", "/" + long(256), "/" + long(246) + "/x"} {
		if namespace, name, err := ros2.SplitNode(node); err == nil {
			t.Errorf("splitNode(%q) = %q, %q, want an error", node, namespace, name)
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }
