package equilibrium

import "sinew/pkg/sim/spatial"

// MaxIterations bounds a search.
const MaxIterations = maxIterations

// ErrExhausted is the error of a search that has taken MaxIterations.
var ErrExhausted = errExhausted

// Begin starts a search, of which so many iterations are taken already.
func (s *Solver) Begin(iterations int) {
	s.begin()
	s.report.Iterations = iterations
}

// StepTransient takes a step of pseudo-transient continuation.
func (s *Solver) StepTransient(dt float64, to spatial.Pose) error {
	_, _, err := s.stepTransient(dt, to, 0)
	return err
}

// Slide slides the curvatures toward the base.
func (s *Solver) Slide(forward float64) { s.slide(forward) }
