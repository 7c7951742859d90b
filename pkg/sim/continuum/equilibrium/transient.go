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
	// The first step is firstStep of the period of the rod, L² √(ρA/EI): inertia then bounds it to a small share of the length.
	firstStep = 1e-2
	// A step converges as in motion, up to transientTolerance (rad).
	transientTolerance = 1e-4
	// restDistance is how far, in lengths of the rod, its tip moves in a step, of at least a period, that is as good as at rest.
	restDistance = 1e-6
	// In steps of longestStep periods, inertia is round-off.
	longestStep = 1e4
	// insertionStep is the step of an insertion, in periods: so short that inertia keeps the rod from folding.
	insertionStep = 0.1
)

// stepControl is the length of the steps of a continuation: halved where one fails, doubled where one was easy.
type stepControl struct{ length, shortest float64 }

const (
	// nearbyCap bounds the iterations from a point beside the solution, as in a step; a step of at most easyStep makes the next one longer.
	nearbyCap, easyStep = 30, 8
	// smallestShare is that of the first step below which steps make no way.
	smallestShare = 1e-6
)

func newStepControl(first float64) stepControl { return stepControl{first, smallestShare * first} }

// succeed takes how many iterations a step took.
func (c *stepControl) succeed(iterations int) {
	if iterations <= easyStep {
		c.length *= 2
	}
}

// fail reports whether a shorter step is worth a trial.
func (c *stepControl) fail() bool {
	c.length /= 2
	return c.length >= c.shortest
}

// tryPseudoTransient finds the equilibrium from the present shape, unless that is in a wall.
func (s *Solver) tryPseudoTransient() error {
	q := s.system
	if err := s.checkInside(); err != nil {
		return err
	}
	s.setLoadFactor(1)
	period, tip, descent := s.period(), len(q.State.Pose)-1, s.method(0)
	for dt := newStepControl(firstStep * period); !s.isExhausted(); {
		start, energy, before := q.Present(), q.Merit(), q.State.Pose[tip].P
		iterations, _, err := s.stepTransient(dt.length, q.State.Base, 0)
		if err == nil && q.HasPotential() && descent.Rises(q.Merit(), energy) { // so long a step may lead back to a saddle
			err = s.failure(integrate.ErrNotConverged)
			q.MoveTo(start)
		}
		if err != nil {
			if !dt.fail() {
				return err
			}
			continue
		}
		long := dt.length > longestStep*period
		resting := dt.length > period && q.State.Pose[tip].P.Sub(before).Norm() < restDistance*s.mesh.Length
		dt.succeed(iterations)
		if !long && !resting {
			continue
		}
		good, escaped := q.Present(), len(s.escaped)
		q.CommitAtRest()
		q.UpdateKinematics()
		if err := s.solve(1, newtonCap); !isInconclusive(err) || long {
			return err
		}
		if len(s.escaped) > escaped { // the motion restarts from rest behind the saddle
			good, dt = s.escapePoint, newStepControl(firstStep*period)
		}
		q.MoveTo(good)
	}
	return s.failure(errExhausted)
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
	for i := range s.system.State.Pose {
		mass += s.system.State.NodeMass(i)
	}
	return math.Sqrt(mass * l * l * l / s.mesh.Stiffness.Bend.X)
}

// stepTransient takes a step of dt seconds from rest, in which the base moves to a pose, and returns the number of iterations. It
// begins at the shape that has slid forward so far along itself. Where no solution is found, or one inside a wall, the rod is as
// before.
func (s *Solver) stepTransient(dt float64, to spatial.Pose, forward float64) (iterations int, inside bool, err error) {
	q := s.system
	state := q.State
	from, before := state.Base, q.Present()
	q.CommitAtRest()
	state.BeginPseudoTransient(dt, q.Extra())
	state.Base = to
	s.slide(forward)
	state.UpdateKinematics()
	q.UpdateKinematics()
	method := integrate.Newton{Tol: transientTolerance, Cap: nearbyCap, Backtrack: kinkBacktrack, MeritScale: s.system.BendingEnergy()}
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
	state, at, length := s.system.State, s.mesh.ArcLengths, s.mesh.Lengths
	for e, k := 0, 0; e < len(length); e++ {
		from, to := at[e]+forward, at[e+1]+forward
		outside := max(0, to-max(from, at[len(length)])) // length beyond the tip
		sum := state.RestStrain(e).Angular.Scale(outside / length[e])
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
		if err := o.CheckBasePenetration(q.State, 0); err != nil { // which no insertion moves
			return err
		}
		radius = max(radius, o.Radius())
	}
	if radius == 0 { // it is in itself
		return s.checkInside()
	}
	s.setLoadFactor(0)
	home, start := q.State.Base, q.Present()
	behind := func(way float64) spatial.Pose {
		return spatial.Pose{R: home.R, P: home.P.AddScaled(-way, home.R.Col3())}
	}
	remaining := 0.0
	err := s.checkInside()
	for ; err != nil && remaining < s.mesh.Length; err = s.checkInside() {
		remaining += radius
		q.State.Base = behind(remaining)
		q.MoveTo(start)
	}
	if err == nil {
		err = s.insert(remaining, radius, behind)
	}
	if err != nil {
		q.State.Base = home
		q.MoveTo(start)
	}
	return err
}

// insert moves the base from so far behind to where it belongs.
func (s *Solver) insert(remaining, radius float64, behind func(float64) spatial.Pose) error {
	dt, stiffness := insertionStep*s.period(), s.initialWallStiffness()
	defer s.setStiffness(1)
	s.setStiffness(stiffness)
	stiffen := func() {
		stiffness = min(1, wallStiffnessGrowth*stiffness)
		s.setStiffness(stiffness)
	}
	for step := newStepControl(radius); remaining > 0; {
		if s.isExhausted() {
			return s.failure(errExhausted)
		}
		next := max(0, remaining-step.length)
		iterations, inside, err := s.stepTransient(dt, behind(next), remaining-next)
		switch {
		case err == nil:
			remaining = next
			step.succeed(iterations)
		case inside && stiffness < 1:
			stiffen()
		case !step.fail():
			return err
		}
	}
	for stiffness < 1 {
		stiffen()
		if _, _, err := s.stepTransient(dt, behind(0), 0); err != nil {
			return err
		}
	}
	return nil
}
