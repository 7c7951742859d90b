package microrobot

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// inertialMotion computes what acts on a body with inertia during one step: the
// environment, the drag of the fluid and walls.
type inertialMotion struct {
	robot *Robot
	body  *rigidBody
	env   *environment
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

// filmMode says where the resistance of a substep comes from.
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
	return subTwists(v, m.env.carried(t, p, rot))
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
func (m *inertialMotion) react(p spatial.Vec, rot, extent *spatial.Mat3, t spatial.Twist) spatial.Twist {
	invMass := m.body.invMass.Rotated(*rot)
	t, _ = m.robot.walls.React(p, extent, &invMass, t)
	return t
}

// stopAtWalls keeps the body out of the walls: it is put back to where it touches, and an
// impulse along the normal takes the velocity into the wall away, without friction and
// without rebound.
func (m *inertialMotion) stopAtWalls(x *integrate.Motion) {
	rot := x.Q.Rot()
	extent := m.robot.extent(&rot)
	if m.robot.walls.Gap(x.P, &extent) >= 0 {
		return
	}
	x.P = m.robot.walls.PushOut(x.P, &extent)
	x.V = toBody(&rot, m.react(x.P, &rot, &extent, toWorld(&rot, x.V)))
}
