package continuum

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Among walls the energy of a rod has valleys that are narrow, bent and full of kinks, where Newton's
// method gets stuck. There the rod moves to its equilibrium as in time, in steps from rest that inertia
// bounds: a step is a problem that has a solution nearby, walls are met by their law, as in motion, and
// the places where the rod touches are found anew after each. Steps become longer until inertia counts
// for nothing, and Newton's method ends the search.

const (
	// A relaxation begins with steps of firstRelaxing and ends with those of longestRelaxing of the
	// period of the rod, L² √(ρA/EI). pushPeriods is how long those are in which it is pushed in.
	firstRelaxing, longestRelaxing, shortestRelaxing = 1e-2, 1e4, 1e-8
	pushPeriods                                      = 0.1
	// mostRelaxings bounds the steps of a relaxation, mostPushes those of a push from outside.
	mostRelaxings, mostPushes = 200, 4000
	// A search takes at most mostSearched iterations, and those of its last step. Of the equilibria of all tests those that
	// take longest, by relaxation among walls, take 1051, and searches that fail 3161.
	mostSearched = 20_000
	// A step converges as in motion, up to relaxingTolerance (rad), in at most relaxingCap iterations.
	// One of at most calmRelaxing makes the next one longer.
	relaxingTolerance = 1e-4
	relaxingCap       = 30
	calmRelaxing      = 8
	// restingWay is how far, of its length, a rod moves in a step that is as good as at rest.
	restingWay = 1e-6
	// A rod is pushed into walls that are at first as soft as it is, which takes a share softPush/n³
	// of the stiffness for n elements: among them it moves freely.
	softPush = 0.5
	// A push grows by farther, and shrinks by nearer where it fails, down to shortestPush radii.
	farther, nearer, shortestPush = 1.2, 0.6, 1. / 64
)

// errSpent ends a search that has taken mostSearched iterations.
var errSpent = fmt.Errorf("%w: the search took more iterations than the %d that one may", integrate.ErrNotConverged, mostSearched)

// spent reports whether the search has taken all iterations that it may.
func (s *statics) spent() bool { return s.report.Iterations >= mostSearched }

// relax finds the equilibrium from the present shape, unless that is in a wall, as the rod moves there.
func (s *statics) relax() error {
	rod := s.at.rod
	if err := s.at.contacts.CheckInside(rod, 0); err != nil {
		return err
	}
	s.load(1)
	period, tip := s.period(), len(rod.Pose)-1
	dt := firstRelaxing * period
	for range mostRelaxings {
		if s.spent() {
			return s.failure(errSpent)
		}
		before := rod.Pose[tip].P
		iterations, err := s.drift(dt, rod.Base, 0)
		if err != nil {
			if dt /= 4; dt < shortestRelaxing*period {
				return err
			}
			continue
		}
		if iterations <= calmRelaxing {
			dt *= 2
		}
		far := dt > longestRelaxing*period
		if rod.Pose[tip].P.Sub(before).Norm() > restingWay*s.constants.Length && !far {
			continue
		}
		good := s.present()
		s.at.contacts.Rest(rod)
		s.at.measure()
		if err := s.solve(1, staticCap); !isOpen(err) || far {
			return err
		}
		s.moveTo(good)
	}
	return s.failure(integrate.ErrNotConverged)
}

// relaxFromOutside is relax from the stress-free shape, pushed in from outside where that is in a wall.
func (s *statics) relaxFromOutside() error {
	s.straighten()
	if s.at.contacts.CheckInside(s.at.rod, 0) != nil {
		if err := s.pushIn(); err != nil {
			return err
		}
	}
	return s.relax()
}

// explain adds to the error of a search that walls were in the way from the beginning, if they were. The rod
// is stress-free then.
func (s *statics) explain(err error) error {
	s.straighten()
	if in := s.at.contacts.CheckInside(s.at.rod, 0); in != nil {
		return fmt.Errorf("%w; without stress %w", err, in)
	}
	return err
}

// period is a time in which the rod swings, s.
func (s *statics) period() float64 {
	mass, l := 0.0, s.constants.Length
	for i := range s.at.rod.Pose {
		mass += s.at.rod.Mass(i)
	}
	return math.Sqrt(mass * l * l * l / s.constants.Stiffness.Bend.X)
}

