package contact

// impactDamping damps the approach of a contact within a step. With the law's force f, the gap ĝ at
// the start of the step, the step length dt and the damping coefficient c, the normal force is
//
//	max(0, f(g) + c/dt (min(ĝ, ActivationGap) − g)).
//
// With it an impact does not bounce at any step length. Without it a long step would not bounce
// because the time integration dissipates what it does not resolve, and a short one would. The
// damping vanishes at rest. The force has a potential and is never adhesive.
type impactDamping struct {
	damping      float64 // c/dt, N/m; 0: none
	startGap     float64 // gap from which the approach counts, m
	zeroForceGap float64 // gap at and above which the force is 0, m
}

// Begin starts a step of length 1/rate, or statics with rate 0, at the given gap, m.
func (p *NormalContact) Begin(l *NormalLaw, gap, rate float64) {
	p.prevGap = gap
	p.setImpactDamping(l, rate)
}

// SetStep sets the damping for a step of length 1/rate; rate 0 means statics.
func (p *NormalContact) SetStep(l *NormalLaw, rate float64) { p.setImpactDamping(l, rate) }

// IsImpact reports whether the contact was open in the state and has the given gap now, m.
func (p *NormalContact) IsImpact(l *NormalLaw, gap float64) bool { return l.IsImpact(p.prevGap, gap) }

// setImpactDamping sets the damping for a step of length 1/rate from the previous gap; rate 0 means
// statics.
func (p *NormalContact) setImpactDamping(s *NormalLaw, rate float64) {
	p.impactDamping = impactDamping{damping: s.Damping * rate, startGap: s.ActivationGap, zeroForceGap: s.ActivationGap}
	q := s.ActivationGap - p.prevGap
	if !(q > 0) || p.impactDamping.damping == 0 {
		return
	}
	p.impactDamping.startGap = p.prevGap
	// at this gap the force of the law equals what damping subtracts on the way back
	p.impactDamping.zeroForceGap = s.ActivationGap - s.intersectLine(p.impactDamping.damping, q)
}

// ForceAt returns the normal force at a gap, damping included, N, and its slope −df/dg, N/m.
func (p *NormalContact) ForceAt(s *NormalLaw, gap float64) (force, slope float64) {
	if gap >= p.zeroForceGap {
		return 0, 0
	}
	force, slope = s.Force(gap)
	return force + p.damping*(p.startGap-gap), slope + p.damping
}

// potentialAt returns the potential of the force of ForceAt, J.
func (p *NormalContact) potentialAt(s *NormalLaw, gap float64) float64 {
	if gap >= p.zeroForceGap {
		return 0
	}
	return s.Potential(gap) - s.Potential(p.zeroForceGap) + p.damping*(p.zeroForceGap-gap)*(p.startGap-0.5*(gap+p.zeroForceGap))
}
