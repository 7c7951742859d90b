package rigid

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// rates maps the rates θ̇ of rotation coordinates to the angular velocity in body axes,
// ω = G θ̇, and what its derivative adds: α = G θ̈ + Ġ θ̇.
type rates struct {
	n     int            // number of coordinates, 3 or 4
	g     [4]spatial.Vec // columns of G
	bias  spatial.Vec    // Ġ θ̇
	slope [4]spatial.Vec // columns of ∂(Ġ θ̇)/∂θ̇
}

// sum returns G a for rates or accelerations a.
func (k *rates) sum(a []float64) spatial.Vec {
	w := k.g[0].Scale(a[0])
	for j := 1; j < k.n; j++ {
		w = w.AddScaled(a[j], k.g[j])
	}
	return w
}

// anchored is a body with loads and the point in the world that holds its pivot.
type anchored[L Loads] struct {
	Body   *Body
	Loads  L
	Anchor spatial.Vec // m
}

// assemble computes the equations of a body about any reference point with rotation
// coordinates k, at p, where the rotation is r and the motion x: Exudyn's mass matrix and
// quadratic velocity terms, with the moments multiplied by Gᵀ,
//
//	[[m I, −m R c̃ G], [m Gᵀ c̃ Rᵀ, Gᵀ J G]],
//	m R (ω × (ω × c) + Ġ θ̇ × c),   Gᵀ (ω × J ω + J Ġ θ̇).
//
// K is left out: it is of the order of the square of the angle of a step.
func (s *anchored[L]) assemble(t float64, x integrate.Motion, r *spatial.Mat3, k *rates, p *integrate.Point, e *integrate.Equations) {
	b := s.Body
	m, c, w := b.mass, b.com, x.V.Angular
	alpha := k.sum(p.A[3:]).Add(k.bias)
	a := spatial.VecAt(p.A[:])
	jw, wc := b.inertia.Apply(w), w.Cross(c)
	load := s.Loads.Wrench(t, x)
	force := alpha.Cross(c).Add(w.Cross(wc)).Scale(m).Sub(load.Force)
	moment := b.inertia.Apply(alpha).Add(w.Cross(jw)).Add(c.Cross(r.ApplyT(a)).Scale(m)).Sub(load.Moment)
	a.Scale(m).Add(r.Apply(force)).Put(e.Residual[:])
	e.M, e.C = [row * row]float64{}, [row * row]float64{}
	e.M[0], e.M[row+1], e.M[2*row+2] = m, m, m
	for j := range k.n {
		g, slope := k.g[j], k.slope[j]
		e.Residual[3+j] = g.Dot(moment)
		jg := b.inertia.Apply(g)
		putColumn(e.M[:], 3+j, r.Apply(g.Cross(c)).Scale(m))
		e.M[(3+j)*row], e.M[(3+j)*row+1], e.M[(3+j)*row+2] = e.M[3+j], e.M[row+3+j], e.M[2*row+3+j]
		putColumn(e.C[:], 3+j, r.Apply(slope.Cross(c).Add(g.Cross(wc)).Add(w.Cross(g.Cross(c)))).Scale(m))
		turning := b.inertia.Apply(slope).Add(g.Cross(jw)).Add(w.Cross(jg))
		for i := range k.n {
			e.M[(3+i)*row+3+j] = k.g[i].Dot(jg)
			e.C[(3+i)*row+3+j] = k.g[i].Dot(turning)
		}
	}
	if d, ok := s.Loads.Damping(t, x); ok {
		addDamping(e, &d, r, k.g[:k.n])
	}
	if b.pivoted {
		s.join(r, k, w, p, e)
	}
}

// join adds the constraint P + R p − anchor = 0.
func (s *anchored[L]) join(r *spatial.Mat3, k *rates, w spatial.Vec, p *integrate.Point, e *integrate.Equations) {
	arm, lambda := s.Body.pivot, spatial.VecAt(p.Lambda[:])
	spatial.VecAt(e.Residual[:]).Add(lambda).Put(e.Residual[:])
	spatial.VecAt(p.Q[:]).Add(r.Apply(arm)).Sub(s.Anchor).Put(e.Phi[:])
	spatial.VecAt(p.V[:]).Add(r.Apply(w.Cross(arm))).Put(e.PhiRate[:])
	r.Apply(k.bias.Cross(arm).Add(w.Cross(w.Cross(arm)))).Put(e.PhiCurve[:])
	putBlock(e.B[:], 0, 0, spatial.Identity3())
	inBody := r.ApplyT(lambda)
	for j := range k.n {
		lever := k.g[j].Cross(arm)
		e.Residual[3+j] += lever.Dot(inBody)
		putColumn(e.B[:], 3+j, r.Apply(lever))
	}
	e.BT = e.B
}

func putColumn(a []float64, j int, v spatial.Vec) { a[j], a[row+j], a[2*row+j] = v.X, v.Y, v.Z }

// addCoordinates sets p.Q to from + d.
func addCoordinates(from, d *[row]float64, p *integrate.Point) {
	for i := range from {
		p.Q[i] = from[i] + d[i]
	}
}
