package mesh

import (
	"fmt"
	"strings"

	"sinew/pkg/sim/spatial"
)

// Finding is a kind of flaw of a file that New has repaired, or left as it is.
type Finding struct {
	One, Many string // what was done to one and to many
	Count     int
	First     int // number of the triangle of the first one, for STL.Location
}

// String says what was done, as in "2 degenerate triangles are dropped, the first is triangle 7
// (byte 384)".
func (r *Finding) String(f *STL) string {
	if r.Count == 1 {
		return fmt.Sprintf("1 %s, %s", r.One, f.Location(r.First))
	}
	return fmt.Sprintf("%d %s, the first is %s", r.Count, r.Many, f.Location(r.First))
}

// Describe returns the findings in a file as one clause.
func Describe(f *STL, findings []Finding) string {
	var all []string
	for i := range findings {
		all = append(all, findings[i].String(f))
	}
	return strings.Join(all, "; ")
}

// found notes a finding about the triangle i of the surface.
func (s *surface) found(i int, one, many string) {
	for k := range s.findings {
		if s.findings[k].One == one {
			s.findings[k].Count++
			return
		}
	}
	s.findings = append(s.findings, Finding{One: one, Many: many, Count: 1, First: int(s.source[i])})
}

// flaw is a kind of flaw that is refused: how often it occurs, and where first.
type flaw struct {
	count  int
	places []place
}

// place is a triangle, by its number in the file, and a point of it.
type place struct {
	triangle int
	at       spatial.Vec
}

// maxPlaces is the number of places that an error names of each kind of flaw.
const maxPlaces = 3

// add counts a flaw of a triangle, by its number in the file, at a point.
func (l *flaw) add(triangle int, at spatial.Vec) {
	if l.count++; len(l.places) < maxPlaces {
		l.places = append(l.places, place{triangle, at})
	}
}

// err returns the error of all flaws of the kind, nil if there are none.
func (l *flaw) err(f *STL, one, many, cure string) error {
	if l.count == 0 {
		return nil
	}
	what := "1 " + one
	if l.count > 1 {
		what = fmt.Sprintf("%d %s", l.count, many)
	}
	var where []string
	for _, p := range l.places {
		where = append(where, fmt.Sprintf("(%.6g, %.6g, %.6g) of %s", p.at.X, p.at.Y, p.at.Z, f.Location(p.triangle)))
	}
	more := ""
	if l.count > len(l.places) {
		more = " …"
	}
	return fmt.Errorf("mesh: %s: at %s%s; %s", what, strings.Join(where, ", "), more, cure)
}
