package magnetics

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// PairStiffness is the second derivative of the energy of two dipoles, m_i at x_i and m_j
// at x_j with r = x_i − x_j, in small displacements and rotations of both. With the force F
// and the torque T on each,
//
//	−dF_i = Place (dx_i − dx_j) + TurnI θ_i + TurnJ θ_j,   dF_j = −dF_i
//	−dT_i = TurnIᵀ (dx_i − dx_j) + Cross θ_j + what the field of j does to m_i
//	−dT_j = TurnJᵀ (dx_i − dx_j) + Crossᵀ θ_i + what the field of i does to m_j
type PairStiffness struct {
	Force                      spatial.Vec  // on i, N
	Place, TurnI, TurnJ, Cross spatial.Mat3 // N/m, N/rad, N/rad, N m/rad
}

// NewPairStiffness returns the stiffness of the pair.
func NewPairStiffness(r, mi, mj spatial.Vec) PairStiffness {
	q := 1 / r.Norm2()
	k3 := mu0Over4Pi * q * math.Sqrt(q)
	k5, k7 := k3*q, k3*q*q
	a, b, c := mi.Dot(r), mj.Dot(r), mi.Dot(mj)
	one, rr := spatial.Identity3(), spatial.Outer(r, r)
	// W = −U = k (3 a b/r⁵ − c/r³)
	u := mi.Scale(b).Add(mj.Scale(a))
	ur, mm := spatial.Outer(u, r), spatial.Outer(mi, mj)
	hess := mm.Add(mm.T()).Add(one.Scale(c)).Scale(3 * k5)
	hess = hess.Add(ur.Add(ur.T()).Add(one.Scale(a * b)).Add(rr.Scale(c)).Scale(-15 * k7))
	hess = hess.Add(rr.Scale(105 * a * b * k7 * q))
	gi, gj := pairGradient(r, mi, a, k5, q), pairGradient(r, mj, b, k5, q)
	field := rr.Scale(3 * k5).Add(one.Scale(-k3))
	return PairStiffness{
		Force: gj.Apply(mi),
		Place: hess.Scale(-1),
		TurnI: gj.Mul(spatial.Skew(mi)),
		TurnJ: gi.Mul(spatial.Skew(mj)),
		Cross: spatial.Skew(mi).Mul(field).Mul(spatial.Skew(mj)),
	}
}

// pairGradient returns the gradient at r of the field of a dipole m at the origin, with
// d = m·r, k = µ0/4πr⁵ and q = 1/r².
func pairGradient(r, m spatial.Vec, d, k, q float64) spatial.Mat3 {
	mr := spatial.Outer(m, r)
	g := mr.Add(mr.T()).Add(spatial.Identity3().Scale(d))
	return g.Add(spatial.Outer(r, r).Scale(-5 * d * q)).Scale(3 * k)
}
