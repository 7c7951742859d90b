package motion

import "sinew/pkg/sim/rod/strain"

// estimateTimeError advances the estimate of the error in time over the step that the present iterate
// ends, with the tangent that was factored last. A tangent with a shift is not that of the step.
func (m *Stepper) estimateTimeError(p *plan) {
	m.carryTimeError(&m.timeError, p)
	if m.stepError != nil {
		m.carryTimeError(m.stepError, p)
	}
}

// carryTimeError advances one estimate.
func (m *Stepper) carryTimeError(t *strain.TimeError, p *plan) {
	s := m.system
	s.State.AssembleTimeError(t, &p.formula, p.order, p.dt, m.history.last, s.X)
	if m.report.Shift > 0 || !s.SolveTangent(s.X) {
		t.SkipStep()
		return
	}
	s.State.CommitTimeError(t, s.X)
}

// TimeError returns the estimate of the largest error of the position of a node, m: how far it is from where steps of
// length 0 would have taken it since the last equilibrium or reset; coming to rest keeps it.
func (m *Stepper) TimeError() float64 { return m.timeError.Largest() }

// BeginStepError starts a second estimate, of the error that the steps from now on add. It is no part of the saved state.
func (m *Stepper) BeginStepError() {
	if m.stepError == nil {
		t := strain.NewTimeError(m.system.Rod.Elements)
		m.stepError = &t
	}
	m.stepError.BeginFrom(&m.timeError)
	m.impacts = 0
}

// Impacts is the number of steps since BeginStepError with an impact, whose own error the estimates leave out.
func (m *Stepper) Impacts() int { return m.impacts }

// StepError returns the largest error of the position of a node that the steps since BeginStepError have added, m.
func (m *Stepper) StepError() float64 { return m.stepError.Largest() }
