package integrate

import "sinew/pkg/sim/spatial"

// RKMK4 advances x by h from time t with the Runge-Kutta-Munthe-Kaas method of order 4 on the
// classical tableau (Munthe-Kaas, BIT 38 (1998) 92-111). The rotation of a step is exp(u), and the
// Runge-Kutta method integrates u:
//
//	u′ = dexp⁻¹(u) w = w + ½ u × w + c u × (u × w),  c = 1/12 + |u|²/720 + …
//
// It normalises the quaternion.
func RKMK4[S Kinematics](s S, t, h float64, x Placement) Placement {
	half := 0.5 * h
	v1, w1 := s.Velocity(t, x)
	u := w1.Scale(half)
	v2, w2 := s.Velocity(t+half, x.displaced(v1.Scale(half), u))
	w2 = dexpInv(u, w2)
	u = w2.Scale(half)
	v3, w3 := s.Velocity(t+half, x.displaced(v2.Scale(half), u))
	w3 = dexpInv(u, w3)
	u = w3.Scale(h)
	v4, w4 := s.Velocity(t+h, x.displaced(v3.Scale(h), u))
	w4 = dexpInv(u, w4)
	sixth := h / 6
	next := x.displaced(weightedSum(sixth, v1, v2, v3, v4), weightedSum(sixth, w1, w2, w3, w4))
	next.Q = next.Q.Normalized()
	return next
}

// weightedSum returns k (a + 2b + 2c + d).
func weightedSum(k float64, a, b, c, d spatial.Vec) spatial.Vec {
	return spatial.Vec{
		X: k * (a.X + 2*(b.X+c.X) + d.X),
		Y: k * (a.Y + 2*(b.Y+c.Y) + d.Y),
		Z: k * (a.Z + 2*(b.Z+c.Z) + d.Z),
	}
}

// dexpInv returns dexp⁻¹(u) w for a rotation vector u in body axes.
func dexpInv(u, w spatial.Vec) spatial.Vec {
	c := spatial.DexpInvCoef(u.Norm2())
	uw := u.Cross(w)
	uuw := u.Cross(uw)
	return spatial.Vec{
		X: w.X + 0.5*uw.X + c*uuw.X,
		Y: w.Y + 0.5*uw.Y + c*uuw.Y,
		Z: w.Z + 0.5*uw.Z + c*uuw.Z,
	}
}
