package contact

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Law is the normal force on a station over its gap g to a wall: with z = Reach − g
//
//	0 (z ≤ 0),  k z²/(4 Reach) (z < 2 Reach),  k (z − Reach) beyond,
//
// smooth, and −k g where it is pressed in: no bias. Where the stiffness is that of the rod, a
// station that is pressed in by more than Firm hardens, smoothly too: from k there the slope grows
// to hardest k at twice the depth, and is that beyond. So it stays nearly as shallow where it is
// alone with what pushes the whole rod: at an edge, or where a rod that is stuck folds in a tube.
type NormalLaw struct {
	Stiffness      float64 // k, N/m
	ActivationGap  float64 // gap at which the force begins, m
	HardeningDepth float64 // depth from which it hardens, m; 0: never
	Damping        float64 // of what closes the gap within a step, N s/m; see impact
}

const (
	// reach is the share of the radius at which the force begins, and leastReach the least
	// such gap, m. firm is the share of the radius from which contact hardens, and hardest how
	// much: a depth of 1 % takes 17 times the force that it would without.
	activationShare, minActivationGap = 1e-3, 1e-7
	hardeningShare, maxHardening      = 4e-3, 41
)

// lawOf returns that of a stiffness, N/m, on the surface of a radius; firmly: it hardens.
func newLaw(stiffness, radius float64, firmly bool) NormalLaw {
	l := NormalLaw{Stiffness: stiffness, ActivationGap: max(activationShare*radius, minActivationGap)}
	if firmly {
		l.HardeningDepth = max(hardeningShare*radius, l.ActivationGap)
	}
	return l
}

// hardening is what a depth p adds to force, slope and work, over the stiffness.
func (l *NormalLaw) hardening(p float64) (force, slope, work float64) {
	u := p - l.HardeningDepth
	if l.HardeningDepth == 0 || u <= 0 {
		return 0, 0, 0
	}
	const more = maxHardening - 1
	if u < l.HardeningDepth {
		slope = more * u / l.HardeningDepth
		return 0.5 * slope * u, slope, slope * u * u / 6
	}
	over := u - l.HardeningDepth
	force = more * l.HardeningDepth / 2
	return force + more*over, more, more*l.HardeningDepth*l.HardeningDepth/6 + force*over + 0.5*more*over*over
}

// Force returns the force, N, and how fast it grows as the gap closes, N/m.
func (l *NormalLaw) Force(gap float64) (force, slope float64) {
	z := l.ActivationGap - gap
	switch {
	case z <= 0:
		return 0, 0
	case z < 2*l.ActivationGap:
		slope = l.Stiffness * z / (2 * l.ActivationGap)
		return 0.5 * slope * z, slope
	}
	p := z - l.ActivationGap
	force, slope, _ = l.hardening(p)
	return l.Stiffness * (p + force), l.Stiffness * (1 + slope)
}

// Potential returns the work (J) that it takes to close the gap so far.
func (l *NormalLaw) Potential(gap float64) float64 {
	z := l.ActivationGap - gap
	switch {
	case z <= 0:
		return 0
	case z < 2*l.ActivationGap:
		return l.Stiffness * z * z * z / (12 * l.ActivationGap)
	}
	p := z - l.ActivationGap
	_, _, work := l.hardening(p)
	return l.Stiffness * (0.5*p*p + l.ActivationGap*l.ActivationGap/6 + work)
}

// meet returns the z at which the force of the law is c (q − z), for positive c and q.
func (l *NormalLaw) intersectLine(c, q float64) float64 {
	k := l.Stiffness
	z := 2 * q / (1 + math.Sqrt(1+k*q/(c*l.ActivationGap)))
	if z > 2*l.ActivationGap {
		z = (c*q + k*l.ActivationGap) / (k + c)
	}
	if l.HardeningDepth == 0 || z <= l.ActivationGap+l.HardeningDepth {
		return z
	}
	// with u = z − Reach − Firm: k (Firm + u + what hardening adds) = c (q − Reach − Firm − u)
	const more = maxHardening - 1
	m := c*(q-l.ActivationGap-l.HardeningDepth) - k*l.HardeningDepth
	u := 2 * m / (k + c + math.Sqrt((k+c)*(k+c)+2*more*k*m/l.HardeningDepth))
	if u > l.HardeningDepth {
		u = (m + 0.5*more*k*l.HardeningDepth) / (k*maxHardening + c)
	}
	return l.ActivationGap + l.HardeningDepth + u
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
func (f *friction) stiffness(e, n spatial.Vec) spatial.Mat3 {
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
func projectKeepingLength(v, n spatial.Vec) spatial.Vec {
	p := v.AddScaled(-v.Dot(n), n)
	size := p.Norm()
	if size == 0 {
		return spatial.Vec{}
	}
	return p.Scale(v.Norm() / size)
}

// infinite is a gap to a wall that cannot be touched.
var infinite = math.Inf(1)
