package equilibrium

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// ErrNotNearReference is the error of a robot whose equilibrium the iteration from the reference does not reach.
var ErrNotNearReference = errors.New("not near the reference solution")

// nearby is the equations of an equilibrium near that of another robot, the reference, whose tangent there is factored already. The
// first increment is the derivative of the equilibrium by the implicit function theorem, times the difference of the robots; each
// further one leaves of the error a share of the order of that difference.
type nearby struct {
	*Solver
	reference *equations.System
}

var _ integrate.InertiaCounter = nearby{}

// Assemble implements integrate.System. The tangent is that of the reference.
func (s nearby) Assemble(float64) {
	s.system.AssembleWrenches()
	s.freeze()
}

// Increment implements integrate.System. It does not count eigenvalues.
func (s nearby) Increment() (size float64, negative int, ok bool) {
	q := s.system
	q.SetRightHandSide()
	ok = s.reference.SolveNear(q)
	rotation, stretch := q.State.StrainIncrement(q.X, q.Dx)
	return max(rotation, stretch), 0, ok
}

// ChordResidual implements integrate.ChordSystem: increments are chords already.
func (s nearby) ChordResidual() bool { return false }

// ChordIncrement implements integrate.ChordSystem.
func (s nearby) ChordIncrement() (size float64, ok bool) { return 0, false }

// Negative implements integrate.InertiaCounter.
func (s nearby) Negative() int { return 0 }

// startFromReference makes the iterate the shape of the reference, with its multipliers.
func (s nearby) startFromReference() {
	s.begin()
	s.system.MoveTo(s.reference.Present())
}

// KeepReference makes the solver keep the factored tangent of every equilibrium that it finds, as a reference for robots nearby.
func (s *Solver) KeepReference() { s.keepsReference = true }

// keepReference keeps the factored tangent at the equilibrium that was found, and the residual there.
func (s *Solver) keepReference() {
	s.skipFriction = 0
	s.Assemble(0)
	_, _, s.hasReference = s.Increment()
	columns := equations.Derivatives{System: s.system, Assemble: func() { nearby{s, nil}.Assemble(0) }}
	s.referenceResidual = columns.NewInput(equations.NumberInput, "", "")
	columns.AddEquations(&s.referenceResidual, 1)
}

// isComparable reports whether reference, which has found its equilibrium, has the same unknowns.
func (s *Solver) isComparable(reference *Solver) bool {
	return reference.hasReference && s.system.IsSimilarTo(reference.system)
}

// SolveNear finds the equilibrium from that of a robot nearby, which keeps a reference. It fails where that does not lead there; the
// iterate is then any. The caller checks the shape.
func (s *Solver) SolveNear(reference *Solver) error {
	if !s.isComparable(reference) {
		return ErrNotNearReference
	}
	x := nearby{s, reference.system}
	x.startFromReference()
	method := s.method(nearbyCap)
	if s.report = method.Solve(x); !s.report.Converged() {
		return ErrNotNearReference
	}
	return nil
}

// Errors of derivatives by what differs between robots.
var (
	ErrNotComparable = errors.New("the two perturbed robots must be separate models with the same nodes and tendons and without walls or self-contact; " +
		"if gaps between disks are equally long, use a multiple of their number as elements")
	ErrHistory = errors.New("the derivative is not defined after a previous equilibrium or motion with history-dependent friction (stick-slip); use a model that has not moved")
)

// SolveBySensitivity makes the iterate the shape of the reference and, times what differs between both robots, its derivative: to first order
// the equilibrium. It fails where there is none; the iterate is then any.
func (s *Solver) SolveBySensitivity(reference *Solver) error {
	if !s.isComparable(reference) {
		return ErrNotComparable
	}
	if s.dependsOnPredecessor() {
		return ErrHistory // whether a disk sticks there, in rows that repeat a command, is round-off
	}
	q, r := s.system, reference.system
	d := equations.Derivatives{System: q}
	x := d.NewInput(equations.NumberInput, "", "")
	nearby{s, r}.addDifference(&x, 1)
	equations.AddScaled(x.Wrench, -1, reference.referenceResidual.Wrench)
	for k := range x.Gap {
		x.Gap[k] -= reference.referenceResidual.Gap[k]
	}
	bounds := equations.Derivatives{System: r}
	bounds.AddBounds(&x, -1)
	copy(r.X, x.Wrench)
	if !r.SolveHeld(&x) {
		return integrate.ErrSingularTangent
	}
	q.TakeNear(r)
	q.Move(1)
	return nil
}

// dependsOnPredecessor reports whether the equilibrium that is sought depends on a state before.
func (s *Solver) dependsOnPredecessor() bool {
	return s.system.HasPredecessor() && s.system.IsHistoryDependent()
}

// addDifference moves the robot into the shape of the reference and adds scale times its residual there to x.
func (s nearby) addDifference(x *equations.Input, scale float64) {
	s.startFromReference()
	d := equations.Derivatives{System: s.system, Assemble: func() { s.Assemble(0) }}
	d.AddEquations(x, scale)
	d.AddBounds(x, scale)
}

// Number is a number of the robot by which a derivative is taken: two robots in which it is lower and higher.
type Number struct {
	Name, Unit   string
	Difference   float64 // by how much it differs between both
	Lower, Upper PerturbedRobot
}

// PerturbedRobot is a robot in which one number differs. Begin prepares it for a search, which End takes back.
type PerturbedRobot struct {
	Solver     *Solver // nil: there is none
	Begin, End func()
}

// numberInput is the difference of the equations of two robots in which a number is lower and higher, over that of the number, in the
// present shape. It leaves both robots as they were.
func (s *Solver) numberInput(columns *equations.Derivatives, v *Number) (x equations.Input, err error) {
	x = columns.NewInput(equations.NumberInput, v.Name, v.Unit)
	if s.dependsOnPredecessor() {
		return x, fmt.Errorf("by %s: %w", v.Name, ErrHistory)
	}
	var ends [2]spatial.Pose
	for k, n := range [...]*PerturbedRobot{&v.Lower, &v.Upper} {
		if n.Solver == nil || n.Solver == s || !n.Solver.system.IsSimilarTo(s.system) {
			return x, fmt.Errorf("by %s: %w", v.Name, ErrNotComparable)
		}
		n.Begin()
		nearby{n.Solver, s.system}.addDifference(&x, [...]float64{-1, 1}[k]/v.Difference)
		ends[k] = n.Solver.system.State.Base
		n.End()
	}
	x.Rigid.Linear = ends[1].P.Sub(ends[0].P).Scale(1 / v.Difference)
	x.Rigid.Angular = ends[1].R.MulT(ends[0].R).Log().Scale(1 / v.Difference)
	return x, nil
}
