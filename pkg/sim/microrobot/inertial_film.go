package microrobot

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// film is the fluid between a sphere and walls near it. Its resistance grows without bound
// toward contact, faster than any step can follow; how it is taken is decided part by part.
type film struct {
	mode   filmMode
	frozen stokes.Resistance // that of the part, for filmFrozen; world axes
	push   spatial.Wrench    // of what walls add, for filmPredicted; world axes
}

// filmMode says where the resistance of a part of a step comes from.
type filmMode uint8

const (
	// filmFollowed takes it at every stage where the sphere is then.
	filmFollowed filmMode = iota
	// filmFrozen takes it where the part begins: implicit steps are linear in velocities
	// then, however much it is.
	filmFrozen
	// filmPredicted, for explicit steps, is a constant force for what walls add, predicted
	// by a step of the linearly implicit method of Euler and corrected in the end.
	filmPredicted
)

// near is the resistance of the sphere at x, world axes.
func (r *Robot) near(x spatial.Vec) stokes.Resistance {
	return r.walls.Resistance(x, r.body.Shape.Radius, r.body.Viscosity)
}

// added is what walls add to the resistance of the sphere at x, world axes.
func (r *Robot) added(x spatial.Vec) stokes.Resistance {
	return r.near(x).Add(r.body.Resistance.Scale(-1)) // of a sphere, the same in all axes
}

// resistance is that for the stages of the part, world axes, with the sphere at x.
func (f *film) resistance(r *Robot, x spatial.Vec) stokes.Resistance {
	switch f.mode {
	case filmFrozen:
		return f.frozen
	case filmPredicted:
		return r.body.Resistance
	}
	return r.near(x)
}

// beginFilm decides how the film is taken in the part of h seconds from t that begins at x.
func (m *Model) beginFilm(t, h float64, x *integrate.Motion) {
	r, s, f := m.robot, m.robot.solid, &m.inertia.film
	rot := x.Q.Rot()
	v := turned(&rot, x.V)
	f.mode, f.push = filmFollowed, spatial.Wrench{}
	near := r.near(x.P)
	ahead := r.near(x.P.AddScaled(h, v.Linear)) // a wall may be reached within the part
	most := math.Max(r.excess(&near), r.excess(&ahead))
	switch {
	case s.decay*most*h <= substepShare:
	case s.implicit:
		f.mode, f.frozen = filmFrozen, near
	default:
		load := loads{&m.dyn, f}.Wrench(t, *x)
		total := near.Rotated(rot.T())
		dv := s.brake(h, &total, load, r.body.Shape.Radius)
		f.mode = filmPredicted
		f.push = m.push(t, x, &rot, dv)
	}
}

// excess bounds how many times the free resistance near is.
func (r *Robot) excess(near *stokes.Resistance) float64 {
	free := &r.body.Resistance
	return math.Max(near.Trans.Trace()/free.Trans.XX, near.Rot.Trace()/free.Rot.XX)
}

// push is the force of what walls add to the resistance on the sphere at x with its
// velocity changed by dv (body axes), world axes.
func (m *Model) push(t float64, x *integrate.Motion, rot *spatial.Mat3, dv spatial.Twist) spatial.Wrench {
	slip := sum(turned(rot, x.V), turned(rot, dv)) // of the body through the fluid
	if m.dyn.streaming {
		a := m.dyn.ambient(t, x.P, rot)
		free := turned(rot, m.robot.body.Carried(rot, &a))
		slip = spatial.Twist{Linear: slip.Linear.Sub(free.Linear), Angular: slip.Angular.Sub(free.Angular)}
	}
	added := m.robot.added(x.P)
	drag := added.Apply(slip)
	return spatial.Wrench{Force: drag.Force.Neg(), Moment: drag.Moment.Neg()}
}

// endFilm corrects the motion x, at which the stages of the part of h seconds from t have
// ended, by what the prediction was off: a backward Euler step of the velocity, and the
// place that the mean of the velocities leads to. A steady motion is predicted exactly;
// where the sphere speeds up or slows down, the error is of first order.
func (m *Model) endFilm(t, h float64, x *integrate.Motion) {
	rot := x.Q.Rot()
	off := m.push(t+h, x, &rot, spatial.Twist{})
	off.Force, off.Moment = off.Force.Sub(m.inertia.film.push.Force), off.Moment.Sub(m.inertia.film.push.Moment)
	added := m.robot.added(x.P).Rotated(rot.T())
	body := spatial.Wrench{Force: rot.ApplyT(off.Force), Moment: rot.ApplyT(off.Moment)}
	dv := m.robot.solid.brake(h, &added, body, m.robot.body.Shape.Radius)
	x.V = sum(x.V, dv)
	x.P = x.P.AddScaled(h/2, rot.Apply(dv.Linear))
	x.Q = x.Q.Mul(spatial.ExpQuat(dv.Angular.Scale(h / 2))).Normalized()
}

// brake is what the load f (body axes) changes the twist by in h seconds while the
// resistance d (body axes) opposes the change: (M + h d)⁻¹ h f. The size (m) of the body
// scales rotations, so that all elements of the matrix are alike.
func (s *solid) brake(h float64, d *stokes.Resistance, f spatial.Wrench, size float64) spatial.Twist {
	mass := s.mass
	mass.Trans = mass.Trans.Add(d.Trans.Scale(h))
	mass.Coupling = mass.Coupling.Add(d.Coupling.Scale(h)).Scale(1 / size)
	mass.Rot = mass.Rot.Add(d.Rot.Scale(h)).Scale(1 / (size * size))
	factor := mass.Matrix()
	factor.FactorLDL() // positive definite: the sum of one that is and one that is not less than 0
	x := spatial.Vec6Of(f.Force.Scale(h), f.Moment.Scale(h/size))
	factor.SolveLVec(&x)
	factor.SolveDVec(&x)
	factor.SolveLTVec(&x)
	return spatial.Twist{Linear: x.Linear(), Angular: x.Angular().Scale(1 / size)}
}

// massOf is the mass matrix in body axes about the reference point, in the blocks of a
// resistance: what momentum is to velocity.
func massOf(m float64, com spatial.Vec, inertia spatial.Mat3) stokes.Resistance {
	return stokes.Resistance{
		Trans: spatial.Diag3(spatial.Vec{X: m, Y: m, Z: m}), Coupling: spatial.Skew(com).Scale(-m), Rot: inertia,
	}
}
