package motion

import (
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
)

// What tests of the package look into.

// HistoryLen and RegularIterations are constants of the package.
const (
	HistoryLen        = historyLen
	RegularIterations = regularIterations
)

// History is what a step knows of the steps before.
type History struct{ history }

// Extrapolations returns the weights of the last two changes in each extrapolation by dt seconds.
func (h *History) Extrapolations(dt float64) (ways [2]extrapolation, count int) {
	return h.extrapolations(dt)
}

// Add records a step.
func (h *History) Add(dt float64) { h.add(dt) }

// IsRegular reports whether the next step is of regular motion.
func (m *Stepper) IsRegular() bool { return m.isRegular() }

// SetLast makes the last step one of so many iterations and rejects.
func (m *Stepper) SetLast(iterations, rejects int) {
	m.last.Iterations, m.last.Rejects = iterations, rejects
}

// Plan is the time discretisation of a step.
type Plan struct{ plan }

// Order is that of its formula.
func (p *Plan) Order() int { return p.order }

// Begin starts a step of dt seconds, which Revert takes back.
func (m *Stepper) Begin(dt float64) *Plan {
	p := &Plan{m.history.plan(dt)}
	m.begin(equations.Step{Dt: dt}, &p.plan)
	return p
}

// Predict moves the iterate to where the iteration of a step begins.
func (m *Stepper) Predict(p *Plan) { m.predict(&p.plan) }

// Iteration is the equations of the step.
func (m *Stepper) Iteration() integrate.ChordSystem { return &m.iteration }

// Revert makes the state that of before Begin.
func (m *Stepper) Revert() { m.revert() }

// Contraction is how Newton's method has contracted in the regular steps before.
func (m *Stepper) Contraction() integrate.ContractionEstimate { return m.history.contraction }

// Forget forgets how the motion before went: how many steps were even, and how they contracted.
func (m *Stepper) Forget() {
	m.history.even, m.history.contraction = 0, integrate.ContractionEstimate{}
}
