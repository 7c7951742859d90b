package mechanism

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// body is a rigid body in motion: one node at its origin, whose inertia acts at its centre of mass.
type body struct {
	Body
	inertia spatial.Mat3 // about the centre of mass, body axes, kg m²
	node    int          // among all nodes; -1: does not move
	frame   int          // of a fixed body, in World.frames
	gravity spatial.Vec

	pose     spatial.Pose
	velocity spatial.Vec // of the centre of mass, world axes, m/s
	omega    spatial.Vec // body axes, rad/s
	before   level
	time     float64      // at the end of the step, s
	start    spatial.Pose // at the start of the step
	target   spatial.Pose // of a fixed body, at the end of the next step
	step     bodyStep
	scale    float64 // of loads and weight
	external external
	saved    spatial.Pose // by savePath

	timeError, stepError bodyError
}

// level is the level before the present one. That of a fixed body has its velocities at the start of the step, and as
// position and turn its accelerations.
type level struct {
	position spatial.Vec // of the centre of mass, m
	velocity spatial.Vec
	omega    spatial.Vec
	turn     spatial.Vec // body rotation vector from that level to the present one, rad
}

// bodyStep are the reference values of a step: the velocity of the centre of mass is γ (p − p̂) and
// its acceleration β (p − p̃), and the same holds for the rotation vector since the start of the
// step. In statics β = γ = 0.
type bodyStep struct {
	beta, gamma        float64
	hat, tilde         spatial.Vec
	turnHat, turnTilde spatial.Vec
}

func newBody(b Body, gravity spatial.Vec) *body {
	n := &body{Body: b, inertia: rigid.Symmetric(b.Inertia), gravity: gravity, node: -1, pose: spatial.IdentityPose(), scale: 1}
	if b.Pose != nil {
		n.pose = *b.Pose
	}
	return n
}

// center returns the position of the centre of mass, world axes.
func (b *body) center() spatial.Vec { return b.pose.Apply(b.CenterOfMass) }

// begin starts a step with formula f.
func (b *body) begin(f *integrate.BDF) {
	b.scale = 1
	b.start = b.pose
	s, past := &b.step, &b.before
	s.beta, s.gamma = f.Beta, f.Gamma
	s.hat = f.Hat(b.center(), past.position)
	s.tilde = s.hat.Add(f.VelocityTerm(b.velocity, past.velocity))
	s.turnHat = f.HatStep(past.turn)
	s.turnTilde = s.turnHat.Add(f.VelocityTerm(b.omega, past.omega))
}

// turn returns the rotation vector since the start of the step, body axes.
func (b *body) turn() spatial.Vec { return b.start.R.TMul(b.pose.R).LogStep() }

// commit makes the pose that of the end of the step.
func (b *body) commit() {
	if b.IsFixed {
		return
	}
	s, turn := &b.step, b.turn()
	b.before = level{position: b.start.Apply(b.CenterOfMass), velocity: b.velocity, omega: b.omega, turn: turn}
	b.velocity = b.center().Sub(s.hat).Scale(s.gamma)
	b.omega = turn.Sub(s.turnHat).Scale(s.gamma)
}

// assemble adds wrench and tangent of weight, loads and inertia; see World.skew.
func (b *body) assemble(w *World) {
	if b.node < 0 {
		return
	}
	b.assembleInto(&w.right[b.node], w.matrix.Diagonal(b.node), &w.skew[b.node])
}

func (b *body) assembleInto(r *spatial.Vec6, k *spatial.Mat6, skew *spatial.Wrench) {
	s := &b.step
	addDeadForce(&b.pose.R, b.gravity.Scale(b.scale*b.Mass).AddScaled(-s.beta*b.Mass, b.center().Sub(s.tilde)), b.CenterOfMass, r, k)
	for i := range b.Loads {
		if l := &b.Loads[i]; isActive(l.Until, b.time) {
			b.addLoad(l, r, k, skew)
		}
	}
	if o := &b.external; o.wrench != (spatial.Wrench{}) {
		b.addLoad(&Load{Wrench: o.wrench, IsFollower: o.isFollower}, r, k, skew)
	}
	if s.beta == 0 {
		return
	}
	lever := spatial.Skew(b.CenterOfMass)
	m := s.beta * b.Mass
	addBlocks(k, spatial.Diag3(spatial.Vec{X: m, Y: m, Z: m}), lever.Scale(m), lever.Mul(lever).Scale(-m))
	turn := b.turn()
	w := turn.Sub(s.turnHat).Scale(s.gamma)
	momentum := b.inertia.Apply(w)
	moment := b.inertia.Apply(turn.Sub(s.turnTilde)).Scale(s.beta).Add(w.Cross(momentum))
	addWrench(r, spatial.Vec{}, moment.Neg())
	t := b.tangentOfTurn(turn)
	addBlocks(k, spatial.Mat3{}, spatial.Mat3{}, t.Add(t.T()).Scale(0.5))
	// half of the moment is that of the other wrenches, as in addLoad
	skew.Moment = skew.Moment.AddScaled(-0.5, moment).Add(spatial.Vec{X: 0.5 * (t.ZY - t.YZ), Y: 0.5 * (t.XZ - t.ZX), Z: 0.5 * (t.YX - t.XY)})
}

