package continuum

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
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
	leader *iterate
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
	own, of, t := s.at.linear, s.leader.linear, s.at.tendons
	own.oppose()
	ok = of.border.solve(of.matrix, own.x)
	of.cables.take(t)
	ok = of.cables.correct(own.x) && ok
	of.cables.store(t)
	turn, stretch := s.at.rod.Increment(own.x, s.at.dx)
	return max(turn, stretch), 0, ok
}

// ChordResidual implements integrate.Chord: increments are chords already.
func (s beside) ChordResidual() bool { return false }

// ChordIncrement implements integrate.Chord.
func (s beside) ChordIncrement() (size float64, ok bool) { return 0, false }

// Negative implements integrate.Counter.
func (s beside) Negative() int { return 0 }

// join puts the robot into the shape of the leader, with its tensions.
func (s beside) join(in *inputs) {
	s.begin(in)
	copy(s.at.rod.Strain, s.leader.rod.Strain)
	copy(s.at.tendons.tensions, s.leader.tendons.tensions)
	s.at.rod.Update()
	s.at.measure()
}

// EquilibrateBeside implements neighbour.
func (e *implicit) EquilibrateBeside(leader engine, in *inputs) error {
	l, ok := leader.(*implicit)
	if !ok || !l.statics.tells || !e.isLike(l.at) {
		return errFar
	}
	e.setField(in.Time - in.Start)
	beside{&e.statics, l.at}.join(in)
	method := e.statics.method(mostBeside)
	e.statics.report = method.Solve(beside{&e.statics, l.at})
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
func (e *implicit) isLike(l *iterate) bool {
	return len(e.rod.Strain) == len(l.rod.Strain) && len(e.tendons.tensions) == len(l.tendons.tensions) &&
		e.at.contacts == nil && l.contacts == nil && e.at.linear.isMeshedAs(l.linear)
}

// mostShifted is the share of an element by which a node may be elsewhere, beside the length of the rod, in a robot with the
// same mesh. One in which another gap between disks has an element more has nodes that are off by half of one.
const mostShifted = 0.1

// isMeshedAs reports whether two rods with as many elements have as many of them between any two disks. Where gaps are
// equally long, which of them has one more is decided by any small change of the places of disks or of the length.
func (q *linearSystem) isMeshedAs(o *linearSystem) bool {
	for i, s := range q.arcLengths {
		if math.Abs(s/q.length-o.arcLengths[i]/o.length)*q.length > mostShifted*q.elementLength {
			return false
		}
	}
	return true
}

// Lead implements neighbour.
func (e *implicit) Lead() { e.statics.leads = true }

// keep leaves the factored tangent at the equilibrium that was found, and what is left of its equations.
func (s *statics) keep() {
	s.skipFriction = 0
	s.Assemble(0)
	_, _, s.tells = s.Increment()
	columns := changes{at: s.at, assemble: func() { beside{s, nil}.Assemble(0) }}
	s.rest = columns.newInput("", "")
	columns.equations(&s.rest, 1)
}

// FollowBeside implements neighbour.
func (e *implicit) FollowBeside(leader engine, in *inputs) error {
	l, ok := leader.(*implicit)
	if !ok || !l.statics.tells || !e.isLike(l.at) {
		return errUnlike
	}
	if t := e.tendons; t.past && (t.frictional() || e.rod.Slips()) {
		return errPast // whether a disk sticks there, in rows that repeat a command, is round-off
	}
	e.setField(in.Time - in.Start)
	x := (&changes{at: e.at}).newInput("", "")
	beside{&e.statics, l.at}.differ(in, &x, 1)
	addScaled(x.wrench, -1, l.statics.rest.wrench)
	for k := range x.gap {
		x.gap[k] -= l.statics.rest.gap[k]
		x.limit[k] -= l.tendons.actuators[k].limits.MaxTension
	}
	q := l.at.linear
	copy(q.x, x.wrench)
	if !q.answer(&x) {
		return integrate.ErrSingularTangent
	}
	q.cables.store(e.tendons)
	e.rod.Increment(q.x, e.at.dx)
	e.at.move(1)
	e.settle()
	return nil
}

// differ puts the robot into the shape of the leader and adds scale times what is left of its equations there to x.
func (s beside) differ(in *inputs, x *input, scale float64) {
	s.join(in)
	(&changes{at: s.at, assemble: func() { s.Assemble(0) }}).equations(x, scale)
	for k := range x.limit {
		x.limit[k] += scale * s.at.tendons.actuators[k].limits.MaxTension
	}
}

var errUnlike = errors.New("the robots on both sides are not models of their own with the same nodes and tendons, or may touch walls or themselves; " +
	"where gaps between disks are equally long, take as many elements as divide all of them alike")

var errPast = errors.New("friction remembers what was before, at the end of sticking, where there is no derivative; take it of models that have not moved")

// numberInput is a number of the robot: how the equations of robots in which it is less and more differ in the present
// shape. Both are left as they were.
func (s *changes) numberInput(v *sim.Varied) (x input, err error) {
	x = s.newInput(v.Name, v.Unit)
	if t := s.at.tendons; t.past && (t.frictional() || s.at.rod.Slips()) {
		return x, fmt.Errorf("by %s: %w", v.Name, errPast)
	}
	var ends [2]spatial.Pose
	for k, m := range [...]sim.Model{v.Less, v.More} {
		m, _ := m.(*Model)
		var e *implicit
		if m != nil {
			e, _ = m.engine.(*implicit)
		}
		if e == nil || e.at == s.at || !e.isLike(s.at) {
			return x, fmt.Errorf("by %s: %w", v.Name, errUnlike)
		}
		before := m.beginEquilibrium()
		e.setField(0)
		beside{&e.statics, s.at}.differ(&m.in, &x, [...]float64{-1, 1}[k]/v.Apart)
		ends[k] = e.rod.Base
		_ = m.Restore(before) // which Save has written
	}
	x.rigid.Linear = ends[1].P.Sub(ends[0].P).Scale(1 / v.Apart)
	x.rigid.Angular = ends[1].R.MulT(ends[0].R).Log().Scale(1 / v.Apart)
	return x, nil
}
