package rigid

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// EulerParameters is a body for methods of the Newmark family with the four Euler parameters as rotation
// coordinates and their norm as a constraint (Exudyn's NodeRigidBodyEP). Constraints at
// velocity level let the norm drift to the order of the method; the motion that comes out
// has a unit quaternion.
type EulerParameters[L Loads] struct{ anchored[L] }

// NewEulerParameters returns b under loads, its pivot, if any, held at anchor.
func NewEulerParameters[L Loads](b *Body, loads L, anchor spatial.Vec) EulerParameters[L] {
	return EulerParameters[L]{anchored[L]{b, loads, anchor}}
}

// Size implements integrate.Constrained.
func (s EulerParameters[L]) Size() (n, m int) { return 7, s.Body.jointSize() + 1 }

// eulerRates returns G of Euler parameters; Ġ θ̇ and its derivative are zero.
func eulerRates(q spatial.Quat) rates {
	return rates{n: 4, g: [4]spatial.Vec{
		{X: -2 * q.X, Y: -2 * q.Y, Z: -2 * q.Z},
		{X: 2 * q.W, Y: -2 * q.Z, Z: 2 * q.Y},
		{X: 2 * q.Z, Y: 2 * q.W, Z: -2 * q.X},
		{X: -2 * q.Y, Y: 2 * q.X, Z: 2 * q.W},
	}}
}

// Enter implements integrate.Constrained. The rates are θ̇ = ¼ Gᵀ ω.
func (s EulerParameters[L]) SetPoint(x integrate.Motion, p *integrate.Point) {
	putPlacement(x.Placement, p)
	x.Q.Apply(x.V.Linear).Put(p.V[:])
	k := eulerRates(x.Q)
	for j := range 4 {
		p.V[3+j] = 0.25 * k.g[j].Dot(x.V.Angular)
	}
}

// Leave implements integrate.Constrained.
func (s EulerParameters[L]) MotionOf(p *integrate.Point) integrate.Motion {
	k, x := eulerRates(quatAt(&p.Q)), integrate.Motion{Placement: placement(p)}
	x.Q = x.Q.Normalized()
	x.V = spatial.Twist{Linear: x.Q.Conj().Apply(spatial.VecAt(p.V[:])), Angular: k.sum(p.V[3:])}
	return x
}

// Advance implements integrate.Constrained.
func (s EulerParameters[L]) Advance(from, d *[row]float64, p *integrate.Point) {
	addCoordinates(from, d, p)
}

// Assemble implements integrate.Constrained. It never fails.
func (s EulerParameters[L]) Assemble(t float64, p *integrate.Point, _ *[row]float64, e *integrate.Equations) error {
	q := quatAt(&p.Q)
	k, r := eulerRates(q), q.Rot()
	// the velocity of the motion is that of the matrix of q, unit or not
	x := integrate.Motion{Placement: integrate.Placement{Q: q.Normalized(), P: spatial.VecAt(p.Q[:])}}
	x.V = spatial.Twist{Linear: r.ApplyT(spatial.VecAt(p.V[:])), Angular: k.sum(p.V[3:])}
	s.assemble(t, x, &r, &k, p, e)
	c := s.Body.jointSize()
	e.Phi[c], e.PhiRate[c], e.PhiCurve[c] = -1, 0, 0
	for j := 3; j < 7; j++ {
		theta, rate := p.Q[j], p.V[j]
		e.Phi[c] += theta * theta
		e.PhiRate[c] += 2 * theta * rate
		e.PhiCurve[c] += 2 * rate * rate
		e.B[c*row+j], e.BT[c*row+j] = 2*theta, 2*theta
		e.Residual[j] += 2 * theta * p.Lambda[c]
	}
	return nil
}
