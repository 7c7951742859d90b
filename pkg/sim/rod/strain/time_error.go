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
	smooth int         // number of changes of accelerations since the last jump, at most 2
	// omittedShare is the share of the first change of accelerations after a jump that the defect of the
	// step with the jump has left out.
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
	t.change, t.smooth, t.omittedShare = 0, 0, 0
}

// SetAtRest makes the rates of the error 0.
func (t *TimeError) SetAtRest() {
	for k := range t.nodes {
		n := &t.nodes[k]
		*n = nodeError{pose: n.pose, pastPose: n.pose}
	}
	t.change, t.smooth, t.omittedShare = 0, 0, 0
}

// jumpGrowth is the growth of the change of accelerations from one step to the next above which
// the loads have jumped.
const jumpGrowth = 4

// defect is how the defects of a step follow from the changes dv of velocities and da of
// accelerations: δ = velocity dv + acceleration da, ε = change da + jerk (last jerk).
type defect struct{ velocity, acceleration, change, jerk float64 }

// defect returns the defect of a step of dt seconds with a formula of the given order. change is
// the largest change of the acceleration of a node.
//
// BDF1 has δ = h q̈/2, BDF2 of steps h after h₀ has δ = h (h + h₀)/6 times the third derivative.
// After a jump J of the acceleration at the start of a step, BDF1 has no defect ε. BDF2 has
// δ = h J/4 and ε = −J/2. The part of ε due to the slope of the acceleration after the jump is known
// one step later.
func (t *TimeError) defect(order int, dt, change float64) defect {
	jumped := t.smooth > 0 && change > jumpGrowth*t.change
	t.change = change
	d := defect{velocity: 1. / 3, change: 1. / 3, jerk: -dt / 3}
	switch {
	case order == 1:
		if d = (defect{velocity: 0.5, change: 0.5}); t.smooth == 0 || jumped {
			d.change = 0
		}
		t.smooth, t.omittedShare = 0, 0.5
		return d
	case jumped:
		t.smooth, t.omittedShare = 0, 0.75
		return defect{acceleration: dt / 4, change: -0.5}
	case t.smooth == 0:
		d.change, d.jerk = t.omittedShare, 0
	}
	t.smooth = min(t.smooth+1, 2)
	return d
}

// AssembleTimeError sets x to the right-hand side of the equations of the error at the end of a
// step with formula f, dt seconds long after one of last seconds. Commit has yet to end the step.
func (s *State) AssembleTimeError(t *TimeError, f *integrate.BDF, order int, dt, last float64, x []spatial.Vec6) {
	d := t.defect(order, dt, s.takeAccelerations(t, x))
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
	s.weighTimeError(t, x)
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

// takeAccelerations takes the accelerations of the nodes at the end of the step. It sets the linear
// parts of x to their changes and returns the largest, m/s².
func (s *State) takeAccelerations(t *TimeError, x []spatial.Vec6) float64 {
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

// weighTimeError turns the accelerations x into the wrenches that give them to the masses and adds those
// that balance the drag, body axes.
func (s *State) weighTimeError(t *TimeError, x []spatial.Vec6) {
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
// equations of an unstable motion would let it grow beyond all bounds.
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
	if most := s.rod.Length; largest > most*most {
		t.scale(most / math.Sqrt(largest))
	} else if !(largest <= most*most) {
		t.Reset() // the estimate is NaN
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
	t.change, t.smooth, t.omittedShare = other.change, other.smooth, other.omittedShare
	for k := range t.nodes {
		n := &other.nodes[k]
		t.nodes[k] = nodeError{acceleration: n.acceleration, jerk: n.jerk}
	}
}

// StateLen returns the number of values that Save writes.
func (t *TimeError) StateLen() int { return timeErrorLen + nodeErrorLen*len(t.nodes) }

// Save writes the error and what the next step needs to dst.
func (t *TimeError) Save(dst []float64) {
	dst[0], dst[1], dst[2] = t.change, float64(t.smooth), t.omittedShare
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
	t.change, t.smooth, t.omittedShare = src[0], int(src[1]), src[2]
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
