package strain

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// TimeError is an estimate of the error of the poses of the nodes that the finite length of the
// steps causes. The formula D of a step leaves defects δ and ε of the exact motion q,
//
//	D q = q̇ − δ,   D q̇ = q̈ − ε,
//
// which differences of velocities and accelerations give. The error e of the computed motion, and
// that of its velocity, w, obey the linearised equations of the same step,
//
//	D e = w + δ,   M D w + C w + K e = M ε,
//
// whose matrix is the factored tangent of the step. So e oscillates, decays and accumulates as the
// motion does. Where the loads have jumped at the start of a step, no difference reaches across.
//
// Two terms are approximate. Kelvin–Voigt damping acts on the whole stiffness, geometric stiffness
// included. The arms of eccentric masses do not turn during a step.
type TimeError struct {
	nodes  []nodeError // from node 1 on
	change float64     // largest change of the acceleration of a node in the last step, m/s²
	// hasJerk says that the changes of accelerations in the last step are those of a smooth motion.
	hasJerk bool
	// omittedShare is the share of the next change of accelerations that the defect of the last step has
	// omitted; 0 without hasJerk: the accelerations before the next step are unknown.
	omittedShare float64
}

// nodeError is the error of a node: linear parts in world axes, angular parts in body axes.
type nodeError struct {
	pose, pastPose spatial.Twist // e at the last two levels, m and rad
	rate, pastRate spatial.Twist // w at the last two levels, m/s and rad/s
	acceleration   spatial.Twist // of the node itself, m/s² and rad/s²
	jerk           spatial.Twist // its change in the last step over the step, m/s³ and rad/s³
}

// nodeErrorLen is the number of values of a node in a saved state, timeErrorLen that of the others.
const nodeErrorLen, timeErrorLen = 36, 3

// NewTimeError returns the estimate for a rod of so many elements at rest.
func NewTimeError(elements int) TimeError { return TimeError{nodes: make([]nodeError, elements)} }

// Reset makes the error 0, at rest.
func (t *TimeError) Reset() {
	clear(t.nodes)
	t.change, t.hasJerk, t.omittedShare = 0, false, 0
}

// SetAtRest zeroes the rates of the error and keeps the position error: a robot at rest is still where its motion took it.
func (t *TimeError) SetAtRest() {
	for k := range t.nodes {
		n := &t.nodes[k]
		*n = nodeError{pose: n.pose, pastPose: n.pose}
	}
	t.change, t.hasJerk, t.omittedShare = 0, false, 0
}

// jumpGrowth is the growth of the change of accelerations from one step to the next above which
// the loads have jumped.
const jumpGrowth = 4

// defect is how the defects of a step follow from the changes dv of velocities and da of
// accelerations: δ = velocity dv + acceleration da, ε = change da + jerk (last jerk).
type defect struct{ velocity, acceleration, change, jerk float64 }

// defect returns the defect of a step of dt seconds, after one of last seconds, with a formula of the given order. change is
// the largest change of the acceleration of a node.
//
// BDF1 has δ = h q̈/2 and ε = h/2 times the jerk, BDF2 of steps h after h₀ has δ and ε of h (h + h₀)/6
// times a third derivative.
//
// In a step of length h at whose start the acceleration jumps by J and then has the slope s, its change is
// da = J + s h, which does not tell J from s h. BDF1 has D q̇ = J + s h/2, so ε = s h/2, and none of da. BDF2
// has D q̇ = 3/2 (J h + s h²/2)/h = 3/2 J + 3/4 s h, so ε = −J/2 + s h/4 = −da/2 + 3/4 s h, and δ = h da/4.
// The change in the next step, of length h′, is s h′: there 0.5 or 0.75 of it times (h/h′)² gives the velocity
// that h ε omits.
func (t *TimeError) defect(order int, dt, last, change float64) defect {
	jumped := t.hasJerk && change > jumpGrowth*t.change
	unknown := !t.hasJerk && t.omittedShare == 0
	t.change = change
	omitted := 0.0
	if !t.hasJerk && !unknown {
		omitted = t.omittedShare * (last / dt) * (last / dt)
	}
	var d defect
	switch {
	case order == 1 && (jumped || unknown):
		t.hasJerk, t.omittedShare = false, 0.5
		return defect{velocity: 0.5}
	case order == 1:
		d = defect{velocity: 0.5, change: 0.5 + omitted}
	case jumped:
		t.hasJerk, t.omittedShare = false, 0.75
		return defect{acceleration: dt / 4, change: -0.5}
	case t.hasJerk:
		d = defect{velocity: 1. / 3, change: 1. / 3, jerk: -dt / 3}
	default:
		d = defect{velocity: 1. / 3, change: omitted}
	}
	t.hasJerk, t.omittedShare = true, 0
	return d
}

