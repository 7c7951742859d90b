package magnetics

import "sinew/pkg/sim/spatial"

// Tangent is the symmetric part of −∂(force, torque)/∂(δ, θ) of a dipole that is fixed to a
// body, in body axes, for p ← p + R δ and R ← R exp([θ]×): that of the second derivative of
// its energy. The skew part is −½ [[0, [F]×], [[F]×, [C]×]] of the wrench (F, C), as of every
// load with a potential.
type Tangent struct {
	LinLin spatial.Lower3 // N/m
	RotLin spatial.Mat3   // N/rad; rows are torques
	RotRot spatial.Lower3 // N m/rad
}

// Attached returns what the field b (T) with gradient g does to a dipole m (A m², body axes)
// on a body whose axes r turns to world axes: the wrench in body axes about the dipole,
//
//	force Rᵀ G R m,  torque m × Rᵀ B,
//
// and its tangent. s is the slope of the field along R m.
func Attached(r *spatial.Mat3, m, b spatial.Vec, g, s Gradient) (w spatial.Wrench, k Tangent) {
	b = r.ApplyT(b)
	w.Moment = m.Cross(b)
	// (m·B) 1 − ½ (B mᵀ + m Bᵀ)
	mb := m.Dot(b)
	k.RotRot = spatial.Lower3{
		XX: mb - m.X*b.X,
		YX: -0.5 * (m.X*b.Y + m.Y*b.X), YY: mb - m.Y*b.Y,
		ZX: -0.5 * (m.X*b.Z + m.Z*b.X), ZY: -0.5 * (m.Y*b.Z + m.Z*b.Y), ZZ: mb - m.Z*b.Z,
	}
	if g == (Gradient{}) {
		return w, k
	}
	gb := g.within(r)
	w.Force = gb.Apply(m)
	// ½ [F]× − [m]× G
	k.RotLin = spatial.Skew(w.Force.Scale(0.5)).Sub(spatial.Skew(m).Mul(gb.Mat()))
	if s != (Gradient{}) {
		sb := s.within(r)
		k.LinLin = spatial.Lower3{XX: -sb.XX, YX: -sb.XY, YY: -sb.YY, ZX: -sb.XZ, ZY: -sb.YZ, ZZ: -sb.ZZ()}
	}
	return w, k
}

// within returns the gradient in the axes that r turns to those of g: Rᵀ G R.
func (g Gradient) within(r *spatial.Mat3) Gradient {
	x, y, z := r.Col1(), r.Col2(), r.Col3()
	gx, gy := g.Apply(x), g.Apply(y)
	return Gradient{XX: x.Dot(gx), XY: y.Dot(gx), XZ: z.Dot(gx), YY: y.Dot(gy), YZ: z.Dot(gy)}
}
