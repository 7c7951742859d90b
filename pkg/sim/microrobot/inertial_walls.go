package microrobot

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// stiffContact is the substep, over the time in which drag slows the body, above which
// impulses at walls are lost to drag within the substep: contact is then of first order.
const stiffContact = 1.0

// leastShare is the shortest substep among walls, of solver.step_s: shorter ones would
// follow the error of implicit steps instead of the body.
const leastShare = 1e-2

// amongWalls moves the body by h seconds, as overdampedMotion.amongWalls does: substeps
// that may touch a wall are as short as two of half the length take to agree with one.
// It returns as what the stepper left the body.
func (e *inertial) amongWalls(t, h float64, x *integrate.Motion, solves *solveCounts) (stepped integrate.Motion, err error) {
	r := e.motion.robot
	done, step, least := 0.0, h, leastShare*r.file.Solver.Step
	for range maxResolved {
		step = math.Min(step, h-done)
		from := *x
		e.stepper.Save(e.whole)
		if stepped, err = e.touch(t+done, step, x, solves); err != nil {
			return stepped, err
		}
		if share := r.reachable(&from.Placement, &x.Placement); share < 1 {
			*x = from
			e.stepper.Restore(e.whole, from)
			step *= math.Max(0.1, 0.9*share)
			continue
		}
		off := 0.0
		if r.mayCollide(&from.Placement, &x.Placement) {
			e.stepper.Restore(e.whole, from)
			e.half = from
			if _, err = e.touch(t+done, step/2, &e.half, solves); err != nil {
				return stepped, err
			}
			if stepped, err = e.touch(t+done+step/2, step/2, &e.half, solves); err != nil {
				return stepped, err
			}
			faster := subTwists(e.half.V, x.V)
			off = math.Max(r.difference(&e.half.Placement, &x.Placement),
				h*math.Max(faster.Linear.Norm()/r.size, faster.Angular.Norm())) / r.wallTolerance()
			*x = e.half
		}
		switch {
		case !x.IsFinite():
			return stepped, integrate.ErrNonFinite
		case off > 1 && step > least:
			*x = from
			e.stepper.Restore(e.whole, from)
		default:
			if done += step; done >= h*(1-substepRoundoff) {
				return stepped, nil
			}
		}
		step = math.Max(least, step*math.Min(4, math.Max(0.1, 0.9/math.Sqrt(off))))
	}
	return stepped, &WallError{Time: e.motion.env.start}
}

// touch moves the body by h seconds. Where that brings it into a wall, an impulse at the
// start keeps it out, and one at the end takes the velocity into the wall away: constraints
// on position and velocity as those of RATTLE (Andersen, J. Comput. Phys. 52 (1983) 24),
// with impulses that push only, without friction and without rebound. An impact for which
// the first impulse is too much has the second one alone, which never adds energy.
func (e *inertial) touch(t, h float64, x *integrate.Motion, solves *solveCounts) (stepped integrate.Motion, err error) {
	const (
		rounds  = 5
		inside  = -1e-12 // gap over half the extent: round-off
		closing = 1.0    // s
	)
	m, walls := &e.motion, e.motion.robot.walls
	from := *x
	e.stepper.Save(e.part)
	if stepped, err = e.substep(t, h, x, solves); err != nil {
		return stepped, err
	}
	rot := x.Q.Rot()
	hull := m.robot.hull(&rot)
	if walls.Gap(x.P, &hull) >= 0 {
		return stepped, nil
	}
	free, left := *x, stepped
	begin := from.Q.Rot()
	footing := stokes.ContactReference{Position: from.P, Hull: m.robot.hull(&begin), Mobility: m.body.invMass.Rotated(begin)}
	push := walls.Prevent(&footing, x.P, &hull, h)
	*x = from
	x.V = addTwists(x.V, toBody(&begin, push))
	e.stepper.Restore(e.part, from)
	e.stepper.Restart()
	if stepped, err = e.substep(t, h, x, solves); err != nil {
		return stepped, err
	}
	if most := m.body.body.KineticEnergy(free); !(m.body.body.KineticEnergy(*x) <= most) {
		*x, stepped = free, left // the wall does no work: it takes up the impact at the end
	}
	for range rounds {
		rot = x.Q.Rot()
		hull = m.robot.hull(&rot)
		if walls.Gap(x.P, &hull) >= inside*m.robot.size {
			break
		}
		invMass := m.body.invMass.Rotated(rot)
		out := walls.Restrain(x.P, &hull, &invMass, spatial.Twist{}, closing)
		x.P = x.P.Add(out.Linear)
		x.Q = spatial.ExpQuat(out.Angular).Mul(x.Q).Normalized()
	}
	x.P = walls.PushOut(x.P, &hull)
	x.V = toBody(&rot, m.react(x.P, &rot, &hull, toWorld(&rot, x.V)))
	e.stepper.Restart()
	return stepped, nil
}
