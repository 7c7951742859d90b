package strain

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// LevelIncrement is a change of poses and velocities of the nodes at one time level, node 1 first, or node 0 where the start is free.
// Poses change by body increments, velocities by m/s in world axes and rad/s in body axes.
type LevelIncrement struct{ Pose, Velocity []spatial.Vec6 }

// HasTwoLevelState reports whether poses and velocities of the nodes, now and one step before, are
// the whole state of the rod: it has no history-dependent material, no eccentric masses, and no
// slopes in its state.
func (s *State) HasTwoLevelState() bool {
	return s.opt.Branches == nil && s.opt.JenkinsElements == nil && len(s.eccentric.bodies) == 0 && !(s.rod.Order == 4 && s.hasSlopeState())
}

// AddLevelIncrements changes the present level and the one before. The pose of a prescribed start stays. The
// rates of the tangents of elements of order 4 change with the angular velocities.
func (s *State) AddLevelIncrements(now, before *LevelIncrement) {
	last, was := s.Pose[0], s.PoseBefore(0)
	rested := true // no increment of the node before at either level
	for i := s.first; i < len(s.Pose); i++ {
		k := i - s.first
		at, then := s.Pose[i], s.PoseBefore(i)
		rests := now.Pose[k] == (spatial.Vec6{}) && before.Pose[k] == (spatial.Vec6{})
		if !rests {
			at, then = at.AddIncrement(&now.Pose[k]), then.AddIncrement(&before.Pose[k])
		}
		v, w := &now.Velocity[k], &before.Velocity[k]
		omega, pastOmega := s.omega[i].Add(v.Angular()), s.past.omega[i].Add(w.Angular())
		s.moveTangentRates(i, &at.R, &then.R, omega, pastOmega)
		if !rests {
			s.past.pos[i], s.past.rotation[i] = then.P, then.R.TMul(at.R).Log()
		}
		if i == 0 {
			s.Base = at
		} else if !rests || !rested {
			s.Strain[i-1], s.past.strain[i-1] = last.Inv().Mul(at).Log(), was.Inv().Mul(then).Log()
		}
		s.vel[i], s.omega[i] = s.vel[i].Add(v.Linear()), omega
		s.past.vel[i], s.past.omega[i] = s.past.vel[i].Add(w.Linear()), pastOmega
		last, was, rested = at, then, rests
	}
	s.UpdatePoses()
}

// PoseBefore returns the pose of node i at the level before the present one.
func (s *State) PoseBefore(i int) spatial.Pose {
	return spatial.Pose{R: s.Pose[i].R.Mul(spatial.ExpRot(s.past.rotation[i].Neg())), P: s.past.pos[i]}
}

// VelocityIncrement returns the first-order change of the velocity of node i at the end of the
// present step with formula f. end, now and before are the body increments of the node at the end
// of the step, at its start and at the level before. The result is in m/s in world axes and rad/s
// in body axes.
func (s *State) VelocityIncrement(f *integrate.BDF, i int, end, now, before *spatial.Vec6) spatial.Vec6 {
	last, r := s.past.rotation[i], &s.frozen.rot[i]
	was := r.Mul(spatial.ExpRot(last.Neg()))
	v := s.Pose[i].R.Apply(end.Linear()).Sub(f.Hat(r.Apply(now.Linear()), was.Apply(before.Linear())))
	return spatial.Vec6Of(v.Scale(f.Gamma), f.TurnRateIncrement(s.stepRotation[i], last, end.Angular(), now.Angular(), before.Angular()))
}
