package continuum

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/integrate"
)

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
