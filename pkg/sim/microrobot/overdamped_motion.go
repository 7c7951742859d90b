package microrobot

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// overdampedMotion is the equation of motion of one robot without inertia during one
// step: an integrate.Kinematics whose time counts from the start of the step.
type overdampedMotion struct {
	robot     *Robot
	constants *overdampedConstants
	env       *externalLoads

	uniform      bool           // inUniformField gives the velocity
	isotropic    bool           // with the same mobility along all axes and no follower force
	bodyThermal  spatial.Wrench // thermal load of the substep, body axes
	worldThermal spatial.Wrench // the same of a sphere near walls, world axes
	noise        stokes.Noise   // of the substep
	unhindered   bool           // walls do not react

	settle  float64 // time in which a body comes to rest at a wall, s; 0: it stops where it touches
	taken   float64 // substeps of the step at walls
	slipped float64 // rate at which a body turned that could not be followed, 1/s; 0: none
	lost    bool    // a body moved along walls too fast to be followed
}

// overdampedConstants are the constants of overdamped motion. They are immutable.
type overdampedConstants struct {
	method     overdampedMethod
	diagonal   bool        // no coupling, walls or flow: the mobility is trans and rot
	trans, rot spatial.Vec // diagonals of the mobility, 1/(kg/s) and 1/(kg m²/s)
	moment     spatial.Vec // of a permanent magnet, A m²
	thermal    float64     // thermal energy kT, J; 0: no Brownian motion
}

// overdampedMethod is a robotfile.BodyMethod as an integer, for fast comparison.
type overdampedMethod uint8

const (
	rkmk4 overdampedMethod = iota
	cg4
	cg4Rational
	lieEuler
)

var overdampedMethods = map[robotfile.BodyMethod]overdampedMethod{
	robotfile.RKMK4: rkmk4, robotfile.CG4: cg4, robotfile.CG4Rational: cg4Rational, robotfile.LieEuler: lieEuler,
}

// newOverdampedMotion returns the equation of motion of the robot in env.
func newOverdampedMotion(r *Robot, env *externalLoads) overdampedMotion {
	m := &r.body.Mobility
	c := &overdampedConstants{
		method:  overdampedMethods[r.file.Solver.Method],
		trans:   spatial.Vec{X: m.Trans.XX, Y: m.Trans.YY, Z: m.Trans.ZZ},
		rot:     spatial.Vec{X: m.Rot.XX, Y: m.Rot.YY, Z: m.Rot.ZZ},
		thermal: thermalEnergy(&r.file.Fluid),
	}
	c.moment, _ = r.magnet.IsPermanent()
	c.diagonal = r.walls == nil && r.flow == nil && *m == stokes.Mobility{Trans: spatial.Diag3(c.trans), Rot: spatial.Diag3(c.rot)}
	return overdampedMotion{robot: r, constants: c, env: env}
}

// stages returns how many velocities of a robot a substep takes.
func (c *overdampedConstants) stages() int {
	switch {
	case c.thermal > 0:
		return 2
	case c.method == lieEuler:
		return 1
	case c.method == rkmk4:
		return 4
	}
	return 5
}

// begin prepares the equation for a step under the present loads.
func (k *overdampedMotion) begin() {
	e, c := k.env, k.constants
	k.bodyThermal, k.worldThermal = spatial.Wrench{}, spatial.Wrench{}
	k.settle, k.taken, k.slipped, k.lost = 0, 0, 0, false
	if c.thermal == 0 {
		k.settle = k.robot.file.Solver.Step
	}
	k.uniform = k.isUniform()
	k.isotropic = c.trans.X == c.trans.Y && c.trans.Y == c.trans.Z && e.follower.Force == spatial.Vec{}
}

// isUniform reports whether inUniformField gives the velocity: nothing but weight,
// constant loads and a field that is uniform or has a uniform gradient acts on a
// permanent magnet of diagonal mobility in fluid at rest.
func (k *overdampedMotion) isUniform() bool {
	r, c, e := k.robot, k.constants, k.env
	_, permanent := r.magnet.IsPermanent()
	return permanent && c.diagonal && c.thermal == 0 && !r.weightMoment && !e.flowing && !e.HasSources && e.world.Moment == spatial.Vec{}
}

var _ integrate.Kinematics = (*overdampedMotion)(nil)

// Velocity implements integrate.Kinematics.
func (k *overdampedMotion) Velocity(t float64, x integrate.Placement) (v, w spatial.Vec) {
	e := k.env
	if k.uniform {
		e.Reach(t)
		return k.inUniformField(x.Q, x.P)
	}
	rot := x.Q.Rot()
	f, m := e.load(t, x.P, &rot)
	f, m = f.Add(k.bodyThermal.Force), m.Add(k.bodyThermal.Moment)
	c := k.constants
	if c.diagonal && !e.flowing {
		return rot.Apply(c.trans.Mul(f)), c.rot.Mul(m)
	}
	return k.general(t, x.P, &rot, f, m)
}

