package motion

// estimateTimeError advances the estimate of the error in time over the step that the present iterate
// ends, with the tangent that was factored last. A tangent with a shift is not that of the step.
func (m *Stepper) estimateTimeError(p *plan) {
	s := m.system
	s.Rod.AssembleTimeError(&m.timeError, &p.formula, p.order, p.dt, m.history.last, s.X)
	if m.report.Shift > 0 || !s.SolveTangent(s.X) {
		m.timeError.Keep()
		return
	}
	s.Rod.CommitTimeError(&m.timeError, s.X)
}

// TimeError returns the estimate of the largest error of the position of a node, m: how far it is from where steps of
// length 0 would have taken it since the last equilibrium or rest.
func (m *Stepper) TimeError() float64 { return m.timeError.Largest() }
