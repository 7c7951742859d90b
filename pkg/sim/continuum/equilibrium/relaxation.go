package equilibrium

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Among walls the energy of a rod has valleys that are narrow, bent and full of kinks, where Newton's
// method gets stuck. There pseudo-transient continuation takes the rod to its equilibrium: steps in time from rest, bounded by
// inertia. A step is a problem that has a solution nearby, walls act by their law, as in motion, and contacts are found anew after
// each. Steps become longer until inertia is negligible, and Newton's method ends the search.

const (
	// The continuation begins with steps of firstStep and ends with those of longestStep of the period of the rod,
	// L² √(ρA/EI). Steps that fail become shorter, down to shortestStep.
	firstStep, longestStep, shortestStep = 1e-2, 1e4, 1e-8
	// A step converges as in motion, up to transientTolerance (rad), in at most transientCap iterations. One of at most
	// easyStep makes the next one longer.
	transientTolerance = 1e-4
	transientCap       = 30
	easyStep           = 8
	// restDistance is how far, in lengths of the rod, its tip moves in a step that is as good as at rest.
	restDistance = 1e-6
	// energyRoundoff is the share of the energy that round-off may add.
	energyRoundoff = 1e-12

	// An insertion takes steps of insertionPeriods of the period of the rod, into walls that are at first as soft as the rod
	// is, which takes a share softInsertion/n³ of the stiffness for n elements: among them it moves freely.
	insertionPeriods = 0.1
	softInsertion    = 0.5
	// The steps grow by insertionGrowth, and shrink by insertionShrink where they fail, down to shortestInsertion radii.
	insertionGrowth, insertionShrink, shortestInsertion = 1.2, 0.6, 1. / 64
	maxInsertions                                       = 4000
)

// tryPseudoTransient finds the equilibrium from the present shape, unless that is in a wall.
func (s *Solver) tryPseudoTransient() error {
	q := s.system
	if err := s.checkInside(); err != nil {
		return err
	}
	s.setLoadFactor(1)
	period, tip := s.period(), len(q.Rod.Pose)-1
	dt := firstStep * period
	for !s.isSpent() {
		before, start, energy := q.Rod.Pose[tip].P, q.Present(), q.Merit()
		iterations, _, err := s.stepTransient(dt, q.Rod.Base, 0)
		if err == nil && q.HasPotential() && q.Merit() > energy+energyRoundoff*math.Abs(energy) { // so long a step may lead back to a saddle
			err = s.failure(integrate.ErrNotConverged)
			q.MoveTo(start)
		}
		if err != nil {
			if dt /= 4; dt < shortestStep*period {
				return err
			}
			continue
		}
		if iterations <= easyStep {
			dt *= 2
		}
		long := dt > longestStep*period
		if q.Rod.Pose[tip].P.Sub(before).Norm() > restDistance*s.mesh.Length && !long {
			continue
		}
		good, left := q.Present(), len(s.left)
		q.CommitAtRest()
		q.UpdateKinematics()
		if err := s.solve(1, newtonCap); !isOpen(err) || long {
			return err
		}
		if len(s.left) > left { // from rest on a saddle a motion begins anew
			good, dt = s.departure, firstStep*period
		}
		q.MoveTo(good)
	}
	return s.failure(errSpent)
}

// tryInsertion is tryPseudoTransient from the stress-free shape, inserted from outside where that is in a wall.
func (s *Solver) tryInsertion() error {
	s.straighten()
	if s.isInside() {
		if err := s.insertStraight(); err != nil {
			return err
		}
	}
	return s.tryPseudoTransient()
}

// period is a time in which the rod swings, s.
func (s *Solver) period() float64 {
	mass, l := 0.0, s.mesh.Length
	for i := range s.system.Rod.Pose {
		mass += s.system.Rod.NodeMass(i)
	}
	return math.Sqrt(mass * l * l * l / s.mesh.Stiffness.Bend.X)
}

