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
	nodes   []nodeError // from node 1 on, and from node 0 where the start is free
	history integrate.DefectHistory
}

// nodeError is the error of a node: linear parts in world axes, angular parts in body axes.
type nodeError struct {
	pose, pastPose spatial.Twist // e at the last two levels, m and rad
	rate, pastRate spatial.Twist // w at the last two levels, m/s and rad/s
	acceleration   spatial.Twist // of the node itself, m/s² and rad/s²
	jerk           spatial.Twist // its change in the last step over the step, m/s³ and rad/s³
	kept, keptRate spatial.Twist // e and w between AssembleShift and CommitShift
}

// nodeErrorLen is the number of values of a node in a saved state.
const nodeErrorLen = 36

// NewTimeError returns the estimate for a rod with so many nodes that move, at rest.
func NewTimeError(nodes int) TimeError { return TimeError{nodes: make([]nodeError, nodes)} }

// Reset makes the error 0, at rest.
func (t *TimeError) Reset() {
	clear(t.nodes)
	t.history = integrate.DefectHistory{}
}

// SetAtRest zeroes the rates of the error and keeps the position error: a robot at rest is still where its motion took it.
func (t *TimeError) SetAtRest() {
	for k := range t.nodes {
		n := &t.nodes[k]
		*n = nodeError{pose: n.pose, pastPose: n.pose}
	}
	t.history = integrate.DefectHistory{}
}

// AssembleTimeError sets x to the right-hand side of the equations of the error at the end of a
// step with formula f, dt seconds long after one of last seconds. Commit has yet to end the step.
func (s *State) AssembleTimeError(t *TimeError, f *integrate.BDF, order int, dt, last float64, x []spatial.Vec6) {
	d := t.history.Next(order, dt, last, s.updateAccelerations(t, x))
	velocityExtrapolation := 0.0 // share of the change of velocities before the step, which formulas of order 2 continue
	if order == 2 {
		velocityExtrapolation = dt / last
	}
	beta, gamma := s.step.beta, s.step.gamma
	for k := range x {
		i, n := k+s.first, &t.nodes[k]
		// Kelvin–Voigt damping of time constant τ is in the tangent as 1 + γ τ times the stiffness. So
		// the unknown is the stress that the error causes over the stiffness, e + τ w.
		damped := 1 + s.nodeDamping(i)
		da := x[k].Linear()
		v := s.Pose[i].P.Sub(s.step.posHat[i]).Scale(gamma)
		dv := v.Sub(s.vel[i]).AddScaled(-velocityExtrapolation, s.vel[i].Sub(s.past.vel[i]))
		first := dv.Scale(d.Velocity).AddScaled(d.Acceleration, da)
		second := da.Scale(d.Change).AddScaled(d.Jerk, n.jerk.Linear)
		n.jerk.Linear = da.Scale(1 / dt).Flush()
		e, w := f.Hat(n.pose.Linear, n.pastPose.Linear), f.Hat(n.rate.Linear, n.pastRate.Linear)
		a := e.Scale(beta).AddScaled(gamma, first).AddScaled(damped*gamma, w).AddScaled(damped, second)
		x[k][0], x[k][1], x[k][2] = a.X, a.Y, a.Z
		// CommitTimeError needs the hat and the defect
		n.pastPose.Linear, n.pastRate.Linear, n.pose.Linear, n.rate.Linear = n.pose.Linear, n.rate.Linear, e, first
	}
	for k := range x {
		i, n := k+s.first, &t.nodes[k]
		damped := 1 + s.nodeDamping(i)
		acceleration := s.stepRotation[i].Sub(s.step.turnTilde[i]).Scale(beta)
		da := acceleration.Sub(n.acceleration.Angular)
		v := s.stepRotation[i].Sub(s.step.turnHat[i]).Scale(gamma)
		dv := v.Sub(s.omega[i]).AddScaled(-velocityExtrapolation, s.omega[i].Sub(s.past.omega[i]))
		turning, gyroscopic, implicit := s.turningError(i, &v, n)
		first := dv.Scale(d.Velocity).AddScaled(d.Acceleration, da).Sub(turning)
		second := da.Scale(d.Change).AddScaled(d.Jerk, n.jerk.Angular).Sub(gyroscopic)
		n.acceleration.Angular, n.jerk.Angular = acceleration.Flush(), da.Scale(1/dt).Flush()
		e, w := f.Hat(n.pose.Angular, n.pastPose.Angular), f.Hat(n.rate.Angular, n.pastRate.Angular)
		a := e.Scale(beta).AddScaled(gamma, first).AddScaled(damped*gamma, w).AddScaled(damped, second).Add(implicit)
		x[k][3], x[k][4], x[k][5] = a.X, a.Y, a.Z
		n.pastPose.Angular, n.pastRate.Angular, n.pose.Angular, n.rate.Angular = n.pose.Angular, n.rate.Angular, e, first
	}
	s.applyMassAndDrag(t, x)
	if s.opt.FreeStart && s.hasDamping {
		s.addDamping(t, x)
	}
}

