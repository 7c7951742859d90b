package continuum

import (
	"errors"
	"fmt"
	"math"
)

// Errors, in the sense of errors.Is, of robots that a method cannot do.
var (
	// ErrNoEquilibrium: the state that initial_state equilibrium asks for was not
	// found; the errors behind it say why.
	ErrNoEquilibrium = errors.New("no equilibrium")
	// ErrNotInReference: PyElastica 0.3.2 with TendonForces has no such thing, or
	// mishandles it.
	ErrNotInReference = errors.New("method reference cannot reproduce this")
	// ErrNotInExplicit: the explicit method has no such thing.
	ErrNotInExplicit = errors.New("method explicit has no such thing")
	// ErrNotInImplicit: the implicit method has no such thing.
	ErrNotInImplicit = errors.New("method implicit has no such thing")
)

// StepTooLargeError is the error of a time step above the stability limit.
type StepTooLargeError struct {
	Step, Limit float64 // s
	Method      string
}

func (e *StepTooLargeError) Error() string {
	return fmt.Sprintf("step_s %.6g s is above the stability limit %.6g s of method %s for this rod; use step_s %.3g s or less",
		e.Step, e.Limit, e.Method, roundDown(e.Limit))
}

// roundDown returns x > 0 with three significant digits, none larger.
func roundDown(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-2)
	return math.Floor(x/unit) * unit
}

// UnstableError is the error of a step that gave a number that is not finite.
// The state is that of before the step.
type UnstableError struct {
	Time float64 // of the start of the step, s
	Node int     // the first one concerned, 0 at the base
}

func (e *UnstableError) Error() string {
	return fmt.Sprintf("the solution is no longer finite at t = %.6g s, node %d; use a smaller step_s, more damping or slower tension changes",
		e.Time, e.Node)
}
