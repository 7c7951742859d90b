package mesh

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// surface is the triangles with shared corners and known neighbours, turned so that normals
// point to the free side.
type surface struct {
	points    []spatial.Vec
	triangles [][3]int32
	normals   []spatial.Vec // of the triangles, unit
	given     int           // number of triangles of the wall; the rest are lips
	source    []int32       // their numbers in the file
	size      float64       // diagonal of the box, m
	findings  []Finding

	// neighbour[t][k] is the triangle beyond the edge from corner k to the next of triangle t,
	// −1 where the surface is open.
	neighbours [][3]int32
}

// Limits of coordinates (m) and triangles.
const (
	farthest   = 1e4
	weldOfBox  = 1e-9 // corners nearer than this part of the box are one
	leastWidth = 1e-6 // width of a triangle over its longest edge
)

// newSurface welds the corners of the triangles, whose coordinates are multiplied by scale, and
// drops the degenerate and double ones. It refuses coordinates that are not finite or too large.
func newSurface(f *STL, scale float64) (*surface, error) {
	if err := checkCount(len(f.Triangles)); err != nil {
		return nil, err
	}
	if err := checkCorners(f, scale); err != nil {
		return nil, err
	}
	s := &surface{triangles: make([][3]int32, len(f.Triangles)), source: make([]int32, len(f.Triangles))}
	lo, hi := f.Triangles[0][0].Scale(scale), f.Triangles[0][0].Scale(scale)
	for i := range f.Triangles {
		for _, p := range f.Triangles[i] {
			lo, hi = least(lo, p.Scale(scale)), most(hi, p.Scale(scale))
		}
	}
	s.size = hi.Sub(lo).Norm()
	w := newWelder(weldOfBox * s.size)
	for i := range f.Triangles {
		for k, p := range f.Triangles[i] {
			s.triangles[i][k] = w.index(p.Scale(scale))
		}
		s.source[i] = int32(i)
	}
	s.points = w.points
	return s, nil
}

// checkCorners refuses corners that are not finite, or too far away in metres.
func checkCorners(f *STL, scale float64) error {
	var bad, far flaw
	for i := range f.Triangles {
		for _, p := range f.Triangles[i] {
			q := p.Scale(scale)
			switch {
			case !q.IsFinite():
				bad.add(i, p)
			case max(math.Abs(q.X), math.Abs(q.Y), math.Abs(q.Z)) > farthest:
				far.add(i, p)
			}
		}
	}
	return errors.Join(
		bad.err(f, "corner is not finite", "corners are not finite", "export the mesh again or remove these triangles"),
		far.err(f, "corner is too far away", "corners are too far away", fmt.Sprintf("times the scale %g coordinates must be from %g to %g m: give the scale of the file's unit", scale, -farthest, farthest)))
}

// corners returns the corners of triangle i.
func (s *surface) corners(i int) (a, b, c spatial.Vec) {
	t := &s.triangles[i]
	return s.points[t[0]], s.points[t[1]], s.points[t[2]]
}

// next is the corner after corner k of a triangle.
var next = [3]int{1, 2, 0}

// normal computes the normal of triangle i.
func (s *surface) normal(i int) spatial.Vec {
	a, b, c := s.corners(i)
	return b.Sub(a).Cross(c.Sub(a)).Unit()
}

// setNormals computes the normals of all triangles, 0 for one of a lip without area.
func (s *surface) setNormals() {
	s.normals = make([]spatial.Vec, len(s.triangles))
	for i := range s.normals {
		if n := s.normal(i); n.IsFinite() {
			s.normals[i] = n
		}
	}
}

// flip turns all triangles.
func (s *surface) flip() {
	for i := range s.triangles {
		t, n := &s.triangles[i], &s.neighbours[i]
		t[1], t[2] = t[2], t[1]
		n[0], n[2] = n[2], n[0]
	}
}

func least(a, b spatial.Vec) spatial.Vec {
	return spatial.Vec{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)}
}

func most(a, b spatial.Vec) spatial.Vec {
	return spatial.Vec{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)}
}
