package mechanism

import (
	"math"
	"slices"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// The error that the length of the steps causes obeys the linearised equations of the same steps, driven by their defects; see
// strain.TimeError. Its multipliers hold the joints closed, as those of the motion do, so that the equations have the matrix of
// the step. Stops and prescribed coordinates have no error, and where friction sticks, the error stays. The accelerations of impacts are
// no part of a smooth motion: their steps, of order 1, have errors of poses alone, and the next ones none of their own until no
// difference reaches across. That leaves out the error of order 1 that the impacts themselves cause.

// bodyError is the error of a body: linear parts of the centre of mass in world axes, angular parts in body axes.
type bodyError struct {
	history        integrate.DefectHistory
	pose, pastPose spatial.Twist // at the last two levels, m and rad
	rate, pastRate spatial.Twist // m/s and rad/s
	acceleration   spatial.Twist // of the body itself, m/s² and rad/s²
	jerk           spatial.Twist // change of the acceleration in the last step over the step
	kept, keptRate spatial.Twist // pose and rate between assembleTimeShift and commitTimeShift
}

// TimeError returns the estimate of the largest error of a position, in parts of the length of the mechanism: how far it
// is from where steps of length 0 would have taken it since the last equilibrium or t = 0.
func (w *World) TimeError() float64 {
	worst := 0.0
	for _, l := range w.links {
		worst = max(worst, l.largestTimeError())
	}
	return worst / w.size
}

// estimateTimeError advances the estimate over the step of h seconds, with a formula of the given order, that the present
// poses end. last is the length of the step before, s.
func (w *World) estimateTimeError(order int, h, last float64) {
	w.carryTimeError(order, h, last)
	if w.hasStepError {
		w.exchangeTimeErrors()
		w.carryTimeError(order, h, last)
		w.exchangeTimeErrors()
	}
}

// carryTimeError advances the estimate that is in use.
func (w *World) carryTimeError(order int, h, last float64) {
	if w.plastic > 1 || w.isStopping() {
		for _, l := range w.links {
			l.interruptTimeError()
		}
	}
	if w.hasStaleFriction() && !w.matrix.Factor() {
		return
	}
	isInterrupted := order == 1 && slices.ContainsFunc(w.links, func(l link) bool { return l.nodeCount() > 0 && l.isTimeErrorInterrupted() })
	clear(w.right)
	for _, l := range w.links {
		l.assembleTimeError(&w.formula, order, h, last, w.of(l, w.right))
	}
	w.addDamperErrors()
	for _, c := range w.connections {
		for k := range c.laws.list {
			if o := &c.laws.list[k]; o.isActive && o.kind == frictionLaw {
				w.right[c.laws.unknown][k], _ = w.timeErrorAlong(c, &o.onParent, &o.onChild)
			}
		}
	}
	w.keepContactErrors()
	w.solveAgain()
	for _, l := range w.links {
		l.commitTimeError(w.of(l, w.increment), w.size)
	}
	if isInterrupted {
		w.shiftTimeErrors()
	}
}

// shiftTimeErrors adds by how much the poses are off after a step of order 1 of an impact. The velocities at its end are those that the
// impact leaves.
func (w *World) shiftTimeErrors() {
	clear(w.right)
	for _, l := range w.links {
		l.assembleTimeShift(w.of(l, w.right))
	}
	w.addDamperErrors()
	w.solveAgain()
	for _, l := range w.links {
		l.commitTimeShift(w.of(l, w.increment))
	}
}

// addDamperErrors adds to the right-hand side what springs and motors with damping make of the rates of the error.
func (w *World) addDamperErrors() {
	for _, c := range w.connections {
		for i := range c.coordinate {
			if d := c.damping(i); d != 0 {
				parent, child := c.geometry.Gradient(i, &c.relative)
				onParent, onChild := c.parent.onNode(&parent), c.child.onNode(&child)
				_, rate := w.timeErrorAlong(c, &onParent, &onChild)
				w.addForce(c, d*rate, &onParent, &onChild)
			}
		}
	}
}

// keepContactErrors adds to the right-hand side what friction and damping of contacts, which the tangent has, know nothing of: the
// errors at the start of the step, from where they act. So the error stays where friction sticks. They are those of the tangent: what
// slips at the end of the step, and sticks in the tangent, would throw the error away.
func (w *World) keepContactErrors() {
	for _, c := range w.contacts.listed {
		for i := range c.keepers {
			points := &c.friction.nodePoints
			if i == 2 {
				points = &c.nodePoints
			}
			if q := &c.keepers[i]; q.stiffness != 0 {
				w.keepErrorAlong(points, q.stiffness, q.v)
			}
		}
	}
}

// hasStaleFriction reports whether some friction or damping acts in the last tangent otherwise than in the last factors, as where
// a contact slips on or begins to slip in the last iteration. For increments that are round-off this does not matter, and the error
// would grow in every step by the part by which they differ.
func (w *World) hasStaleFriction() bool {
	for _, c := range w.contacts.listed {
		for i, k := range c.factored {
			if q := c.keepers[i].stiffness; math.Abs(q-k) > 1e-4*max(q, k) {
				return true
			}
		}
	}
	return false
}

// keepErrorAlong adds the force of a stiffness along v that the error of a contact at the start of the step would cause.
func (w *World) keepErrorAlong(nodePoints *[4]nodePoint, stiffness float64, v spatial.Vec) {
	x := 0.0
	for i := range nodePoints {
		if s := &nodePoints[i]; w.isUnknown(s.node) {
			l := w.owner[s.node]
			was, _ := l.timeErrorOf(s.node - l.firstNode())
			along := w.pose[s.node].R.ApplyT(v).Scale(sideSign(i))
			x += along.Dot(was.Linear().Scale(s.weight).Add(was.Angular().Cross(s.arm)))
		}
	}
	w.addContactForce(nodePoints, v.Scale(stiffness*x), false)
}

// isStopping reports whether an impact goes on: damping carries what the contact at the end of the step would not.
func (w *World) isStopping() bool {
	for _, c := range w.contacts.listed {
		if c.friction.normalForce > 0 && c.isDamped(c.friction.normalForce) {
			return true
		}
	}
	return false
}

// BeginStepError starts a second estimate, of the error that the steps from now on add. It is no part of the saved state.
func (w *World) BeginStepError() {
	w.hasStepError, w.impacts = true, 0
	for _, l := range w.links {
		l.beginStepError()
	}
	if w.savedStepError == nil {
		w.savedStepError = make([]float64, w.StateLen())
	}
}

// StepError returns the largest error of a position that the steps since BeginStepError have added, in parts of the length of the mechanism.
func (w *World) StepError() float64 {
	w.exchangeTimeErrors()
	defer w.exchangeTimeErrors()
	return w.TimeError()
}

// Impacts is the number of steps since BeginStepError with an impact, whose own error the estimates leave out.
func (w *World) Impacts() int { return w.impacts }

// exchangeTimeErrors exchanges the estimate and that of BeginStepError.
func (w *World) exchangeTimeErrors() {
	for _, l := range w.links {
		l.exchangeTimeErrors()
	}
}

// saveStep saves the state at the start of a step for restoreStep, with the estimate of BeginStepError.
func (w *World) saveStep() {
	w.impactsBefore = w.impacts
	w.Save(w.saved)
	if w.hasStepError {
		w.exchangeTimeErrors()
		w.Save(w.savedStepError)
		w.exchangeTimeErrors()
	}
}

// restoreStep returns to the start of a step, of which a part has failed.
func (w *World) restoreStep() {
	w.impacts = w.impactsBefore
	if w.hasStepError {
		w.restore(w.savedStepError)
		w.exchangeTimeErrors()
	}
	w.restore(w.saved)
}

// timeErrorAlong returns the error of a function of a joint's frames at the start of the step, and γ ê + δ of it at the end, from
// its derivatives by increments of the nodes.
func (w *World) timeErrorAlong(c *connection, onParent, onChild *spatial.Vec6) (was, rate float64) {
	for _, s := range [...]struct {
		node int
		d    *spatial.Vec6
	}{{c.parent.node, onParent}, {c.child.node, onChild}} {
		if s.node >= 0 {
			l := w.owner[s.node]
			x, v := l.timeErrorOf(s.node - l.firstNode())
			was, rate = was+dot(s.d, &x), rate+dot(s.d, &v)
		}
	}
	return was, rate
}

// damping returns the effort of spring and motor per rate of coordinate i, N s/m or N m s/rad.
func (c *connection) damping(i int) (d float64) {
	if c.Spring != nil {
		d = c.Spring[i].Damping
	}
	if c.Motor != nil && c.Motor[i].Kind == PositionMotor && c.saturated[i] == 0 {
		d += c.Motor[i].Damping
	}
	return d
}

func (w *World) resetTimeError() {
	for _, l := range w.links {
		l.resetTimeError()
	}
}

func (l *rodLink) assembleTimeError(f *integrate.BDF, order int, h, last float64, x []spatial.Vec6) {
	l.state.AssembleTimeError(&l.timeError, f, order, h, last, x)
}

func (l *rodLink) commitTimeError(x []spatial.Vec6, _ float64) {
	l.state.CommitTimeError(&l.timeError, x)
}

func (l *rodLink) timeErrorOf(node int) (was, rate spatial.Vec6) {
	return l.state.TimeErrorOf(&l.timeError, node)
}

func (l *rodLink) largestTimeError() float64 { return l.timeError.Largest() }

func (l *rodLink) interruptTimeError() { l.timeError.Interrupt() }

func (l *rodLink) isTimeErrorInterrupted() bool { return l.timeError.IsInterrupted() }

func (l *rodLink) assembleTimeShift(x []spatial.Vec6) { l.state.AssembleShift(&l.timeError, x) }

func (l *rodLink) commitTimeShift(x []spatial.Vec6) { l.state.CommitShift(&l.timeError, x) }

func (l *rodLink) resetTimeError() { l.timeError.Reset() }

func (l *rodLink) beginStepError() {
	if l.stepError == nil {
		t := strain.NewTimeError(l.nodeCount())
		l.stepError = &t
	}
	l.stepError.BeginFrom(&l.timeError)
}

func (l *rodLink) exchangeTimeErrors() { l.timeError, *l.stepError = *l.stepError, l.timeError }

func (b *body) assembleTimeError(f *integrate.BDF, order int, h, last float64, x []spatial.Vec6) {
	if b.IsFixed {
		return
	}
	n, s, turn := &b.timeError, &b.step, b.turn()
	v := spatial.Twist{Linear: b.center().Sub(s.hat).Scale(s.gamma), Angular: turn.Sub(s.turnHat).Scale(s.gamma)}
	a := spatial.Twist{Linear: b.center().Sub(s.tilde).Scale(s.beta), Angular: turn.Sub(s.turnTilde).Scale(s.beta)}
	dv := spatial.Twist{Linear: v.Linear.Sub(b.velocity), Angular: v.Angular.Sub(b.omega)}
	da := spatial.Twist{Linear: a.Linear.Sub(n.acceleration.Linear), Angular: a.Angular.Sub(n.acceleration.Angular)}
	if order == 2 { // its formula continues the change of velocities before the step
		dv.Linear = dv.Linear.AddScaled(-h/last, b.velocity.Sub(b.before.velocity))
		dv.Angular = dv.Angular.AddScaled(-h/last, b.omega.Sub(b.before.omega))
	}
	d := n.history.Next(order, h, last, max(da.Linear.Norm(), b.extent()*da.Angular.Norm()))
	first := combine(d.Velocity, &dv, d.Acceleration, &da)
	second := combine(d.Change, &da, d.Jerk, &n.jerk)
	n.acceleration, n.jerk = a, combine(1/h, &da, 0, &da)

	// what rotations add, by errors that are extrapolated: ω × e to the error of the angular velocity, w × J ω + ω × J w to the
	// moment. The tangent of the step has the first and a part of the second already.
	e := n.pose.Angular.Scale(2).Sub(n.pastPose.Angular)
	w := n.rate.Angular.Scale(2).Sub(n.pastRate.Angular)
	momentum := b.inertia.Apply(v.Angular)
	gyroscopic := w.Cross(momentum).Add(v.Angular.Cross(b.inertia.Apply(w)))
	tangent := b.tangentOfTurn(turn)
	implicit := tangent.Apply(e).AddScaled(-s.beta, b.inertia.Apply(e))
	first.Angular = first.Angular.Sub(v.Angular.Cross(e))

	hat := spatial.Twist{Linear: f.Hat(n.pose.Linear, n.pastPose.Linear), Angular: f.Hat(n.pose.Angular, n.pastPose.Angular)}
	rateHat := spatial.Twist{Linear: f.Hat(n.rate.Linear, n.pastRate.Linear), Angular: f.Hat(n.rate.Angular, n.pastRate.Angular)}
	// the sum of β ê, γ δ, γ ŵ and ε
	linear := hat.Linear.Scale(s.beta).AddScaled(s.gamma, first.Linear.Add(rateHat.Linear)).Add(second.Linear)
	angular := hat.Angular.Scale(s.beta).AddScaled(s.gamma, first.Angular.Add(rateHat.Angular)).Add(second.Angular)
	force := b.pose.R.ApplyT(linear).Scale(b.Mass)
	moment := b.inertia.Apply(angular).Sub(gyroscopic).Add(implicit)
	x[0] = spatial.Vec6Of(force, b.CenterOfMass.Cross(force).Add(moment))

	// commitTimeError needs ê and δ
	n.pastPose, n.pastRate, n.pose, n.rate = n.pose, n.rate, hat, first
}

func (b *body) commitTimeError(x []spatial.Vec6, most float64) {
	if b.IsFixed {
		return
	}
	n, gamma := &b.timeError, b.step.gamma
	hat, first := n.pose, n.rate
	w := x[0].Angular()
	n.pose = spatial.Twist{Linear: b.pose.R.Apply(x[0].Linear().Add(w.Cross(b.CenterOfMass))).Flush(), Angular: w.Flush()}
	n.rate = spatial.Twist{
		Linear:  n.pose.Linear.Sub(hat.Linear).Scale(gamma).Sub(first.Linear).Flush(),
		Angular: n.pose.Angular.Sub(hat.Angular).Scale(gamma).Sub(first.Angular).Flush(),
	}
	// An error of more than the length of the mechanism counts as that length, and one that is not finite too: the linearised
	// equations of an unstable motion would let it grow beyond all bounds.
	switch size := max(n.pose.Linear.Norm(), most*n.pose.Angular.Norm()); {
	case size <= most:
	case size <= math.MaxFloat64:
		for _, v := range [...]*spatial.Twist{&n.pose, &n.pastPose, &n.rate, &n.pastRate} {
			*v = combine(most/size, v, 0, v)
		}
	default:
		off := spatial.Twist{Linear: spatial.Vec{X: most}}
		n.pose, n.pastPose, n.rate, n.pastRate = off, off, spatial.Twist{}, spatial.Twist{}
	}
}

func (b *body) timeErrorOf(int) (was, rate spatial.Vec6) {
	n := &b.timeError
	ofNode := func(t spatial.Twist) spatial.Vec6 {
		return spatial.Vec6Of(b.pose.R.ApplyT(t.Linear).Sub(t.Angular.Cross(b.CenterOfMass)), t.Angular)
	}
	return ofNode(n.pastPose), ofNode(combine(b.step.gamma, &n.pose, 1, &n.rate))
}

func (b *body) largestTimeError() float64 {
	return max(b.timeError.pose.Linear.Norm(), b.extent()*b.timeError.pose.Angular.Norm())
}

func (b *body) interruptTimeError() { b.timeError.history.Interrupt() }

func (b *body) isTimeErrorInterrupted() bool { return b.timeError.history.IsInterrupted() }

func (b *body) assembleTimeShift(x []spatial.Vec6) {
	if b.IsFixed {
		return
	}
	n, s := &b.timeError, &b.step
	n.kept, n.keptRate = n.pose, n.rate
	n.pose = spatial.Twist{}
	n.rate.Linear = b.center().Sub(s.hat).Scale(s.gamma).Sub(b.velocity).Scale(0.5)
	n.rate.Angular = b.turn().Sub(s.turnHat).Scale(s.gamma).Sub(b.omega).Scale(0.5)
	force := b.pose.R.ApplyT(n.rate.Linear).Scale(s.gamma * b.Mass)
	x[0] = spatial.Vec6Of(force, b.CenterOfMass.Cross(force).Add(b.inertia.Apply(n.rate.Angular.Scale(s.gamma))))
}

func (b *body) commitTimeShift(x []spatial.Vec6) {
	if b.IsFixed {
		return
	}
	n, w := &b.timeError, x[0].Angular()
	n.pose.Linear = n.kept.Linear.Add(b.pose.R.Apply(x[0].Linear().Add(w.Cross(b.CenterOfMass)))).Flush()
	n.pose.Angular = n.kept.Angular.Add(w).Flush()
	n.rate = n.keptRate
}

func (b *body) resetTimeError() { b.timeError = bodyError{} }

func (b *body) beginStepError() {
	n := &b.timeError
	b.stepError = bodyError{history: n.history, acceleration: n.acceleration, jerk: n.jerk}
}

func (b *body) exchangeTimeErrors() { b.timeError, b.stepError = b.stepError, b.timeError }

// bodyErrorLen is the number of values of the error of a body in a saved state.
const bodyErrorLen = integrate.DefectHistoryLen + 36

func (n *bodyError) save(dst []float64) {
	n.history.Save(dst)
	for i, v := range n.vectors() {
		v.Put(dst[integrate.DefectHistoryLen+3*i:])
	}
}

func (n *bodyError) restore(src []float64) {
	n.history.Restore(src)
	for i, v := range n.vectors() {
		*v = spatial.VecAt(src[integrate.DefectHistoryLen+3*i:])
	}
}

func (n *bodyError) vectors() [12]*spatial.Vec {
	return [...]*spatial.Vec{
		&n.pose.Linear, &n.pose.Angular, &n.pastPose.Linear, &n.pastPose.Angular,
		&n.rate.Linear, &n.rate.Angular, &n.pastRate.Linear, &n.pastRate.Angular,
		&n.acceleration.Linear, &n.acceleration.Angular, &n.jerk.Linear, &n.jerk.Angular,
	}
}

// combine returns s a + t b.
func combine(s float64, a *spatial.Twist, t float64, b *spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: a.Linear.Scale(s).AddScaled(t, b.Linear), Angular: a.Angular.Scale(s).AddScaled(t, b.Angular)}
}
