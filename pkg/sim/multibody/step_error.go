package multibody

import "sinew/pkg/sim"

var _ sim.StepErrorEstimator = (*Model)(nil)

// BeginStepError implements sim.StepErrorEstimator. The error is nil.
func (m *Model) BeginStepError() error {
	m.world.BeginStepError()
	return nil
}

// StepError implements sim.StepErrorEstimator.
func (m *Model) StepError() float64 { return m.world.StepError() }

// Impacts implements sim.StepErrorEstimator.
func (m *Model) Impacts() int { return m.world.Impacts() }

// TimeError implements sim.StepErrorEstimator.
func (m *Model) TimeError() float64 { return m.world.TimeError() }
