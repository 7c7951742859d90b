package robotfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Mistake is one error or warning about a robot file or a value that overrides it.
type Mistake struct {
	Name    Warning // of a warning that can be accepted; empty for all else
	File    string  // file name, or what else the value came from
	Line    int     // 1-based; 0 where the source has no lines
	Key     string  // path of the key, for example tendons[2].limits.max_tension_n
	Value   string  // as written, shortened; empty if the key is absent
	Unit    string  // SI unit; empty where there is none
	Problem string  // what is wrong
	Allowed string  // what would be right; empty if Problem says it
	Hint    string  // a suggestion; may be empty
}

// WithoutPlace is String without the location.
func (m Mistake) WithoutPlace() string {
	m.File, m.Line = "", 0
	return strings.TrimPrefix(m.String(), ": ")
}

// String formats the mistake on one line: location, key, value, problem, allowed, hint.
func (m Mistake) String() string {
	var b strings.Builder
	b.WriteString(m.File)
	if m.Line > 0 {
		fmt.Fprintf(&b, ":%d", m.Line)
	}
	b.WriteString(": ")
	if m.Key != "" {
		fmt.Fprintf(&b, "%s: ", m.Key)
	}
	if m.Value != "" {
		b.WriteString(m.Value)
		if strings.ContainsAny(m.Value[:1], "0123456789+-.") {
			b.WriteString(suffix(" ", m.Unit))
		}
		b.WriteString(" ")
	}
	b.WriteString(m.Problem)
	if m.Allowed != "" {
		fmt.Fprintf(&b, "; allowed: %s%s", m.Allowed, suffix(" ", m.Unit))
	}
	if m.Hint != "" {
		fmt.Fprintf(&b, " (%s)", m.Hint)
	}
	return b.String()
}

// maxMistakes bounds how many mistakes are reported.
const maxMistakes = 100

// Errors is every mistake found, in the order of the sources and their lines.
type Errors struct {
	Mistakes []Mistake
	Omitted  int // mistakes beyond the bound on the report
}

// Error is one line per mistake.
func (e *Errors) Error() string {
	lines := make([]string, len(e.Mistakes))
	for i, m := range e.Mistakes {
		lines[i] = m.String()
	}
	if e.Omitted > 0 {
		lines = append(lines, fmt.Sprintf("and %d more mistakes", e.Omitted))
	}
	return strings.Join(lines, "\n")
}

// report returns the mistakes found as an *Errors, or nil if there are none.
func report(found []Mistake, sources []string) error {
	if len(found) == 0 {
		return nil
	}
	found = inOrder(found, sources)
	e := &Errors{Mistakes: found}
	if len(found) > maxMistakes {
		e.Mistakes, e.Omitted = found[:maxMistakes], len(found)-maxMistakes
	}
	return e
}

// inOrder sorts mistakes by source, as the sources were given, then by line, and leaves
// repetitions out.
func inOrder(found []Mistake, sources []string) []Mistake {
	slices.SortStableFunc(found, func(a, b Mistake) int {
		return cmp.Or(
			slices.Index(sources, a.File)-slices.Index(sources, b.File),
			a.Line-b.Line)
	})
	return slices.Compact(found)
}
