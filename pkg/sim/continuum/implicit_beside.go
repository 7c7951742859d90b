package continuum

import (
	"errors"

	"sinew/pkg/sim/integrate"
)

// errFar: a robot is not near its leader.
var errFar = errors.New("not near the leader")

// mostBeside bounds the iterations beside a leader; robots that differ by a difference quotient's
// step take two.
const mostBeside = 6

// beside is the equations of an equilibrium near that of another robot, the leader, whose
// tangent there is factored already. The first increment is the derivative of the equilibrium by
// the implicit function theorem, times the difference of the robots; each further one leaves of
// the error a share of the order of that difference.
type beside struct {
	*statics
	leader *statics
}

var _ integrate.Counter = beside{}

// Assemble implements integrate.System. The tangent is that of the leader.
func (s beside) Assemble(float64) {
	s.at.tendons.rub()
	s.at.tendons.setTensions()
	s.at.linear.assembleResidual(s.at.rod, s.at.tendons)
	s.freeze()
}

// Increment implements integrate.System. It does not count eigenvalues.
func (s beside) Increment() (size float64, negative int, ok bool) {
	own, of, t := s.at.linear, s.leader.at.linear, s.at.tendons
	own.oppose()
	ok = of.border.solve(of.matrix, own.x)
	of.cables.take(t)
	ok = of.cables.correct(own.x) && ok
	of.cables.store(t)
	turn, stretch := s.at.rod.Increment(own.x, s.at.dx)
	return max(turn, stretch), 0, ok
}

// ChordIncrement implements integrate.Chord: Increment is one already.
func (s beside) ChordIncrement() (size float64, ok bool) { return 0, false }

// Negative implements integrate.Counter.
func (s beside) Negative() int { return 0 }

// EquilibrateBeside implements neighbour.
func (e *implicit) EquilibrateBeside(leader engine, in *inputs) error {
	l, ok := leader.(*implicit)
	if !ok || !l.statics.tells || !e.isLike(l) {
		return errFar
	}
	e.setField(in.Time - in.Start)
	e.statics.begin(in)
	copy(e.rod.Strain, l.rod.Strain)
	copy(e.tendons.tensions, l.tendons.tensions)
	e.rod.Update()
	e.at.measure()
	method := e.statics.method(mostBeside)
	e.statics.report = method.Solve(beside{&e.statics, &l.statics})
	if !e.statics.report.Converged() {
		return errFar
	}
	if err := e.at.refuse(in.Time); err != nil {
		return err
	}
	e.settle()
	return nil
}

// isLike reports whether the equations of both robots have the same unknowns, and are solved
// by the tangent alone: nothing touches walls or itself.
func (e *implicit) isLike(l *implicit) bool {
	return len(e.rod.Strain) == len(l.rod.Strain) && len(e.tendons.tensions) == len(l.tendons.tensions) &&
		e.at.contacts == nil && l.at.contacts == nil
}

// Lead implements neighbour.
func (e *implicit) Lead() { e.statics.leads = true }

// keep completes the factored tangent of the equilibrium that was found by what the search has
// left out.
func (s *statics) keep() {
	s.tells = true
	if (s.skipFriction >= 0 || s.at.tendons.grips()) && s.passed+len(s.turning) > 0 {
		s.skipFriction = 0
		s.Assemble(0)
		_, _, s.tells = s.Increment()
	}
}
