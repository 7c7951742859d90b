package equilibrium

import (
	"errors"
	"math"

	"sinew/pkg/sim/spatial"
)

// Strategy is one way to an equilibrium.
type Strategy struct {
	Name string
	// Applies reports whether the strategy can help, at the shape before the search.
	Applies func(*Solver) bool
	// Try makes the iterate the equilibrium, from the shape before the search.
	Try func(*Solver) error
}

// strategies are those of a search, in the order in which they are tried.
var strategies = [...]Strategy{
	{"warm start and element-wise relaxation", (*Solver).canPredict, (*Solver).tryPredicted},
	{"straight start", (*Solver).isInside, (*Solver).tryStraight},
	{"penalty continuation", (*Solver).isInside, (*Solver).tryPenalty},
	{"Newton", (*Solver).isOutside, (*Solver).tryNewton},
	{"pseudo-transient continuation", (*Solver).hasWalls, (*Solver).tryPseudoTransient},
	{"insertion homotopy", (*Solver).hasWalls, (*Solver).tryInsertion},
	{"load stepping", (*Solver).leavesOpen, (*Solver).tryLoadStepping},
}

// Strategies are those of a search, in the order in which they are tried.
func Strategies() []Strategy { return strategies[:] }

func (s *Solver) hasWalls() bool  { return len(s.system.Obstacles()) > 0 }
func (s *Solver) isInside() bool  { return s.hasWalls() && s.checkInside() != nil }
func (s *Solver) isOutside() bool { return !s.isInside() }

// leavesOpen reports whether the strategies before have not found an equilibrium, stable or not.
func (s *Solver) leavesOpen() bool {
	return len(s.tried) == 0 || isOpen(s.tried[len(s.tried)-1].Err)
}

const (
	// Elements relax up to maxRelaxations times, as long as that leaves less than a share worthRelaxing of the residual, each time
	// by maxRelaxation (rad) at the most. The merit may rise by round-off, a share relaxationRoundoff of it. From there Newton's
	// method finds most equilibria at once, or in more than predictedCap iterations none.
	maxRelaxations, worthRelaxing, maxRelaxation = 20, 0.4, 0.6
	relaxationRoundoff                           = 1e-12
	predictedCap                                 = 20
	// The elements of a bent rod whose equilibria are history-dependent relax first where one would by more than worthJumping (rad):
	// the row is so far from the one before that the tangent there, of disks that stick, leads nowhere.
	worthJumping = 0.02
)

// canPredict: walls are too stiff for a prediction.
func (s *Solver) canPredict() bool { return !s.hasWalls() }

// tryPredicted extrapolates the last two equilibria, relaxes elements, and continues by Newton's method.
func (s *Solver) tryPredicted() error {
	extrapolated := s.extrapolate()
	if !s.relaxElements() && !extrapolated {
		return errDeclined
	}
	return s.solve(1, predictedCap)
}

// extrapolate moves as far as from the equilibrium before to the last one, if the merit is lower there: tendons whose friction
// slides mostly slide on. It reports whether it did.
func (s *Solver) extrapolate() bool {
	q := s.system
	if !q.FollowsHistory() {
		return false
	}
	start := q.Present()
	s.setLoadFactor(1)
	q.AssembleWrenches() // updates friction
	s.freeze()
	stay := q.Merit()
	q.Rod.ExtrapolateEquilibrium()
	if q.UpdateKinematics(); q.Merit() < stay {
		return true
	}
	q.MoveTo(start)
	return false
}