// general returns the velocity with coupling, moving fluid or walls under the load f and
// m (body axes).
func (k *overdampedMotion) general(t float64, p spatial.Vec, rot *spatial.Mat3, f, m spatial.Vec) (v, w spatial.Vec) {
	r, e := k.robot, k.env
	mobility := &r.body.Mobility // body axes, or, of a sphere near walls, world axes
	var motion spatial.Twist     // world axes
	if r.lubricated {
		near := r.nearMobility(p)
		mobility = &near
		motion = near.Apply(spatial.Wrench{Force: rot.Apply(f).Add(k.worldThermal.Force), Moment: rot.Apply(m).Add(k.worldThermal.Moment)})
	} else {
		motion = toWorld(rot, mobility.Apply(spatial.Wrench{Force: f, Moment: m}))
	}
	if e.flowing {
		motion = addTwists(motion, e.advection(t, p, rot))
	}
	if r.walls != nil && !k.unhindered {
		hull := r.hull(rot)
		fastest := motion.Linear.Norm() + r.size*motion.Angular.Norm() // of all points
		// Restrain changes nothing either, but planes and cylinders are asked sooner
		if !r.hasShapes() && r.walls.Gap(p, &hull) > fastest*k.settle {
			return motion.Linear, rot.ApplyT(motion.Angular)
		}
		if !r.lubricated {
			world := mobility.Rotated(*rot)
			mobility = &world
		}
		if k.settle > 0 {
			motion = r.walls.Restrain(p, &hull, mobility, motion, k.settle)
		} else {
			motion, _ = r.walls.React(p, &hull, mobility, motion)
		}
	}
	return motion.Linear, rot.ApplyT(motion.Angular)
}

// inUniformField returns Velocity for the time the time of env where isUniform. It is the inner
// loop of single robots and of swarms alike, and written out because a rotation matrix
// goes through memory: that takes longer than what is done with it.
func (k *overdampedMotion) inUniformField(q spatial.Quat, p spatial.Vec) (v, w spatial.Vec) {
	c, e := k.constants, k.env
	b, f, m := e.Uniform, e.world.Force, c.moment

	// rows of the rotation matrix
	x2, y2, z2 := q.X+q.X, q.Y+q.Y, q.Z+q.Z
	xx, yy, zz := q.X*x2, q.Y*y2, q.Z*z2
	xy, xz, yz := q.X*y2, q.X*z2, q.Y*z2
	wx, wy, wz := q.W*x2, q.W*y2, q.W*z2
	r1 := spatial.Vec{X: 1 - (yy + zz), Y: xy - wz, Z: xz + wy}
	r2 := spatial.Vec{X: xy + wz, Y: 1 - (xx + zz), Z: yz - wx}
	r3 := spatial.Vec{X: xz - wy, Y: yz + wx, Z: 1 - (xx + yy)}

	if e.HasGradient {
		g := &e.Gradient
		at := p.Sub(e.Center)
		mw := spatial.Vec{X: r1.Dot(m), Y: r2.Dot(m), Z: r3.Dot(m)}
		zz := -g.XX - g.YY
		b.X += g.XX*at.X + g.XY*at.Y + g.XZ*at.Z
		b.Y += g.XY*at.X + g.YY*at.Y + g.YZ*at.Z
		b.Z += g.XZ*at.X + g.YZ*at.Y + zz*at.Z
		f.X += g.XX*mw.X + g.XY*mw.Y + g.XZ*mw.Z
		f.Y += g.XY*mw.X + g.YY*mw.Y + g.YZ*mw.Z
		f.Z += g.XZ*mw.X + g.YZ*mw.Y + zz*mw.Z
	}
	bx := r1.X*b.X + r2.X*b.Y + r3.X*b.Z
	by := r1.Y*b.X + r2.Y*b.Y + r3.Y*b.Z
	bz := r1.Z*b.X + r2.Z*b.Y + r3.Z*b.Z
	t := &e.follower.Moment
	w = spatial.Vec{
		X: c.rot.X * (m.Y*bz - m.Z*by + t.X),
		Y: c.rot.Y * (m.Z*bx - m.X*bz + t.Y),
		Z: c.rot.Z * (m.X*by - m.Y*bx + t.Z),
	}
	if k.isotropic { // the same drag along every axis
		return f.Scale(c.trans.X), w
	}
	a := &e.follower.Force
	fx := c.trans.X * (r1.X*f.X + r2.X*f.Y + r3.X*f.Z + a.X)
	fy := c.trans.Y * (r1.Y*f.X + r2.Y*f.Y + r3.Y*f.Z + a.Y)
	fz := c.trans.Z * (r1.Z*f.X + r2.Z*f.Y + r3.Z*f.Z + a.Z)
	v = spatial.Vec{
		X: r1.X*fx + r1.Y*fy + r1.Z*fz,
		Y: r2.X*fx + r2.Y*fy + r2.Z*fz,
		Z: r3.X*fx + r3.Y*fy + r3.Z*fz,
	}
	return v, w
}
