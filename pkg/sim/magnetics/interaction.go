package magnetics

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// AddInteraction adds to loads (world axes, about the places x) what the dipoles of
// moments m (A m²) at x (m) do to each other: with h the direction from j to i, r the
// distance,
//
//	F_i = (3µ0/4πr⁴) ((m_i·h) m_j + (m_j·h) m_i + (m_i·m_j) h − 5 (m_i·h)(m_j·h) h)
//	T_i = m_i × (µ0/4πr³) (3 (m_j·h) h − m_j)
//
// The forces are opposite, and with their moments so are the torques. No two dipoles
// may be at one place. It does not allocate.
func AddInteraction(loads []spatial.Wrench, x, m []spatial.Vec) {
	m, loads = m[:len(x)], loads[:len(x)]
	for i := range x {
		xi, mi := x[i], m[i]
		var force, field spatial.Vec // on i, at i
		for j := range i {
			r := xi.Sub(x[j])
			mj := m[j]
			q := 1 / r.Norm2()
			g := math.Sqrt(q)
			h := r.Scale(g)
			a, b, c := mi.Dot(h), mj.Dot(h), mi.Dot(mj)
			k := mu0Over4Pi * g * q
			f := mj.Scale(a).AddScaled(b, mi).AddScaled(c-5*a*b, h).Scale(3 * k * g)
			force = force.Add(f)
			field = field.AddScaled(3*k*b, h).AddScaled(-k, mj)
			loads[j].Force = loads[j].Force.Sub(f)
			loads[j].Moment = loads[j].Moment.Add(mj.Cross(h.Scale(3*k*a).AddScaled(-k, mi)))
		}
		loads[i].Force = loads[i].Force.Add(force)
		loads[i].Moment = loads[i].Moment.Add(mi.Cross(field))
	}
}