// addDamping adds to the right-hand side x of the error of a rod with a free start what internal damping C makes of
//
//	C w = C (D e − δ)
//
// beyond γ C e, which the tangent has: C (γ ê + δ). γ C is what damping adds to the stiffness of the tangent: one that is stiffer
// than that of bent elements lets errors grow in short steps.
func (s *State) addDamping(t *TimeError, x []spatial.Vec6) {
	rate := func(i int) (v, w spatial.Vec) {
		_, x := s.TimeErrorOf(t, i)
		return x.Linear(), x.Angular()
	}
	va, wa := rate(0)
	for e := range s.Strain {
		vb, wb := rate(e + 1)
		if s.step.rate[e] != 0 {
			ev, strain := &s.evenParts[e], &s.Strain[e]
			d := elementIncrement(ev, strain, va, wa, vb, wb)
			n, m := s.dampingStress(e, d.Linear.Scale(1/s.step.gamma), d.Angular.Scale(1/s.step.gamma))
			a, b := nodalWrenches(ev, strain, n, m)
			x[e] = spatial.Vec6Of(x[e].Linear().Sub(a.Force), x[e].Angular().Sub(a.Moment))
			x[e+1] = spatial.Vec6Of(x[e+1].Linear().Sub(b.Force), x[e+1].Angular().Sub(b.Moment))
		}
		va, wa = vb, wb
	}
}

