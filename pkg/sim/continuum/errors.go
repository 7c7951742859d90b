package continuum

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/continuum/motion"
)

// Errors, in the sense of errors.Is, of robots that a method cannot do.
var (
	// ErrNoEquilibrium: the state that initial_state equilibrium asks for was not
	// found; the errors behind it say why.
	ErrNoEquilibrium = errors.New("no equilibrium")
	// ErrNotInReference: PyElastica 0.3.2 with TendonForces lacks the feature or implements it
	// with errors.
	ErrNotInReference = errors.New("method reference cannot reproduce this")
	// ErrNotInExplicit: method explicit does not support the feature.
	ErrNotInExplicit = errors.New("not supported by method explicit")
	// ErrNoJacobian: only method implicit knows the derivative of its equilibria.
	ErrNoJacobian = errors.New("the derivative of an equilibrium is for method implicit")
	// ErrNoTimeError: only method implicit estimates the error of its steps.
	ErrNoTimeError = errors.New("the error of steps is estimated by method implicit only")
	// ErrNoStability: only method implicit analyses the stability of its equilibria and follows them.
	ErrNoStability = errors.New("stability and paths of equilibria are for method implicit")
	// ErrNotInImplicit: method implicit does not support the feature.
	ErrNotInImplicit = errors.New("not supported by method implicit")
)

// noEquilibriumError is an ErrNoEquilibrium with its cause.
type noEquilibriumError struct{ cause error }

// noEquilibrium returns the error of a search.
func noEquilibrium(cause error) error { return &noEquilibriumError{cause} }

func (e *noEquilibriumError) Error() string {
	if errors.Is(e.cause, equilibrium.ErrUnstable) {
		return fmt.Sprintf("no stable equilibrium: %v", e.cause)
	}
	return fmt.Sprintf("%v: %v", ErrNoEquilibrium, e.cause)
}

// Unwrap returns ErrNoEquilibrium and the cause.
func (e *noEquilibriumError) Unwrap() []error { return []error{ErrNoEquilibrium, e.cause} }

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

// The errors of method implicit, where errors.As looks for them.
type (
	// UnstableError is the error of a step that gave a number that is not finite. The step leaves the state as it was.
	UnstableError = motion.DivergedError
	// NotConvergedError is the error of a step whose equations could not be solved, not in parts either.
	NotConvergedError = motion.NotConvergedError
	// EquilibriumError is the error of a search for equilibrium.
	EquilibriumError = equilibrium.Error
	// DiskCollisionError is the error of a shape in which two disks touch.
	DiskCollisionError = force.DiskCollisionError
	// CoarseMeshError is the error of an element that bends or twists by more than one element can.
	CoarseMeshError = equations.CoarseMeshError
	// TendonLengthError is the error of a tendon under length control whose constraint does not hold.
	TendonLengthError = force.TendonLengthError
	// FieldError is the error of a field that is too strong at a magnet of the rod.
	FieldError = force.FieldError
	// SpringError is the error of a spring that is too short to have a direction.
	SpringError = force.SpringError
	// MagnetsTouchError is the error of magnets on the rod within one another.
	MagnetsTouchError = force.MagnetsTouchError
)

// Errors, in the sense of errors.Is, of method implicit.
var (
	// ErrUnstableEquilibrium: the rod is in balance but would leave this shape.
	ErrUnstableEquilibrium = equilibrium.ErrUnstable
	// ErrBuckledBetweenDisks: the tendons press so hard that the rod buckles between two disks.
	ErrBuckledBetweenDisks = equilibrium.ErrBuckledBetweenDisks
)
