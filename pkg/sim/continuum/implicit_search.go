package continuum

import (
	"errors"
	"math"
	"slices"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

const (
	// Among walls a rod slides, without friction, along valleys of the energy that are as narrow as
	// walls are stiff, and bent: that takes many small increments, which are taken where nothing
	// else is left to try.
	staticCap, staticContactCap = 100, 1000
	// A residual below staticTolerance of EI/L² ends the iteration; so does, of the
	// stretch stiffness, staticRoundoff, which round-off leaves, and staticFloor,
	// which it leaves at worst, beside stiff walls staticContactFloor.
	staticTolerance    = 1e-10
	staticRoundoff     = 20 * 0x1p-52
	staticFloor        = 1000 * 0x1p-52
	staticContactFloor = 20 * staticFloor
	// Above a share buckled of the Euler load, what does not converge has buckled.
	buckled  = 0.9
	halvings = 8 // how often a load step that fails is halved
	// A wall that pushes a rod out has first a share softest of its stiffness, and then
	// stiffening times as much each time.
	softest, stiffening = 1e-6, 10.
	// mostSkipped is how many iterations leave out friction: as many as most
	// equilibria need.
	mostSkipped = 20
	// mostComplied is how often elements give way to the present wrenches before Newton's method goes on,
	// as long as that leaves less than a share worthComplying of the residual, each time by mostYield (rad) at
	// the most. The merit may rise by round-off, a share complyRoundoff of it. From there Newton's method finds
	// most equilibria at once, or in more than guessedCap iterations none.
	mostComplied, worthComplying, mostYield = 20, 0.4, 0.6
	complyRoundoff                          = 1e-12
	guessedCap                              = 20
	// A bent rod whose tendons remember gives way first where the first element would by more than worthJumping (rad): the
	// row is so far from the one before that the tangent there, of disks that stick, leads nowhere.
	worthJumping = 0.02
	// mostLagged is how many tangents leave out how friction that slips follows the bend.
	mostLagged = 5
)

// search finds the equilibrium under in: from the present shape in one load step, else, among walls, by
// relaxation, else in several load steps from the stress-free shape.
func (s *statics) search(in *inputs) error {
	s.begin(in)
	start := s.present()
	err := s.solveGuessed(start)
	if err != nil && s.at.contacts != nil { // unstable ones too: walls may have thrown the rod there
		s.moveTo(start)
		if err = s.relax(); err != nil {
			err = s.relaxFromOutside()
		}
	}
	if isOpen(err) {
		err = s.loadStepwise(1. / 2)
	}
	s.load(1)
	s.at.measure()
	if s.leads && err == nil {
		s.keep()
	}
	if s.derives && err == nil {
		s.jacobian, err = s.differentiate()
	}
	return err
}

// solveGuessed finds the equilibrium from a guess, or else from start, the present shape.
func (s *statics) solveGuessed(start attempt) error {
	if guessed := s.guess(start); s.comply() || guessed {
		if s.solve(1, guessedCap) == nil {
			return nil
		}
		s.moveTo(start)
	}
	return s.solveFrom()
}

// guess goes on as far as from the equilibrium before to the last one, if the merit is lower there: tendons that remember, and
// slip, mostly slip on. It reports whether it did.
func (s *statics) guess(start attempt) bool {
	t := s.at.tendons
	if !t.grips() || s.at.contacts != nil {
		return false
	}
	s.load(1)
	t.rub()
	t.setTensions()
	s.freeze()
	stay := s.Merit()
	s.at.rod.GoOn()
	if s.at.measure(); s.Merit() < stay {
		return true
	}
	s.moveTo(start)
	return false
}

// comply bends a stress-free rod, or one whose tendons remember, as its elements give way to the wrenches on the nodes, each by itself,
// while that takes most of the residual away: at a seventh of the cost of an increment of Newton's
// method, and past where a straight rod buckles under its tendons. Walls and tendons under length control
// are too stiff for it, and a bent rod needs no help but over a jump that makes disks slip. It reports whether it did.
func (s *statics) comply() bool {
	if s.at.contacts != nil || s.at.tendons.isHeld() || s.isBent() && !s.at.tendons.grips() {
		return false
	}
	s.load(1)
	r, end := &s.report, s.method(staticCap).ResidualTol
	r.Residual = s.restingResidual()
	if s.isBent() && s.at.rod.Comply(s.at.linear.nodes.Wrench, s.at.dx) < worthJumping {
		return false
	}
	for r.Residual > end && r.Chords < mostComplied && s.yield() {
		last := r.Residual
		r.Iterations++
		r.Chords++
		if r.Residual = s.restingResidual(); !(r.Residual < worthComplying*last) {
			break
		}
	}
	return r.Chords > 0
}

// restingResidual takes the residual alone, and what the merit needs, and returns its norm, N.
func (s *statics) restingResidual() float64 {
	s.assembleResidual()
	s.freeze()
	return s.at.residualNorm()
}

// yield moves the rod as its elements give way to the assembled wrenches, unless that raises the merit.
func (s *statics) yield() bool {
	size, merit := s.at.rod.Comply(s.at.linear.nodes.Wrench, s.at.dx), s.at.merit()
	s.at.rod.Move(s.at.dx, min(1, mostYield/size))
	s.at.measure()
	if s.at.merit() <= merit+complyRoundoff*math.Abs(merit) {
		return true
	}
	s.at.rod.Undo()
	s.at.measure()
	return false
}

// isOpen reports whether a search that ended so leaves it open whether there is an equilibrium.
func isOpen(err error) bool { return err != nil && !errors.Is(err, ErrUnstableEquilibrium) }

// solveFrom finds the equilibrium from the present shape in one load step.
func (s *statics) solveFrom() error {
	if err := s.unbend(); err == nil {
		return nil
	}
	if err := s.pushOut(1); err != nil {
		return err
	}
	return s.solve(1, staticCap)
}

// unbend finds the equilibrium of a rod that is deep inside a wall from where it is not bent, which
// is where a precurved rod in an introducer is not in its wall. Without success the rod is as before.
func (s *statics) unbend() error {
	c := s.at.contacts
	if c == nil || c.CheckInside(s.at.rod, 0) == nil {
		return errNotInside
	}
	before := s.present()
	for e := range s.at.rod.Strain {
		s.at.rod.Strain[e].Angular = spatial.Vec{}
	}
	s.at.rod.Update()
	s.at.measure()
	err := c.CheckInside(s.at.rod, 0)
	if err == nil {
		err = s.solve(1, staticCap)
	}
	if err != nil {
		s.moveTo(before)
	}
	return err
}

var errNotInside = errors.New("the rod is in no wall")

// pushOut takes a rod that is deep inside a wall out of it, under a share of the load: by a soft wall
// first, for a stiff one throws it about.
func (s *statics) pushOut(load float64) error {
	c := s.at.contacts
	if c == nil || c.CheckInside(s.at.rod, 0) == nil {
		return nil
	}
	defer c.Soften(1)
	for share := softest; share < 0.5; share *= stiffening {
		c.Soften(share)
		if err := s.solve(load, staticCap); err != nil && !errors.Is(err, ErrUnstableEquilibrium) {
			return err
		}
	}
	return nil
}

// begin takes the friction away and finds out what has no potential.
func (s *statics) begin(in *inputs) {
	s.in, s.report, s.skipFriction, s.tells = in, integrate.Report{}, mostSkipped, false
	s.at.rod.BeginStatic()
	if s.at.tendons.beginStatic(in); s.at.tendons.grips() {
		s.skipFriction = mostLagged // bristles that stick are too stiff to be left out
	}
	if s.at.contacts != nil {
		s.at.contacts.BeginStatic()
	}
	setLoads(s.at.rod.Loads, &s.constants.Mesh, in, 1)
	s.findTurning()
}

// loadStepwise loads the stress-free robot step by step, halving steps that fail. Walls in which it is
// push it out first, if they can.
func (s *statics) loadStepwise(step float64) error {
	s.straighten()
	if s.pushOut(0) != nil {
		s.straighten()
	}
	smallest := step / (1 << halvings)
	for done := 0.0; done < 1; {
		if s.spent() {
			return s.failure(errSpent)
		}
		next := min(1, done+step)
		if next > 1-smallest/2 {
			next = 1
		}
		good := s.present()
		most := staticCap
		if step/2 < smallest {
			most = s.most()
		}
		if err := s.solve(next, most); err != nil {
			if step /= 2; step < smallest {
				return err
			}
			s.moveTo(good)
			continue
		}
		done = next
		step *= 2
		step = min(step, 1./2)
	}
	return nil
}

// straighten makes the robot stress-free.
func (s *statics) straighten() {
	s.at.rod.Straighten()
	s.at.tendons.slacken()
	s.at.measure()
}

// attempt is a point of the search: the strains, m and rad, and the tensions under length control, N.
type attempt struct {
	strain   []spatial.Twist
	tensions []float64
}

// present returns that at which the search is.
func (s *statics) present() attempt {
	return attempt{slices.Clone(s.at.rod.Strain), slices.Clone(s.at.tendons.tensions)}
}

// moveTo moves the search to another.
func (s *statics) moveTo(p attempt) {
	copy(s.at.rod.Strain, p.strain)
	copy(s.at.tendons.tensions, p.tensions)
	s.at.rod.Update()
	s.at.measure()
}

// most is how many iterations a search may take that no other one follows.
func (s *statics) most() int {
	if s.at.contacts != nil {
		return staticContactCap
	}
	return staticCap
}

// load makes a share of the load act.
func (s *statics) load(share float64) {
	s.at.tendons.share = share
	s.at.rod.ScaleWeight(share)
	s.scaleField(share)
	setLoads(s.at.rod.Loads, &s.constants.Mesh, s.in, share)
}

// solve finds the equilibrium at a share of the load from the present shape, in so many
// iterations at most.
func (s *statics) solve(share float64, most int) error {
	s.load(share)
	method := s.method(most)
	r := method.Solve(s)
	r.Iterations += s.report.Iterations
	r.Chords += s.report.Chords
	r.Rejects += s.report.Rejects
	s.report = r
	switch {
	case r.Cause == integrate.Singular:
		return s.failure(integrate.ErrSingularTangent)
	case r.Cause == integrate.NonFinite:
		return s.failure(integrate.ErrNonFinite)
	case !r.Converged():
		return s.failure(integrate.ErrNotConverged)
	case r.Negative > 0 && s.hasPotential(): // else the symmetric part decides nothing
		return s.failure(ErrUnstableEquilibrium)
	}
	return nil
}

// method is how an equilibrium is found, in so many iterations at most.
func (s *statics) method(most int) integrate.Newton {
	k, l := s.constants.Stiffness, s.constants.Length
	stiffest := s.constants.Stiffest()
	n := integrate.Newton{
		ResidualTol:   max(staticTolerance*k.Bend.X/(l*l), staticRoundoff*stiffest),
		ResidualFloor: staticFloor * stiffest,
		Cap:           most,
	}
	if s.at.contacts != nil || s.at.rod.Slips() || s.at.tendons.grips() {
		n.Backtrack = frictionHalve
	}
	if s.at.contacts != nil {
		n.ResidualFloor = staticContactFloor * stiffest
	}
	return n
}

// failure makes the error of the present iterate.
func (s *statics) failure(cause error) error {
	ratio, gap := s.at.tendons.eulerLoadRatio(s.constants)
	if ratio > buckled && (cause == ErrUnstableEquilibrium || cause == integrate.ErrNotConverged) {
		cause = ErrBuckledBetweenDisks
	}
	at := s.constants.ArcLengths
	worst, _ := s.at.worst()
	return &EquilibriumError{
		Cause: cause, Load: s.at.tendons.share, ArcLength: at[worst],
		Iterations: s.report.Iterations, Residual: s.report.Residual, Negative: s.report.Negative,
		EulerLoadRatio: ratio, Gap: [2]float64{at[gap[0]], at[gap[1]]},
	}
}
