package rigid

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// row is the length of a row of the matrices of integrate.Equations.
const row = integrate.MaxVelocities

// Inertial is Kynema's rigid body for methods of the Newmark family: velocities and rotation increments
// in world axes, the rotation updated on the left, R ← exp(δ) R, and the constraint of a
// spherical joint.
type Inertial[L Loads] struct {
	Body   *Body
	Loads  L
	Anchor spatial.Vec // where the pivot is held in the world, m
}

// Size implements integrate.Constrained.
func (s Inertial[L]) Size() (n, m int) { return 6, s.Body.jointSize() }

func (b *Body) jointSize() int {
	if b.pivoted {
		return 3
	}
	return 0
}

// Enter implements integrate.Constrained. The coordinates are the position and the quaternion w, x, y, z.
func (s Inertial[L]) SetPoint(x integrate.Motion, p *integrate.Point) {
	putPlacement(x.Placement, p)
	x.Q.Apply(x.V.Linear).Put(p.V[:])
	x.Q.Apply(x.V.Angular).Put(p.V[3:])
}

// Leave implements integrate.Constrained.
func (s Inertial[L]) MotionOf(p *integrate.Point) integrate.Motion {
	x := integrate.Motion{Placement: placement(p)}
	q := x.Q.Conj()
	x.V = spatial.Twist{Linear: q.Apply(spatial.VecAt(p.V[:])), Angular: q.Apply(spatial.VecAt(p.V[3:]))}
	return x
}

// Advance implements integrate.Constrained.
func (s Inertial[L]) Advance(from, d *[row]float64, p *integrate.Point) {
	spatial.VecAt(from[:]).Add(spatial.VecAt(d[:])).Put(p.Q[:])
	putQuat(p, spatial.ExpQuat(spatial.VecAt(d[3:])).Mul(quatAt(from)).Normalized())
}

// Assemble implements integrate.Constrained. It never fails. The tangents leave out the
// dependence of loads on position and of the joint's force on attitude, as Kynema does.
func (s Inertial[L]) Assemble(t float64, p *integrate.Point, d *[row]float64, e *integrate.Equations) error {
	x := s.MotionOf(p)
	r := x.Q.Rot()
	b := s.Body.at(&r)
	u, w, dw := spatial.VecAt(p.A[:]), spinOf(spatial.VecAt(p.V[3:])), spinOf(spatial.VecAt(p.A[3:]))
	inertia, load := b.inertialForce(u, &w, &dw), s.Loads.Wrench(t, x)
	inertia.Force.Sub(r.Apply(load.Force)).Put(e.Residual[:])
	inertia.Moment.Sub(r.Apply(load.Moment)).Put(e.Residual[3:])

	ll, la, al, aa := b.massMatrix()
	putBlock(e.M[:], 0, 0, ll)
	putBlock(e.M[:], 0, 3, la)
	putBlock(e.M[:], 3, 0, al)
	putBlock(e.M[:], 3, 3, aa)
	turn := spatial.LeftJacobian(spatial.VecAt(d[3:])) // of the increment to one on the left
	la, aa = b.stiffness(u, &w, &dw)
	putBlock(e.K[:], 0, 3, la.Mul(turn))
	putBlock(e.K[:], 3, 3, aa.Mul(turn))
	la, aa = b.gyroscopic(&w)
	zeroBlock(e.C[:], 0, 0)
	zeroBlock(e.C[:], 3, 0)
	putBlock(e.C[:], 0, 3, la)
	putBlock(e.C[:], 3, 3, aa)
	if damping, ok := s.Loads.Damping(t, x); ok {
		g := [4]spatial.Vec{row1(&r), row2(&r), row3(&r)}
		addDamping(e, &damping, &r, g[:3])
	}
	if s.Body.pivoted {
		s.join(p, &r, w.v, &turn, e)
	}
	return nil
}

// join adds the constraint P + R p − anchor = 0.
func (s Inertial[L]) join(p *integrate.Point, r *spatial.Mat3, w spatial.Vec, turn *spatial.Mat3, e *integrate.Equations) {
	arm, lambda := r.Apply(s.Body.pivot), spatial.VecAt(p.Lambda[:])
	spatial.VecAt(e.Residual[:]).Add(lambda).Put(e.Residual[:])
	spatial.VecAt(e.Residual[3:]).Add(arm.Cross(lambda)).Put(e.Residual[3:])
	spatial.VecAt(p.Q[:]).Add(arm).Sub(s.Anchor).Put(e.Phi[:])
	spatial.VecAt(p.V[:]).Add(w.Cross(arm)).Put(e.PhiRate[:])
	w.Cross(w.Cross(arm)).Put(e.PhiCurve[:])
	lever := spatial.Skew(arm).Scale(-1)
	putBlock(e.B[:], 0, 0, spatial.Identity3())
	putBlock(e.B[:], 0, 3, lever)
	putBlock(e.BT[:], 0, 0, spatial.Identity3())
	putBlock(e.BT[:], 0, 3, lever.Mul(*turn))
}
