package mesh

import (
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
	given     int           // number of triangles that the file has; the rest are lips

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

// newSurface checks the triangles one by one and welds their corners. Coordinates are
// multiplied by scale.
func newSurface(f *STL, scale float64) (*surface, error) {
	if err := checkCount(len(f.Triangles)); err != nil {
		return nil, err
	}
	lo, hi := spatial.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, spatial.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}
	for i := range f.Triangles {
		for k, p := range f.Triangles[i] {
			q := p.Scale(scale)
			if !q.IsFinite() || max(math.Abs(q.X), math.Abs(q.Y), math.Abs(q.Z)) > farthest {
				return nil, fmt.Errorf("mesh: corner %d of %s is (%g, %g, %g); times the scale %g its coordinates must be from %g to %g m",
					k+1, f.Location(i), p.X, p.Y, p.Z, scale, -farthest, farthest)
			}
			lo, hi = least(lo, q), most(hi, q)
		}
	}
	w := newWelder(weldOfBox * hi.Sub(lo).Norm())
	s := &surface{triangles: make([][3]int32, len(f.Triangles)), given: len(f.Triangles)}
	for i := range f.Triangles {
		for k, p := range f.Triangles[i] {
			s.triangles[i][k] = w.index(p.Scale(scale))
		}
	}
	s.points = w.points
	for i := range s.triangles {
		a, b, c := s.corners(i)
		longest := math.Sqrt(max(b.Sub(a).Norm2(), c.Sub(b).Norm2(), a.Sub(c).Norm2()))
		if double := b.Sub(a).Cross(c.Sub(a)).Norm(); !(double > leastWidth*longest*longest) {
			return nil, fmt.Errorf("mesh: %s at (%g, %g, %g) m is degenerate: it is %.3g m long and %.3g m wide; remove it or merge its corners",
				f.Location(i), a.X, a.Y, a.Z, longest, double/max(longest, math.SmallestNonzeroFloat64))
		}
	}
	return s, nil
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
