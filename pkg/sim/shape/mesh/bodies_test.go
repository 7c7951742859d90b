package mesh

import (
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// at moves a surface, and turned turns its normals round.
func (f *STL) at(by spatial.Vec, turned bool) *STL {
	g := &STL{}
	for _, t := range f.Triangles {
		for k := range t {
			t[k] = t[k].Add(by)
		}
		if turned {
			t[1], t[2] = t[2], t[1]
		}
		g.Triangles = append(g.Triangles, t)
	}
	return g
}

// together joins surfaces to one file.
func together(all ...*STL) *STL {
	g := &STL{}
	for _, f := range all {
		g.Triangles = append(g.Triangles, f.Triangles...)
	}
	return g
}

// TestBodiesTurnedAgainstOthersAreRefused demands that the body be named, whatever its size, and that
// bodies that are all turned alike, and cavities, be taken.
func TestBodiesTurnedAgainstOthersAreRefused(t *testing.T) {
	large, small, away := ball(0.01, 4), ball(0.004, 4), spatial.Vec{X: 0.03}
	for _, c := range []struct {
		name string
		f    *STL
		want string // empty: taken
	}{
		{"one", large.at(spatial.Vec{}, true), ""},
		{"two alike", together(large, small.at(away, false)), ""},
		{"two alike, both turned", together(large.at(spatial.Vec{}, true), small.at(away, true)), ""},
		{"a cavity", together(large, small.at(spatial.Vec{}, true)), ""},
		{"equal ones", together(large, large.at(away, true)), "body 2 of 2, of 192 triangles from triangle 193"},
		{"a small one first", together(small.at(away, true), large), "body 1 of 2, of 192 triangles from triangle 1"},
		{"beside a cavity", together(large, small.at(spatial.Vec{}, true), small.at(away, true)), "body 3 of 3"},
	} {
		_, err := New(c.f, Options{Scale: 1, Reach: 0.001})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "is turned against the others: its normals point in")):
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
