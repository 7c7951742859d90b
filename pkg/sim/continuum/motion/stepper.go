package motion

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Stepper advances the state of a rod and its force elements.
type Stepper struct {
	system    *equations.System
	iteration iteration
	lagsSpin  bool

	leavesOutTimeError bool

	// state
	history   history
	counters  Counters
	last      Report // of the last step that did not fail
	timeError strain.TimeError

	stepError *strain.TimeError // of the steps since BeginStepError; nil: not estimated
	impacts   int               // number of steps since then with an impact
	rest      rest

	// scratch
	before []float64 // state before a step that is divided
	report Report
}

// Report says how the last step, or the equilibrium before it, was solved.
type Report struct {
	integrate.Report
	Order int // of the formula of the step; 0 in an equilibrium
}

const (
	// AngleTolerance (rad) is the increment that ends the iteration of a step. Errors enter the velocity divided by the
	// step, so it must be small.
	AngleTolerance = 1e-5
	// iterationCap bounds the work of a step; regular motion takes regularIterations.
	iterationCap, regularIterations = 12, 3
	// With friction or contact, sticking and sliding have to be distinguished, which may take more, and increments that go
	// too far are halved.
	kinkCap, kinkBacktrack = 32, 5
	// refinements makes the convergence as good as quadratic down to the square of AngleTolerance.
	refinements = 1
	// frictionTolerance (rad) is how far a chord with updated normal forces may be off, estimated, with the tangent of an
	// iterate that has moved on.
	frictionTolerance = 1e-2 * AngleTolerance
)

// New makes a stepper of equations whose rod is at rest.
func New(s *equations.System) *Stepper {
	m := &Stepper{
		system: s, timeError: strain.NewTimeError(s.Rod.Elements),
		iteration: iteration{
			System: s, refinements: refinements, frictionTolerance: frictionTolerance,
			newton: integrate.Newton{Tol: AngleTolerance, Cap: iterationCap, MeritScale: s.BendingEnergy()},
		},
	}
	if s.HasKinks() {
		m.iteration.newton.Cap, m.iteration.newton.Backtrack = kinkCap, kinkBacktrack
	} else {
		m.iteration.newton.Contraction = &m.history.contraction
	}
	m.before = make([]float64, m.StateLen())
	return m
}

// Refine makes steps converge to a tolerance (rad), with twice the iterations and so many refinements of each increment.
func (m *Stepper) Refine(tolerance float64, refinements int) {
	n := &m.iteration.newton
	n.Tol, n.Cap, m.iteration.refinements = tolerance, 2*n.Cap, refinements
}

// LagSpin makes the gyroscopic moment of steps that of the last angular velocity, which is of first order in the length of
// the step, instead of an extrapolated one.
func (m *Stepper) LagSpin() { m.lagsSpin = true }

// LeaveOutTimeError makes steps without an estimate of their error.
func (m *Stepper) LeaveOutTimeError() { m.leavesOutTimeError = true }

// IterationCap is the largest number of iterations of a step.
func (m *Stepper) IterationCap() int { return m.iteration.newton.Cap }

// LastStep is the length of the last step, s; 0 at rest.
func (m *Stepper) LastStep() float64 { return m.history.last }

// Report is that of the last step or equilibrium, also of one that failed.
func (m *Stepper) Report() Report { return m.report }

// Reset clears the history of steps. The caller resets rod and elements.
func (m *Stepper) Reset() {
	m.history, m.counters, m.report, m.last = history{}, Counters{}, Report{}, Report{}
	m.timeError.Reset()
	m.rest = rest{}
}

// Restart makes the next step one from rest.
func (m *Stepper) Restart() {
	m.history = history{}
	m.timeError.SetAtRest()
	m.rest = rest{}
}

// RestartFrom is Restart from an equilibrium that was found as r says.
func (m *Stepper) RestartFrom(r integrate.Report) {
	m.history, m.report = history{}, Report{Report: r}
	m.last = m.report
	m.timeError.Reset()
	m.rest = rest{}
}

// Step advances the state by dt seconds. A step that does not converge is divided. The error is a *DivergedError or
// *NotConvergedError, or that of an element that refuses the shape, and the state then stays what it was.
func (m *Stepper) Step(time, dt float64) error { return m.StepInParts(time, dt, 1) }

