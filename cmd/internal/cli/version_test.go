package cli_test

import (
	"runtime/debug"
	"testing"

	"sinew/cmd/internal/cli"
)

// The version names the revision of a build, and whether its files were changed.
func TestCommitOfABuild(t *testing.T) {
	rev, clean, changed := debug.BuildSetting{Key: "vcs.revision", Value: "abc123"}, debug.BuildSetting{Key: "vcs.modified", Value: "false"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	other := debug.BuildSetting{Key: "-race", Value: "true"}
	for want, settings := range map[string][]debug.BuildSetting{
		"unknown":        {other},
		"abc123":         {other, rev, clean},
		"abc123+changes": {rev, changed, other},
	} {
		if got := cli.RevisionOf(settings); got != want {
			t.Errorf("%v: %s, want %s", settings, got, want)
		}
	}
}
