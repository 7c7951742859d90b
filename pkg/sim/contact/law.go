package contact

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Law is the normal force on a station over its gap g to a wall: with z = Reach − g
//
//	0 (z ≤ 0),  k z²/(4 Reach) (z < 2 Reach),  k (z − Reach) beyond,
//
// smooth, and −k g where it is pressed in: no bias.
type Law struct {
	Stiffness float64 // k, N/m
	Reach     float64 // gap at which the force begins, m
	Damping   float64 // of what closes the gap within a step, N s/m; see impact
}

// Force returns the force, N, and how fast it grows as the gap closes, N/m.
func (l *Law) Force(gap float64) (force, slope float64) {
	z := l.Reach - gap
	switch {
	case z <= 0:
		return 0, 0
	case z < 2*l.Reach:
		slope = l.Stiffness * z / (2 * l.Reach)
		return 0.5 * slope * z, slope
	}
	return l.Stiffness * (z - l.Reach), l.Stiffness
}

// Potential returns the work (J) that it takes to close the gap so far.
func (l *Law) Potential(gap float64) float64 {
	z := l.Reach - gap
	switch {
	case z <= 0:
		return 0
	case z < 2*l.Reach:
		return l.Stiffness * z * z * z / (12 * l.Reach)
	}
	p := z - l.Reach
	return l.Stiffness * (0.5*p*p + l.Reach*l.Reach/6)
}

// friction is dry friction under a normal force that is given: the displacement from where a
// station would be free of friction is held by a spring, which slips at a displacement of
// slip. Its potential is Huber's.
type friction struct {
	limit float64 // friction coefficient times normal force, N
	slip  float64 // m
}

// force returns the friction at displacement e.
func (f *friction) force(e spatial.Vec) spatial.Vec {
	return e.Scale(-f.limit / max(e.Norm(), f.slip))
}

// potential returns the work (J) that it takes to displace it.
func (f *friction) potential(e spatial.Vec) float64 {
	d := e.Norm()
	if d <= f.slip {
		return 0.5 * f.limit * d * d / f.slip
	}
	return f.limit * (d - 0.5*f.slip)
}

// slope returns the second derivative of the potential in the plane with normal n.
func (f *friction) slope(e, n spatial.Vec) spatial.Mat3 {
	d := e.Norm()
	k := f.limit / max(d, f.slip)
	m := spatial.Diag3(spatial.Vec{X: k, Y: k, Z: k})
	m = m.Sub(spatial.Outer(n.Scale(k), n))
	if d > f.slip {
		m = m.Sub(spatial.Outer(e.Scale(k/(d*d)), e))
	}
	return m
}

// turnInto returns v without its part along n and with its length kept.
func turnInto(v, n spatial.Vec) spatial.Vec {
	p := v.AddScaled(-v.Dot(n), n)
	size := p.Norm()
	if size == 0 {
		return spatial.Vec{}
	}
	return p.Scale(v.Norm() / size)
}

// infinite is a gap to a wall that cannot be touched.
var infinite = math.Inf(1)
