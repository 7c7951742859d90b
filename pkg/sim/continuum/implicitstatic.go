package continuum

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
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
	Cause      error
	Load       float64 // the share of the load that could not be borne
	Iterations int
	Residual   float64    // N
	Negative   int        // negative eigenvalues of the stiffness
	Thrust     float64    // see Report
	Gap        [2]float64 // arc lengths of the most loaded gap, m
}

func (e *EquilibriumError) Error() string {
	s := fmt.Sprintf("%v at %.3g of the load: %d iterations, %.3g N out of balance, %d negative eigenvalues", e.Cause, e.Load, e.Iterations, e.Residual, e.Negative)
	if e.Thrust > 0 {
		s += fmt.Sprintf("; total tension at most %.3g of the Euler load, between %.4g and %.4g m", e.Thrust, e.Gap[0], e.Gap[1])
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

const (
	staticCap       = 100
	staticTurn      = 0.6            // rad, largest rotation of an element per iteration
	staticTolerance = 1e-10          // of EI/L²
	staticRoundoff  = 20 * 0x1p-52   // of the stretch stiffness: what round-off leaves
	staticFloor     = 1000 * 0x1p-52 // the same at worst
	buckled         = 0.9            // of the Euler load: what does not converge has buckled
	halvings        = 6              // of a load step that fails
	softest         = 1e3            // N/m, where continuation in the stiffness of tendons begins
)

// Equilibrate is that of engine. Friction is that of sliding toward the motors,
// or away from them with release set.
func (e *implicit) Equilibrate(in *inputs) error {
	e.in = in
	e.rod.BeginStatic()
	e.report = Report{}
	e.stiffest = math.Inf(1)
	e.setLoads(in, 1)
	e.freeFriction()
	e.findTurning()
	e.patience = staticPatience
	err := e.balance()
	if err != nil && len(e.taut) > 0 {
		err = e.stiffen()
	}
	e.turning, e.loaded, e.sliding = e.turning[:0], 0, 0
	e.scale, e.stiffest = 1, math.Inf(1)
	e.rod.ScaleWeight(1)
	e.last, e.steps, e.failed = 0, 0, false
	e.measure()
	e.rod.Rest()
	e.settleFriction()
	return err
}

// balance finds the equilibrium in one load step from the present shape, or, where
// that fails, in several from the stress-free one.
func (e *implicit) balance() error {
	err := e.solveStatic(1)
	if err == nil || errors.Is(err, ErrUnstableEquilibrium) {
		return err
	}
	return e.loadStepwise(1. / 2)
}

// loadStepwise loads the stress-free robot step by step, halving steps that fail.
func (e *implicit) loadStepwise(step float64) error {
	e.rod.Reset()
	e.measure()
	smallest := step / (1 << halvings)
	for done := 0.0; done < 1; {
		next := min(1, done+step)
		if next > 1-smallest/2 {
			next = 1
		}
		good := e.shape()
		if err := e.solveStatic(next); err != nil {
			if step /= 2; step < smallest {
				return err
			}
			e.setShape(good)
			continue
		}
		done = next
		step *= 2
		step = min(step, 1./2)
	}
	return nil
}

// shape and setShape save and restore the strains.
func (e *implicit) shape() []spatial.Twist {
	return append([]spatial.Twist(nil), e.rod.Strain...)
}

func (e *implicit) setShape(x []spatial.Twist) {
	copy(e.rod.Strain, x)
	e.rod.Update()
	e.measure()
}

// stiffen finds the equilibrium under length control with very stiff tendons by
// making soft ones stiffer step by step.
func (e *implicit) stiffen() (err error) {
	hardest := 0.0
	for _, k := range e.taut {
		hardest = max(hardest, e.robot.tendons[k].stiffness)
	}
	e.rod.Reset()
	e.measure()
	for e.stiffest = softest; ; e.stiffest *= 10 {
		if err = e.solveStatic(1); err != nil || e.stiffest >= hardest {
			return err
		}
	}
}

// solveStatic finds the equilibrium at a share of the load.
func (e *implicit) solveStatic(scale float64) error {
	e.scale = scale
	e.rod.ScaleWeight(scale)
	e.setLoads(e.in, scale)
	k := e.robot.rod.Stiffness
	l := e.robot.rod.Length
	stiffest := max(k.Shear.X, k.Shear.Z)
	s := integrate.Static{
		Tol:   max(staticTolerance*k.Bend.X/(l*l), staticRoundoff*stiffest),
		Floor: staticFloor * stiffest,
		Cap:   staticCap,
		Limit: staticTurn,
	}
	r := s.Solve(e)
	r.Iterations += e.report.Iterations
	r.Rejects += e.report.Rejects
	e.report.Report = r
	switch {
	case r.Cause == integrate.Singular:
		return e.failure(integrate.ErrSingularTangent)
	case r.Cause == integrate.NonFinite:
		return e.failure(integrate.ErrNonFinite)
	case !r.Converged():
		return e.failure(integrate.ErrNotConverged)
	case r.Negative > 0 && e.hasPotential(): // else the symmetric part decides nothing
		return e.failure(ErrUnstableEquilibrium)
	}
	return nil
}

// failure makes the error of the present iterate.
func (e *implicit) failure(cause error) error {
	ratio, gap := e.thrust()
	if ratio > buckled && (cause == ErrUnstableEquilibrium || cause == integrate.ErrNotConverged) {
		cause = ErrBuckledBetweenDisks
	}
	l := e.robot.rod.ElementLength
	return &EquilibriumError{
		Cause: cause, Load: e.scale, Iterations: e.report.Iterations, Residual: e.report.Residual, Negative: e.report.Negative,
		Thrust: ratio, Gap: [2]float64{float64(gap[0]) * l, float64(gap[1]) * l},
	}
}

// thrust returns the largest ratio of the tension in a gap to the Euler load
// π² EI/gap² there, and the gap.
func (e *implicit) thrust() (ratio float64, gap [2]int) {
	k := e.robot.rod.Stiffness.Bend
	bend, l := math.Pi*math.Pi*min(k.X, k.Y), e.robot.rod.ElementLength
	return e.bundle.Thrust(bend / (l * l))
}

// hasPotential reports whether everything that acts has a potential, so that the
// merit test holds.
func (e *implicit) hasPotential() bool { return !e.rao && len(e.turning) == 0 }
