package naming_test

import (
	"strings"
	"testing"

	"sinew/pkg/ros/naming"
)

// Names of nodes in a file of parameters match element by element: * stands for one
// element, ** for any number of them.
func TestMatchNode(t *testing.T) {
	for pattern, c := range map[string]struct{ yes, no string }{
		"":         {"/", "/a"},
		"/a":       {"/a", "/ /b /a/b"},
		"/a/b":     {"/a/b", "/ /a /b /b/a /a/b/c"},
		"/*":       {"/a /b", "/ /a/b"},
		"/a/*":     {"/a/b", "/ /a /b/a /a/b/c"},
		"/*/b":     {"/a/b /b/b", "/b /a/b/b"},
		"/**":      {"/ /a /a/b /a/b/c", ""},
		"/a/**":    {"/a /a/b /a/b/c", "/ /b /b/a /b/a/a"},
		"/**/a":    {"/a /b/a /a/a /b/c/a", "/ /b /a/b"},
		"/a/**/b":  {"/a/b /a/c/b /a/c/d/b /a/b/b", "/ /a /b /a/c /b/b /c/a/b"},
		"/**/**":   {"/ /a /a/b", ""},
		"/**/**/a": {"/a /b/a /b/c/a", "/ /b /a/b"},
		"/**/*":    {"/a /a/b", "/"},
		"/*/**":    {"/a /a/b", "/"},
	} {
		for want, names := range map[bool]string{true: c.yes, false: c.no} {
			for name := range strings.FieldsSeq(names) {
				if got := naming.MatchNode(naming.Split(pattern), naming.Split(name)); got != want {
					t.Errorf("%q matches %q: %t", pattern, name, got)
				}
			}
		}
	}
	// many ** in a row take no longer than one
	long := strings.Repeat("/a", 200)
	if naming.MatchNode(naming.Split(strings.Repeat("/**", 200)+"/b"), naming.Split(long)) {
		t.Error("a name that does not end in b matches")
	}
}

// Options of ROS 2 that concern no simulator are passed over with the values that they
// have, and no more.
func TestROS2FlagsArePassedOver(t *testing.T) {
	for flag, values := range map[string]int{
		"-e": 1, "--enclave": 1, "--log-level": 1, "--log-config-file": 1, "--log-file-name": 1,
		"--enable-rosout-logs": 0, "--disable-rosout-logs": 0, "--enable-stdout-logs": 0, "--disable-stdout-logs": 0,
		"--enable-external-lib-logs": 0, "--disable-external-lib-logs": 0,
	} {
		args := append([]string{"--ros-args", flag}, []string{"warn"}[:values]...)
		a, err := naming.ParseArgs(append(args, "-r", "x:=y", "--", "own"))
		if err != nil || len(a.Remaps) != 1 || len(a.Rest) != 1 || a.Rest[0] != "own" {
			t.Errorf("%s: %+v, %v", flag, a, err)
		}
		_, err = naming.ParseArgs(args[:2])
		if (err != nil) != (values == 1) || err != nil && !strings.Contains(err.Error(), flag+" needs a value") {
			t.Errorf("%s at the end: error %v", flag, err)
		}
	}
}
