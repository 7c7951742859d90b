package mesh

import "sinew/pkg/sim/spatial"

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
// most where that is not less than it.
func (p *facetPlane) squared(x spatial.Vec, most float64) float64 {
	h := x.Sub(p.a).Dot(p.normal)
	if above := h * h; above >= most {
		return above
	}
	return p.offset(x).Norm2()
}

// offset returns the vector to x from the nearest point of the triangle; see Triangle.nearest.
func (p *facetPlane) offset(x spatial.Vec) spatial.Vec {
	ax := x.Sub(p.a)
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
			return p.normal.Scale(ax.Dot(p.normal))
		}
		w = (d4 - d3) / (d4 - d3 + d5 - d6)
		v = 1 - w
	}
	return ax.AddScaled(-v, p.ab).AddScaled(-w, p.ac)
}
