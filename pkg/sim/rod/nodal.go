package rod

import "sinew/pkg/sim/spatial"

// What is spread along the rod acts on its nodes by weights with which sums over the nodes
// are integrals, to the order of the elements. Elements of order 2 share by the lever rule.
// Of order 4 the weights are those of the corrected trapezoidal rule
//
//	∫ f ds ≈ ½ l (f_a + f_b) + l²/12 (f′_a − f′_b)
//
// of every element, with the derivatives of the parabola through three nodes: the integral
// of the cubic that has values and derivatives at both ends, so that the weights of what
// changes along the element follow in the same way. Between equal elements of a uniform rod
// corrections cancel, so that of the weights only three at each end of the rod differ
// (Gregory's rule; Simpson's for two elements). An element next to one that is more than
// twice or less than half as long has no correction, nor has one in which the density more
// than doubles or halves, for weights could be negative, nor one alone in its part, where
// derivatives would be across a border, at which the curvature jumps.

// density is what there is of something per length at a place along a part.
type density func(m *Material, s *Section) float64

// Tributary returns the length of rod that belongs to each node, m.
func (r *Rod) TributaryLengths() []float64 {
	return r.lumpToNodes(0, r.Elements, func(*Material, *Section) float64 { return 1 })
}

// PartLengths returns the length of a part of the rod that belongs to each node, m.
func (r *Rod) PartLengths(part int) []float64 {
	first, last := r.PartNodes(part)
	return r.lumpToNodes(first, last, func(*Material, *Section) float64 { return 1 })
}

// NodeMasses returns the mass of the rod that belongs to each node, kg.
func (r *Rod) NodeMasses() []float64 {
	return r.lumpToNodes(0, r.Elements, massDensity)
}

// PartMasses returns the mass of a part of the rod that belongs to each node, kg.
func (r *Rod) PartMasses(part int) []float64 {
	first, last := r.PartNodes(part)
	return r.lumpToNodes(first, last, massDensity)
}

func massDensity(m *Material, s *Section) float64 { return m.Density * s.Area }

// NodeVolumes returns the volume of the rod between the nodes first and last that belongs to
// each node, m³.
func (r *Rod) NodeVolumes(first, last int) []float64 {
	return r.lumpToNodes(first, last, func(_ *Material, s *Section) float64 { return s.Area })
}

// Simpson returns the shares of the volume of an element, m³, by which Simpson's rule takes
// values at its ends and in its middle.
func (r *Rod) SimpsonVolumes(element int) (first, middle, last float64) {
	p := &r.parts()[r.Properties[element].Part]
	from, to := r.partShares(p, element)
	area := func(share float64) float64 { s := p.sectionAt(share); return s.Area * r.Lengths[element] / 6 }
	return area(from), 4 * area((from+to)/2), area(to)
}

// NodeInertias returns the rotary inertia of the rod that belongs to each node, kg m², body
// axes.
func (r *Rod) NodeInertias() []spatial.Vec {
	x := r.lumpToNodes(0, r.Elements, func(m *Material, s *Section) float64 { return s.I1 * m.Density })
	y := r.lumpToNodes(0, r.Elements, func(m *Material, s *Section) float64 { return s.I2 * m.Density })
	z := r.lumpToNodes(0, r.Elements, func(m *Material, s *Section) float64 { return (s.I1 + s.I2) * m.Density })
	all := make([]spatial.Vec, len(x))
	for i := range all {
		all[i] = spatial.Vec{X: x[i], Y: y[i], Z: z[i]}
	}
	return all
}

// spread returns how much of something between the nodes from and to belongs to each node.
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

// moments are integrals over an element of length 1 of a density times the straight lines
// that are 1 at one end and 0 at the other, and times the cubics of which one value or one
// derivative at an end is 1 and the others are 0.
type elementMoments struct{ lever, value, slope [2]float64 }

// even reports whether the density changes little along the element. With one that doubles
// linearly the shares of the ends are 4 to 5.
func (m *elementMoments) isNearlyUniform() bool {
	r := m.lever[1] / m.lever[0]
	return r < 5./4 && r > 4./5
}

// moments returns those of element e of a part.
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

// shares returns between which shares of its part element e is.
func (r *Rod) partShares(p *Part, e int) (from, to float64) {
	start := r.ArcLengths[r.partBorders[r.Properties[e].Part]]
	share := func(i int) float64 { return min(max((r.ArcLengths[i]-start)/p.Length, 0), 1) }
	return share(e), share(e + 1)
}

// alike reports whether the lengths of the elements from which the slopes at the ends of
// element e are taken, within the nodes first to last of its part, are alike.
func (m *Mesh) hasSimilarNeighbours(e, first, last int) bool {
	for i := max(e-1, first); i < min(e+1, last-1); i++ {
		if r := m.Lengths[i+1] / m.Lengths[i]; r > 2 || r < 0.5 {
			return false
		}
	}
	return last-first > 1
}

// addSlope adds scale times the weights of the derivative at node i of the parabola through
// the nodes beside it, at an end of its part the next two.
func (m *Mesh) addDerivativeWeights(w []float64, i, first, last int, scale float64) {
	k := min(max(i, first+1), last-1) // middle of the three nodes
	s := m.ArcLengths
	a, b, c, at := s[k-1], s[k], s[k+1], s[i]
	w[k-1] += scale * (2*at - b - c) / ((a - b) * (a - c))
	w[k] += scale * (2*at - a - c) / ((b - a) * (b - c))
	w[k+1] += scale * (2*at - a - b) / ((c - a) * (c - b))
}
