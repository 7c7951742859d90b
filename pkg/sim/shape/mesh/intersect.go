package mesh

import (
	"slices"

	"sinew/pkg/sim/spatial"
)

// countIntersections notes the triangles of the wall that edges of others pass through, and those that
// are folded back onto a neighbour. They are left as they are: the field has walls where bodies
// overlap, and between the sides of a fold there is nothing. It refuses triangles that face others in one
// plane, of bodies that touch along a face which is divided in two ways: which side of them is free is
// not certain.
func (s *surface) countIntersections(t *tree, f *STL) error {
	var facing flaw
	for i := range s.given {
		a := &t.facets[i].Triangle
		folded := false
		if t.any(a, func(j int32, b *Triangle) bool {
			if !a.faces(b) {
				return false
			}
			isFold := slices.Contains(s.neighbours[i][:], j)
			folded = folded || isFold
			return !isFold
		}) {
			facing.add(int(s.source[i]), a[0].Add(a[1]).Add(a[2]).Scale(1.0/3))
		} else if folded {
			s.found(i, "triangle is folded back onto its neighbour and left so", "triangles are folded back onto their neighbours and left so")
		}
		if t.any(a, func(_ int32, b *Triangle) bool {
			return a.isCrossedBy(b[0], b[1]) || a.isCrossedBy(b[1], b[2]) || a.isCrossedBy(b[2], b[0])
		}) {
			s.found(i, "triangle is crossed by another one and left so (unite bodies that overlap, for example by Boolean Union of Blender)",
				"triangles are crossed by others and left so (unite bodies that overlap, for example by Boolean Union of Blender)")
		}
	}
	return facing.err(f, "triangle faces another one in its plane", "triangles face others in their plane",
		"two bodies touch along a face that is divided in different ways; unite them, for example by Boolean Union of Blender")
}

// any reports whether some facet near a triangle satisfies a condition on its number and corners.
func (t *tree) any(a *Triangle, is func(number int32, b *Triangle) bool) bool {
	lo, hi := least(least(a[0], a[1]), a[2]), most(most(a[0], a[1]), a[2])
	var stack [128]int32
	depth := 1
	for depth > 0 {
		depth--
		n := &t.nodes[stack[depth]]
		if n.lo.X > hi.X || n.lo.Y > hi.Y || n.lo.Z > hi.Z || n.hi.X < lo.X || n.hi.Y < lo.Y || n.hi.Z < lo.Z {
			continue
		}
		if n.count == 0 {
			stack[depth], stack[depth+1] = n.first, n.first+1
			depth += 2
			continue
		}
		for i := n.first; i < n.first+n.count; i++ {
			if is(t.order[i], &t.leaves[i]) {
				return true
			}
		}
	}
	return false
}

// faces reports whether another triangle lies in the plane of this one, turned to it, and covers a part
// of it: the centre of one, or a point halfway from there to a corner, is over the other one.
func (t *Triangle) faces(b *Triangle) bool {
	const (
		turned = -1 + 1e-6 // cosine between the normals
		beside = 1e-5      // distance of the planes over the size of the triangle: that of numbers of 32 bits
	)
	p, q := t[1].Sub(t[0]).Cross(t[2].Sub(t[0])), b[1].Sub(b[0]).Cross(b[2].Sub(b[0]))
	if !(p.Dot(q) <= turned*p.Norm()*q.Norm()) || p == (spatial.Vec{}) {
		return false
	}
	size := max(t[1].Sub(t[0]).Norm(), t[2].Sub(t[0]).Norm())
	for _, corner := range b {
		if d := corner.Sub(t[0]).Dot(p); d > beside*size*p.Norm() || d < -beside*size*p.Norm() {
			return false
		}
	}
	return b.holdsPart(t) || t.holdsPart(b)
}

// holdsPart reports whether the centre of another triangle of its plane, or a point halfway from there to
// a corner, is within the triangle.
func (t *Triangle) holdsPart(b *Triangle) bool {
	center := b[0].Add(b[1]).Add(b[2]).Scale(1.0 / 3)
	if t.holds(center) {
		return true
	}
	for _, corner := range b {
		if t.holds(center.Add(corner).Scale(0.5)) {
			return true
		}
	}
	return false
}

// holds reports whether a point of the plane of the triangle is within it, not at its border.
func (t *Triangle) holds(x spatial.Vec) bool {
	const border = 1e-2 // share of the triangle
	n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
	for k := range t {
		if e := t[next[k]].Sub(t[k]).Cross(x.Sub(t[k])).Dot(n); e < border*n.Norm2() {
			return false
		}
	}
	return true
}

// isCrossedBy reports whether a segment passes through the inside of the triangle, not at its border,
// and not with an end of the segment.
func (t *Triangle) isCrossedBy(p, q spatial.Vec) bool {
	const border = 1e-4 // share of the triangle and the segment
	ab, ac, pq := t[1].Sub(t[0]), t[2].Sub(t[0]), q.Sub(p)
	normal := ab.Cross(ac)
	down := -pq.Dot(normal)
	scale := normal.Norm() * pq.Norm()
	if down < border*scale && down > -border*scale {
		return false // beside the plane
	}
	ap := p.Sub(t[0])
	if share := ap.Dot(normal) / down; share < border || share > 1-border {
		return false
	}
	e := ap.Cross(pq)
	v, w := ac.Dot(e)/down, -ab.Dot(e)/down
	return v > border && w > border && v+w < 1-border
}
