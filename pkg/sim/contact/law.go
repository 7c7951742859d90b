package contact

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// NormalLaw is the normal force of a contact point as a function of its gap g. With k = Stiffness,
// z = ActivationGap − g and a = ActivationGap, the force is
//
//	0 (z ≤ 0),  k z²/(4 a) (z < 2 a),  k (z − a) beyond.
//
// It is continuously differentiable, and −k g in penetration, so a stiffness that a user gives is
// that of a linear spring without offset. Where the stiffness derives from that of the rod, a
// penetration beyond HardeningDepth hardens, again smoothly: the slope grows linearly from k to
// maxHardening k at twice that depth and stays constant beyond. This bounds the penetration where
// one contact point alone carries a load on the whole rod: at an edge, or where a jammed rod folds
// in a tube.
type NormalLaw struct {
	Stiffness      float64 // k, N/m
	ActivationGap  float64 // gap below which the force acts, m
	HardeningDepth float64 // penetration from which the law hardens, m; 0: it does not harden
	Damping        float64 // damping of the approach within a step, N s/m; see impactDamping
}

const (
	// activationShare is the activation gap over the radius. hardeningShare is the hardening depth over
	// the radius, and maxHardening the largest slope over k: a penetration of 1 % of the radius takes 17
	// times the force of the linear law.
	activationShare              = 1e-3
	hardeningShare, maxHardening = 4e-3, 41
	// impactShare is the least approach of an impact within a step, over the activation gap.
	impactShare = 0.2
	// roundoffForce is a negligible force over EI/L² of the rod, and frictionForce that above which a
	// contact point has friction.
	roundoffForce, frictionForce = 2e-8, 2e-5
)

// IsImpact reports whether a contact with the law comes from beyond the activation gap, and approaches
// in the step, so that it is an impact.
func (l *NormalLaw) IsImpact(before, gap float64) bool {
	return gap < l.ActivationGap && before >= l.ActivationGap && before-gap > impactShare*l.ActivationGap
}

// NewNormalLaw returns the law with the given stiffness (N/m) on a surface of the given radius (m). With
// firmly, it hardens.
func NewNormalLaw(stiffness, radius float64, firmly bool) NormalLaw {
	l := NormalLaw{Stiffness: stiffness, ActivationGap: activationShare * radius}
	if firmly {
		l.HardeningDepth = max(hardeningShare*radius, l.ActivationGap)
	}
	return l
}

// StiffnessUnderLoad returns the stiffness of a law on a surface of the given radius (m) that carries the given
// force (N) at a gap of 0, so that a rigid body under its weight neither sinks in nor hovers.
func StiffnessUnderLoad(force, radius float64) float64 { return 4 * force / (activationShare * radius) }

// SetImpactDamping makes the damping of the law critical for a contact that alone stops the given mass, kg.
func (l *NormalLaw) SetImpactDamping(mass float64) {
	k := l.Stiffness
	if l.HardeningDepth > 0 {
		k *= maxHardening
	}
	l.Damping = 2 * math.Sqrt(k*mass)
}

// hardening returns the additions at penetration p to force, slope and potential, each over the
// stiffness.
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

// Force returns the normal force at a gap, N, and its slope −df/dg, N/m.
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

// Potential returns the work to close the gap from the activation gap, J.
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

// intersectLine returns the z at which the force of the law equals c (q − z), for positive c and q.
func (l *NormalLaw) intersectLine(c, q float64) float64 {
	k := l.Stiffness
	z := 2 * q / (1 + math.Sqrt(1+k*q/(c*l.ActivationGap)))
	if z > 2*l.ActivationGap {
		z = (c*q + k*l.ActivationGap) / (k + c)
	}
	if l.HardeningDepth == 0 || z <= l.ActivationGap+l.HardeningDepth {
		return z
	}
	// with u = z − a − HardeningDepth: k (HardeningDepth + u + hardening) = c (q − a −
	// HardeningDepth − u)
	const more = maxHardening - 1
	m := c*(q-l.ActivationGap-l.HardeningDepth) - k*l.HardeningDepth
	u := 2 * m / (k + c + math.Sqrt((k+c)*(k+c)+2*more*k*m/l.HardeningDepth))
	if u > l.HardeningDepth {
		u = (m + 0.5*more*k*l.HardeningDepth) / (k*maxHardening + c)
	}
	return l.ActivationGap + l.HardeningDepth + u
}

// Friction is Coulomb friction under a fixed normal force, regularised by a spring: the force is
// proportional to the deflection up to the deflection slip, and has the magnitude limit beyond. Its
// potential is the Huber function.
type Friction struct {
	Limit float64 // friction coefficient times normal force, N
	Slip  float64 // deflection at which it slips, m
}

// Force returns the friction force at deflection e, N.
func (f *Friction) Force(e spatial.Vec) spatial.Vec {
	return e.Scale(-f.Limit / max(e.Norm(), f.Slip))
}

// potential returns the potential at deflection e, J.
func (f *Friction) potential(e spatial.Vec) float64 {
	d := e.Norm()
	if d <= f.Slip {
		return 0.5 * f.Limit * d * d / f.Slip
	}
	return f.Limit * (d - 0.5*f.Slip)
}

// Stiffness returns the second derivative of the potential at deflection e, in the plane with the
// normal n, N/m.
func (f *Friction) Stiffness(e, n spatial.Vec) spatial.Mat3 {
	d := e.Norm()
	k := f.Limit / max(d, f.Slip)
	m := spatial.Diag3(spatial.Vec{X: k, Y: k, Z: k})
	m = m.Sub(spatial.Outer(n.Scale(k), n))
	if d > f.Slip {
		m = m.Sub(spatial.Outer(e.Scale(k/(d*d)), e))
	}
	return m
}

// ProjectKeepingLength returns v projected into the plane with the normal n and scaled to the
// length of v.
func ProjectKeepingLength(v, n spatial.Vec) spatial.Vec {
	p := v.AddScaled(-v.Dot(n), n)
	size := p.Norm()
	if size == 0 {
		return spatial.Vec{}
	}
	return p.Scale(v.Norm() / size)
}

// infinite is the gap where no wall is near.
var infinite = math.Inf(1)
