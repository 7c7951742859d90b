package motion

import (
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

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
	ok = m.report.Cause == integrate.Converged && m.check(step) == nil // else it is taken in parts
	last := 0.0
	for range polish {
		m.system.Assemble(0)
		last, _, _ = m.iteration.Increment()
		m.system.Move(1)
	}
	tip = m.system.Rod.Pose[len(m.system.Rod.Pose)-1]
	m.Restore(start)
	for _, e := range m.system.Prescribed() {
		e.SetTargets()
	}
	return tip, ok && last < size
}
