package rigid

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// RotationVector is a body for methods of the Newmark family with Exudyn's rotation vector on a Lie
// group: the increments of a step are rotation vectors in body axes, R ← R exp(δ), the
// rates the angular velocity in body axes, so that G is the identity and Ġ zero.
type RotationVector[L Loads] struct{ anchored[L] }

// NewRotationVector returns b under loads, its pivot, if any, held at anchor.
func NewRotationVector[L Loads](b *Body, loads L, anchor spatial.Vec) RotationVector[L] {
	return RotationVector[L]{anchored[L]{b, loads, anchor}}
}

// Size implements integrate.Constrained.
func (s RotationVector[L]) Size() (n, m int) { return 6, s.Body.jointSize() }

// Enter implements integrate.Constrained. The coordinates are the position and the quaternion w, x, y, z.
func (s RotationVector[L]) SetPoint(x integrate.Motion, p *integrate.Point) {
	putPlacement(x.Placement, p)
	x.Q.Apply(x.V.Linear).Put(p.V[:])
	x.V.Angular.Put(p.V[3:])
}

// Leave implements integrate.Constrained.
func (s RotationVector[L]) MotionOf(p *integrate.Point) integrate.Motion {
	x := integrate.Motion{Placement: placement(p)}
	x.V = spatial.Twist{Linear: x.Q.Conj().Apply(spatial.VecAt(p.V[:])), Angular: spatial.VecAt(p.V[3:])}
	return x
}

// Advance implements integrate.Constrained.
func (s RotationVector[L]) Advance(from, d *[row]float64, p *integrate.Point) {
	spatial.VecAt(from[:]).Add(spatial.VecAt(d[:])).Put(p.Q[:])
	putQuat(p, quatAt(from).Mul(spatial.ExpQuat(spatial.VecAt(d[3:]))).Normalized())
}

// Assemble implements integrate.Constrained. It never fails.
func (s RotationVector[L]) Assemble(t float64, p *integrate.Point, d *[row]float64, e *integrate.Equations) error {
	x := s.MotionOf(p)
	r := x.Q.Rot()
	k := rates{n: 3, g: [4]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}}
	s.assemble(t, x, &r, &k, p, e)
	if s.Body.pivoted {
		turn := spatial.RightJacobian(spatial.VecAt(d[3:]))
		lever := r.Mul(spatial.Skew(s.Body.pivot)).Scale(-1)
		putBlock(e.BT[:], 0, 3, lever.Mul(turn))
	}
	return nil
}
