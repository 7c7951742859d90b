package microrobot

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// align returns where the body is h seconds after t when it aligns so fast that its
// moment points along the field all the time: the limit τ → 0. The torque of the
// field is whatever turns the moment from where it was to the field's direction of
// the end, the short way; about the moment the body turns freely, and it moves under
// the other loads and, where rotation and translation couple, under that torque.
//
// For a body of revolution magnetised along its axis that is, from any start but
// exact opposition, the solution tan(θ/2) = tan(θ0/2) exp(−h/τ) to round-off.
func (k *overdampedMotion) align(t, h float64, x integrate.Placement) integrate.Placement {
	b, _ := k.env.field(t+h, x.P)
	rot := x.Q.Rot()
	axis := k.robot.easyAxis(rot.ApplyT(b))
	turn := rot.ApplyT(rotationBetween(rot.Apply(axis), b)) // body axes
	x.Q = x.Q.Mul(spatial.ExpQuat(turn)).Normalized()

	k.env.withoutTorque = true
	v, w := k.Velocity(t+h, x)
	k.env.withoutTorque = false
	// the torque T across the moment for which the body turns by turn/h across it
	mob := k.mobility(&x)
	e1 := axis.Perpendicular()
	e2 := axis.Cross(e1)
	m1, m2 := mob.Rot.Apply(e1), mob.Rot.Apply(e2)
	need := turn.Scale(1 / h).Sub(w)
	a, c, b12 := e1.Dot(m1), e2.Dot(m2), e1.Dot(m2)
	y1, y2 := e1.Dot(need), e2.Dot(need)
	det := a*c - b12*b12 // above 0: the mobility is positive definite
	torque := e1.Scale((c*y1-b12*y2)/det).AddScaled((a*y2-b12*y1)/det, e2)

	x.P = x.P.AddScaled(h, v.Add(x.Q.Apply(mob.Coupling.Apply(torque))))
	about := axis.Dot(w) + axis.Dot(mob.Rot.Apply(torque))
	x.Q = x.Q.Mul(spatial.ExpQuat(axis.Scale(h * about))).Normalized()
	return x
}