// dampingStress returns by how much more the stress of element e changes by an increment of the strain with damping than without it.
func (s *State) dampingStress(e int, v, u spatial.Vec) (n, m spatial.Vec) {
	law, rate := &s.elements[e], s.step.rate[e]
	if !law.isLinear {
		return law.linear.Mul(v).Scale(rate), law.angular.Mul(u).Scale(rate)
	}
	var damped, elastic stiffness
	o := s.condensed[e]
	law.condenseTangent(&s.Strain[e], &o, &damped)
	law.condenseSlope(&s.Strain[e], &s.step.hat[e], 0, &o)
	law.condenseTangent(&s.Strain[e], &o, &elastic)
	n, m = damped.times(v, u)
	less, lessMoment := elastic.times(v, u)
	return n.Sub(less), m.Sub(lessMoment)
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
		a := s.Pose[k+s.first].P.Sub(s.step.posTilde[k+s.first]).Scale(s.step.beta)
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
		s.distributed.accelerate(s.Pose[s.first:], x)
	}
	for k := range x {
		i := k + s.first
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

// TimeErrorOf returns, between AssembleTimeError and CommitTimeError, the error of node i of a rod with a free start before the
// step, and γ ê + δ at its end: what e does not make of its rate D e − δ. Both are body increments.
func (s *State) TimeErrorOf(t *TimeError, i int) (was, rate spatial.Vec6) {
	n, r := &t.nodes[i], &s.Pose[i].R
	v := n.pose.Linear.Scale(s.step.gamma).Add(n.rate.Linear)
	w := n.pose.Angular.Scale(s.step.gamma).Add(n.rate.Angular)
	return spatial.Vec6Of(r.ApplyT(n.pastPose.Linear), n.pastPose.Angular), spatial.Vec6Of(r.ApplyT(v), w)
}

// nodeDamping returns γ τ of the elements beside node i whose stress the unknowns of the error are; 0 where the start is free:
// what holds the rod has other damping, so that the unknowns are poses; see addDamping.
func (s *State) nodeDamping(i int) float64 {
	if s.opt.FreeStart {
		return 0
	}
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
		i, n := k+s.first, &t.nodes[k]
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
		if c := s.nodeDamping(k + s.first); c != 0 {
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
		off := spatial.Twist{Linear: spatial.Vec{X: s.rod.ArcLengths[k+s.first]}}
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
	t.Forget()
}

// Forget makes the accelerations before the next step unknown.
func (t *TimeError) Forget() { t.history.Forget() }

// Interrupt makes the accelerations of the next step and before no part of the motion after it, as those of an impact are not.
func (t *TimeError) Interrupt() { t.history.Interrupt() }

// IsInterrupted reports whether the next step, of order 1, is one of an interruption; see integrate.DefectHistory.
func (t *TimeError) IsInterrupted() bool { return t.history.IsInterrupted() }

// AssembleShift sets x to the right-hand side of the equations by which the poses alone are off after a step of order 1 of an
// interruption, of a rod with a free start: (γ M + C) δ, δ = ½ dv. CommitShift ends what it begins; Commit has yet to end the step.
func (s *State) AssembleShift(t *TimeError, x []spatial.Vec6) {
	for k := range x {
		n := &t.nodes[k]
		n.kept, n.keptRate = n.pose, n.rate
		n.pose = spatial.Twist{}
		n.rate.Linear = s.Pose[k].P.Sub(s.step.posHat[k]).Scale(s.step.gamma).Sub(s.vel[k]).Scale(0.5)
		n.rate.Angular = s.stepRotation[k].Sub(s.step.turnHat[k]).Scale(s.step.gamma).Sub(s.omega[k]).Scale(0.5)
		x[k] = spatial.Vec6Of(n.rate.Linear.Scale(s.step.gamma), n.rate.Angular.Scale(s.step.gamma))
	}
	s.applyMassAndDrag(t, x)
	if s.hasDamping {
		s.addDamping(t, x)
	}
}

// CommitShift adds the solution x of the equations of AssembleShift to the errors of the poses.
func (s *State) CommitShift(t *TimeError, x []spatial.Vec6) {
	for k := range x {
		n := &t.nodes[k]
		n.pose.Linear = n.kept.Linear.Add(s.Pose[k].R.Apply(x[k].Linear())).Flush()
		n.pose.Angular = n.kept.Angular.Add(x[k].Angular()).Flush()
		n.rate = n.keptRate
	}
}

// SkipStep makes the error at the end of a step the one at its start, for a step whose equations have no
// solution for it.
func (t *TimeError) SkipStep() {
	for k := range t.nodes {
		n := &t.nodes[k]
		n.pose, n.rate = n.pastPose, n.pastRate
	}
}

// Position returns the error of the position of node i of a rod whose base is prescribed, world axes, m.
func (t *TimeError) Position(i int) spatial.Vec {
	if i == 0 {
		return spatial.Vec{}
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
	t.history = other.history
	for k := range t.nodes {
		n := &other.nodes[k]
		t.nodes[k] = nodeError{acceleration: n.acceleration, jerk: n.jerk}
	}
}

// StateLen returns the number of values that Save writes.
func (t *TimeError) StateLen() int { return integrate.DefectHistoryLen + nodeErrorLen*len(t.nodes) }

// Save writes the error and what the next step needs to dst.
func (t *TimeError) Save(dst []float64) {
	t.history.Save(dst)
	dst = dst[integrate.DefectHistoryLen:]
	for k := range t.nodes {
		for _, v := range t.nodes[k].vectors() {
			v.Put(dst)
			dst = dst[3:]
		}
	}
}

// Restore reads what Save wrote.
func (t *TimeError) Restore(src []float64) {
	t.history.Restore(src)
	src = src[integrate.DefectHistoryLen:]
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
