package equilibrium

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Strategy is one way to an equilibrium.
type Strategy struct {
	Name string
	// Applies reports, at the shape before the search, whether the strategy is tried.
	Applies func(*Solver) bool
	// Try starts from the shape before the search and makes the iterate the equilibrium. It returns errDeclined if there is nothing to do.
	Try func(*Solver) error
}

// strategies are those of a search, in the order in which they are tried.
var strategies = [...]Strategy{
	{"warm start and element-wise relaxation", (*Solver).hasNoWalls, (*Solver).tryPredicted},
	{"straight start", (*Solver).isInside, (*Solver).tryStraight},
	{"penalty continuation", (*Solver).isInside, (*Solver).tryPenalty},
	{"Newton", (*Solver).isOutside, (*Solver).tryNewton},
	{"load stepping", (*Solver).isUndecidedWithoutWalls, (*Solver).tryLoadStepping},
	{"pseudo-transient continuation", (*Solver).suitsPseudoTransient, (*Solver).tryPseudoTransient},
	{"insertion homotopy", (*Solver).hasWalls, (*Solver).tryInsertion},
}

// Strategies are those of a search, in the order in which they are tried.
func Strategies() []Strategy { return strategies[:] }

func (s *Solver) hasWalls() bool  { return len(s.system.Obstacles()) > 0 }
func (s *Solver) isInside() bool  { return s.hasWalls() && s.checkInside() != nil }
func (s *Solver) isOutside() bool { return !s.isInside() }

// isUndecidedWithoutWalls reports whether the rod has no walls and the strategies before have found no equilibrium, stable or not.
func (s *Solver) isUndecidedWithoutWalls() bool {
	return !s.hasWalls() && (len(s.attempts) == 0 || isInconclusive(s.attempts[len(s.attempts)-1].Err))
}

// suitsPseudoTransient reports whether a motion may end in an equilibrium that Newton's method does not find: beside walls, or under
// loads without a potential.
func (s *Solver) suitsPseudoTransient() bool {
	return s.hasWalls() || !s.system.HasPotential() && !s.system.FollowsHistory()
}

// hasNoWalls reports whether the strategy that predicts a shape applies: walls are too stiff for it.
func (s *Solver) hasNoWalls() bool { return !s.hasWalls() }

// tryPredicted extrapolates the last two equilibria, relaxes elements, and continues by Newton's method.
func (s *Solver) tryPredicted() error {
	extrapolated := s.extrapolateFromHistory()
	if !s.relaxElements() && !extrapolated {
		return errDeclined
	}
	return s.solve(1, nearbyCap)
}

// extrapolateFromHistory moves as far as from the equilibrium before to the last one, if the merit is lower there: tendons whose friction
// slides mostly slide on. It reports whether it did.
func (s *Solver) extrapolateFromHistory() bool {
	q := s.system
	if !q.FollowsHistory() {
		return false
	}
	start := q.Present()
	s.setLoadFactor(1)
	q.AssembleWrenches() // updates friction
	s.freeze()
	stay := q.Merit()
	q.State.ExtrapolateEquilibrium()
	if q.UpdateKinematics(); q.Merit() < stay {
		return true
	}
	q.MoveTo(start)
	return false
}

// relaxElements bends a stress-free rod by element-wise relaxation (block Jacobi on the compliances of the elements): each element takes
// the strain that its stress under the present wrenches asks for, while that takes most of the residual away, at a seventh of the
// cost of an increment of Newton's method, and past where a straight rod buckles under its tendons. Tendons under length control are too stiff
// for it. It reports whether it did.
func (s *Solver) relaxElements() bool {
	q := s.system
	if q.IsConstrained() || !q.State.IsStressFree() {
		return false
	}
	s.setLoadFactor(1)
	r, descent := &s.report, s.method(0)
	r.Residual = s.staticResidual()
	for r.Residual > descent.ResidualTol && s.relaxOnce(&descent) {
		last := r.Residual
		r.Iterations++
		r.Chords++
		if r.Residual = s.staticResidual(); !(r.Residual < integrate.ChordContraction*last) {
			break
		}
	}
	return r.Chords > 0
}

// staticResidual computes the residual without the tangent, and what the merit needs, and returns its norm, N.
func (s *Solver) staticResidual() float64 {
	s.system.AssembleWrenches()
	s.freeze()
	return s.system.ResidualNorm()
}

// relaxOnce relaxes every element once, unless that raises the merit.
func (s *Solver) relaxOnce(descent *integrate.Descent) bool {
	q := s.system
	size, merit := q.State.RelaxElements(q.Wrenches(), q.Dx), q.Merit()
	q.State.AddStrainIncrement(q.Dx, min(1, integrate.MaxIncrement/size))
	q.UpdateKinematics()
	if !descent.Rises(q.Merit(), merit) {
		return true
	}
	q.State.Undo()
	q.UpdateKinematics()
	return false
}

// tryNewton iterates from the shape before the search.
func (s *Solver) tryNewton() error { return s.solve(1, newtonCap) }

// wallStiffnessGrowth is the factor of the stiffness of walls from one equilibrium or step among softer walls to the next.
const wallStiffnessGrowth = 10.

// initialWallStiffness is the first factor of the stiffness of walls, with which they are about as stiff as the rod: an element
// among softer walls moves freely.
func (s *Solver) initialWallStiffness() float64 {
	n := float64(len(s.system.X))
	return min(1, 1/(n*n*n))
}

// tryStraight begins where the rod is not bent, which is where a precurved rod in an introducer is not in its wall.
func (s *Solver) tryStraight() error {
	q := s.system
	for e := range q.State.Strain {
		q.State.Strain[e].Angular = spatial.Vec{}
	}
	q.State.UpdateKinematics()
	q.UpdateKinematics()
	if err := s.checkInside(); err != nil {
		return err
	}
	return s.solve(1, newtonCap)
}

// tryPenalty takes a rod that is deep inside a wall out of it by penalty continuation: the wall is soft at first, for a stiff one
// throws the rod about.
func (s *Solver) tryPenalty() error {
	defer s.setStiffness(1)
	for factor := s.initialWallStiffness(); factor < 1; factor *= wallStiffnessGrowth {
		s.setStiffness(factor)
		if err := s.solve(1, newtonCap); isInconclusive(err) {
			return err
		}
	}
	s.setStiffness(1)
	return s.solve(1, newtonCap)
}

// setStiffness multiplies the stiffness of all walls.
func (s *Solver) setStiffness(factor float64) {
	for _, o := range s.system.Obstacles() {
		o.ScaleStiffness(factor)
	}
}

// maxLoadStepHalvings is the largest number of halvings of a load step that fails.
const maxLoadStepHalvings = 8

// tryLoadStepping loads the stress-free robot step by step, halving steps that fail.
func (s *Solver) tryLoadStepping() error {
	step := 1. / 2
	s.straighten()
	smallest := step / (1 << maxLoadStepHalvings)
	for done := 0.0; done < 1; {
		if s.isExhausted() {
			return s.failure(errExhausted)
		}
		next := min(1, done+step)
		if next > 1-smallest/2 {
			next = 1
		}
		good := s.system.Present()
		if err := s.solve(next, newtonCap); err != nil {
			if step /= 2; step < smallest {
				return err
			}
			s.system.MoveTo(good)
			continue
		}
		done = next
		step = min(2*step, 1./2)
	}
	return nil
}
