package microrobot

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// inertialMotion computes what acts on a body with inertia during one step: the
// external loads, the drag of the fluid and walls.
type inertialMotion struct {
	robot *Robot
	body  *rigidBody
	env   *externalLoads
	film  film
}

// film is the fluid between a sphere and walls near it. Its resistance grows without bound
// toward contact, faster than any step can follow; how it is taken is decided substep by
// substep.
type film struct {
	mode   filmMode
	frozen stokes.Resistance // resistance of the substep, for filmFrozen; world axes
	push   spatial.Wrench    // load by what walls add to the resistance, for filmPredicted; world axes
}

// filmMode is the source of the resistance of a substep.
type filmMode uint8

const (
	// filmFollowed takes it at every stage where the sphere is then.
	filmFollowed filmMode = iota
	// filmFrozen takes it where the substep begins: implicit steps are linear in
	// velocities then, however much it is.
	filmFrozen
	// filmPredicted, for explicit steps, is a constant force for what walls add, predicted
	// by a step of the linearly implicit method of Euler and corrected in the end.
	filmPredicted
)

// resistance returns the resistance of a sphere near walls at p for the stages of the
// substep, world axes.
func (m *inertialMotion) resistance(p spatial.Vec) stokes.Resistance {
	switch m.film.mode {
	case filmFrozen:
		return m.film.frozen
	case filmPredicted:
		return m.robot.body.Resistance
	}
	return m.robot.nearResistance(p)
}

// loads is the rigid.Loads of an inertialMotion. Its time counts from the start of the
// step.
type loads struct{ motion *inertialMotion }

var _ rigid.Loads = loads{}

// Wrench implements rigid.Loads.
func (l loads) Wrench(t float64, x integrate.Motion) spatial.Wrench {
	m := l.motion
	rot := x.Q.Rot()
	force, moment := m.env.load(t, x.P, &rot)
	w := spatial.Wrench{Force: force, Moment: moment}
	switch {
	case !m.body.hasDrag:
		return w
	case m.robot.lubricated:
		return addWrenches(w, m.lubricatedDrag(t, &x, &rot))
	case m.env.flowing:
		a := m.env.ambient(t, x.P, &rot)
		return addWrenches(w, m.robot.body.Drag(&rot, &a, x.V))
	}
	drag := m.robot.body.Resistance.Apply(x.V)
	return spatial.Wrench{Force: force.Sub(drag.Force), Moment: moment.Sub(drag.Moment)}
}

// lubricatedDrag returns the drag on a sphere near walls, body axes.
func (m *inertialMotion) lubricatedDrag(t float64, x *integrate.Motion, rot *spatial.Mat3) spatial.Wrench {
	slip := m.slip(t, x.P, rot, toWorld(rot, x.V))
	near := m.resistance(x.P)
	drag, push := near.Apply(slip), &m.film.push
	return spatial.Wrench{Force: rot.ApplyT(push.Force.Sub(drag.Force)), Moment: rot.ApplyT(push.Moment.Sub(drag.Moment))}
}

// slip returns the motion through the fluid of a body at p that moves with v, world axes.
func (m *inertialMotion) slip(t float64, p spatial.Vec, rot *spatial.Mat3, v spatial.Twist) spatial.Twist {
	if !m.env.flowing {
		return v
	}
	return subTwists(v, m.env.advection(t, p, rot))
}

// VelocityIndependent implements rigid.Loads: only drag depends on velocities.
func (l loads) VelocityIndependent() bool { return !l.motion.body.hasDrag }

// Damping implements rigid.Loads.
func (l loads) Damping(_ float64, x integrate.Motion) (spatial.Mat6, bool) {
	m := l.motion
	switch {
	case !m.body.hasDrag:
		return spatial.Mat6{}, false
	case m.robot.lubricated:
		return m.resistance(x.P).Rotated(x.Q.Rot().T()).Matrix(), true
	}
	return m.body.damping, m.body.stiffDrag
}

// react returns the twist t (world axes) of the body at p without what walls that it
// touches prevent.
func (m *inertialMotion) react(p spatial.Vec, rot *spatial.Mat3, hull *stokes.Hull, t spatial.Twist) spatial.Twist {
	invMass := m.body.invMass.Rotated(*rot)
	t, _ = m.robot.walls.React(p, hull, &invMass, t)
	return t
}

// stopAtWalls keeps a sphere out of the walls: it is put back to where it touches, and an
// impulse along the normal takes the velocity into the wall away, without friction and
// without rebound.
func (m *inertialMotion) stopAtWalls(x *integrate.Motion) {
	rot := x.Q.Rot()
	hull := m.robot.hull(&rot)
	if m.robot.walls.Gap(x.P, &hull) >= 0 {
		return
	}
	x.P = m.robot.walls.PushOut(x.P, &hull)
	x.V = toBody(&rot, m.react(x.P, &rot, &hull, toWorld(&rot, x.V)))
}

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
