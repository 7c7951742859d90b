package microrobot

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// beginFilm decides how the film is taken in the substep of h seconds from t that begins
// at x.
func (m *inertialMotion) beginFilm(t, h float64, x *integrate.Motion) {
	r, s, f := m.robot, m.body, &m.film
	rot := x.Q.Rot()
	v := toWorld(&rot, x.V)
	f.mode, f.push = filmFollowed, spatial.Wrench{}
	near := r.nearResistance(x.P)
	ahead := r.nearResistance(x.P.AddScaled(h, v.Linear)) // a wall may be reached within the substep
	most := math.Max(m.excess(&near), m.excess(&ahead))
	switch {
	case s.decayRate*most*h <= substepShare:
	case s.implicit:
		f.mode, f.frozen = filmFrozen, near
	default:
		load := loads{m}.Wrench(t, *x)
		total := near.Rotated(rot.T())
		dv := s.velocityChange(h, &total, load, r.body.Shape.Radius)
		f.mode = filmPredicted
		f.push = m.push(t, x, &rot, dv)
	}
}

// endFilm corrects the motion x, at which the stages of the substep of h seconds from t
// have ended, by what the prediction was off: a backward Euler step of the velocity, and
// the place that the mean of the velocities leads to. A steady motion is predicted exactly;
// where the sphere speeds up or slows down, the error is of first order.
func (m *inertialMotion) endFilm(t, h float64, x *integrate.Motion) {
	if m.film.mode != filmPredicted {
		return
	}
	rot := x.Q.Rot()
	off := m.push(t+h, x, &rot, spatial.Twist{})
	off.Force, off.Moment = off.Force.Sub(m.film.push.Force), off.Moment.Sub(m.film.push.Moment)
	added := m.added(x.P).Rotated(rot.T())
	load := spatial.Wrench{Force: rot.ApplyT(off.Force), Moment: rot.ApplyT(off.Moment)}
	dv := m.body.velocityChange(h, &added, load, m.robot.body.Shape.Radius)
	x.V = addTwists(x.V, dv)
	x.P = x.P.AddScaled(h/2, rot.Apply(dv.Linear))
	x.Q = x.Q.Mul(spatial.ExpQuat(dv.Angular.Scale(h / 2))).Normalized()
}

// push returns the load of what walls add to the resistance on the sphere at x with its
// velocity changed by dv (body axes), world axes.
func (m *inertialMotion) push(t float64, x *integrate.Motion, rot *spatial.Mat3, dv spatial.Twist) spatial.Wrench {
	slip := m.slip(t, x.P, rot, addTwists(toWorld(rot, x.V), toWorld(rot, dv)))
	added := m.added(x.P)
	drag := added.Apply(slip)
	return spatial.Wrench{Force: drag.Force.Neg(), Moment: drag.Moment.Neg()}
}

// added returns what walls add to the resistance of the sphere at p, world axes.
func (m *inertialMotion) added(p spatial.Vec) stokes.Resistance {
	return m.robot.nearResistance(p).Add(m.robot.body.Resistance.Scale(-1)) // of a sphere, the same in all axes
}

// excess bounds how many times the resistance far from walls near is.
func (m *inertialMotion) excess(near *stokes.Resistance) float64 {
	free := &m.robot.body.Resistance
	return math.Max(near.Trans.Trace()/free.Trans.XX, near.Rot.Trace()/free.Rot.XX)
}