// AssembleTimeError sets x to the right-hand side of the equations of the error at the end of a
// step with formula f, dt seconds long after one of last seconds. Commit has yet to end the step.
func (s *State) AssembleTimeError(t *TimeError, f *integrate.BDF, order int, dt, last float64, x []spatial.Vec6) {
	d := t.defect(order, dt, last, s.updateAccelerations(t, x))
	velocityExtrapolation := 0.0 // share of the change of velocities before the step, which formulas of order 2 continue
	if order == 2 {
		velocityExtrapolation = dt / last
	}
	beta, gamma := s.step.beta, s.step.gamma
	for k := range x {
		i, n := k+1, &t.nodes[k]
		// Kelvin–Voigt damping of time constant τ is in the tangent as 1 + γ τ times the stiffness. So
		// the unknown is the stress that the error causes over the stiffness, e + τ w.
		damped := 1 + s.nodeDamping(i)
		da := x[k].Linear()
		v := s.Pose[i].P.Sub(s.step.posHat[i]).Scale(gamma)
		dv := v.Sub(s.vel[i]).AddScaled(-velocityExtrapolation, s.vel[i].Sub(s.past.vel[i]))
		first := dv.Scale(d.velocity).AddScaled(d.acceleration, da)
		second := da.Scale(d.change).AddScaled(d.jerk, n.jerk.Linear)
		n.jerk.Linear = da.Scale(1 / dt).Flush()
		e, w := f.Hat(n.pose.Linear, n.pastPose.Linear), f.Hat(n.rate.Linear, n.pastRate.Linear)
		a := e.Scale(beta).AddScaled(gamma, first).AddScaled(damped*gamma, w).AddScaled(damped, second)
		x[k][0], x[k][1], x[k][2] = a.X, a.Y, a.Z
		// CommitTimeError needs the hat and the defect
		n.pastPose.Linear, n.pastRate.Linear, n.pose.Linear, n.rate.Linear = n.pose.Linear, n.rate.Linear, e, first
	}
	for k := range x {
		i, n := k+1, &t.nodes[k]
		damped := 1 + s.nodeDamping(i)
		acceleration := s.stepRotation[i].Sub(s.step.turnTilde[i]).Scale(beta)
		da := acceleration.Sub(n.acceleration.Angular)
		v := s.stepRotation[i].Sub(s.step.turnHat[i]).Scale(gamma)
		dv := v.Sub(s.omega[i]).AddScaled(-velocityExtrapolation, s.omega[i].Sub(s.past.omega[i]))
		turning, gyroscopic, implicit := s.turningError(i, &v, n)
		first := dv.Scale(d.velocity).AddScaled(d.acceleration, da).Sub(turning)
		second := da.Scale(d.change).AddScaled(d.jerk, n.jerk.Angular).Sub(gyroscopic)
		n.acceleration.Angular, n.jerk.Angular = acceleration.Flush(), da.Scale(1/dt).Flush()
		e, w := f.Hat(n.pose.Angular, n.pastPose.Angular), f.Hat(n.rate.Angular, n.pastRate.Angular)
		a := e.Scale(beta).AddScaled(gamma, first).AddScaled(damped*gamma, w).AddScaled(damped, second).Add(implicit)
		x[k][3], x[k][4], x[k][5] = a.X, a.Y, a.Z
		n.pastPose.Angular, n.pastRate.Angular, n.pose.Angular, n.rate.Angular = n.pose.Angular, n.rate.Angular, e, first
	}
	s.applyMassAndDrag(t, x)
}

// turningError returns what the angular velocity w of node i adds to the error of the angular velocity,
// w × e, and to that of the angular acceleration, J⁻¹ (δw × J w + w × J δw), in the axes of the body that
// turns. The tangent of the step has the symmetric part of half of the first already, β ¼ (J [D]× − [D]× J):
// implicit is that acceleration by e + τ w, for which the right-hand side makes up. All are of errors that
// are extrapolated.
func (s *State) turningError(i int, w *spatial.Vec, n *nodeError) (rate, acceleration, implicit spatial.Vec) {
	e := n.pose.Angular.Scale(2).Sub(n.pastPose.Angular)
	dw := n.rate.Angular.Scale(2).Sub(n.pastRate.Angular)
	j, d := &s.inertia[i], &s.stepRotation[i]
	m := dw.Cross(j.Mul(*w)).Add(w.Cross(j.Mul(dw)))
	x := e.AddScaled(s.nodeDamping(i)/s.step.gamma, dw)
	t := j.Mul(d.Cross(x)).Sub(d.Cross(j.Mul(x))).Scale(0.25 * s.step.beta)
	inverse := spatial.Vec{X: 1 / j.X, Y: 1 / j.Y, Z: 1 / j.Z}
	return w.Cross(e), inverse.Mul(m), inverse.Mul(t)
}

