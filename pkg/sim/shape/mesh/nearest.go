package mesh

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// feature is the part of a triangle on which the nearest point is.
type feature uint8

const (
	face  feature = iota
	edge0         // from a to b; then b to c and c to a
	edge1
	edge2
	corner0 // a, then b and c
	corner1
	corner2
)

// nearest is the point of a triangle that is nearest to a point.
type nearest struct {
	triangle int32
	feature  feature
	weights  [3]float64 // of the corners
	point    spatial.Vec
	squared  float64 // distance, m²
}

// nearest finds the point of the triangle that is nearest to x (Ericson, Real-Time Collision
// Detection, 5.1.5).
func (t *Triangle) nearest(x spatial.Vec) (n nearest) {
	ab, ac, ax := t[1].Sub(t[0]), t[2].Sub(t[0]), x.Sub(t[0])
	d1, d2 := ab.Dot(ax), ac.Dot(ax)
	if d1 <= 0 && d2 <= 0 {
		return t.at(x, corner0, 0, 0)
	}
	bx := x.Sub(t[1])
	d3, d4 := ab.Dot(bx), ac.Dot(bx)
	if d3 >= 0 && d4 <= d3 {
		return t.at(x, corner1, 1, 0)
	}
	vc := d1*d4 - d3*d2
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return t.at(x, edge0, d1/(d1-d3), 0)
	}
	cx := x.Sub(t[2])
	d5, d6 := ab.Dot(cx), ac.Dot(cx)
	if d6 >= 0 && d5 <= d6 {
		return t.at(x, corner2, 0, 1)
	}
	vb := d5*d2 - d1*d6
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return t.at(x, edge2, 0, d2/(d2-d6))
	}
	va := d3*d6 - d5*d4
	if va <= 0 && d4-d3 >= 0 && d5-d6 >= 0 {
		w := (d4 - d3) / ((d4 - d3) + (d5 - d6))
		return t.at(x, edge1, 1-w, w)
	}
	sum := va + vb + vc
	return t.at(x, face, vb/sum, vc/sum)
}

// at returns the point a + v (b − a) + w (c − a) as the nearest to x.
func (t *Triangle) at(x spatial.Vec, on feature, v, w float64) nearest {
	p := t[0].AddScaled(v, t[1].Sub(t[0])).AddScaled(w, t[2].Sub(t[0]))
	return nearest{feature: on, weights: [3]float64{1 - v - w, v, w}, point: p, squared: x.Sub(p).Norm2()}
}

// flat is the signed distance of x to the triangles, whose nearest point is n.
func (f *facet) flat(x spatial.Vec, n *nearest) float64 {
	normal := f.normal
	switch {
	case n.feature >= corner0:
		normal = f.corners[n.feature-corner0]
	case n.feature >= edge0:
		normal = f.edges[n.feature-edge0]
	}
	return math.Copysign(math.Sqrt(n.squared), x.Sub(n.point).Dot(normal))
}

// sharp reports whether the nearest point is on an edge that stays as it is.
func (f *facet) sharp(n *nearest) bool {
	switch {
	case n.feature >= corner0:
		return f.sharpCorner[n.feature-corner0]
	case n.feature >= edge0:
		return f.sharpEdge[n.feature-edge0]
	}
	return false
}

// distance is the signed distance of x to the smooth surface over the triangles.
func (f *facet) distance(x spatial.Vec, n *nearest) float64 {
	flat := f.flat(x, n)
	if f.sharp(n) {
		return flat
	}
	smooth, ok := f.project(x, n)
	if !ok {
		return flat
	}
	lift := mostLift * f.height
	return max(flat-lift, min(flat+lift, smooth))
}

const (
	mostLift = 0.15 // of the smooth surface from the triangle, over its height; at a turn of 40 degrees it is 0.09
	mostLead = 0.5  // by which weights of corners may leave [0, 1]
)

// project finds the point of the patch whose normal, interpolated from the corners, goes
// through x, and returns the distance along it.
func (f *facet) project(x spatial.Vec, n *nearest) (distance float64, ok bool) {
	const (
		iterations = 4
		settled    = 1e-3 // error of the place over the distance: that of the distance is its square
	)
	q := n.point
	w := n.weights
	ab, ac := f.Triangle[1].Sub(f.Triangle[0]), f.Triangle[2].Sub(f.Triangle[0])
	bb, bc, cc := ab.Dot(ab), ab.Dot(ac), ac.Dot(ac)
	det := bb*cc - bc*bc
	for range iterations {
		normal := f.corner[0].Scale(w[0]).AddScaled(w[1], f.corner[1]).AddScaled(w[2], f.corner[2])
		length := normal.Norm()
		if length < 0.5 {
			return 0, false
		}
		normal = normal.Scale(1 / length)
		on := q
		for k, p := range [3]spatial.Vec{f.Triangle[0], f.Triangle[1], f.Triangle[2]} {
			on = on.AddScaled(-w[k]/2*q.Sub(p).Dot(f.corner[k]), f.corner[k])
		}
		d := x.Sub(on)
		distance = d.Dot(normal)
		off := d.AddScaled(-distance, normal)
		if off.Norm() <= settled*math.Abs(distance) {
			return distance, true
		}
		// the same step in the triangle
		u, v := off.Dot(ab), off.Dot(ac)
		dv, dw := (u*cc-v*bc)/det, (v*bb-u*bc)/det
		w[1] += dv
		w[2] += dw
		w[0] -= dv + dw
		if min(w[0], w[1], w[2]) < -mostLead || max(w[0], w[1], w[2]) > 1+mostLead {
			return 0, false
		}
		q = q.AddScaled(dv, ab).AddScaled(dw, ac)
	}
	return distance, true
}
