package equilibrium

import (
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
)

// The equations of an equilibrium, for Newton's method. Sliding friction and transverse disk forces have no potential: the merit of an
// increment counts their limits as they were before it. Their tangent is of low rank.

var _ integrate.InertiaCounter = (*Solver)(nil)

// Assemble implements integrate.System.
func (s *Solver) Assemble(shift float64) {
	s.system.Assemble(shift)
	s.freeze()
}

// freeze holds what acts without a potential as it is, for the merit.
func (s *Solver) freeze() {
	if !s.system.HasPotential() {
		s.system.State.FreezeLoads(s.system.Extra())
	}
}

// ResidualNorm implements integrate.System, in N.
func (s *Solver) ResidualNorm() float64 { return s.system.ResidualNorm() }

// Increment implements integrate.System. The size is the largest rotation (rad) or
// relative stretch that the increment gives an element. There is nothing to refine:
// the skew part of the tangent vanishes with the residual where loads have a
// potential, and where they have none it is in the border.
func (s *Solver) Increment() (size float64, negative int, ok bool) {
	if negative, ok = s.system.Factor(); !ok {
		return 0, negative, false
	}
	s.system.AddColumns(s.scope())
	s.skipFriction--
	s.strainDisplacement.Capture(s.system.State)
	s.secants.Reset()
	ok = s.system.Solve(0)
	if s.transient && ok {
		s.system.CorrectIncrement()
	}
	return s.system.TakeIncrement(), s.system.Negative(negative), ok
}

// scope is which parts of low rank the next tangent has. Most equilibria of sliding friction are found sooner without it, by more
// but cheaper iterations; with it the iteration converges quadratically. Of history-dependent friction, that of the disks at which
// the tendon slides is left out at first, and most increments are by the method of chords, at a fourth of the cost.
func (s *Solver) scope() equations.Scope {
	switch {
	case s.skipFriction <= 0:
		return equations.EquilibriumScope
	case s.system.FollowsHistory() && !s.countsEigenvalues:
		return equations.StickingScope
	}
	return equations.FrictionlessScope
}

// Negative implements integrate.InertiaCounter. History-dependent friction does not count: what is stable without the bristles is so with
// them.
func (s *Solver) Negative() int {
	skip := s.skipFriction
	if s.system.FollowsHistory() {
		s.skipFriction, s.countsEigenvalues = 1, true
	}
	_, negative, _ := s.Increment()
	s.skipFriction, s.countsEigenvalues = skip, false
	return negative
}

// usesChords reports whether the method of chords pays: where friction makes tangents expensive. Contacts need a tangent of their
// own.
func (s *Solver) usesChords() bool { return s.system.FollowsHistory() && !s.hasWalls() }

// ChordResidual implements integrate.ChordSystem.
func (s *Solver) ChordResidual() (ok bool) {
	if !s.usesChords() {
		return false
	}
	s.system.AssembleWrenches()
	return true
}

// ChordIncrement implements integrate.ChordSystem.
func (s *Solver) ChordIncrement() (size float64, ok bool) {
	q := s.system
	q.SetRightHandSide()
	s.strainDisplacement.TransferWrenches(q.State, q.X)
	ok = q.SolveByChord()
	size = q.TakeIncrementIn(&s.strainDisplacement)
	s.readIncrement()
	s.secants.CorrectStep(s.increment)
	q.SetIncrement(s.increment)
	return size, ok
}

// readIncrement lists the present increment: of the strains, and of the multipliers, which do not decide how far it is.
func (s *Solver) readIncrement() {
	s.increment, s.secants.NormLen = s.system.AppendIncrement(s.increment[:0])
}

// Move implements integrate.System. Broyden's update takes whole increments as secants.
func (s *Solver) Move(scale float64) {
	if s.addedSecant = scale == 1 && s.usesChords(); s.addedSecant {
		s.readIncrement()
		s.secants.AppendStep(s.increment)
	}
	s.system.Move(scale)
}

// Undo implements integrate.System.
func (s *Solver) Undo() {
	if s.addedSecant {
		s.secants.RemoveStep()
	}
	s.system.Undo()
}

// Merit implements integrate.System, in J.
func (s *Solver) Merit() float64 { return s.system.Merit() }
