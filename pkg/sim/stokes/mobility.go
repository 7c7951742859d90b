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

// Apply returns the motion under the load w: m/s and rad/s, in the axes of w.
func (m *Mobility) Apply(w spatial.Wrench) spatial.Twist {
	return spatial.Twist{
		Linear:  m.Trans.Apply(w.Force).Add(m.Coupling.Apply(w.Moment)),
		Angular: m.Coupling.ApplyT(w.Force).Add(m.Rot.Apply(w.Moment)),
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

// Matrix returns the 6×6 matrix, linear part first.
func (m Mobility) Matrix() spatial.Mat6 { return Resistance(m).Matrix() }

// Factor returns the Cholesky factor of the mobility.
func (m Mobility) Factor() (f Factor, ok bool) { return Resistance(m).Factor() }
