package boundary

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Panel is a flat convex polygon of three or four corners on the surface of a body, m. They are in
// one plane and, seen from the fluid, counterclockwise.
type Panel []spatial.Vec

// areaVector returns the normal into the fluid times the area, m².
func (p Panel) areaVector() (sum spatial.Vec) {
	for i := 2; i < len(p); i++ {
		sum = sum.Add(p[i-1].Sub(p[0]).Cross(p[i].Sub(p[0])))
	}
	return sum.Scale(0.5)
}

// center returns the centroid of the area, m.
func (p Panel) center() (sum spatial.Vec) {
	n, total := p.areaVector().Unit(), 0.0
	for i := 2; i < len(p); i++ {
		a := p[i-1].Sub(p[0]).Cross(p[i].Sub(p[0])).Dot(n)
		sum, total = sum.AddScaled(a/3, p[0].Add(p[i-1]).Add(p[i])), total+a
	}
	return sum.Scale(1 / total)
}

// facet is a panel ready for integration.
type facet struct {
	corners    []spatial.Vec
	normal     spatial.Vec   // unit
	directions []spatial.Vec // unit vectors along the edges; edge i begins at corner i
	outward    []spatial.Vec // unit normals of the edges, in the panel
	lengths    []float64     // of the edges, m
}

// image returns the panel, seen in mirrors that are planes normal to the axes. Its edges run clockwise
// behind an odd number of mirrors, which has no effect on the integrals.
func (p Panel) image(signs spatial.Vec) *facet {
	f := &facet{normal: p.areaVector().Unit().Mul(signs)}
	for i, x := range p {
		edge := p[(i+1)%len(p)].Sub(x)
		t := edge.Unit()
		f.corners, f.lengths = append(f.corners, x.Mul(signs)), append(f.lengths, edge.Norm())
		f.directions = append(f.directions, t.Mul(signs))
		f.outward = append(f.outward, t.Cross(p.areaVector().Unit()).Mul(signs))
	}
	return f
}

// stokeslets returns the integral of G(x − y) over the panel for the places y, m, by
// integration along its edges. With the height h of x over the panel and, for each edge, the unit
// vector t along it, its outward normal m in the panel, and the distance d of the edge from the
// foot of x, the terms are
//
//	J = ∫ 1/r = Σ (d L − |h| β),  ∫ ρ/r³ = −Σ m L,  ∫ |h|/r³ = Σ β
//
// with L = ∫ 1/r along the edge (Wilton et al., IEEE Trans. Antennas Propag. 32 (1984) 276).
func (f *facet) stokeslets(x spatial.Vec) spatial.Mat3 {
	n := f.normal
	h := x.Sub(f.corners[0]).Dot(n)
	height := math.Abs(h)
	var inverse, angle float64 // ∫ 1/r and ∫ |h|/r³
	var across spatial.Vec     // Σ m L
	var along spatial.Mat3     // Σ (d L m + (r₂ − r₁) t) mᵀ
	for i, from := range f.corners {
		t, m := f.directions[i], f.outward[i]
		a := from.Sub(x)
		d, s1 := a.Dot(m), a.Dot(t)
		s2 := s1 + f.lengths[i]
		rr := d*d + h*h // squared distance of x from the line of the edge
		r1, r2 := math.Sqrt(rr+s1*s1), math.Sqrt(rr+s2*s2)
		l := edgeIntegral(s1, s2, r1, r2)
		if d != 0 {
			b := math.Atan(d*s2/(rr+height*r2)) - math.Atan(d*s1/(rr+height*r1))
			inverse += d*l - height*b
			angle += b
		}
		across = across.AddScaled(l, m)
		along = along.Add(spatial.Outer(m.Scale(d*l).AddScaled(r2-r1, t), m))
	}
	sum := spatial.Diag3(spatial.Vec{X: 2 * inverse, Y: 2 * inverse, Z: 2 * inverse})
	normal := spatial.Outer(n, n)
	sum = sum.Add(normal.Scale(height*angle - inverse)).Sub(along)
	return sum.Add(spatial.Outer(n, across).Add(spatial.Outer(across, n)).Scale(h))
}

// edgeIntegral returns ln((r₂ + s₂)/(r₁ + s₁)) without cancellation.
func edgeIntegral(s1, s2, r1, r2 float64) float64 {
	if s1+s2 < 0 { // beyond the end of the edge
		s1, s2, r1, r2 = -s2, -s1, r2, r1
	}
	return math.Log((r2 + s2) / (r1 + s1))
}
