package continuum

import "sinew/pkg/sim"

var _ sim.StepErrorEstimator = (*Model)(nil)

// BeginStepError implements sim.StepErrorEstimator. The error is ErrNoTimeError with other methods than implicit.
func (m *Model) BeginStepError() error {
	e, ok := m.engine.(*implicit)
	if !ok {
		return ErrNoTimeError
	}
	e.stepper.BeginStepError()
	return nil
}

// StepError implements sim.StepErrorEstimator.
func (m *Model) StepError() float64 {
	return m.engine.(*implicit).stepper.StepError() / m.robot.rod.Length
}

// Impacts implements sim.StepErrorEstimator.
func (m *Model) Impacts() int { return m.engine.(*implicit).stepper.Impacts() }

// TimeError implements sim.StepErrorEstimator; 0 with other methods than implicit.
func (m *Model) TimeError() float64 {
	e, ok := m.engine.(*implicit)
	if !ok {
		return 0
	}
	return e.stepper.TimeError() / m.robot.rod.Length
}
