package rigid

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Acceleration returns the rates of change of the components in body axes of the twist v
// of the reference point under the load f, in body axes about the reference point: the
// equations of Newton and Euler, solved about the centre of mass or, on a joint, about
// the pivot, with the joint's force eliminated.
func (b *Body) Acceleration(v spatial.Twist, f spatial.Wrench) spatial.Twist {
	w, p := v.Angular, b.props.Centre
	m := f.Moment.Sub(p.Cross(f.Force)).Sub(w.Cross(b.props.Inertia.Apply(w)))
	alpha := b.props.Inverse.Apply(m)
	if b.pivoted { // v = p × ω
		return spatial.Twist{Linear: p.Cross(alpha), Angular: alpha}
	}
	// of the reference point: a_c − α×c − ω×(ω×c), less ω×v for the turning axes
	a := f.Force.Scale(1 / b.mass).Add(p.Cross(alpha)).Sub(w.Cross(w.Cross(p).Add(v.Linear)))
	return spatial.Twist{Linear: a, Angular: alpha}
}

// WorldAcceleration returns the acceleration of the reference point and the angular
// acceleration in world axes (m/s², rad/s²) of a body turned by r, with the twist v and
// the load f about the reference point, both in world axes.
func (b *Body) WorldAcceleration(r *spatial.Mat3, v spatial.Twist, f spatial.Wrench) spatial.Twist {
	body := spatial.Twist{Linear: r.ApplyT(v.Linear), Angular: r.ApplyT(v.Angular)}
	d := b.Acceleration(body, spatial.Wrench{Force: r.ApplyT(f.Force), Moment: r.ApplyT(f.Moment)})
	return spatial.Twist{
		Linear:  r.Apply(d.Linear.Add(body.Angular.Cross(body.Linear))),
		Angular: r.Apply(d.Angular), // ω × ω = 0
	}
}

// Momentum returns the momentum (kg m/s) and the angular momentum about the world origin
// (kg m²/s), both in world axes.
func (b *Body) Momentum(x integrate.Motion) (linear, angular spatial.Vec) {
	v, w := x.V.Linear, x.V.Angular
	p := v.Add(w.Cross(b.com)).Scale(b.mass)
	l := b.inertia.Apply(w).Add(b.com.Cross(v).Scale(b.mass)) // about the reference point
	linear = x.Q.Apply(p)
	return linear, x.Q.Apply(l).Add(x.P.Cross(linear))
}

// PivotMomentum returns the angular momentum about the pivot, or about the centre of mass
// of a free body, in world axes (kg m²/s).
func (b *Body) PivotMomentum(x integrate.Motion) spatial.Vec {
	return x.Q.Apply(b.props.Inertia.Apply(x.V.Angular))
}

// KineticEnergy returns the kinetic energy in J.
func (b *Body) KineticEnergy(x integrate.Motion) float64 {
	v := x.V.Linear.Add(x.V.Angular.Cross(b.com)) // of the centre of mass
	return 0.5*b.mass*v.Norm2() + 0.5*x.V.Angular.Dot(b.atCOM.Apply(x.V.Angular))
}

// Hold returns x with the pivot at rest at the world point anchor, which undoes the
// round-off of many steps; a free body stays as it is.
func (b *Body) Hold(x integrate.Motion, anchor spatial.Vec) integrate.Motion {
	if b.pivoted {
		x.P = anchor.Sub(x.Q.Apply(b.pivot))
		x.V.Linear = b.pivot.Cross(x.V.Angular)
	}
	return x
}

// Weight returns the wrench of gravity g (m/s², world axes) on the body with attitude
// q, about the reference point in body axes.
func (b *Body) Weight(q spatial.Quat, g spatial.Vec) spatial.Wrench {
	f := q.Conj().Apply(g).Scale(b.mass)
	return spatial.Wrench{Force: f, Moment: b.com.Cross(f)}
}
