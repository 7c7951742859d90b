package mesh

import "sinew/pkg/sim/spatial"

// countIntersections notes the triangles of the wall that edges of others pass through. They are
// left as they are: the field has walls where bodies overlap.
func (s *surface) countIntersections(t *tree) {
	for i := range s.given {
		a := &t.facets[i].Triangle
		if t.isCrossed(a) {
			s.found(i, "triangle is crossed by another one and left so (unite bodies that overlap, for example by Boolean Union of Blender)",
				"triangles are crossed by others and left so (unite bodies that overlap, for example by Boolean Union of Blender)")
		}
	}
}

// isCrossed reports whether an edge of a facet passes through the inside of a triangle.
func (t *tree) isCrossed(a *Triangle) bool {
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
			b := &t.leaves[i]
			for k := range b {
				if a.isCrossedBy(b[k], b[next[k]]) {
					return true
				}
			}
		}
	}
	return false
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
