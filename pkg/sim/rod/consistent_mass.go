package rod

// ConsistentMass is the consistent mass matrix M of an element: with the positions p and the unit
// tangents t of the ends a and b, the kinetic energy is ½ q̇ᵀ M q̇ for each component of
//
//	q = (p_a, t_a, p_b, t_b)
//
// if the centre line between the ends is their cubic Hermite interpolation. The sums of its columns
// p_a and p_b are the consistent load of a uniform acceleration: forces on the ends, and moments as
// of first moments of mass along the tangents. The units are kg, kg m and kg m².
type ConsistentMass [4][4]float64

// Load returns the masses of the ends and their first moments along the tangents, kg and kg m: the
// consistent load for an acceleration of 1.
func (m *ConsistentMass) Load() (mass, moment [2]float64) {
	for k := range 2 {
		mass[k], moment[k] = m[2*k][0]+m[2*k][2], m[2*k+1][0]+m[2*k+1][2]
	}
	return mass, moment
}

// ConsistentMass returns the consistent mass matrix of an element.
func (r *Rod) ConsistentMass(element int) (m ConsistentMass) {
	p, l := &r.parts()[r.Properties[element].Part], r.Lengths[element]
	from, to := r.partShares(p, element)
	for _, q := range quadrature {
		x, y := q.at, 1-q.at
		s := p.sectionAt(from + x*(to-from))
		h := [4]float64{y * y * (1 + 2*x), l * x * y * y, x * x * (1 + 2*y), -l * x * x * y}
		w := q.weight * l * massDensity(&p.Material, &s)
		for i := range h {
			for j := range h {
				m[i][j] += w * h[i] * h[j]
			}
		}
	}
	return m
}
