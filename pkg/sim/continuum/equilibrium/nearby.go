package equilibrium

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// ErrFar is the error of a robot that is not near the reference.
var ErrFar = errors.New("not near the reference solution")

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

// join makes the iterate the shape of the reference, with its multipliers.
func (s nearby) join() {
	s.begin()
	s.system.MoveTo(s.reference.Present())
}

// KeepReference makes the solver keep the factored tangent of every equilibrium that it finds, as a reference for robots nearby.
func (s *Solver) KeepReference() { s.keepsReference = true }

// keepReference keeps the factored tangent at the equilibrium that was found, and what is left of its equations.
func (s *Solver) keepReference() {
	s.skipFriction = 0
	s.Assemble(0)
	_, _, s.isReference = s.Increment()
	columns := equations.Derivatives{System: s.system, Assemble: func() { nearby{s, nil}.Assemble(0) }}
	s.rest = columns.NewInput(equations.NumberInput, "", "")
	columns.AddEquations(&s.rest, 1)
}

// isNear reports whether reference, which has found its equilibrium, has the same unknowns.
func (s *Solver) isNear(reference *Solver) bool {
	return reference.isReference && s.system.IsSimilarTo(reference.system)
}

// SolveNear finds the equilibrium from that of a robot nearby, which keeps a reference. It fails where that does not lead there; the
// iterate is then any. The caller checks the shape.
func (s *Solver) SolveNear(reference *Solver) error {
	if !s.isNear(reference) {
		return ErrFar
	}
	x := nearby{s, reference.system}
	x.join()
	method := s.method(nearbyCap)
	if s.report = method.Solve(x); !s.report.Converged() {
		return ErrFar
	}
	return nil
}

// Errors of derivatives by what differs between robots.
var (
	ErrUnlike = errors.New("the robots on both sides are not models of their own with the same nodes and tendons, or may touch walls or themselves; " +
		"where gaps between disks are equally long, take as many elements as divide all of them alike")
	ErrHistory = errors.New("the derivative does not exist at the end of sticking, where history-dependent friction is; take it of models that have not moved")
)

// Extrapolate makes the iterate the shape of the reference and, times what differs between both robots, its derivative: to first order
// the equilibrium. It fails where there is none; the iterate is then any.
func (s *Solver) Extrapolate(reference *Solver) error {
	if !s.isNear(reference) {
		return ErrUnlike
	}
	if s.dependsOnPredecessor() {
		return ErrHistory // whether a disk sticks there, in rows that repeat a command, is round-off
	}
	q, r := s.system, reference.system
	d := equations.Derivatives{System: q}
	x := d.NewInput(equations.NumberInput, "", "")
	nearby{s, r}.addDifference(&x, 1)
	equations.AddScaled(x.Wrench, -1, reference.rest.Wrench)
	for k := range x.Gap {
		x.Gap[k] -= reference.rest.Gap[k]
	}
	limits := equations.Derivatives{System: r}
	limits.AddLimits(&x, -1)
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

// addDifference moves the robot into the shape of the reference and adds scale times what is left of its equations there to x.
func (s nearby) addDifference(x *equations.Input, scale float64) {
	s.join()
	d := equations.Derivatives{System: s.system, Assemble: func() { s.Assemble(0) }}
	d.AddEquations(x, scale)
	d.AddLimits(x, scale)
}

// Number is a number of the robot by which a derivative is taken: two robots in which it is less and more.
type Number struct {
	Name, Unit string
	Apart      float64 // by how much it differs between both
	Less, More Neighbour
}

// Neighbour is a robot nearby. Begin prepares it for a search, which End takes back.
type Neighbour struct {
	Solver     *Solver // nil: there is none
	Begin, End func()
}

// numberInput is how the equations of robots in which a number is less and more differ in the present shape. Both are left as they were.
func (s *Solver) numberInput(columns *equations.Derivatives, v *Number) (x equations.Input, err error) {
	x = columns.NewInput(equations.NumberInput, v.Name, v.Unit)
	if s.dependsOnPredecessor() {
		return x, fmt.Errorf("by %s: %w", v.Name, ErrHistory)
	}
	var ends [2]spatial.Pose
	for k, n := range [...]*Neighbour{&v.Less, &v.More} {
		if n.Solver == nil || n.Solver == s || !n.Solver.system.IsSimilarTo(s.system) {
			return x, fmt.Errorf("by %s: %w", v.Name, ErrUnlike)
		}
		n.Begin()
		nearby{n.Solver, s.system}.addDifference(&x, [...]float64{-1, 1}[k]/v.Apart)
		ends[k] = n.Solver.system.State.Base
		n.End()
	}
	x.Rigid.Linear = ends[1].P.Sub(ends[0].P).Scale(1 / v.Apart)
	x.Rigid.Angular = ends[1].R.MulT(ends[0].R).Log().Scale(1 / v.Apart)
	return x, nil
}
