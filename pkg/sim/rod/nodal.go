package rod

import "sinew/pkg/sim/spatial"

// Distributed quantities act on the nodes with weights for which sums over the nodes are integrals,
// to the order of the elements. Elements of order 2 use linear interpolation. Elements of order 4
// use the corrected trapezoidal rule
//
//	∫ f ds ≈ ½ l (f_a + f_b) + l²/12 (f′_a − f′_b)
//
// with the derivatives of the parabola through three nodes. It is the integral of the cubic with
// the values and derivatives at both ends, which also gives the weights of a density that varies
// along the element. Between equal elements of a uniform rod the corrections cancel, and the
// weights differ from the trapezoidal rule only at three nodes at each end of the rod (Gregory's
// rule; Simpson's rule for two elements).
//
// The inertia and weight of elements of order 4 do not use these weights; see ConsistentMass.
//
// The correction is omitted where weights might become negative: in an element next to one more
// than twice or less than half as long, and in one along which the density more than doubles or
// halves. It is also omitted in the only element of a part, where the derivatives would extend over
// a border with a jump of curvature.

// density is a quantity per length at a point of a part.
type density func(m *Material, s *Section) float64

// TributaryLengths returns the length of rod by node, m.
func (r *Rod) TributaryLengths() []float64 {
	return r.lumpToNodes(0, r.Elements, func(*Material, *Section) float64 { return 1 })
}

// PartLengths returns the length of a part of the rod by node, m.
func (r *Rod) PartLengths(part int) []float64 {
	first, last := r.PartNodes(part)
	return r.lumpToNodes(first, last, func(*Material, *Section) float64 { return 1 })
}

// NodeMasses returns the mass of the rod by node, kg.
func (r *Rod) NodeMasses() []float64 {
	return r.lumpToNodes(0, r.Elements, massDensity)
}

// PartMasses returns the mass of a part of the rod by node, kg.
func (r *Rod) PartMasses(part int) []float64 {
	first, last := r.PartNodes(part)
	return r.lumpToNodes(first, last, massDensity)
}

func massDensity(m *Material, s *Section) float64 { return m.Density * s.Area }

// NodeVolumes returns the volume of the rod between the nodes first and last by node, m³.
func (r *Rod) NodeVolumes(first, last int) []float64 {
	return r.lumpToNodes(first, last, func(_ *Material, s *Section) float64 { return s.Area })
}

// SimpsonVolumes returns the weights of Simpson's rule for an integral over the volume of an
// element, m³: of the values at its first end, its middle and its last end.
func (r *Rod) SimpsonVolumes(element int) (first, middle, last float64) {
	p := &r.parts()[r.Properties[element].Part]
	from, to := r.partShares(p, element)
	area := func(share float64) float64 { s := p.sectionAt(share); return s.Area * r.Lengths[element] / 6 }
	return area(from), 4 * area((from+to)/2), area(to)
}

// NodeInertias returns the rotary inertia of the rod by node, kg m², body axes.
func (r *Rod) NodeInertias() []spatial.Vec { return inertias(r.lumpToNodes, r.Elements) }

// ElementInertias returns the same with the weights of linear interpolation at every order. They depend on nothing beyond
// the element, so that the nodes where a rod is cut and welded have the inertia that they have in the whole rod.
func (r *Rod) ElementInertias() []spatial.Vec { return inertias(r.lumpByElement, r.Elements) }

func inertias(lump func(from, to int, f density) []float64, elements int) []spatial.Vec {
	x := lump(0, elements, func(m *Material, s *Section) float64 { return s.I1 * m.Density })
	y := lump(0, elements, func(m *Material, s *Section) float64 { return s.I2 * m.Density })
	z := lump(0, elements, func(m *Material, s *Section) float64 { return (s.I1 + s.I2) * m.Density })
	all := make([]spatial.Vec, len(x))
	for i := range all {
		all[i] = spatial.Vec{X: x[i], Y: y[i], Z: z[i]}
	}
	return all
}

