package strain

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// LevelIncrement is a change of poses and velocities of the nodes at one time level, node 1 first.
// Poses change by body increments, velocities by m/s in world axes and rad/s in body axes.
type LevelIncrement struct{ Pose, Velocity []spatial.Vec6 }

// HasTwoLevelState reports whether poses and velocities of the nodes, now and one step before, are
// the whole state of the rod: it has no history-dependent material, no eccentric masses, and no
// slopes in its state.
func (s *State) HasTwoLevelState() bool {
	return s.opt.Branches == nil && s.opt.JenkinsElements == nil && len(s.eccentric.bodies) == 0 && !(s.rod.Order == 4 && s.hasSlopeState())
}

// AddLevelIncrements changes the present level and the one before. The poses of the base stay. The
// rates of the tangents of elements of order 4 change with the angular velocities.
func (s *State) AddLevelIncrements(now, before *LevelIncrement) {
	last := s.Pose[0]
	was := spatial.Pose{R: last.R.Mul(spatial.ExpRot(s.past.rotation[0].Neg())), P: s.past.pos[0]}
	rested := true // no increment of node e at either level
	for e := range s.Strain {
		i := e + 1
		at := s.Pose[i]
		then := spatial.Pose{R: at.R.Mul(spatial.ExpRot(s.past.rotation[i].Neg())), P: s.past.pos[i]}
		rests := now.Pose[e] == (spatial.Vec6{}) && before.Pose[e] == (spatial.Vec6{})
		if !rests {
			at, then = applyBodyIncrement(at, &now.Pose[e]), applyBodyIncrement(then, &before.Pose[e])
		}
		v, w := &now.Velocity[e], &before.Velocity[e]
		omega, pastOmega := s.omega[i].Add(v.Angular()), s.past.omega[i].Add(w.Angular())
		s.moveTangentRates(i, &at.R, &then.R, omega, pastOmega)
		if !rests {
			s.past.pos[i], s.past.rotation[i] = then.P, then.R.TMul(at.R).Log()
		}
		if !rests || !rested {
			s.Strain[e], s.past.strain[e] = last.Inv().Mul(at).Log(), was.Inv().Mul(then).Log()
		}
		s.vel[i], s.omega[i] = s.vel[i].Add(v.Linear()), omega
		s.past.vel[i], s.past.omega[i] = s.past.vel[i].Add(w.Linear()), pastOmega
		last, was, rested = at, then, rests
	}
	s.UpdatePoses()
}

func applyBodyIncrement(g spatial.Pose, by *spatial.Vec6) spatial.Pose {
	return g.Mul(spatial.Exp(spatial.Twist{Linear: by.Linear(), Angular: by.Angular()}))
}

// VelocityIncrement returns the first-order change of the velocity of node i at the end of the
// present step with formula f. end, now and before are the body increments of the node at the end
// of the step, at its start and at the level before. The result is in m/s in world axes and rad/s
// in body axes.
func (s *State) VelocityIncrement(f *integrate.BDF, i int, end, now, before *spatial.Vec6) spatial.Vec6 {
	turn, last, r := s.stepRotation[i], s.past.rotation[i], &s.frozen.rot[i]
	was := r.Mul(spatial.ExpRot(last.Neg()))
	v := s.Pose[i].R.Apply(end.Linear()).Sub(f.Hat(r.Apply(now.Linear()), was.Apply(before.Linear())))
	d := rotationIncrement(turn, end, now).Sub(f.HatStep(rotationIncrement(last, now, before)))
	return spatial.Vec6Of(v.Scale(f.Gamma), d.Scale(f.Gamma))
}

// rotationIncrement returns the change of the rotation vector turn between two levels with the body
// increments of the node at both.
func rotationIncrement(turn spatial.Vec, next, level *spatial.Vec6) spatial.Vec {
	a, b := spatial.RightJacobianInv(turn), spatial.LeftJacobianInv(turn)
	return a.Apply(next.Angular()).Sub(b.Apply(level.Angular()))
}