// StepInParts is Step in so many equal parts, for what is prescribed and changes too fast for one: a power of two, at most MaxParts.
func (m *Stepper) StepInParts(time, dt float64, parts int) error {
	step := equations.Step{Time: time, Dt: dt, Whole: time}
	target := m.system.State.Target // a step that fails changes it
	d := division{whole: step, to: target, largest: MaxParts / parts}
	if err := m.take(&d); err != nil {
		m.counters.Failed++
		return err
	}
	m.counters.add(d.iterations, d.failed)
	m.last = m.report
	m.watchRest(dt)
	return nil
}

// take takes a step as a whole, if it may be, or in parts.
func (m *Stepper) take(d *division) error {
	if d.largest == MaxParts {
		err := m.advance(d.whole, false)
		d.iterations, d.most = m.report.Iterations, m.report.Iterations
		if err == nil {
			return nil
		}
		d.failed = true
	}
	return m.divide(d)
}

// errDivided is the error of a step that is divided further. One that says what was wrong would have to be allocated.
var errDivided = errors.New("the step is divided")

// advance makes one step, or none. The error of one that does not converge says why only if explains is true.
func (m *Stepper) advance(step equations.Step, explains bool) error {
	p := m.history.plan(step.Dt)
	if m.lagsSpin {
		p.spin = 0
	}
	learned := m.history.contraction
	m.begin(step, &p)
	if p.dt != m.history.last || !m.isRegular() {
		m.history.contraction = integrate.ContractionEstimate{}
	}
	m.predict(&p)
	m.report = Report{Report: m.iteration.solve(), Order: p.order}
	if err := m.check(step, explains); err != nil {
		m.revert()
		m.history.contraction = learned
		return err
	}
	if !m.leavesOutTimeError {
		m.estimateTimeError(&p)
	}
	m.commit(&p)
	return nil
}

// begin sets the constants of the step: loads and commands, the terms of earlier levels, the limits of friction, and the wrenches
// without a potential.
func (m *Stepper) begin(step equations.Step, p *plan) {
	step.Formula = p.formula
	extra := m.system.BeginStep(step)
	m.system.State.Begin(p.formula, p.spin, extra)
}

// predict begins the iteration at strains that are extrapolated, if these have a lower merit than the present ones, else
// at the present ones. In regular motion the most exact extrapolation needs no such proof, unless the step is so long
// after the last that its formula is of order 1: that far the extrapolation is noise.
func (m *Stepper) predict(p *plan) {
	s := m.system
	ways, count := m.history.extrapolations(p.dt)
	if count > 0 && p.order == 2 && m.isRegular() {
		way := ways[0]
		if m.history.isEven(p.dt) {
			term := s.State.BackwardDifferences()
			way = longest(&term)
		}
		s.State.Extrapolate(way.weights())
		s.UpdateKinematics()
		return
	}
	s.UpdateKinematics()
	if count == 0 {
		return
	}
	present := s.Merit()
	for _, way := range ways[:count] {
		s.State.Extrapolate(way.weights())
		if s.UpdateKinematics(); s.Merit() < present {
			return
		}
	}
	s.State.ReturnToStart()
	s.UpdateKinematics()
}

// isRegular reports whether the step before this one took no more iterations than regular motion does, of smooth
// equations, and this one is not divided.
func (m *Stepper) isRegular() bool {
	return m.last.Iterations <= regularIterations && m.last.Rejects == 0 && !m.system.ByNodes && m.system.IsSmooth()
}

// check refuses an iterate that is no solution, or one beyond the model.
func (m *Stepper) check(step equations.Step, explains bool) error {
	s, r := m.system, &m.report
	if err := s.Check(step.Time, false); err != nil {
		return err
	}
	isSolved := r.Cause == integrate.Converged && !math.IsNaN(r.Residual)
	switch {
	case !explains && (!isSolved || s.IsMeshCoarse()):
		return errDivided
	case r.Cause == integrate.NonFinite, r.Cause == integrate.Singular, math.IsNaN(r.Residual):
		return &DivergedError{Time: step.Time, Node: s.SingularNode()}
	case r.Cause == integrate.IterationCap:
		return m.notConverged(step)
	}
	for _, o := range s.Obstacles() {
		if err := o.CheckSpeed(step.Time); err != nil {
			return err
		}
	}
	if err := s.Check(step.Time, true); err != nil {
		return err
	}
	for _, o := range s.Obstacles() {
		if err := o.CheckNewPenetration(s.State, step.Time); err != nil {
			return err
		}
	}
	return s.CheckMesh(step.Time)
}

