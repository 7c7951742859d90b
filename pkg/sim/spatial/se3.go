package spatial

// Exp returns the rigid motion exp(x) of the unit-time twist x = (v, u): a
// screw motion, or, for a rod, the pose of the far end of an element of
// constant strain seen from its near end.
func Exp(x Twist) Pose {
	v, u := x.Linear, x.Angular
	a, b, c := expCoefs(u.Norm2())
	uv := u.Cross(v)
	uuv := u.Cross(uv)
	return Pose{
		R: polynomial(u, a, b),
		P: Vec{v.X + b*uv.X + c*uuv.X, v.Y + b*uv.Y + c*uuv.Y, v.Z + b*uv.Z + c*uuv.Z},
	}
}

// Log returns the twist x with exp(x) = g and a rotation of at most π.
func (g Pose) Log() Twist {
	u := g.R.Log()
	return Twist{Linear: LeftJacobianInv(u).Apply(g.P), Angular: u}
}

// Adjoint returns the body twist x of g in world axes about the world origin:
// Ad(g) x.
func (g Pose) Adjoint(x Twist) Twist {
	w := g.R.Apply(x.Angular)
	return Twist{Linear: g.R.Apply(x.Linear).Add(g.P.Cross(w)), Angular: w}
}

// AdjointInv returns the world twist x in the body axes of g about its origin.
func (g Pose) AdjointInv(x Twist) Twist {
	return Twist{
		Linear:  g.R.ApplyT(x.Linear.Sub(g.P.Cross(x.Angular))),
		Angular: g.R.ApplyT(x.Angular),
	}
}

// Coadjoint returns the wrench f, given in the body axes of g about its origin,
// in world axes about the world origin: Ad(g)⁻ᵀ f. It keeps the power, f·x.
func (g Pose) Coadjoint(f Wrench) Wrench {
	n := g.R.Apply(f.Force)
	return Wrench{Force: n, Moment: g.R.Apply(f.Moment).Add(g.P.Cross(n))}
}

// CoadjointInv returns the world wrench f, about the world origin, in the body
// axes of g about its origin.
func (g Pose) CoadjointInv(f Wrench) Wrench {
	return Wrench{
		Force:  g.R.ApplyT(f.Force),
		Moment: g.R.ApplyT(f.Moment.Sub(g.P.Cross(f.Force))),
	}
}

// Ad returns the Lie bracket ad(x) y = (u×δ + v×w, u×w), x = (v, u), y = (δ, w).
func Ad(x, y Twist) Twist {
	return Twist{
		Linear:  x.Angular.Cross(y.Linear).Add(x.Linear.Cross(y.Angular)),
		Angular: x.Angular.Cross(y.Angular),
	}
}

// AdT returns ad(x)ᵀ f = (−u×N, −v×N − u×M), x = (v, u), f = (N, M).
func AdT(x Twist, f Wrench) Wrench {
	return Wrench{
		Force:  f.Force.Cross(x.Angular),
		Moment: f.Force.Cross(x.Linear).Add(f.Moment.Cross(x.Angular)),
	}
}

// Even is the even part of the inverse differential T⁻¹ of the exponential map
// of SE(3) at the twist (v, u). When g_b = g_a exp(x) and the ends move by the
// body increments η_a and η_b,
//
//	dx = T⁻¹(x) η_b − T⁻¹(−x) η_a,   T⁻¹(±x) = [[A, B], [0, A]] ± ½ ad(x),
//
// with A and B symmetric: A = I + a [u]×², B = a W + 2 a′ (u·v) [u]×²,
// W = u vᵀ + v uᵀ − 2 (u·v) I, where a = (1 − (θ/2) cot(θ/2))/θ², θ = |u|, and
// A1 and A2 are the derivatives a′ and a″ with respect to θ². T⁻¹ is singular
// at θ = 2π.
type Even struct {
	A, B       Mat3
	A0, A1, A2 float64
}

// EvenOf returns the even part of T⁻¹ at x.
func EvenOf(x Twist) (e Even) {
	e.Set(&x)
	return e
}

// Set makes e the even part of T⁻¹ at x.
func (e *Even) Set(x *Twist) {
	v, u := x.Linear, x.Angular
	xx, yy, zz := u.X*u.X, u.Y*u.Y, u.Z*u.Z
	xy, xz, yz := u.X*u.Y, u.X*u.Z, u.Y*u.Z
	a, a1, a2 := DexpInvCoefs(xx + yy + zz)
	px, py, pz := u.X*v.X, u.Y*v.Y, u.Z*v.Z
	uv := px + py + pz
	c, d := 2*a1*uv, 2*a
	axy, axz, ayz := a*xy, a*xz, a*yz
	bxy := a*(u.X*v.Y+v.X*u.Y) + c*xy
	bxz := a*(u.X*v.Z+v.X*u.Z) + c*xz
	byz := a*(u.Y*v.Z+v.Y*u.Z) + c*yz
	e.A = Mat3{
		1 - a*(yy+zz), axy, axz,
		axy, 1 - a*(xx+zz), ayz,
		axz, ayz, 1 - a*(xx+yy),
	}
	e.B = Mat3{
		-d*(py+pz) - c*(yy+zz), bxy, bxz,
		bxy, -d*(px+pz) - c*(xx+zz), byz,
		bxz, byz, -d*(px+py) - c*(xx+yy),
	}
	e.A0, e.A1, e.A2 = a, a1, a2
}

// ExpInvDiff returns T⁻¹(x) η: the change of the twist x when the far end of
// exp(x) moves by the body increment η.
func ExpInvDiff(x, eta Twist) Twist {
	e := EvenOf(x)
	odd := Ad(x, eta)
	return Twist{
		Linear:  e.A.Apply(eta.Linear).Add(e.B.Apply(eta.Angular)).AddScaled(0.5, odd.Linear),
		Angular: e.A.Apply(eta.Angular).AddScaled(0.5, odd.Angular),
	}
}
