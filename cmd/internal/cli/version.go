package cli

import "runtime/debug"

// Version is the release, numbered by the rules of semantic versioning.
const Version = "0.1.0"

// Commit returns the revision that the binary was built from, where the Go tool
// recorded it.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownCommit
	}
	return revisionOf(info.Settings)
}

const unknownCommit = "unknown"

// revisionOf returns the revision in the settings of a build.
func revisionOf(settings []debug.BuildSetting) string {
	rev, dirty := unknownCommit, ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return rev + dirty
}
