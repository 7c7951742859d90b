package mesh

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/spatial"
)

// edgeOf is an edge of a triangle: the one from its corner k to the next.
type edgeOf struct{ triangle, k int32 }

// connect sets the neighbours. It refuses edges of more than two triangles, and triangles
// that are turned against their neighbours.
func (s *surface) connect(f *STL) error {
	s.neighbours = make([][3]int32, len(s.triangles))
	edges := make(map[[2]int32]edgeOf, 3*len(s.triangles))
	against := map[int32]int{} // number of edges with which a triangle is turned against another
	for i := range s.triangles {
		for k := range 3 {
			from, to := s.triangles[i][k], s.triangles[i][next[k]]
			if other, ok := edges[[2]int32{from, to}]; ok {
				if _, third := edges[[2]int32{to, from}]; third {
					return s.nonManifoldError(f, from, to)
				}
				against[int32(i)]++
				against[other.triangle]++
				continue
			}
			edges[[2]int32{from, to}] = edgeOf{int32(i), int32(k)}
		}
	}
	if len(against) > 0 {
		return s.orientationError(f, against)
	}
	for i := range s.triangles {
		for k := range 3 {
			s.neighbours[i][k] = -1
			if other, ok := edges[[2]int32{s.triangles[i][next[k]], s.triangles[i][k]}]; ok {
				s.neighbours[i][k] = other.triangle
			}
		}
	}
	return nil
}

// nonManifoldError names all triangles of an edge that has more than two.
func (s *surface) nonManifoldError(f *STL, from, to int32) error {
	var names string
	for i, t := range s.triangles {
		for k := range 3 {
			if a, b := t[k], t[next[k]]; a == from && b == to || a == to && b == from {
				names += f.Location(i) + ", "
			}
		}
	}
	p, q := s.points[from], s.points[to]
	return fmt.Errorf("mesh: more than two triangles share the edge from (%g, %g, %g) to (%g, %g, %g) m: %sso it has no two sides",
		p.X, p.Y, p.Z, q.X, q.Y, q.Z, names)
}

// orientationError names the triangle that is turned against most of its neighbours.
func (s *surface) orientationError(f *STL, against map[int32]int) error {
	worst, edges := int32(-1), 0
	for i, n := range against {
		if n > edges || n == edges && i < worst {
			worst, edges = i, n
		}
	}
	p := s.points[s.triangles[worst][0]]
	return fmt.Errorf("mesh: %s at (%g, %g, %g) m is turned against its neighbours across %d of its edges (%d triangles are): all must be turned the same way",
		f.Location(int(worst)), p.X, p.Y, p.Z, edges, len(against))
}

// loop is an open edge of the surface, in the direction of its triangles.
type loop struct {
	points []int32
	edges  []edgeOf    // edges[i] is from points[i] to the next
	center spatial.Vec // m
	axis   spatial.Vec // unit: the direction in which the wall runs out there
	runs   float64     // how much of the wall does: 1 at the end of a pipe, 0 at a hole in a plane
	radius float64     // mean distance of the points from the axis, m
}

// openLoops returns the loops of open edges.
func (s *surface) openLoops(f *STL) ([]loop, error) {
	from := map[int32]edgeOf{}
	var order []int32
	for i := range s.triangles {
		for k := range 3 {
			if s.neighbours[i][k] >= 0 {
				continue
			}
			p := s.triangles[i][k]
			if _, ok := from[p]; ok {
				v := s.points[p]
				return nil, fmt.Errorf("mesh: two holes touch at (%g, %g, %g) m, a corner of %s", v.X, v.Y, v.Z, f.Location(i))
			}
			from[p] = edgeOf{int32(i), int32(k)}
			order = append(order, p)
		}
	}
	var loops []loop
	for _, start := range order {
		if _, open := from[start]; !open {
			continue
		}
		var l loop
		for p := start; ; {
			e, ok := from[p]
			if !ok {
				break
			}
			delete(from, p)
			l.points, l.edges = append(l.points, p), append(l.edges, e)
			p = s.triangles[e.triangle][next[e.k]]
		}
		s.measure(&l)
		loops = append(loops, l)
	}
	return loops, nil
}

// measure sets the centre, axis and radius of the loop.
func (s *surface) measure(l *loop) {
	var out spatial.Vec
	length := 0.0
	for i, e := range l.edges {
		a, b := s.points[l.points[i]], s.points[l.points[(i+1)%len(l.points)]]
		along := b.Sub(a)
		out = out.Add(along.Cross(s.normal(int(e.triangle))))
		length += along.Norm()
		l.center = l.center.AddScaled(along.Norm()/2, a.Add(b))
	}
	l.center = l.center.Scale(1 / length)
	l.runs = out.Norm() / length
	l.axis = out.Unit()
	for _, i := range l.points {
		q := s.points[i].Sub(l.center)
		l.radius += q.AddScaled(-q.Dot(l.axis), l.axis).Norm() / float64(len(l.points))
	}
}

// leastRun is how much of a wall must run out to an open end.
const leastRun = 0.5

// checkLoops refuses holes.
func (s *surface) checkLoops(f *STL, loops []loop, inside bool) error {
	var errs []error
	for i := range loops {
		l := &loops[i]
		if inside && l.runs >= leastRun {
			continue
		}
		why := "it is within the wall and not at the end of a vessel"
		if !inside {
			why = "only with inside: true may a mesh be open, at the ends of vessels"
		}
		errs = append(errs, fmt.Errorf("mesh: hole of %d edges about (%g, %g, %g) m, %.3g m wide, beside %s: %s",
			len(l.edges), l.center.X, l.center.Y, l.center.Z, 2*l.radius, f.Location(int(l.edges[0].triangle)), why))
	}
	const shown = 5
	if n := len(errs); n > shown {
		errs = append(errs[:shown], fmt.Errorf("mesh: and %d more holes", n-shown))
	}
	return errors.Join(errs...)
}

// volume returns the volume (m³) within the surface, with its loops closed, positive if
// normals point out of it, and the area (m²).
func (s *surface) volume(loops []loop) (volume, area float64) {
	o := s.points[0]
	add := func(a, b, c spatial.Vec) float64 { return a.Sub(o).Dot(b.Sub(o).Cross(c.Sub(o))) / 6 }
	for i := range s.triangles {
		a, b, c := s.corners(i)
		volume += add(a, b, c)
		area += b.Sub(a).Cross(c.Sub(a)).Norm() / 2
	}
	for i := range loops {
		l := &loops[i]
		for k, p := range l.points {
			volume += add(s.points[l.points[(k+1)%len(l.points)]], s.points[p], l.center)
		}
	}
	return volume, area
}