// commit makes the present iterate the state at the end of the step.
func (m *Stepper) commit(p *plan) {
	m.system.State.Commit()
	impact := m.system.Commit()
	m.history.add(p.dt)
	if impact {
		m.history.damped = stepsAfterImpact
		m.impacts++
		m.timeError.SkipImpact()
		if m.stepError != nil {
			m.stepError.SkipImpact()
		}
	}
}

// revert restores the state before begin. History and counters do not include the step.
func (m *Stepper) revert() {
	m.system.State.Revert()
	m.system.Revert()
}

// DivergedError is the error of a step whose tangent is singular or whose solution is not finite. The step leaves the state as it was.
type DivergedError struct {
	Time float64 // start of the step, s
	Node int     // the first one concerned, 0 at the base
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("the tangent is singular or the solution is not finite at t = %.6g s, node %d; use a smaller step_s, more damping or slower tension changes",
		e.Time, e.Node)
}

// NotConvergedError is the error of a step that does not converge, even in parts. The state is that of before the step.
type NotConvergedError struct {
	Time, Step float64 // s, start and length of the smallest part
	Node       int     // of the largest residual, 0 at the base
	ArcLength  float64 // of that node, m
	Residual   float64 // there, N; moments are divided by the length of an element
	Increment  float64 // rad, or relative stretch, of the last iteration
}

// notConverged makes the error of the present iterate.
func (m *Stepper) notConverged(step equations.Step) error {
	s := m.system
	for _, o := range s.Obstacles() {
		if err := o.CheckBaseMotion(s.State, step.Time); err != nil {
			return err
		}
	}
	e := &NotConvergedError{Time: step.Time, Step: step.Dt, Increment: s.Size}
	e.Node, e.Residual = s.LargestResidual()
	e.ArcLength = s.Rod.ArcLengths[e.Node]
	return e
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("no convergence at t = %.6g s, even in substeps of %.3g s: residual %.3g N at node %d (%.4g m), last increment %.3g rad; use slower commands, more damping or a smaller step_s",
		e.Time, e.Step, e.Residual, e.Node, e.ArcLength, e.Increment)
}

// Unwrap returns integrate.ErrNotConverged.
func (e *NotConvergedError) Unwrap() error { return integrate.ErrNotConverged }

// MaxParts is into how many parts a step is divided at the most.
const MaxParts = 64

// division is a step that is taken in parts.
type division struct {
	whole      equations.Step
	to         spatial.Pose // of the base
	largest    int          // part, of MaxParts
	failed     bool         // a part did not converge, or the whole
	iterations int          // of all parts and trials
	most       int          // of a part, where none failed
}

// setCareful makes the iteration that of parts of a step that did not converge, at more cost: monotone where friction or contact may
// change from increment to increment. Smooth equations converge through merits that are higher.
func (m *Stepper) setCareful(is bool) {
	m.system.ByNodes, m.iteration.newton.Monotone = is, is && m.iteration.newton.Backtrack > 0
}

// divide takes a step in parts, the largest first: it halves parts that fail, down to 1/MaxParts of the step, and doubles them
// after a success. The base moves evenly to its pose. If the smallest part fails, divide restores the state before the step and
// returns the error.
func (m *Stepper) divide(d *division) error {
	s, whole := m.system, &d.whole
	m.Save(m.before)
	from := s.State.Base
	for _, e := range s.Prescribed() {
		e.BeginDivision()
	}
	m.setCareful(d.failed)
	defer m.setCareful(false)
	for done, size := 0, min(d.largest, MaxParts/2); done < MaxParts; {
		share := float64(done+size) / MaxParts
		s.State.Target = from.Toward(d.to, share, spatial.Vec{})
		for _, e := range s.Prescribed() {
			e.SetDivision(share)
		}
		err := m.advance(equations.Step{
			Time: whole.Time + whole.Dt*float64(done)/MaxParts, Dt: whole.Dt * float64(size) / MaxParts, Whole: whole.Time,
		}, size == 1)
		d.iterations += m.report.Iterations
		d.most = max(d.most, m.report.Iterations)
		switch {
		case err == nil:
			if done += size; done%(2*size) == 0 && size < d.largest {
				size *= 2
			}
		case size > 1:
			size /= 2
			d.failed = true
			m.setCareful(true)
		default:
			failed := m.report // which the gauges show
			m.Restore(m.before)
			m.report = failed
			return err
		}
	}
	s.State.Target = d.to
	m.report.Iterations = d.most
	if d.failed {
		m.report.Iterations = d.iterations
	}
	return nil
}
