package stokes

import "sinew/pkg/sim/spatial"

// Mobility relates the load on a body to its motion in still fluid,
//
//	v = Trans F + Coupling M
//	w = Couplingᵀ F + Rot M,
//
// the inverse of Resistance, in the same axes and about the same point.
type Mobility struct {
	Trans    spatial.Mat3 // s/kg
	Coupling spatial.Mat3 // s/(kg m)
	Rot      spatial.Mat3 // s/(kg m²)
}

// Apply returns the motion under the load w: m/s and rad/s, in the axes of w. It is
// written out because it is the inner loop of every time step.
func (m *Mobility) Apply(w spatial.Wrench) spatial.Twist {
	a, b, c := &m.Trans, &m.Coupling, &m.Rot
	f, t := w.Force, w.Moment
	return spatial.Twist{
		Linear: spatial.Vec{
			X: a.XX*f.X + a.XY*f.Y + a.XZ*f.Z + b.XX*t.X + b.XY*t.Y + b.XZ*t.Z,
			Y: a.YX*f.X + a.YY*f.Y + a.YZ*f.Z + b.YX*t.X + b.YY*t.Y + b.YZ*t.Z,
			Z: a.ZX*f.X + a.ZY*f.Y + a.ZZ*f.Z + b.ZX*t.X + b.ZY*t.Y + b.ZZ*t.Z,
		},
		Angular: spatial.Vec{
			X: b.XX*f.X + b.YX*f.Y + b.ZX*f.Z + c.XX*t.X + c.XY*t.Y + c.XZ*t.Z,
			Y: b.XY*f.X + b.YY*f.Y + b.ZY*f.Z + c.YX*t.X + c.YY*t.Y + c.YZ*t.Z,
			Z: b.XZ*f.X + b.YZ*f.Y + b.ZZ*f.Z + c.ZX*t.X + c.ZY*t.Y + c.ZZ*t.Z,
		},
	}
}

// At returns the mobility of the same body about the reference point p (m, body
// axes, from the present one).
func (m Mobility) At(p spatial.Vec) Mobility {
	s := spatial.Skew(p) // M_old = M_new + p × F, v_new = v_old − p × w
	b := m.Coupling.Sub(s.Mul(m.Rot))
	a := m.Trans.Add(m.Coupling.Mul(s)).Sub(s.MulT(b))
	return Mobility{Trans: symmetric(a), Coupling: b, Rot: m.Rot}
}

// Center returns the centre of mobility, also of diffusion (m, body axes, from the
// reference point): the only point about which Coupling is symmetric, and that
// diffuses the least. It differs from the centre of resistance for bodies with
// little symmetry.
func (m Mobility) Center() spatial.Vec {
	return solve3(complement(m.Rot), skewPart(m.Coupling))
}

// Rotated returns the mobility in the axes a, with a mapping body axes to them.
func (m Mobility) Rotated(a spatial.Mat3) Mobility { return Mobility(Resistance(m).Rotated(a)) }

// Diagonal returns the diagonals of Trans and Rot, and whether they are all there
// is, as for ellipsoids: then a time step can do with 6 products instead of 36.
func (m *Mobility) Diagonal() (trans, rot spatial.Vec, ok bool) {
	trans = spatial.Vec{X: m.Trans.XX, Y: m.Trans.YY, Z: m.Trans.ZZ}
	rot = spatial.Vec{X: m.Rot.XX, Y: m.Rot.YY, Z: m.Rot.ZZ}
	return trans, rot, Resistance(*m) == Diagonal(trans, rot)
}

// Matrix returns the 6×6 matrix, linear part first.
func (m Mobility) Matrix() spatial.Mat6 { return Resistance(m).Matrix() }

// Factor returns the Cholesky factor of the mobility.
func (m Mobility) Factor() (f Factor, ok bool) { return Resistance(m).Factor() }
