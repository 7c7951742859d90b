package naming

import (
	"slices"
	"strings"
	"testing"
)

// What is for no node of several is told.
func TestStrangers(t *testing.T) {
	args, err := ParseArgs(strings.Fields("--ros-args -p left:x:=1 -p lefty:x:=1 -p x:=1 -r left:a:=/b -r /right:a:=/b -r lefty:a:=/b -r c:=/d"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"lefty:x has no effect: no node here has this name", "lefty:a:=/b has no effect: no node here has this name"}
	if got := args.Strangers([]string{"/arms/left", "/right"}); len(got) != len(want) ||
		!slices.EqualFunc(got, want, strings.HasSuffix) {
		t.Errorf("%q, want %q", got, want)
	}
}
