package source

import (
	"slices"
	"strings"
)

// systems are the last parts of file names that say for which operating system or
// processor a file is; other is the file for the rest of them.
var systems = []string{"linux", "darwin", "windows", "freebsd", "unix", "other", "amd64", "arm64"}

// SharedPrefixes groups the names of Go files of a package by the part before the first
// underscore. A file whose whole name is that part belongs to the group. Variants of one
// file for several systems (process_linux.go, process_other.go) count once. Groups of one
// are left out, as are tests.
func SharedPrefixes(files []string) map[string][]string {
	groups := map[string][]string{}
	for _, file := range files {
		name, isGo := strings.CutSuffix(file, ".go")
		if !isGo || strings.HasSuffix(name, "_test") {
			continue
		}
		parts := strings.Split(name, "_")
		for len(parts) > 1 && slices.Contains(systems, parts[len(parts)-1]) {
			parts = parts[:len(parts)-1]
		}
		if name = strings.Join(parts, "_"); !slices.Contains(groups[parts[0]], name) {
			groups[parts[0]] = append(groups[parts[0]], name)
		}
	}
	for prefix, names := range groups {
		if len(names) == 1 {
			delete(groups, prefix)
		}
	}
	return groups
}

// MostSharedPrefix returns the prefix that most files share, the first in the alphabet of
// equals, and how many they are.
func MostSharedPrefix(files []string) (prefix string, n int) {
	for p, names := range SharedPrefixes(files) {
		if len(names) > n || len(names) == n && p < prefix {
			prefix, n = p, len(names)
		}
	}
	return prefix, n
}
