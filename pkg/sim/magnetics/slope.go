package magnetics

import "sinew/pkg/sim/spatial"

// The slope of a field along a is the change of its gradient on the way a: with H_ijk =
// dG_ij/dx_k it is Σ_k H_ijk a_k, in T/m for a in m. H is symmetric in all its indices and
// traceless in each pair, so that the slope is again five numbers. It is also, for a
// moment a, the gradient of the force on it.

// SlopeAlong returns the slope of the field at p along a, which must not be the place of
// the dipole. With h and r as in At and {…} the sum over the three placements,
//
//	H = (3µ0/4πr⁵) ({m δ} − 5 {m h h} − 5 (m·h) {h δ} + 35 (m·h) h h h)
func (d *Dipole) SlopeAlong(p, a spatial.Vec) Gradient {
	r := p.Sub(d.Position)
	n := r.Norm()
	h, m := r.Scale(1/n), d.Moment
	mh, ah := m.Dot(h), a.Dot(h)
	k := 3 * mu0Over4Pi / (n * n * n * n * n)
	one := k * (m.Dot(a) - 5*mh*ah)
	// what is left is u hᵀ + h uᵀ and a mᵀ + m aᵀ
	u := m.Scale(-5*ah).AddScaled(-5*mh, a).AddScaled(17.5*mh*ah-2.5*m.Dot(a), h)
	return Gradient{
		XX: one + 2*k*(a.X*m.X+u.X*h.X),
		XY: k * (a.X*m.Y + m.X*a.Y + u.X*h.Y + h.X*u.Y),
		XZ: k * (a.X*m.Z + m.X*a.Z + u.X*h.Z + h.X*u.Z),
		YY: one + 2*k*(a.Y*m.Y+u.Y*h.Y),
		YZ: k * (a.Y*m.Z + m.Y*a.Z + u.Y*h.Z + h.Y*u.Z),
	}
}

// SlopeAlong returns the slope of the field at p along a under the currents of the coils
// (A).
func (f *Field) SlopeAlong(p, a spatial.Vec, currents []float64) (s Gradient) {
	for i := range f.Dipoles {
		s = s.Add(f.Dipoles[i].SlopeAlong(p, a))
	}
	if f.Coils != nil {
		s = s.Add(f.Coils.SlopeAlong(p, a, currents))
	}
	return s
}

// SlopeAlong returns the slope of the field at p along a under the currents (A), by central
// differences: to eight digits.
func (c *Coils) SlopeAlong(p, a spatial.Vec, currents []float64) (s Gradient) {
	size := a.Norm()
	if size == 0 {
		return s
	}
	way := a.Scale(1 / size)
	if c.grid != nil {
		h := c.grid.slopeStep()
		var b spatial.Vec
		var ahead, behind Gradient
		c.grid.addAll(&b, &ahead, p.AddScaled(h, way), currents)
		c.grid.addAll(&b, &behind, p.AddScaled(-h, way), currents)
		return s.AddScaled(size/(2*h), ahead.AddScaled(-1, behind))
	}
	for i := range c.offset {
		c.offset[i].addSlope(&s, p, way, size)
	}
	for i, current := range currents {
		if current == 0 {
			continue
		}
		for j := range c.coils[i] {
			c.coils[i][j].addSlope(&s, p, way, size*current)
		}
	}
	return s
}

// addSlope adds current times the slope of the source at p along the unit vector a.
func (m *multipole) addSlope(s *Gradient, p, a spatial.Vec, current float64) {
	const (
		step  = 1e-4 // of the distance
		least = 1e-6 // m, of a source that is finite at its place
	)
	var ahead, behind Gradient
	var b spatial.Vec
	h := step * p.Sub(m.position).Norm()
	if m.isRegular() {
		h = max(h, least)
	}
	m.add(&b, &ahead, p.AddScaled(h, a), current)
	m.add(&b, &behind, p.AddScaled(-h, a), current)
	*s = s.AddScaled(1/(2*h), ahead.AddScaled(-1, behind))
}
