package naming_test

import (
	"slices"
	"strings"
	"testing"

	"sinew/pkg/ros/naming"
)

// What is for no node of several gives a warning.
func TestStrangers(t *testing.T) {
	args, err := naming.ParseArgs(strings.Fields("--ros-args -p left:x:=1 -p lefty:x:=1 -p x:=1 -r left:a:=/b -r /right:a:=/b -r lefty:a:=/b -r c:=/d --log-level debug --log-level arms:=warn --log-level lefty:=info"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"lefty:x has no effect: no node here has this name", "lefty:a:=/b has no effect: no node here has this name",
		"--log-level lefty:=info has no effect: no logger here has this name"}
	if got := args.Strangers([]string{"/arms/left", "/right"}); len(got) != len(want) ||
		!slices.EqualFunc(got, want, strings.HasSuffix) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A level for the logger of one node is none for the others, which do not complain of it.
func TestLevelsOfSeveralNodes(t *testing.T) {
	args, err := naming.ParseArgs(strings.Fields("--ros-args --log-level error --log-level arms.left:=debug"))
	if err != nil {
		t.Fatal(err)
	}
	for node, want := range map[string]string{"/arms/left": "debug", "/arms/right": "error"} {
		if level, foreign := args.Of(node).LogLevel(node); level != want || len(foreign) > 0 {
			t.Errorf("%s: level %s, want %s; foreign loggers %q", node, level, want, foreign)
		}
	}
}

// Nodes of several namespaces that have one name are remapped one by one: by the whole name of the node, or of the topic.
func TestNodesOfOneName(t *testing.T) {
	for _, c := range []struct {
		args        string
		left, right string // what servo_jf of each becomes
	}{
		{"/left/arm/servo_jf:=/x", "/x", "/lab/right/arm/servo_jf"},
		{"--ros-args -r /left/arm/servo_jf:=/x -r /lab/right/arm/servo_jf:=/y", "/x", "/y"},
		{"--ros-args -r /left/arm:servo_jf:=/x", "/x", "/lab/right/arm/servo_jf"},
		{"--ros-args -r /left/arm:servo_jf:=/x -r /lab/right/arm:servo_jf:=/y", "/x", "/y"},
		{"--ros-args -r right/arm:~servo_jf:=/y", "/left/arm/servo_jf", "/y"},
		{"--ros-args -r arm:servo_jf:=/x", "/x", "/x"},
		{"--ros-args -r /arm:servo_jf:=/x", "/left/arm/servo_jf", "/lab/right/arm/servo_jf"},
	} {
		args, err := naming.ParseArgs(strings.Fields(c.args))
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		for namespace, want := range map[string]string{"/left": c.left, "/lab/right": c.right} {
			of := args
			of.Name, of.Namespace = "arm", namespace
			n, err := naming.NewNames("tendonsim", of, func(string) (string, bool) { return "", false })
			if err != nil {
				t.Fatal(err)
			}
			if got, err := n.Resolve("~servo_jf"); err != nil || got != want {
				t.Errorf("%s: servo_jf of %s is %s, want %s (%v)", c.args, n.Node(), got, want, err)
			}
		}
	}
	for _, wrong := range []string{"a/:x:=/y", "~a:x:=/y", "a//b:x:=/y", "/a/1:x:=/y", "/:x:=/y", ":x:=/y"} {
		if _, err := naming.ParseArgs([]string{"--ros-args", "-r", wrong}); err == nil {
			t.Errorf("%s: no error", wrong)
		}
	}
}