// updateAccelerations computes the accelerations of the nodes at the end of the step. It sets the linear
// parts of x to their changes and returns the largest, m/s².
func (s *State) updateAccelerations(t *TimeError, x []spatial.Vec6) float64 {
	largest := 0.0
	for k := range x {
		n := &t.nodes[k]
		a := s.Pose[k+1].P.Sub(s.step.posTilde[k+1]).Scale(s.step.beta)
		d := a.Sub(n.acceleration.Linear)
		n.acceleration.Linear = a.Flush()
		x[k][0], x[k][1], x[k][2] = d.X, d.Y, d.Z
		largest = max(largest, d.Norm2())
	}
	return math.Sqrt(largest)
}

// applyMassAndDrag makes the accelerations x the wrenches of inertia, and adds those of the drag, body axes.
func (s *State) applyMassAndDrag(t *TimeError, x []spatial.Vec6) {
	hasDrag := s.opt.Drag != nil || s.opt.Quadratic != nil
	distributed := s.distributed.elements != nil
	if distributed {
		s.distributed.accelerate(s.Pose, x)
	}
	for k := range x {
		i := k + 1
		a, b := x[k].Linear(), x[k].Angular()
		f := a.Scale(s.mass[i])
		if distributed {
			f = s.distributed.force[i]
		}
		if hasDrag {
			f = f.Add(s.dragOf(i, t.nodes[k].pose.Linear.Scale(s.step.gamma).Add(t.nodes[k].rate.Linear)))
		}
		m := s.inertia[i].Mul(b)
		if distributed {
			moment, _ := s.distributedMoment(i)
			m = m.Add(moment)
		}
		if c := s.opt.RotationalDrag; c != nil {
			m = m.AddScaled(c[i], t.nodes[k].pose.Angular.Scale(s.step.gamma).Add(t.nodes[k].rate.Angular))
		}
		x[k] = spatial.Vec6Of(s.Pose[i].R.ApplyT(f), m)
		for j := range s.eccentric.bodies {
			if o := &s.eccentric.bodies[j]; o.node == i {
				g := s.Pose[i].R.ApplyT(a).Add(b.Cross(o.arm)).Scale(o.mass)
				x[k] = spatial.Vec6Of(x[k].Linear().Add(g), x[k].Angular().Add(o.arm.Cross(g)))
			}
		}
	}
}

// dragOf returns the change of the drag on node i by a change dv of its velocity, with the opposite
// sign.
func (s *State) dragOf(i int, dv spatial.Vec) spatial.Vec {
	f := dv.Scale(s.drag[i])
	if c := s.quadratic[i]; c > 0 {
		v := s.Pose[i].P.Sub(s.step.posHat[i]).Scale(s.step.gamma)
		if speed := v.Norm(); speed > 0 {
			f = f.AddScaled(c*speed, dv).AddScaled(c*v.Dot(dv)/speed, v)
		}
	}
	return f
}

// nodeDamping returns γ τ of the elements beside node i.
func (s *State) nodeDamping(i int) float64 {
	last := s.step.rate[i-1]
	if i == len(s.step.rate) {
		return last
	}
	return 0.5 * (last + s.step.rate[i])
}

// CommitTimeError makes the solution x of the equations of AssembleTimeError the error at the end
// of the step. An error of more than the length of the rod counts as that length: the linearised
// equations of an unstable motion would let it grow beyond all bounds. So does an error that is not finite.
func (s *State) CommitTimeError(t *TimeError, x []spatial.Vec6) {
	gamma := s.step.gamma
	largest := 0.0
	for k := range x {
		i, n := k+1, &t.nodes[k]
		e, hat, first := s.Pose[i].R.Apply(x[k].Linear()), n.pose.Linear, n.rate.Linear
		if c := s.nodeDamping(i); c != 0 {
			e = e.AddScaled(c, hat).AddScaled(c/gamma, first).Scale(1 / (1 + c))
		}
		e = e.Flush()
		n.pose.Linear, n.rate.Linear = e, e.Sub(hat).Scale(gamma).Sub(first).Flush()
		largest = max(largest, e.Norm2())
	}
	for k := range x {
		n := &t.nodes[k]
		e, hat, first := x[k].Angular(), n.pose.Angular, n.rate.Angular
		if c := s.nodeDamping(k + 1); c != 0 {
			e = e.AddScaled(c, hat).AddScaled(c/gamma, first).Scale(1 / (1 + c))
		}
		e = e.Flush()
		n.pose.Angular, n.rate.Angular = e, e.Sub(hat).Scale(gamma).Sub(first).Flush()
	}
	switch most := s.rod.Length; {
	case largest <= most*most:
	case largest <= math.MaxFloat64:
		t.scale(most / math.Sqrt(largest))
	default:
		s.saturateTimeError(t)
	}
}

