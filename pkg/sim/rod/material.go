package rod

import "sinew/pkg/sim/spatial"

// Material is an isotropic elastic material with its constitutive law.
type Material struct {
	YoungsModulus   float64 // E, Pa
	ShearModulus    float64 // G, Pa
	Density         float64 // kg/m³
	ShearCorrection float64 // factor of the shear stiffness G A; CircleShearCorrection for a circle
	Law             Law
}

// CircleShearCorrection is the shear correction factor of a solid circle in PyElastica.
const CircleShearCorrection = 27.0 / 28

// Law selects how internal loads depend on the stretch.
type Law uint8

const (
	// Linear keeps the section constant: the elastic energy is quadratic in the strain.
	Linear Law = iota
	// VolumePreserving reduces the section with the stretch e, as PyElastica does: forces scale
	// with 1/e and moments with 1/e³.
	VolumePreserving
)

// Stiffness is the diagonal stiffness of a cross-section in body axes.
type Stiffness struct {
	Shear spatial.Vec // αGA, αGA, EA: N
	Bend  spatial.Vec // EI1, EI2, GJ: N m²
}

// stiffness returns the stiffness of section s in material m.
func stiffness(m Material, s Section) Stiffness {
	ga := m.ShearCorrection * m.ShearModulus * s.Area
	return Stiffness{
		Shear: spatial.Vec{X: ga, Y: ga, Z: m.YoungsModulus * s.Area},
		Bend:  spatial.Vec{X: m.YoungsModulus * s.I1, Y: m.YoungsModulus * s.I2, Z: m.ShearModulus * s.J},
	}
}
