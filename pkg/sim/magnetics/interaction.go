package magnetics

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// AddInteraction adds what dipoles of moments m (A m²) at x (m) do to each other: the
// force on each to force (N), and the field of the others at each to field (T), which
// turns it with the torque m × field. With r from j to i,
//
//	F_i = (3µ0/4πr⁵) ((m_i·r) m_j + (m_j·r) m_i + (m_i·m_j) r − 5 (m_i·r)(m_j·r) r/r²)
//	B_i = (µ0/4πr³) (3 (m_j·r) r/r² − m_j)
//
// The forces of a pair are opposite, and with their moments so are the torques. It
// does one part of the given number of parts of all pairs: different parts may be done
// at once, with other force and field. No two dipoles may be at one place. It does not
// allocate.
func AddInteraction(force, field, x, m []spatial.Vec, part, parts int) {
	force, field, m = force[:len(x)], field[:len(x)], m[:len(x)]
	for i := part; i < len(x); i += parts {
		xi, mi := x[i], m[i]
		var fi, bi spatial.Vec
		for j := range i {
			r := xi.Sub(x[j])
			mj := m[j]
			q := 1 / r.Norm2()
			k := mu0Over4Pi * q * math.Sqrt(q)
			s := 3 * k * q
			a, b := mi.Dot(r), mj.Dot(r)
			c := s * (mi.Dot(mj) - 5*q*a*b)
			a, b = s*a, s*b
			f := spatial.Vec{
				X: a*mj.X + b*mi.X + c*r.X,
				Y: a*mj.Y + b*mi.Y + c*r.Y,
				Z: a*mj.Z + b*mi.Z + c*r.Z,
			}
			fi = fi.Add(f)
			bi.X += b*r.X - k*mj.X
			bi.Y += b*r.Y - k*mj.Y
			bi.Z += b*r.Z - k*mj.Z
			force[j] = force[j].Sub(f)
			field[j].X += a*r.X - k*mi.X
			field[j].Y += a*r.Y - k*mi.Y
			field[j].Z += a*r.Z - k*mi.Z
		}
		force[i], field[i] = force[i].Add(fi), field[i].Add(bi)
	}
}