// stepTransient takes a step of dt seconds from rest, in which the base moves to a pose, and returns the number of iterations. It
// begins at the shape that has slid forward so far along itself. Where no solution is found, or one inside a wall, the rod is as
// before.
func (s *Solver) stepTransient(dt float64, to spatial.Pose, forward float64) (iterations int, inside bool, err error) {
	q := s.system
	state := q.Rod
	from, before := state.Base, q.Present()
	q.CommitAtRest()
	state.BeginPseudoTransient(dt, q.Extra())
	state.Base = to
	s.slide(forward)
	state.UpdateKinematics()
	q.UpdateKinematics()
	method := integrate.Newton{Tol: transientTolerance, Cap: transientCap, Backtrack: kinkBacktrack, MeritScale: s.meritScale()}
	s.transient = true
	r := method.Solve(s)
	s.transient = false
	s.report.Iterations += r.Iterations
	s.report.Rejects += r.Rejects
	switch r.Cause {
	case integrate.Converged:
		for _, o := range q.Obstacles() {
			if err = o.CheckSpeed(0); err != nil {
				break
			}
		}
		if err == nil {
			err = s.checkInside()
			inside = err != nil
		}
	case integrate.Singular:
		err = s.failure(integrate.ErrSingularTangent)
	case integrate.NonFinite:
		err = s.failure(integrate.ErrNonFinite)
	default:
		err = s.failure(integrate.ErrNotConverged)
	}
	state.BeginStatic()
	if err != nil {
		state.Base = from
		q.MoveTo(before)
	}
	return r.Iterations, inside, err
}

// slide moves the curvatures toward the base, so far along the rod that its shape stays where it is in space when the base advances as
// much. What comes out at the tip is stress-free.
func (s *Solver) slide(forward float64) {
	if forward == 0 {
		return
	}
	state, at, length := s.system.Rod, s.mesh.ArcLengths, s.mesh.Lengths
	for e, k := 0, 0; e < len(length); e++ {
		from, to := at[e]+forward, at[e+1]+forward
		rest := max(0, to-max(from, at[len(length)]))
		sum := state.RestStrain(e).Angular.Scale(rest / length[e])
		for k < len(length) && at[k+1] <= from {
			k++
		}
		for j := k; j < len(length) && at[j] < to; j++ {
			part := min(to, at[j+1]) - max(from, at[j])
			sum = sum.AddScaled(part/length[j], state.Strain[j].Angular) // of elements further on, which have not slid yet
		}
		state.Strain[e].Angular = sum
	}
}

// insertStraight takes the stress-free rod, which is in a wall, to where it is when its base comes in along its axis, without load,
// from where the rod is in no wall: as a wire comes into a vessel. Without success it is as before.
func (s *Solver) insertStraight() error {
	q := s.system
	radius := 0.0
	for _, o := range q.Obstacles() {
		if err := o.CheckBasePenetration(q.Rod, 0); err != nil { // which no insertion moves
			return err
		}
		radius = max(radius, o.Radius())
	}
	if radius == 0 { // it is in itself
		return s.checkInside()
	}
	s.setLoadFactor(0)
	home, start := q.Rod.Base, q.Present()
	behind := func(way float64) spatial.Pose {
		return spatial.Pose{R: home.R, P: home.P.AddScaled(-way, home.R.Col3())}
	}
	left := 0.0
	err := s.checkInside()
	for ; err != nil && left < s.mesh.Length; err = s.checkInside() {
		left += radius
		q.Rod.Base = behind(left)
		q.MoveTo(start)
	}
	if err == nil {
		err = s.insert(left, radius, behind)
	}
	if err != nil {
		q.Rod.Base = home
		q.MoveTo(start)
	}
	return err
}

// insert moves the base from so far behind to where it belongs.
func (s *Solver) insert(left, radius float64, behind func(float64) spatial.Pose) error {
	n := float64(len(s.system.Rod.Strain))
	dt, soft := insertionPeriods*s.period(), min(1, softInsertion/(n*n*n))
	defer s.setStiffness(1)
	s.setStiffness(soft)
	stiffen := func() {
		soft = min(1, stiffening*soft)
		s.setStiffness(soft)
	}
	for step, tries := radius, 0; left > 0; tries++ {
		if s.isSpent() {
			return s.failure(errSpent)
		}
		next := max(0, left-step)
		_, inside, err := s.stepTransient(dt, behind(next), left-next)
		switch {
		case err == nil:
			left = next
			step *= insertionGrowth
		case inside && soft < 1:
			stiffen()
		case step > shortestInsertion*radius && tries < maxInsertions:
			step *= insertionShrink
		default:
			return err
		}
	}
	for soft < 1 {
		stiffen()
		if _, _, err := s.stepTransient(dt, behind(0), 0); err != nil {
			return err
		}
	}
	return nil
}
