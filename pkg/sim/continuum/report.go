package continuum

import (
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/continuum/motion"
	"sinew/pkg/sim/drive"
)

// StepReport says how the last step, or the equilibrium before it, was solved by method implicit.
type StepReport struct {
	motion.Report
	// Steps, Divided and Failed count the steps since the start: all that did not fail, those that were taken in parts, and those
	// that failed in parts, too.
	Steps, Divided, Failed uint64
	// Slack and Yielding are the numbers of tendons under length control whose constraint is inactive: at the least tension, and at the
	// largest one.
	Slack, Yielding int
	// Contacts is the number of contacts, FrictionUpdates how many steps were solved again because normal forces in friction had changed.
	Contacts, FrictionUpdates int
}

// Report returns the report of the last step or equilibrium; it is empty for other methods than implicit.
func (m *Model) Report() (r StepReport) {
	e, ok := m.engine.(*implicit)
	if !ok {
		return r
	}
	r.Report = e.stepper.Report()
	n := e.stepper.Counters()
	r.Steps, r.Divided, r.Failed = n.Steps, n.Divided, n.Failed
	r.Slack, r.Yielding = e.tendons.Inactive()
	if e.contact != nil {
		r.Contacts, r.FrictionUpdates = e.contact.Summary().Count, e.contact.FrictionUpdates()
	}
	return r
}

// Parts are what a model of method implicit is made of, for tests and tools that look into its solution. Whoever changes them changes
// the model.
type Parts struct {
	System  *equations.System
	Stepper *motion.Stepper
	Solver  *equilibrium.Solver
	Loads   *force.Loads
	Tendons *force.Tendons
	Magnets *force.Magnets // nil: none
	Contact *force.Contact // nil: the rod can touch nothing
	Drives  []*drive.State // by motor joint
}

// Parts returns the parts of the model; ok is false for other methods than implicit.
func (m *Model) Parts() (p Parts, ok bool) {
	e, ok := m.engine.(*implicit)
	if !ok {
		return p, false
	}
	return Parts{e.system, e.stepper, e.solver, e.loads, e.tendons, e.magnets, e.contact, m.joints.states}, true
}