// relaxElements bends a stress-free rod, or one whose equilibria are history-dependent, by element-wise relaxation (block Jacobi
// on the compliances of the elements): each element takes the strain that its stress under the present wrenches asks for, while
// that takes most of the residual away, at a seventh of the cost of an increment of Newton's method, and past where a straight rod
// buckles under its tendons. Tendons under length control are too stiff for it, and a bent rod needs it only over a jump that makes
// disks slip. It reports whether it did.
func (s *Solver) relaxElements() bool {
	q := s.system
	bent := !q.Rod.IsStressFree()
	if q.IsConstrained() || bent && !q.FollowsHistory() {
		return false
	}
	s.setLoadFactor(1)
	r, end := &s.report, s.method(newtonCap).ResidualTol
	r.Residual = s.residualAtRest()
	if bent && q.Rod.RelaxElements(q.Wrenches(), q.Dx) < worthJumping {
		return false
	}
	for r.Residual > end && r.Chords < maxRelaxations && s.relaxOnce() {
		last := r.Residual
		r.Iterations++
		r.Chords++
		if r.Residual = s.residualAtRest(); !(r.Residual < worthRelaxing*last) {
			break
		}
	}
	return r.Chords > 0
}

// residualAtRest takes the residual alone, and what the merit needs, and returns its norm, N.
func (s *Solver) residualAtRest() float64 {
	s.system.AssembleWrenches()
	s.freeze()
	return s.system.ResidualNorm()
}

// relaxOnce relaxes every element once, unless that raises the merit.
func (s *Solver) relaxOnce() bool {
	q := s.system
	size, merit := q.Rod.RelaxElements(q.Wrenches(), q.Dx), q.Merit()
	q.Rod.AddStrainIncrement(q.Dx, min(1, maxRelaxation/size))
	q.UpdateKinematics()
	if q.Merit() <= merit+relaxationRoundoff*math.Abs(merit) {
		return true
	}
	q.Rod.Undo()
	q.UpdateKinematics()
	return false
}

// tryNewton iterates from the shape before the search.
func (s *Solver) tryNewton() error { return s.solve(1, newtonCap) }

// tryStraight begins where the rod is not bent, which is where a precurved rod in an introducer is not in its wall.
func (s *Solver) tryStraight() error {
	q := s.system
	for e := range q.Rod.Strain {
		q.Rod.Strain[e].Angular = spatial.Vec{}
	}
	q.Rod.UpdateKinematics()
	q.UpdateKinematics()
	if err := s.checkInside(); err != nil {
		return err
	}
	return s.solve(1, newtonCap)
}

const (
	// A wall that pushes a rod out has first a share softest of its stiffness, and then stiffening times as much each time.
	softest, stiffening = 1e-6, 10.
)

// tryPenalty takes a rod that is deep inside a wall out of it by penalty continuation: the wall is soft at first, for a stiff one
// throws the rod about.
func (s *Solver) tryPenalty() error {
	if err := s.soften(1); err != nil {
		return err
	}
	return s.solve(1, newtonCap)
}

// soften takes a rod that is deep inside a wall out of it, under a share of the load.
func (s *Solver) soften(load float64) error {
	if !s.isInside() {
		return nil
	}
	defer s.setStiffness(1)
	for share := softest; share < 0.5; share *= stiffening {
		s.setStiffness(share)
		if err := s.solve(load, newtonCap); err != nil && !errors.Is(err, ErrUnstable) {
			return err
		}
	}
	return nil
}

// setStiffness multiplies the stiffness of all walls.
func (s *Solver) setStiffness(factor float64) {
	for _, o := range s.system.Obstacles() {
		o.ScaleStiffness(factor)
	}
}

// halvings is how often a load step that fails is halved.
const halvings = 8

// tryLoadStepping loads the stress-free robot step by step, halving steps that fail. Walls in which it is push it out first, if they
// can.
func (s *Solver) tryLoadStepping() error {
	step := 1. / 2
	s.straighten()
	if s.soften(0) != nil {
		s.straighten()
	}
	smallest := step / (1 << halvings)
	for done := 0.0; done < 1; {
		if s.isSpent() {
			return s.failure(errSpent)
		}
		next := min(1, done+step)
		if next > 1-smallest/2 {
			next = 1
		}
		good := s.system.Present()
		most := newtonCap
		if step/2 < smallest && s.hasWalls() {
			most = contactCap
		}
		if err := s.solve(next, most); err != nil {
			if step /= 2; step < smallest {
				return err
			}
			s.system.MoveTo(good)
			continue
		}
		done = next
		step *= 2
		step = min(step, 1./2)
	}
	return nil
}
