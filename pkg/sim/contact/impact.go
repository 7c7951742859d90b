package contact

// impact is the normal force on a station, or between two elements, within a step: that of the law and, with the gap ĝ
// at the start of the step, the length dt of that and a damping of c, what damping adds,
//
//	max(0, f(g) + c/dt (min(ĝ, Reach) − g)).
//
// What hits a wall stays there, at any step: without damping a long step would keep
// it there for the scheme loses what it does not resolve, and a short one would throw it back.
// At rest nothing is added. The force has a potential, and never pulls.
type impact struct {
	damping float64 // c/dt, N/m; 0: none
	start   float64 // gap from which closing counts, m
	free    float64 // gap from which there is no force, m
}

// brace makes the impact that of a step which begins at the held gap.
func (p *closing) brace(s *NormalLaw, rate float64) {
	p.impact = impact{damping: s.Damping * rate, start: s.ActivationGap, free: s.ActivationGap}
	q := s.ActivationGap - p.heldGap
	if !(q > 0) || p.impact.damping == 0 {
		return
	}
	p.impact.start = p.heldGap
	// the force of the law is as large there as what damping takes away
	p.impact.free = s.ActivationGap - s.meet(p.impact.damping, q)
}

// press returns the force at a gap, N, and how fast it grows as the gap closes, N/m.
func (p *closing) press(s *NormalLaw, gap float64) (force, slope float64) {
	if gap >= p.free {
		return 0, 0
	}
	force, slope = s.Force(gap)
	return force + p.damping*(p.start-gap), slope + p.damping
}

// work returns the potential of that force, J.
func (p *closing) work(s *NormalLaw, gap float64) float64 {
	if gap >= p.free {
		return 0
	}
	return s.Potential(gap) - s.Potential(p.free) + p.damping*(p.free-gap)*(p.start-0.5*(gap+p.free))
}