// saturateTimeError makes an estimate that is not finite the length of the rod at the tip, in any direction,
// and less toward the base in proportion.
func (s *State) saturateTimeError(t *TimeError) {
	for k := range t.nodes {
		n := &t.nodes[k]
		off := spatial.Twist{Linear: spatial.Vec{X: s.rod.ArcLengths[k+1]}}
		*n = nodeError{pose: off, pastPose: off, acceleration: n.acceleration, jerk: n.jerk}
	}
}

// scale multiplies the error by f.
func (t *TimeError) scale(f float64) {
	for k := range t.nodes {
		n := &t.nodes[k]
		for _, x := range [...]*spatial.Twist{&n.pose, &n.pastPose, &n.rate, &n.pastRate} {
			x.Linear, x.Angular = x.Linear.Scale(f), x.Angular.Scale(f)
		}
	}
}

// SkipImpact is SkipStep for a step with an impact, whose accelerations are no part of the motion after it.
func (t *TimeError) SkipImpact() {
	t.SkipStep()
	t.hasJerk, t.omittedShare = false, 0
}

// SkipStep makes the error at the end of a step the one at its start, for a step whose equations have no
// solution for it.
func (t *TimeError) SkipStep() {
	for k := range t.nodes {
		n := &t.nodes[k]
		n.pose, n.rate = n.pastPose, n.pastRate
	}
}

// Position returns the error of the position of node i, world axes, m.
func (t *TimeError) Position(i int) spatial.Vec {
	if i == 0 {
		return spatial.Vec{} // the base is prescribed
	}
	return t.nodes[i-1].pose.Linear
}

// Largest returns the largest error of the position of a node, m.
func (t *TimeError) Largest() float64 {
	largest := 0.0
	for k := range t.nodes {
		largest = max(largest, t.nodes[k].pose.Linear.Norm2())
	}
	return math.Sqrt(largest)
}

// BeginFrom makes the error 0, with what the next step needs to know of the steps before as another estimate of the same rod has it.
func (t *TimeError) BeginFrom(other *TimeError) {
	t.change, t.hasJerk, t.omittedShare = other.change, other.hasJerk, other.omittedShare
	for k := range t.nodes {
		n := &other.nodes[k]
		t.nodes[k] = nodeError{acceleration: n.acceleration, jerk: n.jerk}
	}
}

// StateLen returns the number of values that Save writes.
func (t *TimeError) StateLen() int { return timeErrorLen + nodeErrorLen*len(t.nodes) }

// Save writes the error and what the next step needs to dst.
func (t *TimeError) Save(dst []float64) {
	dst[0], dst[1], dst[2] = t.change, 0, t.omittedShare
	if t.hasJerk {
		dst[1] = 1
	}
	dst = dst[timeErrorLen:]
	for k := range t.nodes {
		for _, v := range t.nodes[k].vectors() {
			v.Put(dst)
			dst = dst[3:]
		}
	}
}

// Restore reads what Save wrote.
func (t *TimeError) Restore(src []float64) {
	t.change, t.hasJerk, t.omittedShare = src[0], src[1] != 0, src[2]
	src = src[timeErrorLen:]
	for k := range t.nodes {
		for _, v := range t.nodes[k].vectors() {
			*v = spatial.VecAt(src)
			src = src[3:]
		}
	}
}

func (n *nodeError) vectors() [nodeErrorLen / 3]*spatial.Vec {
	return [...]*spatial.Vec{
		&n.pose.Linear, &n.pose.Angular, &n.pastPose.Linear, &n.pastPose.Angular,
		&n.rate.Linear, &n.rate.Angular, &n.pastRate.Linear, &n.pastRate.Angular,
		&n.acceleration.Linear, &n.acceleration.Angular, &n.jerk.Linear, &n.jerk.Angular,
	}
}