// tangentOfTurn returns the derivative of the moment of inertia at the given rotation since the start of the step.
func (b *body) tangentOfTurn(turn spatial.Vec) spatial.Mat3 {
	s := &b.step
	w := turn.Sub(s.turnHat).Scale(s.gamma)
	gyroscopic := spatial.Skew(w).Mul(b.inertia).Sub(spatial.Skew(b.inertia.Apply(w))).Scale(s.gamma)
	return b.inertia.Scale(s.beta).Add(gyroscopic).Mul(spatial.RightJacobianInv(turn))
}

// addDeadForce adds the force f, world axes, on the point at of a node with the rotation rot, and the symmetric
// part of its tangent.
func addDeadForce(rot *spatial.Mat3, f, at spatial.Vec, r *spatial.Vec6, k *spatial.Mat6) {
	s := nodePoint{weight: 1, arm: at}
	s.addForce(rot, f, r, k)
}

// isActive reports whether a load that lasts until a time acts in a step that ends at the given one.
func isActive(until, end float64) bool { return until == 0 || end <= until*(1+1e-9) }

// addLoad adds a load. The tangent of a moment m in body axes that stays in the world is −[m]×. Half of it is that of every
// symmetric tangent of a node in body increments, which vanishes with the sum of moments; the other half is not. A wrench that
// turns with the body has no tangent, and lacks that half.
func (b *body) addLoad(l *Load, r *spatial.Vec6, k *spatial.Mat6, skew *spatial.Wrench) {
	f, m := l.Wrench.Force.Scale(b.scale), l.Wrench.Moment.Scale(b.scale)
	if l.IsFollower {
		m = m.Add(l.At.Cross(f))
		addWrench(r, f, m)
		skew.Force, skew.Moment = skew.Force.AddScaled(0.5, f), skew.Moment.AddScaled(0.5, m)
		return
	}
	addDeadForce(&b.pose.R, f, l.At, r, k)
	inBody := b.pose.R.ApplyT(m)
	addWrench(r, spatial.Vec{}, inBody)
	skew.Moment = skew.Moment.AddScaled(-0.5, inBody)
}

// assembleMass adds beta times the mass matrix of body increments, and the wrenches of loads, weight and
// of inertia at a constant body velocity.
func (b *body) assembleMass(w *World, beta float64) {
	if b.node < 0 {
		return
	}
	b.step = bodyStep{}
	r := &w.right[b.node]
	var tangent spatial.Mat6
	var skew spatial.Wrench
	b.assembleInto(r, &tangent, &skew)
	// the velocity of the centre of mass is R (v + ω × c), and turns with R
	f := b.omega.Cross(b.pose.R.ApplyT(b.velocity)).Scale(-b.Mass)
	addWrench(r, f, b.CenterOfMass.Cross(f).Sub(b.omega.Cross(b.inertia.Apply(b.omega))))
	lever, m := spatial.Skew(b.CenterOfMass), beta*b.Mass
	addBlocks(w.matrix.Diagonal(b.node), spatial.Diag3(spatial.Vec{X: m, Y: m, Z: m}), lever.Scale(m), b.inertia.Scale(beta).Sub(lever.Mul(lever).Scale(m)))
}

func addWrench(r *spatial.Vec6, force, moment spatial.Vec) {
	r[0] += force.X
	r[1] += force.Y
	r[2] += force.Z
	r[3] += moment.X
	r[4] += moment.Y
	r[5] += moment.Z
}

// addBlocks adds quadrants to the symmetric k, of which the lower triangle counts.
func addBlocks(k *spatial.Mat6, linear, below, angular spatial.Mat3) {
	m := spatial.Blocks6(linear, spatial.Mat3{}, below, angular)
	for i := range k {
		k[i] += m[i]
	}
}
