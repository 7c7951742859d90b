package microrobot

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// loads are all that acts on the body: a rigid.Loads whose time counts from the start of
// the step.
type loads struct {
	d    *dynamics
	film *film
}

var _ rigid.Loads = loads{}

// Wrench is that of rigid.Loads.
func (l loads) Wrench(t float64, x integrate.Motion) spatial.Wrench {
	d := l.d
	r := d.robot
	rot := x.Q.Rot()
	f, m := d.load(t, x.P, &rot)
	w := spatial.Wrench{Force: f, Moment: m}
	switch {
	case !r.solid.drags:
		return w
	case r.lubricated:
		return plus(w, l.lubricated(t, &x, &rot))
	case d.streaming:
		a := d.ambient(t, x.P, &rot)
		return plus(w, r.body.Drag(&rot, &a, x.V))
	}
	drag := r.body.Resistance.Apply(x.V)
	return spatial.Wrench{Force: f.Sub(drag.Force), Moment: m.Sub(drag.Moment)}
}

// lubricated is the drag on a sphere near walls, body axes.
func (l loads) lubricated(t float64, x *integrate.Motion, rot *spatial.Mat3) spatial.Wrench {
	d := l.d
	r := d.robot
	slip := turned(rot, x.V) // of the body through the fluid, world axes
	if d.streaming {
		a := d.ambient(t, x.P, rot)
		free := turned(rot, r.body.Carried(rot, &a))
		slip.Linear, slip.Angular = slip.Linear.Sub(free.Linear), slip.Angular.Sub(free.Angular)
	}
	near := l.film.resistance(r, x.P)
	drag, push := near.Apply(slip), &l.film.push
	return spatial.Wrench{Force: rot.ApplyT(push.Force.Sub(drag.Force)), Moment: rot.ApplyT(push.Moment.Sub(drag.Moment))}
}

// VelocityIndependent is that of rigid.Loads: only drag depends on velocities.
func (l loads) VelocityIndependent() bool { return !l.d.robot.solid.drags }

// Damping is that of rigid.Loads.
func (l loads) Damping(_ float64, x integrate.Motion) (spatial.Mat6, bool) {
	r := l.d.robot
	switch {
	case !r.solid.drags:
		return spatial.Mat6{}, false
	case r.lubricated:
		return l.film.resistance(r, x.P).Rotated(x.Q.Rot().T()).Matrix(), true
	}
	return r.solid.damping, r.solid.stiff
}
