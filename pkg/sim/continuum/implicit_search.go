package continuum

import (
	"errors"

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
	// mostLagged is how many tangents leave out how friction that slips follows the bend.
	mostLagged = 5
)

// search finds the equilibrium under in: in one load step from the present shape,
// else in several from the stress-free one.
func (s *statics) search(in *inputs) error {
	s.begin(in)
	err := s.unbend()
	if err != nil {
		err = s.pushOut(1)
		if err == nil {
			err = s.solve(1, s.most())
		}
	}
	if err != nil && !errors.Is(err, ErrUnstableEquilibrium) {
		err = s.loadStepwise(1. / 2)
	}
	s.at.tendons.share = 1
	s.at.measure()
	s.at.rod.ScaleWeight(1)
	s.scaleField(1)
	if s.leads && err == nil {
		s.keep()
	}
	if s.derives && err == nil {
		s.jacobian, err = s.differentiate()
	}
	return err
}

// unbend finds the equilibrium of a rod that is deep inside a wall from where it is not bent, which
// is where a precurved rod in an introducer is not in its wall. Without success the rod is as before.
func (s *statics) unbend() error {
	c := s.at.contacts
	if c == nil || c.CheckInside(s.at.rod, 0) == nil {
		return errNotInside
	}
	before := s.shape()
	for e := range s.at.rod.Strain {
		s.at.rod.Strain[e].Angular = spatial.Vec{}
	}
	s.at.rod.Update()
	s.at.measure()
	err := c.CheckInside(s.at.rod, 0)
	if err == nil {
		err = s.solve(1, s.most())
	}
	if err != nil {
		s.setShape(before)
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
		next := min(1, done+step)
		if next > 1-smallest/2 {
			next = 1
		}
		good := s.shape()
		most := staticCap
		if step/2 < smallest {
			most = s.most()
		}
		if err := s.solve(next, most); err != nil {
			if step /= 2; step < smallest {
				return err
			}
			s.setShape(good)
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

// shape and setShape save and restore the strains.
func (s *statics) shape() []spatial.Twist {
	return append([]spatial.Twist(nil), s.at.rod.Strain...)
}

func (s *statics) setShape(x []spatial.Twist) {
	copy(s.at.rod.Strain, x)
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

// solve finds the equilibrium at a share of the load from the present shape, in so many
// iterations at most.
func (s *statics) solve(share float64, most int) error {
	s.at.tendons.share = share
	s.at.rod.ScaleWeight(share)
	s.scaleField(share)
	setLoads(s.at.rod.Loads, &s.constants.Mesh, s.in, share)
	method := s.method(most)
	r := method.Solve(s)
	r.Iterations += s.report.Iterations
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

// scaleField multiplies what the field does to magnets.
func (s *statics) scaleField(share float64) {
	if m := s.at.linear.magnets; m != nil {
		m.Share = share
		s.at.rod.Reload()
	}
}

// failure makes the error of the present iterate.
func (s *statics) failure(cause error) error {
	ratio, gap := s.at.tendons.eulerLoadRatio(s.constants)
	if ratio > buckled && (cause == ErrUnstableEquilibrium || cause == integrate.ErrNotConverged) {
		cause = ErrBuckledBetweenDisks
	}
	at := s.constants.ArcLengths
	return &EquilibriumError{
		Cause: cause, Load: s.at.tendons.share,
		Iterations: s.report.Iterations, Residual: s.report.Residual, Negative: s.report.Negative,
		EulerLoadRatio: ratio, Gap: [2]float64{at[gap[0]], at[gap[1]]},
	}
}
