package continuum

import "sinew/pkg/sim/integrate"

// implicitOptions are those of the solver.
type implicitOptions struct {
	newton integrate.Newton
	// refinements is how often an increment is refined by the skew part of the
	// tangent, which the symmetric factorisation leaves out: of the order of the
	// residual, and of the rotary inertia times the rotation of the step.
	refinements int
	regrip      float64 // tolerance of a correction of friction, rad; 0: by Newton's method
}

const (
	// angleTolerance (rad) is the increment that ends a step's iteration. Errors
	// enter the velocity divided by the step, so it must be small.
	angleTolerance = 1e-5
	// iterationCap bounds the work of a step; regular motion takes regularIterations.
	iterationCap, regularIterations = 12, 3
	// With friction, sticking and slipping have to be told apart, which may take
	// more, and increments that go too far are halved.
	frictionCap   = 16
	frictionHalve = 5
	// regripTolerance (rad) is how far a correction of friction may be off, estimated, with the
	// tangent of an iterate that has moved on.
	regripTolerance = 1e-2 * angleTolerance
	// mostByChord is the largest increment (rad) after which walls are worth trying the method of
	// chords: after larger ones it seldom contracts enough.
	mostByChord = 1e-2
	// refinements makes the convergence as good as quadratic down to the square of
	// angleTolerance.
	refinements = 1
)

// motion is the equations of one step.
type motion struct {
	at      *iterate
	options *implicitOptions
}

var _ integrate.Chord = (*motion)(nil)

// Assemble implements integrate.System.
func (m *motion) Assemble(shift float64) {
	m.at.tendons.setTensions()
	m.at.linear.assemble(m.at.rod, m.at.tendons, shift)
}

// ResidualNorm implements integrate.System, in N.
func (m *motion) ResidualNorm() float64 { return m.at.residualNorm() }

// Increment implements integrate.System. The size is the largest rotation (rad) or
// relative stretch that the increment gives an element.
func (m *motion) Increment() (size float64, negative int, ok bool) {
	if negative, ok = m.at.linear.factor(); !ok {
		return 0, negative, false
	}
	m.fillBorder()
	ok = m.at.linear.solve(m.options.refinements)
	m.at.linear.amend(m.at.rod)
	return m.at.increment(), negative, ok
}

// ChordResidual implements integrate.Chord. Contacts of the rod with itself, friction and length
// control, whose borders are of their iterate, need a tangent of their own. So do contacts with
// walls where the increment changes their forces otherwise than it takes into account.
func (m *motion) ChordResidual() (ok bool) {
	at, c := m.at, m.at.contacts
	if !at.tendons.smooth() || c != nil && (at.joins() > 0 || at.size > mostByChord) {
		return false
	}
	at.tendons.setTensions()
	at.linear.assembleResidual(at.rod, at.tendons)
	return true
}

// ChordIncrement implements integrate.Chord.
func (m *motion) ChordIncrement() (size float64, ok bool) {
	at, c := m.at, m.at.contacts
	at.linear.oppose()
	ok = at.linear.solve(m.options.refinements)
	at.linear.amend(at.rod)
	size = at.increment()
	return size, ok && (c == nil || m.smooth())
}

// smooth reports whether the increment, of the last tangent, changes the forces of contacts as it
// takes into account.
func (m *motion) smooth() bool {
	at, x := m.at, m.at.linear.x
	return at.clip == 1 && !at.contacts.IsRough(at.rod, x) && !at.contacts.IsGripRough(at.rod, x)
}

// regrip moves the solution of a step to where it is with the friction that Correct has
// changed, with the last tangent. It reports whether that is a solution; if not, it stays.
func (m *motion) regrip() bool {
	at := m.at
	if !at.tendons.smooth() {
		return false
	}
	clear(at.linear.x)
	at.contacts.AddCorrection(at.rod, at.linear.x)
	last := at.size
	if !at.linear.solve(m.options.refinements) {
		return false
	}
	at.linear.amend(at.rod)
	size := at.increment()
	if !(size*max(size, last) < m.options.regrip) || !m.smooth() {
		return false
	}
	m.Move(1)
	return true
}

// fillBorder enters what the factored tangent leaves out: the stiffness of the
// bristles that stick, contacts of the rod with itself, and the tendons under length control.
func (m *motion) fillBorder() {
	w, t, pose := &m.at.linear.border, m.at.tendons, m.at.rod.Pose
	sticking := t.sticking()
	w.reset(sticking + m.at.joins())
	t.addSticking(w, 0, pose)
	m.at.addJoins(w, sticking)
	w.prepare(m.at.linear.matrix)
	m.at.linear.cables.fill(t, w, m.at.linear.matrix, pose, false, false)
}

// Move implements integrate.System.
func (m *motion) Move(scale float64) { m.at.move(scale) }

// Undo implements integrate.System.
func (m *motion) Undo() { m.at.undo() }

// Merit implements integrate.System, in J.
func (m *motion) Merit() float64 { return m.at.merit() }
