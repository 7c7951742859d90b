package mechanism

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// The methods by which a body is a link.

func (b *body) label() (name string, given bool) { return b.Name, b.IsFixed || b.Velocity != nil }

func (b *body) nodeCount() int {
	if b.IsFixed {
		return 0
	}
	return 1
}

func (b *body) firstNode() int { return b.node }

func (b *body) connect(first int, w *World) {
	if b.IsFixed {
		return
	}
	b.node = first
	w.pose[first] = b.pose
}

func (b *body) pairs() [][2]int { return nil }

// extent returns the largest radius of gyration about the centre of mass.
func (b *body) extent() float64 {
	if b.Mass == 0 {
		return 0
	}
	return math.Sqrt(max(b.inertia.XX, b.inertia.YY, b.inertia.ZZ) / b.Mass)
}

func (b *body) section(float64) (node int, g spatial.Pose) { return 0, b.pose }

func (b *body) placeSection(_ float64, g spatial.Pose) { b.pose = g }

func (b *body) rigidVelocity() (x, v, omega spatial.Vec) {
	return b.center(), b.velocity, b.pose.R.Apply(b.omega)
}

func (b *body) setRigidVelocity(x, v, omega spatial.Vec) {
	b.velocity = v.Add(omega.Cross(b.center().Sub(x)))
	b.omega = b.pose.R.ApplyT(omega)
}

func (b *body) nodeVelocity(int) spatial.Vec6 {
	return spatial.Vec6Of(b.pose.R.ApplyT(b.velocity).Sub(b.omega.Cross(b.CenterOfMass)), b.omega)
}

func (b *body) setNodeVelocity(_ int, v *spatial.Vec6) {
	b.omega = v.Angular()
	b.velocity = b.pose.R.Apply(v.Linear().Add(b.omega.Cross(b.CenterOfMass)))
}

func (b *body) beginStatics(scale float64) { b.step, b.scale = bodyStep{}, scale }

func (b *body) predict(extrapolate float64, pose []spatial.Pose) {
	if b.IsFixed {
		return
	}
	s, duration := &b.step, 1/b.step.gamma
	v := b.velocity.AddScaled(extrapolate, b.velocity.Sub(b.before.velocity))
	w := b.omega.AddScaled(extrapolate, b.omega.Sub(b.before.omega))
	b.pose.R = b.start.R.Mul(spatial.ExpRot(s.turnHat.AddScaled(duration, w)))
	b.pose.P = s.hat.AddScaled(duration, v).Sub(b.pose.R.Apply(b.CenterOfMass))
	pose[0] = b.pose
}

func (b *body) setLevelBefore(h float64, acceleration []spatial.Vec6) {
	if b.IsFixed {
		return
	}
	alpha := acceleration[0].Angular()
	rate := acceleration[0].Linear().Add(alpha.Cross(b.CenterOfMass)).Add(b.omega.Cross(b.pose.R.ApplyT(b.velocity)))
	a := b.pose.R.Apply(rate)
	b.before = level{
		position: b.center().AddScaled(-h, b.velocity).AddScaled(h*h/2, a),
		velocity: b.velocity.AddScaled(-h, a),
		omega:    b.omega.AddScaled(-h, alpha),
		turn:     b.omega.Scale(h).AddScaled(-h*h/2, alpha),
	}
}

func (b *body) addLevelIncrements(now, before *strain.LevelIncrement, pose []spatial.Pose) {
	was := b.poseBefore(0).AddIncrement(&before.Pose[0])
	b.pose = b.pose.AddIncrement(&now.Pose[0])
	pose[0] = b.pose
	b.before.position, b.before.turn = was.Apply(b.CenterOfMass), was.R.TMul(b.pose.R).LogStep()
	v, u := &now.Velocity[0], &before.Velocity[0]
	b.velocity, b.omega = b.velocity.Add(v.Linear()), b.omega.Add(v.Angular())
	b.before.velocity, b.before.omega = b.before.velocity.Add(u.Linear()), b.before.omega.Add(u.Angular())
}

func (b *body) poseBefore(int) spatial.Pose {
	r := b.pose.R.Mul(spatial.ExpRot(b.before.turn.Neg()))
	return spatial.Pose{R: r, P: b.before.position.Sub(r.Apply(b.CenterOfMass))}
}

func (b *body) velocityIncrement(f *integrate.BDF, _ int, end, now, before *spatial.Vec6) spatial.Vec6 {
	moved := func(r *spatial.Mat3, x *spatial.Vec6) spatial.Vec { // the centre of mass
		return r.Apply(x.Linear().Add(x.Angular().Cross(b.CenterOfMass)))
	}
	was := b.start.R.Mul(spatial.ExpRot(b.before.turn.Neg()))
	v := moved(&b.pose.R, end).Sub(f.Hat(moved(&b.start.R, now), moved(&was, before)))
	return spatial.Vec6Of(v.Scale(f.Gamma), f.TurnRateIncrement(b.turn(), b.before.turn, end.Angular(), now.Angular(), before.Angular()))
}

// incrementLength is a tenth of the body, whose position in the world has the round-off of a larger length.
func (b *body) incrementLength() float64 {
	return 0.1 * max(b.extent(), b.CenterOfMass.Norm())
}

func (b *body) strainIncrement([]spatial.Vec6) float64 { return 0 }

func (b *body) move(increment []spatial.Vec6, scale float64, pose []spatial.Pose) {
	if b.IsFixed {
		return
	}
	x := &increment[0]
	b.pose.P = b.pose.P.Add(b.pose.R.Apply(x.Linear().Scale(scale)))
	b.pose.R = b.pose.R.Mul(spatial.ExpRot(x.Angular().Scale(scale)))
	pose[0] = b.pose
}

func (b *body) commitStatics() { b.velocity, b.omega = spatial.Vec{}, spatial.Vec{} }

func (b *body) revert(pose []spatial.Pose) {
	if b.IsFixed {
		return
	}
	b.pose = b.start
	pose[0] = b.pose
}

func (b *body) energy() (kinetic, weight, elastic float64) {
	kinetic = 0.5*b.Mass*b.velocity.Norm2() + 0.5*b.omega.Dot(b.inertia.Apply(b.omega))
	return kinetic, -b.Mass * b.gravity.Dot(b.center()), 0
}

func (b *body) savePath() { b.saved = b.pose }

func (b *body) restorePath(pose []spatial.Pose) {
	if b.IsFixed {
		return
	}
	b.pose = b.saved
	pose[0] = b.pose
}
