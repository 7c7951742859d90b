package naming

import "strings"

// Unexported names for the external tests.
var (
	CheckName   = checkName
	MatchNode   = matchNode
	ParseParams = parseParams
	Split       = split
)

// Environment is a lookup function over a fixed environment.
func Environment(pairs ...string) func(string) (string, bool) {
	return func(key string) (string, bool) {
		for _, p := range pairs {
			if k, v, _ := strings.Cut(p, "="); k == key {
				return v, true
			}
		}
		return "", false
	}
}