// lumpByElement is lumpToNodes with linear interpolation.
func (r *Rod) lumpByElement(from, to int, f density) []float64 {
	w := make([]float64, len(r.ArcLengths))
	parts := r.parts()
	for e := from; e < to; e++ {
		m := r.densityMoments(&parts[r.Properties[e].Part], e, f)
		w[e] += m.lever[0] * r.Lengths[e]
		w[e+1] += m.lever[1] * r.Lengths[e]
	}
	return w
}

// lumpToNodes returns the integral of f between the nodes from and to, distributed to the nodes.
func (r *Rod) lumpToNodes(from, to int, f density) []float64 {
	w := make([]float64, len(r.ArcLengths))
	parts := r.parts()
	for e := from; e < to; e++ {
		l, part := r.Lengths[e], r.Properties[e].Part
		m := r.densityMoments(&parts[part], e, f)
		first, last := max(from, r.partBorders[part]), min(to, r.partBorders[part+1])
		if r.Order != 4 || !r.hasSimilarNeighbours(e, first, last) || !m.isNearlyUniform() {
			w[e] += m.lever[0] * l
			w[e+1] += m.lever[1] * l
			continue
		}
		w[e] += m.value[0] * l
		w[e+1] += m.value[1] * l
		r.addDerivativeWeights(w, e, first, last, m.slope[0]*l*l)
		r.addDerivativeWeights(w, e+1, first, last, m.slope[1]*l*l)
	}
	return w
}

// elementMoments are integrals over an element of unit length of a density times shape functions:
// of the two linear ones (lever), and of the cubic Hermite ones of values and derivatives at the
// ends.
type elementMoments struct{ lever, value, slope [2]float64 }

// isNearlyUniform reports whether the density changes little along the element. The lever weights
// of a density that doubles linearly have the ratio 4 to 5.
func (m *elementMoments) isNearlyUniform() bool {
	r := m.lever[1] / m.lever[0]
	return r < 5./4 && r > 4./5
}

// densityMoments returns the moments of f over element e of part p.
func (r *Rod) densityMoments(p *Part, e int, f density) elementMoments {
	if p.Taper == nil {
		d := f(&p.Material, &p.Section)
		half := [2]float64{0.5 * d, 0.5 * d}
		return elementMoments{lever: half, value: half, slope: [2]float64{d / 12, -d / 12}}
	}
	var m elementMoments
	from, to := r.partShares(p, e)
	for _, q := range quadrature {
		s, x := p.sectionAt(from+q.at*(to-from)), q.at
		d, y := q.weight*f(&p.Material, &s), 1-x
		m.lever[0] += d * y
		m.lever[1] += d * x
		m.value[0] += d * y * y * (1 + 2*x)
		m.value[1] += d * x * x * (1 + 2*y)
		m.slope[0] += d * x * y * y
		m.slope[1] -= d * x * x * y
	}
	return m
}

// partShares returns the shares of its part between which element e lies.
func (r *Rod) partShares(p *Part, e int) (from, to float64) {
	start := r.ArcLengths[r.partBorders[r.Properties[e].Part]]
	share := func(i int) float64 { return min(max((r.ArcLengths[i]-start)/p.Length, 0), 1) }
	return share(e), share(e + 1)
}

// hasSimilarNeighbours reports whether the elements that determine the derivatives at the ends of
// element e, within the nodes first to last of its part, have similar lengths.
func (m *Mesh) hasSimilarNeighbours(e, first, last int) bool {
	for i := max(e-1, first); i < min(e+1, last-1); i++ {
		if r := m.Lengths[i+1] / m.Lengths[i]; r > 2 || r < 0.5 {
			return false
		}
	}
	return last-first > 1
}

// addDerivativeWeights adds scale times the weights of the derivative at node i of the parabola
// through it and its neighbours, or the next two nodes at an end of the part.
func (m *Mesh) addDerivativeWeights(w []float64, i, first, last int, scale float64) {
	k := min(max(i, first+1), last-1) // middle of the three nodes
	s := m.ArcLengths
	a, b, c, at := s[k-1], s[k], s[k+1], s[i]
	w[k-1] += scale * (2*at - b - c) / ((a - b) * (a - c))
	w[k] += scale * (2*at - a - c) / ((b - a) * (b - c))
	w[k+1] += scale * (2*at - a - b) / ((c - a) * (c - b))
}
