package continuum

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
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
	// ErrNoJacobian: only method implicit knows the derivative of its equilibria.
	ErrNoJacobian = errors.New("the derivative of an equilibrium is for method implicit")
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
// The step leaves the state as it was.
type UnstableError struct {
	Time float64 // start of the step, s
	Node int     // the first one concerned, 0 at the base
}

func (e *UnstableError) Error() string {
	return fmt.Sprintf("the solution is no longer finite at t = %.6g s, node %d; use a smaller step_s, more damping or slower tension changes",
		e.Time, e.Node)
}

// Errors, in the sense of errors.Is, of a search for equilibrium, besides those
// of package integrate. The error is an *EquilibriumError.
var (
	// ErrUnstableEquilibrium: the rod is in balance but would leave this shape.
	ErrUnstableEquilibrium = errors.New("the equilibrium is unstable")
	// ErrBuckledBetweenDisks: the tendons press so hard that the rod buckles
	// between two disks.
	ErrBuckledBetweenDisks = errors.New("the rod buckles between two disks")
)

// EquilibriumError is the error of a search for equilibrium.
type EquilibriumError struct {
	Cause          error
	Load           float64 // share of the load that could not be borne
	Iterations     int
	Residual       float64    // N
	Negative       int        // number of negative eigenvalues of the stiffness
	EulerLoadRatio float64    // largest total tension in a gap between disks over the Euler load of the rod there
	Gap            [2]float64 // arc lengths of the ends of that gap, m
}

func (e *EquilibriumError) Error() string {
	s := fmt.Sprintf("%v at %.3g of the load: %d iterations, %.3g N out of balance, %d negative eigenvalues", e.Cause, e.Load, e.Iterations, e.Residual, e.Negative)
	if e.EulerLoadRatio > 0 {
		s += fmt.Sprintf("; total tension at most %.3g of the Euler load, between %.4g and %.4g m", e.EulerLoadRatio, e.Gap[0], e.Gap[1])
	}
	switch {
	case errors.Is(e.Cause, ErrBuckledBetweenDisks):
		s += "; use less tension or more disks"
	case errors.Is(e.Cause, integrate.ErrNotConverged):
		s += "; use smaller loads, or dynamics with damping"
	}
	return s
}

func (e *EquilibriumError) Unwrap() error { return e.Cause }
