package stokes

import (
	"fmt"

	"sinew/pkg/sim/spatial"
)

// Shape is the geometry of a rigid body as the fluid and the walls see it, in body
// axes about its reference point. It is independent of viscosity: loads are per Pa s.
type Shape struct {
	// Resistance in fluid of viscosity 1 Pa s: blocks in m, m², m³.
	Resistance Resistance
	// Strain is the load that straining fluid of viscosity 1 Pa s, at rest at the
	// reference point, exerts on the body held still: blocks in m² and m³.
	Strain StrainMap
	// Faxen makes the velocity that drags the body in curved flow out of that at
	// its reference point: u + Faxen:∇∇u (m²). Zero where it is not known.
	Faxen spatial.Mat3
	// Hull is what touches walls, in body axes. A point for a resistance without a shape.
	Hull Hull

	Volume   float64      // m³, 0 for a resistance without a shape
	Centroid spatial.Vec  // centre of volume, hence of buoyancy, m
	Second   spatial.Mat3 // ∫ x xᵀ dV about the reference point, m⁵
	Radius   float64      // of a sphere, m; 0 for any other shape
}

// StrainMap is a linear map from the strain rate of the fluid, the symmetric E =
// (∇u + ∇uᵀ)/2 in 1/s, to a six-vector: a wrench or a twist. The matrices take
// (Exx, Eyy, Ezz) and (Eyz, Exz, Exy). Only combinations with Exx + Eyy + Ezz = 0
// occur.
type StrainMap struct {
	LinearNormal, LinearShear   spatial.Mat3
	AngularNormal, AngularShear spatial.Mat3
}

// Apply returns the image of the symmetric part of e.
func (s *StrainMap) Apply(e *spatial.Mat3) (linear, angular spatial.Vec) {
	n := spatial.Vec{X: e.XX, Y: e.YY, Z: e.ZZ}
	h := spatial.Vec{X: 0.5 * (e.YZ + e.ZY), Y: 0.5 * (e.XZ + e.ZX), Z: 0.5 * (e.XY + e.YX)}
	return s.LinearNormal.Apply(n).Add(s.LinearShear.Apply(h)),
		s.AngularNormal.Apply(n).Add(s.AngularShear.Apply(h))
}

// drift returns the map from strain rate to the motion of the free body of
// mobility m that has the strain load s.
func (m *Mobility) drift(s *StrainMap) StrainMap {
	c := m.Coupling.T()
	return StrainMap{
		LinearNormal:  m.Trans.Mul(s.LinearNormal).Add(m.Coupling.Mul(s.AngularNormal)),
		LinearShear:   m.Trans.Mul(s.LinearShear).Add(m.Coupling.Mul(s.AngularShear)),
		AngularNormal: c.Mul(s.LinearNormal).Add(m.Rot.Mul(s.AngularNormal)),
		AngularShear:  c.Mul(s.LinearShear).Add(m.Rot.Mul(s.AngularShear)),
	}
}

// Inertia returns the moment of inertia about the reference point (kg m²) of the
// shape filled with the given density (kg/m³).
func (s *Shape) Inertia(density float64) spatial.Mat3 {
	return complement(s.Second).Scale(density)
}

// Given returns the shape whose resistance r was measured or computed elsewhere in
// fluid of the given viscosity (Pa s). It has no volume, touches walls as a point,
// and is carried along by flow without straining. It fails as Resistance.Check
// does, and for a viscosity that is not positive.
func Given(r Resistance, viscosity float64) (Shape, error) {
	if err := checkPositive("viscosity", viscosity, "Pa s"); err != nil {
		return Shape{}, err
	}
	if err := r.Check(); err != nil {
		return Shape{}, fmt.Errorf("given resistance: %w", err)
	}
	r.Trans, r.Rot = symmetric(r.Trans), symmetric(r.Rot)
	return Shape{Resistance: r.Scale(1 / viscosity)}, nil
}
