package mesh

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// component is a connected piece of a surface.
type component struct {
	first  int         // its first triangle
	volume float64     // within it, with its loops closed, m³; positive if normals point out of it
	lo, hi spatial.Vec // its box, m
	faces  []Triangle  // with those that close its loops
}

// components lists the connected pieces of the surface.
func (s *surface) components(loops []loop) []component {
	g := newUnionFind(len(s.triangles))
	for i := range s.triangles {
		for _, other := range s.neighbours[i] {
			if other >= 0 {
				g.join(i, int(other))
			}
		}
	}
	var all []component
	number := map[int]int{} // by the root of its triangles
	of := func(triangle int) *component {
		root := g.root(triangle)
		k, known := number[root]
		if !known {
			k = len(all)
			number[root] = k
			all = append(all, component{first: triangle, lo: s.points[s.triangles[triangle][0]], hi: s.points[s.triangles[triangle][0]]})
		}
		return &all[k]
	}
	o := s.points[0]
	add := func(b *component, t Triangle) {
		b.faces = append(b.faces, t)
		b.volume += t[0].Sub(o).Dot(t[1].Sub(o).Cross(t[2].Sub(o))) / 6
		for _, p := range t {
			b.lo, b.hi = least(b.lo, p), most(b.hi, p)
		}
	}
	for i := range s.triangles {
		x, y, z := s.corners(i)
		add(of(i), Triangle{x, y, z})
	}
	for i := range loops {
		l := &loops[i]
		b := of(int(l.edges[0].triangle))
		for k, p := range l.points {
			add(b, Triangle{s.points[l.points[(k+1)%len(l.points)]], s.points[p], l.center})
		}
	}
	return all
}

// checkTurned refuses a body that is turned against the largest one, unless it is inside of
// another: that makes a cavity there.
func (s *surface) checkTurned(f *STL, loops []loop) error {
	all := s.components(loops)
	largest := 0
	for i := range all {
		if math.Abs(all[i].volume) > math.Abs(all[largest].volume)*(1+1e-6) { // not by roundoff
			largest = i
		}
	}
	for i := range all {
		b := &all[i]
		if b.volume*all[largest].volume >= 0 || b.isInside(all) {
			continue
		}
		out := [2]string{"in", "out"}
		if b.volume > 0 {
			out = [2]string{"out", "in"}
		}
		p, q := b.lo, b.hi
		return fmt.Errorf("mesh: body %d of %d, of %d triangles from %s on and from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m, is turned against the others: its normals point %s, and those of body %d, which begins with %s, %s; turn its triangles, for only what is inside of another body may be turned against it",
			i+1, len(all), len(b.faces), f.Location(b.first), p.X, p.Y, p.Z, q.X, q.Y, q.Z, out[0], largest+1, f.Location(all[largest].first), out[1])
	}
	return nil
}

// isInside reports whether a body is inside of another one.
func (b *component) isInside(all []component) bool {
	p := b.faces[0][0]
	for i := range all {
		if a := &all[i]; a.first != b.first && a.boxHolds(p) && a.holds(p) {
			return true
		}
	}
	return false
}

func (b *component) boxHolds(p spatial.Vec) bool {
	return least(b.lo, p) == b.lo && most(b.hi, p) == b.hi
}

// holds reports whether a point is inside: whether the faces are seen from there in all
// directions.
func (b *component) holds(p spatial.Vec) bool {
	sum := 0.0 // of solid angles, which Van Oosterom and Strackee give for a triangle
	for i := range b.faces {
		x, y, z := b.faces[i][0].Sub(p), b.faces[i][1].Sub(p), b.faces[i][2].Sub(p)
		a, c, d := x.Norm(), y.Norm(), z.Norm()
		sum += 2 * math.Atan2(x.Dot(y.Cross(z)), a*c*d+x.Dot(y)*d+y.Dot(z)*a+z.Dot(x)*c)
	}
	return math.Abs(sum) > 2*math.Pi
}
