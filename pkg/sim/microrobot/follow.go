package microrobot

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// follow is where the body is h seconds after t when it aligns so fast that its
// moment points along the field all the time: the limit τ → 0. The torque of the
// field is whatever turns the moment from where it was to the field's direction of
// the end, the short way; about the moment the body turns freely, and it moves under
// the other loads and, where rotation and translation couple, under that torque.
//
// For a body of revolution magnetised along its axis that is, from any start but
// exact opposition, the solution tan(θ/2) = tan(θ0/2) exp(−h/τ) to round-off.
func (d *dynamics) follow(t, h float64, x integrate.Placement) integrate.Placement {
	b, _ := d.fieldAt(t+h, x.P)
	rot := x.Q.Rot()
	axis := d.robot.easyAxis(rot.ApplyT(b))
	turn := rot.ApplyT(between(rot.Apply(axis), b)) // body axes
	x.Q = x.Q.Mul(spatial.ExpQuat(turn)).Normalized()

	d.released = true
	v, w := d.Velocity(t+h, x)
	d.released = false
	// the torque T across the moment for which the body turns by turn/h across it
	mob := d.mobilityAt(x)
	e1 := axis.Perpendicular()
	e2 := axis.Cross(e1)
	m1, m2 := mob.Rot.Apply(e1), mob.Rot.Apply(e2)
	need := turn.Scale(1 / h).Sub(w)
	a, c, k := e1.Dot(m1), e2.Dot(m2), e1.Dot(m2)
	y1, y2 := e1.Dot(need), e2.Dot(need)
	det := a*c - k*k // above 0: the mobility is positive definite
	torque := e1.Scale((c*y1-k*y2)/det).AddScaled((a*y2-k*y1)/det, e2)

	x.P = x.P.AddScaled(h, v.Add(x.Q.Apply(mob.Coupling.Apply(torque))))
	about := axis.Dot(w) + axis.Dot(mob.Rot.Apply(torque))
	x.Q = x.Q.Mul(spatial.ExpQuat(axis.Scale(h * about))).Normalized()
	return x
}

// easyAxis is the unit vector in body axes that the field b (body axes) turns toward
// itself: the moment of a magnet, the longest axis of a soft body in the sense of b.
func (r *Robot) easyAxis(b spatial.Vec) spatial.Vec {
	if m, permanent := r.magnet.IsPermanent(); permanent {
		return m.Unit()
	}
	if r.softAxis.Dot(b) < 0 {
		return r.softAxis.Neg()
	}
	return r.softAxis
}

// between is the rotation vector (rad) that turns the direction of a to that of b the
// short way; where they are opposite, one way of many.
func between(a, b spatial.Vec) spatial.Vec {
	n := a.Cross(b)
	s, c := n.Norm(), a.Dot(b)
	if s <= 1e-15*math.Abs(c) {
		if c >= 0 {
			return spatial.Vec{}
		}
		return a.Unit().Perpendicular().Scale(math.Pi)
	}
	return n.Scale(math.Atan2(s, c) / s)
}
