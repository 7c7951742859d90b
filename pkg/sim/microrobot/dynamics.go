package microrobot

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// dynamics is the equation of motion during one step: an integrate.Kinematics whose
// time counts from the start of the step.
type dynamics struct {
	robot *Robot
	field magnetics.Field // of dipoles and coils
	spin  magnetics.Rotating
	local bool // there are dipoles or coils

	b      spatial.Vec        // what neither rotates nor has a place, at the start, T
	g      magnetics.Gradient // T/m
	center spatial.Vec        // of the gradient, m
	ramp   ramp               // of b and g

	start    float64 // of the step, s
	steps    float64 // before this one
	phase    float64 // of the rotating field at the start, rad
	currents []float64
	targets  []float64 // of the currents

	force, moment spatial.Vec    // of what does not depend on the pose, world axes
	follower      spatial.Wrench // of what turns with the body, body axes
	stream        spatial.Twist  // commanded motion of the fluid at the robot, world axes
	streaming     bool           // the fluid moves
	shake         spatial.Wrench // thermal, body axes
	heat          spatial.Wrench // thermal, world axes
	released      bool           // leave the torque of the field out
	free          bool           // freely gives the motion
	round         bool           // with one mobility along all axes and no force of its own

	now      float64     // time since the start for which the next three are
	uniform  spatial.Vec // field at the gradient's center, T
	gradient magnetics.Gradient
	steep    bool      // the gradient is not 0
	driven   []float64 // currents, A

	noise stokes.Noise // of the present part of the step
}

// become makes d the same as src, to be used at the same time.
func (d *dynamics) become(src *dynamics) {
	driven := d.driven
	*d = *src
	d.driven = append(driven[:0], src.driven...)
}

var _ integrate.Kinematics = (*dynamics)(nil)

// Velocity is that of integrate.Kinematics.
func (d *dynamics) Velocity(t float64, x integrate.Placement) (v, w spatial.Vec) {
	if d.free && !d.released {
		if t != d.now {
			d.drive(t)
		}
		return d.freely(x.Q, x.P)
	}
	rot := x.Q.Rot()
	f, m := d.load(t, x.P, &rot)
	f, m = f.Add(d.shake.Force), m.Add(d.shake.Moment)
	r := d.robot
	if r.simple && !d.streaming {
		return rot.Apply(r.trans.Mul(f)), r.turn.Mul(m)
	}
	return d.general(t, x.P, &rot, f, m)
}

// general is Velocity with coupling, moving fluid or walls.
func (d *dynamics) general(t float64, p spatial.Vec, rot *spatial.Mat3, f, m spatial.Vec) (v, w spatial.Vec) {
	r := d.robot
	mobility := &r.body.Mobility // body axes, or, of a sphere near walls, world axes
	var motion spatial.Twist     // world axes
	if r.lubricated {
		near := r.walls.Mobility(p, r.body.Shape.Radius, r.body.Viscosity)
		mobility = &near
		motion = near.Apply(spatial.Wrench{Force: rot.Apply(f).Add(d.heat.Force), Moment: rot.Apply(m).Add(d.heat.Moment)})
	} else {
		motion = turned(rot, mobility.Apply(spatial.Wrench{Force: f, Moment: m}))
	}
	if d.streaming {
		a := d.ambient(t, p, rot)
		motion = sum(motion, turned(rot, r.body.Carried(rot, &a)))
	}
	if r.walls != nil {
		extent := r.extent(rot)
		if r.walls.Gap(p, &extent) <= 0 {
			if !r.lubricated {
				world := mobility.Rotated(*rot)
				mobility = &world
			}
			motion, _ = r.walls.React(p, &extent, mobility, motion)
		}
	}
	return motion.Linear, rot.ApplyT(motion.Angular)
}

// extent is that of the body in world axes.
func (r *Robot) extent(rot *spatial.Mat3) spatial.Mat3 {
	e := r.body.Shape.Extent
	if r.body.Shape.Radius > 0 {
		return e
	}
	return rot.Mul(e).MulT(*rot)
}

// mobilityAt is the mobility of the body at x, body axes, walls included.
func (d *dynamics) mobilityAt(x integrate.Placement) stokes.Mobility {
	r := d.robot
	if !r.lubricated {
		return r.body.Mobility
	}
	return r.walls.Mobility(x.P, r.body.Shape.Radius, r.body.Viscosity).Rotated(x.Q.Rot().T())
}

// turned is the body twist t in world axes.
func turned(rot *spatial.Mat3, t spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: rot.Apply(t.Linear), Angular: rot.Apply(t.Angular)}
}

func sum(a, b spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: a.Linear.Add(b.Linear), Angular: a.Angular.Add(b.Angular)}
}

// ambient is the flow at the robot: that of the fluid's own motion and the commanded
// one, whose gradient is that of a rigid rotation.
func (d *dynamics) ambient(t float64, p spatial.Vec, rot *spatial.Mat3) stokes.Ambient {
	a := stokes.Ambient{}
	if f := d.robot.flow; f != nil {
		faxen := d.robot.body.Faxen(rot)
		a = f.At(p, d.start+t, &faxen)
	}
	a.Velocity = a.Velocity.Add(d.stream.Linear)
	a.Gradient = a.Gradient.Add(spatial.Skew(d.stream.Angular))
	return a
}

// load is all that acts on the body besides the fluid, body axes, about the reference
// point.
func (d *dynamics) load(t float64, p spatial.Vec, rot *spatial.Mat3) (force, moment spatial.Vec) {
	b, g := d.fieldAt(t, p)
	b = rot.ApplyT(b)
	m, permanent := d.robot.magnet.IsPermanent()
	if !permanent {
		m = d.robot.magnet.Moment(b)
	}
	force, moment = d.force, d.follower.Moment
	if !d.released {
		moment = moment.Add(m.Cross(b))
	}
	if g != (magnetics.Gradient{}) {
		force = force.Add(g.Apply(rot.Apply(m)))
	}
	force = rot.ApplyT(force).Add(d.follower.Force)
	if d.robot.lopsided || d.moment != (spatial.Vec{}) {
		w := d.robot.weight.Wrench(rot.ApplyT(d.robot.file.Gravity))
		moment = moment.Add(w.Moment).Add(rot.ApplyT(d.moment))
	}
	return force, moment
}

// fieldAt is the field at the time t after the start of the step.
func (d *dynamics) fieldAt(t float64, p spatial.Vec) (spatial.Vec, magnetics.Gradient) {
	if t != d.now {
		d.drive(t)
	}
	b, g := d.uniform, d.gradient
	if g != (magnetics.Gradient{}) {
		b = b.Add(g.Apply(p.Sub(d.center)))
	}
	if d.local {
		l, lg := d.field.At(p, d.driven)
		b, g = b.Add(l), g.Add(lg)
	}
	return b, g
}

// drive sets what of the field depends on time alone.
func (d *dynamics) drive(t float64) {
	d.now = t
	d.uniform, d.gradient = d.b, d.g
	if left := d.ramp.Left; left > 0 {
		share := min(t/left, 1)
		d.uniform = d.b.AddScaled(share, d.ramp.Field.Sub(d.b))
		d.gradient = d.g.AddScaled(share, d.ramp.Gradient.AddScaled(-1, d.g))
	}
	d.steep = d.gradient != magnetics.Gradient{}
	d.uniform = d.uniform.Add(d.spin.At(d.phase + d.spin.Omega()*t))
	for i := range d.driven {
		d.driven[i] = magnetics.Lag(d.currents[i], d.targets[i], t, d.robot.file.Field.CoilLag)
	}
}
