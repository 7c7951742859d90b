package mesh

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// component is a connected piece of a surface.
type component struct {
	triangles []int32     // their numbers
	volume    float64     // within it, with its loops closed, m³; positive if normals point out of it
	lo, hi    spatial.Vec // its box, m
	faces     []Triangle  // with those that close its loops
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
			all = append(all, component{lo: s.points[s.triangles[triangle][0]], hi: s.points[s.triangles[triangle][0]]})
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
		b := of(i)
		b.triangles = append(b.triangles, int32(i))
		add(b, Triangle{x, y, z})
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

// depth returns the number of other bodies that the body is inside of.
func (b *component) depth(all []component) (n int) {
	for i := range all {
		if a := &all[i]; a != b && a.boxHolds(b.lo) && a.boxHolds(b.hi) && a.holdsBody(b) {
			n++
		}
	}
	return n
}

func (b *component) boxHolds(p spatial.Vec) bool {
	return least(b.lo, p) == b.lo && most(b.hi, p) == b.hi
}

// holdsBody reports whether a is inside of b, of which it may touch the surface from within: of a few points of a
// some are inside and none is outside. A body that reaches out of b overlaps with it.
func (b *component) holdsBody(a *component) bool {
	const points = 9
	inside := false
	for i := 0; i < len(a.faces); i += max(1, len(a.faces)/points) {
		t := &a.faces[i]
		switch w := b.winding(t[0].Add(t[1]).Add(t[2]).Scale(1.0 / 3)); { // 1/2 on the surface
		case w < 0.25:
			return false
		case w > 0.75:
			inside = true
		}
	}
	return inside
}

// winding returns how often the faces go around a point: 1 inside, 0 outside, and the share of the
// directions in which they are seen on the surface.
func (b *component) winding(p spatial.Vec) float64 {
	sum := 0.0 // of solid angles, which Van Oosterom and Strackee give for a triangle
	for i := range b.faces {
		x, y, z := b.faces[i][0].Sub(p), b.faces[i][1].Sub(p), b.faces[i][2].Sub(p)
		a, c, d := x.Norm(), y.Norm(), z.Norm()
		sum += 2 * math.Atan2(x.Dot(y.Cross(z)), a*c*d+x.Dot(y)*d+y.Dot(z)*a+z.Dot(x)*c)
	}
	return math.Abs(sum) / (4 * math.Pi)
}
