package mesh

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// boundingSphere is the place of a triangle: no corner is farther from the centre than the radius.
type boundingSphere struct {
	center spatial.Vec
	radius float64
}

func boundingSphereOf(t *Triangle) boundingSphere {
	c := t[0].Add(t[1]).Add(t[2]).Scale(1.0 / 3)
	return boundingSphere{c, math.Sqrt(max(t[0].Sub(c).Norm2(), t[1].Sub(c).Norm2(), t[2].Sub(c).Norm2()))}
}

// facetPlane is a triangle with what its distance to many points needs.
type facetPlane struct {
	a, ab, ac, normal spatial.Vec
	bb, bc, cc        float64 // products of the edges ab and ac
}

func facetPlaneOf(t *Triangle) facetPlane {
	p := facetPlane{a: t[0], ab: t[1].Sub(t[0]), ac: t[2].Sub(t[0])}
	p.bb, p.bc, p.cc = p.ab.Dot(p.ab), p.ab.Dot(p.ac), p.ac.Dot(p.ac)
	p.normal = p.ab.Cross(p.ac).Unit()
	return p
}

// squared returns the squared distance of x to the triangle, or some number that is not below
// most where that is not less than it; see Triangle.nearest.
func (p *facetPlane) squared(x spatial.Vec, most float64) float64 {
	ax := x.Sub(p.a)
	h := ax.Dot(p.normal)
	above := h * h
	if above >= most {
		return above
	}
	d1, d2 := p.ab.Dot(ax), p.ac.Dot(ax)
	d3, d4, d5, d6 := d1-p.bb, d2-p.bc, d1-p.bc, d2-p.cc
	vb, vc := d5*d2-d1*d6, d1*d4-d3*d2
	var v, w float64
	switch {
	case d1 <= 0 && d2 <= 0:
	case d3 >= 0 && d4 <= d3:
		v = 1
	case d6 >= 0 && d5 <= d6:
		w = 1
	case vc <= 0 && d1 >= 0 && d3 <= 0:
		v = d1 / p.bb
	case vb <= 0 && d2 >= 0 && d6 <= 0:
		w = d2 / p.cc
	default:
		if va := d3*d6 - d5*d4; va > 0 || d4-d3 < 0 || d5-d6 < 0 {
			return above
		}
		w = (d4 - d3) / (d4 - d3 + d5 - d6)
		v = 1 - w
	}
	return ax.AddScaled(-v, p.ab).AddScaled(-w, p.ac).Norm2()
}

// cluster is the triangles of a tree that may be nearest to points of a small ball. It finds
// the nearest among them faster than a search of the tree does.
type cluster struct {
	tree  *tree
	found []int32          // places in the order of the tree
	hulls []boundingSphere // of those
	last  int32            // the facet that was nearest to the last point
}

// gather sets the ball. The search is short if the one before was near.
func (c *cluster) gather(center spatial.Vec, radius float64) {
	t := c.tree
	c.found, c.hulls = c.found[:0], c.hulls[:0]
	n := t.nearest(center, c.last)
	c.last = n.triangle
	// The nearest triangle of a point of the ball is no farther from the centre than this.
	const roundoff = 1e-9
	reach := (math.Sqrt(n.squared) + 2*radius) * (1 + roundoff)
	var stack [128]int32
	depth := 1
	for depth > 0 {
		depth--
		n := &t.nodes[stack[depth]]
		if n.squared(center) > reach*reach {
			continue
		}
		if n.count == 0 {
			stack[depth], stack[depth+1] = n.first, n.first+1
			depth += 2
			continue
		}
		for i := n.first; i < n.first+n.count; i++ {
			b := &t.hulls[i]
			if most := reach + b.radius; center.Sub(b.center).Norm2() <= most*most {
				c.found, c.hulls = append(c.found, i), append(c.hulls, *b)
			}
		}
	}
}

// nearest returns the point of the facets that is nearest to x, a point of the ball. The search
// is short if the point before was near.
func (c *cluster) nearest(x spatial.Vec) nearest {
	t := c.tree
	begin := t.facets[c.last].nearest(x)
	best, squared := int32(-1), begin.squared
	distance := math.Sqrt(squared)
	for k := range c.hulls {
		h := &c.hulls[k]
		if most := distance + h.radius; x.Sub(h.center).Norm2() >= most*most {
			continue
		}
		if s := t.plates[c.found[k]].squared(x, squared); s < squared {
			best, squared = c.found[k], s
			distance = math.Sqrt(squared)
		}
	}
	if best >= 0 {
		begin, c.last = t.leaves[best].nearest(x), t.order[best]
	}
	begin.triangle = c.last
	return begin
}
