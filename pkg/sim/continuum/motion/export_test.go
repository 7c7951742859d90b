package motion

import (
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
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

// SolveFrictionByNewton makes steps that end with other normal forces in friction than they began with go on by Newton's
// method, never by one chord.
func (m *Stepper) SolveFrictionByNewton() { m.iteration.frictionTolerance = 0 }

// SolveExactly returns the pose of the tip at the end of the next step, iterated to round-off with the friction that the step
// ends with. It is exact to a size (rad); ok is false where the step is not solved as a whole. The state stays what it was.
func (m *Stepper) SolveExactly(time, dt, size float64) (tip spatial.Pose, ok bool) {
	const polish = 10
	start := make([]float64, m.StateLen())
	m.Save(start)
	for _, e := range m.system.Prescribed() {
		e.BeginDivision()
	}
	step, p := equations.Step{Time: time, Dt: dt, Whole: time}, m.history.plan(dt)
	m.begin(step, &p)
	m.predict(&p)
	m.report = Report{Report: m.iteration.solve(), Order: p.order}
	ok = m.report.Cause == integrate.Converged && m.check(step, true) == nil // else it is taken in parts
	last := 0.0
	for range polish {
		m.system.Assemble(0)
		last, _, _ = m.iteration.Increment()
		m.system.Move(1)
	}
	tip = m.system.State.Pose[len(m.system.State.Pose)-1]
	m.Restore(start)
	for _, e := range m.system.Prescribed() {
		e.SetTargets()
	}
	return tip, ok && last < size
}

// EstimateTimeError estimates the error in time as at the end of a step of dt seconds and takes that back.
func (m *Stepper) EstimateTimeError(dt float64) {
	p := m.history.plan(dt)
	m.estimateTimeError(&p)
	m.timeError.SkipStep()
}
