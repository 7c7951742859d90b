package faults_test

import (
	"regexp"
	"strings"

	"sinew/test/peer/rospeer"
)

// sign is something that a user sees. An ellipsis in its text stands for anything within
// the line.
type sign struct{ where, text string }

// Where signs are.
const (
	inLog         = "log"
	inDiagnostics = "diagnostics"
	inErrors      = "stderr"
	inState       = "operating_state"
)

// logs is a line on stderr, or a part of it.
func logs(text string) sign { return sign{inLog, text} }

// diagnoses is the whole message of a status of /diagnostics that is not OK.
func diagnoses(text string) sign { return sign{inDiagnostics, text} }

// isIn is an operating state.
func isIn(state string) sign { return sign{inState, state} }

// String is the sign in the table.
func (s sign) String() string { return s.where + ": `" + s.text + "`" }

func (s sign) pattern() string {
	return strings.ReplaceAll(regexp.QuoteMeta(s.text), "…", ".*")
}

// shown reports whether a user sees the sign in what the program has written or in what a
// peer has seen.
func (s sign) shown(output string, seen rospeer.Observation) bool {
	switch s.where {
	case inLog, inErrors:
		return regexp.MustCompile(s.pattern()).MatchString(output)
	case inState:
		return seen.State == s.text
	}
	whole := regexp.MustCompile("^" + s.pattern() + "$")
	for w := range seen.Warnings {
		if whole.MatchString(w) {
			return true
		}
	}
	return false
}
