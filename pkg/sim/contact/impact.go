package contact

// impact is the normal force on a station, or between two elements, within a step: that of the law and, with the gap ĝ
// at the start of the step, the length dt of that and a damping of c, what damping adds,
//
//	max(0, f(g) + c/dt (min(ĝ, Reach) − g)).
//
// What hits a wall stays there, at any step: without damping a long step would keep
// it there for the scheme loses what it does not resolve, and a short one would throw it back.
// At rest nothing is added. The force has a potential, and never pulls.
type impactDamping struct {
	damping      float64 // c/dt, N/m; 0: none
	startGap     float64 // gap from which closing counts, m
	zeroForceGap float64 // gap from which there is no force, m
}

// brace makes the impact that of a step which begins at the held gap.
func (p *normalContact) setImpactDamping(s *NormalLaw, rate float64) {
	p.impactDamping = impactDamping{damping: s.Damping * rate, startGap: s.ActivationGap, zeroForceGap: s.ActivationGap}
	q := s.ActivationGap - p.prevGap
	if !(q > 0) || p.impactDamping.damping == 0 {
		return
	}
	p.impactDamping.startGap = p.prevGap
	// the force of the law is as large there as what damping takes away
	p.impactDamping.zeroForceGap = s.ActivationGap - s.intersectLine(p.impactDamping.damping, q)
}

// press returns the force at a gap, N, and how fast it grows as the gap closes, N/m.
func (p *normalContact) forceAt(s *NormalLaw, gap float64) (force, slope float64) {
	if gap >= p.zeroForceGap {
		return 0, 0
	}
	force, slope = s.Force(gap)
	return force + p.damping*(p.startGap-gap), slope + p.damping
}

// work returns the potential of that force, J.
func (p *normalContact) potentialAt(s *NormalLaw, gap float64) float64 {
	if gap >= p.zeroForceGap {
		return 0
	}
	return s.Potential(gap) - s.Potential(p.zeroForceGap) + p.damping*(p.zeroForceGap-gap)*(p.startGap-0.5*(gap+p.zeroForceGap))
}