// drift lets the rod move for dt seconds from rest, while the base moves to a pose, and returns the number of
// iterations. It tries at first the shape that has slid ahead so far along itself. Where no solution is found, or
// one beyond a wall, the rod is as before.
func (s *statics) drift(dt float64, to spatial.Pose, ahead float64) (iterations int, err error) {
	rod, c := s.at.rod, s.at.contacts
	from, before := rod.Base, s.present()
	c.Rest(rod)
	rod.BeginRelaxing(dt, s.at.tendons.dropped(rod.Pose))
	rod.Base = to
	s.slide(ahead)
	rod.Update()
	s.at.measure()
	method := integrate.Newton{Tol: relaxingTolerance, Cap: relaxingCap, Backtrack: frictionHalve}
	s.relaxes = true
	r := method.Solve(s)
	s.relaxes = false
	s.report.Iterations += r.Iterations
	s.report.Rejects += r.Rejects
	switch r.Cause {
	case integrate.Converged:
		if err = c.CheckSpeed(0); err == nil {
			err = c.CheckInside(rod, 0)
		}
	case integrate.Singular:
		err = s.failure(integrate.ErrSingularTangent)
	case integrate.NonFinite:
		err = s.failure(integrate.ErrNonFinite)
	default:
		err = s.failure(integrate.ErrNotConverged)
	}
	rod.BeginStatic()
	if err != nil {
		rod.Base = from
		s.moveTo(before)
	}
	return r.Iterations, err
}

// slide moves the curvatures toward the base, so far along the rod that its shape stays where it is in space
// when the base advances as much. What comes out at the tip is stress-free.
func (s *statics) slide(ahead float64) {
	if ahead == 0 {
		return
	}
	rod, at, length := s.at.rod, s.constants.ArcLengths, s.constants.Lengths
	for e, k := 0, 0; e < len(length); e++ {
		from, to := at[e]+ahead, at[e+1]+ahead
		rest := max(0, to-max(from, at[len(length)]))
		sum := rod.StressFree(e).Angular.Scale(rest / length[e])
		for k < len(length) && at[k+1] <= from {
			k++
		}
		for j := k; j < len(length) && at[j] < to; j++ {
			part := min(to, at[j+1]) - max(from, at[j])
			sum = sum.AddScaled(part/length[j], rod.Strain[j].Angular) // of elements further on, not slid yet
		}
		rod.Strain[e].Angular = sum
	}
}

// pushIn takes the stress-free rod, which is in a wall, to where it is when its base comes in along its axis, without
// load, from where the rod is in no wall: as a wire comes into a vessel. Without success it is as before.
func (s *statics) pushIn() error {
	c, rod := s.at.contacts, s.at.rod
	if err := c.CheckBase(rod, 0); err != nil { // which no push moves
		return err
	}
	if len(c.Stations) == 0 { // it is in itself
		return c.CheckInside(rod, 0)
	}
	s.load(0)
	home, start, radius := rod.Base, s.present(), c.Stations[0].Radius
	behind := func(way float64) spatial.Pose {
		return spatial.Pose{R: home.R, P: home.P.AddScaled(-way, home.R.Col3())}
	}
	left := 0.0
	err := c.CheckInside(rod, 0)
	for ; err != nil && left < s.constants.Length; err = c.CheckInside(rod, 0) {
		left += radius
		rod.Base = behind(left)
		s.moveTo(start)
	}
	if err == nil {
		err = s.push(left, radius, behind)
	}
	if err != nil {
		rod.Base = home
		s.moveTo(start)
	}
	return err
}

// push moves the base from so far behind to where it belongs.
func (s *statics) push(left, radius float64, behind func(float64) spatial.Pose) error {
	c, n := s.at.contacts, float64(len(s.at.rod.Strain))
	dt, soft := pushPeriods*s.period(), min(1, softPush/(n*n*n))
	defer c.Soften(1)
	c.Soften(soft)
	stiffen := func() {
		soft = min(1, stiffening*soft)
		c.Soften(soft)
	}
	for step, tries := radius, 0; left > 0; tries++ {
		if s.spent() {
			return s.failure(errSpent)
		}
		next := max(0, left-step)
		_, err := s.drift(dt, behind(next), left-next)
		switch {
		case err == nil:
			left = next
			step *= farther
		case errors.Is(err, contact.ErrInsideWall) && soft < 1:
			stiffen()
		case step > shortestPush*radius && tries < mostPushes:
			step *= nearer
		default:
			return err
		}
	}
	for soft < 1 {
		stiffen()
		if _, err := s.drift(dt, behind(0), 0); err != nil {
			return err
		}
	}
	return nil
}
