package cli

import (
	"runtime/debug"
	"testing"
)

// The revision of a build is told, and whether its files were changed.
func TestCommitOfABuild(t *testing.T) {
	rev, clean, changed := debug.BuildSetting{Key: "vcs.revision", Value: "abc123"}, debug.BuildSetting{Key: "vcs.modified", Value: "false"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	other := debug.BuildSetting{Key: "-race", Value: "true"}
	for want, settings := range map[string][]debug.BuildSetting{
		"unknown":        {other},
		"abc123":         {other, rev, clean},
		"abc123+changes": {rev, changed, other},
	} {
		if got := revisionOf(settings); got != want {
			t.Errorf("%v: %s, want %s", settings, got, want)
		}
	}
}
