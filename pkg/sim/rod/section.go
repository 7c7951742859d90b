package rod

import "math"

// Section is a cross-section with its centroid on the centre line and its principal axes along the
// directors d1 and d2.
type Section struct {
	Area float64 // m²
	I1   float64 // second moment of area for bending about d1, m⁴
	I2   float64 // second moment of area for bending about d2, m⁴
	J    float64 // torsion constant, m⁴: I1 + I2 for a circle, less for any other shape
	// Surface is the distance of the surface from the centre line, m; 0 means the radius of the
	// circle with the section's area.
	Surface float64
}

// Circle returns the solid circular section of the given radius (m).
func Circle(radius float64) Section {
	a := math.Pi * radius * radius
	i := a * a / (4 * math.Pi)
	return Section{Area: a, I1: i, I2: i, J: 2 * i}
}

// Ring returns the section of a tube of the given radii (m). With an inner radius of 0 it equals
// Circle.
func Ring(outer, inner float64) Section {
	if inner == 0 {
		return Circle(outer)
	}
	a := math.Pi * (outer - inner) * (outer + inner)
	i := a * (outer*outer + inner*inner) / 4
	return Section{Area: a, I1: i, I2: i, J: 2 * i, Surface: outer}
}

// Radius returns the radius (m) of the section's surface.
func (s Section) Radius() float64 {
	if s.Surface > 0 {
		return s.Surface
	}
	return math.Sqrt(s.Area / math.Pi)
}
