package verb

import "runtime/debug"

// Version is the release, numbered by the rules of semantic versioning.
const Version = "0.1.0"

// Commit returns the revision that the binary was built from, where the Go tool
// recorded it.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	rev, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return rev + dirty
}
