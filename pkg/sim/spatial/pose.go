package spatial

// Pose is a rigid placement: x_world = P + R x_body. P in metres.
type Pose struct {
	R Mat3
	P Vec
}

// IdentityPose returns the pose of the world frame itself.
func IdentityPose() Pose { return Pose{R: Identity3()} }

// Mul returns g a: the pose a, given in the frame g, seen from the world.
func (g Pose) Mul(a Pose) Pose {
	return Pose{R: g.R.Mul(a.R), P: g.P.Add(g.R.Apply(a.P))}
}

// Inv returns the inverse placement.
func (g Pose) Inv() Pose { return Pose{R: g.R.T(), P: g.R.ApplyT(g.P).Neg()} }

// Apply returns the body point x in world coordinates.
func (g Pose) Apply(x Vec) Vec { return g.P.Add(g.R.Apply(x)) }

// AddIncrement returns the pose after the body increment x, m and rad.
func (g Pose) AddIncrement(x *Vec6) Pose {
	return g.Mul(Exp(Twist{Linear: x.Linear(), Angular: x.Angular()}))
}

// Toward returns the pose a share of the way from g to another: the body point x moves on a
// straight line and the axes turn about one fixed axis, both evenly.
func (g Pose) Toward(to Pose, share float64, x Vec) Pose {
	if share == 1 || g == to {
		return to
	}
	r := g.R.Mul(ExpRot(g.R.TMul(to.R).Log().Scale(share)))
	from := g.Apply(x)
	return Pose{R: r, P: from.AddScaled(share, to.Apply(x).Sub(from)).Sub(r.Apply(x))}
}

// Twist is a velocity, linear part first: m/s and rad/s.
type Twist struct{ Linear, Angular Vec }

// Wrench is a force and a moment about a stated point: N and N m.
type Wrench struct{ Force, Moment Vec }
