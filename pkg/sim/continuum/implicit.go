package continuum

import (
	"fmt"
	"math"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// implicit is the engine of method implicit: the rod of constant-strain elements
// under BDF2, its equations solved by Newton's method on a block-skyline matrix
// with a border.
type implicit struct {
	robot   *Robot
	options implicitOptions

	// state
	rod     *strain.State
	tendons *tendonSystem
	history history
	tally   tally
	told    told

	// scratch
	before  []float64 // state before a step that is divided
	places  places    // of the walls in it
	at      *iterate
	motion  motion
	statics statics
	report  report
}

// newImplicit makes the engine.
func newImplicit(r *Robot) (*implicit, error) {
	f := &r.file
	if r.rod.Material.Law != rod.Linear {
		return nil, fmt.Errorf("material_law %s: %w; use linear, or method explicit", f.Rod.MaterialLaw, ErrNotInImplicit)
	}
	if f.Rod.Damping.PyElasticaNu != 0 {
		return nil, fmt.Errorf("pyelastica_nu %g: %w; use kelvin_voigt_s or drag_per_s", f.Rod.Damping.PyElasticaNu, ErrNotInImplicit)
	}
	magnets, loads := r.newMagnets(), strain.Options{
		KelvinVoigt: r.kelvinVoigt(), Branches: r.branches(), Slips: r.slips(),
		Drag: r.drag(), RotationalDrag: r.rotationalDrag(), Quadratic: r.quadraticDrag(),
		Gravity: f.Gravity, Attached: r.attached(),
	}
	if magnets != nil {
		loads.Middles = magnets
	}
	e := &implicit{
		robot:   r,
		rod:     strain.New(r.rod, loads),
		tendons: newTendonSystem(r.tendons, r.rod, f.DiskForce == robotfile.TransverseDiskForce),
		options: implicitOptions{
			newton:      integrate.Newton{Tol: angleTolerance, Cap: iterationCap},
			refinements: refinements,
			regrip:      regripTolerance,
		},
	}
	contacts := r.newContacts()
	e.places = places{make([]spatial.Pose, 0, len(r.walls)), make([]spatial.Pose, 0, len(r.walls))}
	if e.tendons.frictional() || contacts != nil || e.rod.Slips() {
		e.options.newton.Cap, e.options.newton.Backtrack = frictionCap, frictionHalve
	} else {
		e.options.newton.Contraction = &e.history.contraction
	}
	linear, err := newLinearSystem(e.tendons, r.rod, magnets)
	if err != nil {
		return nil, err
	}
	e.at = &iterate{rod: e.rod, tendons: e.tendons, contacts: contacts, linear: linear, dx: make([]spatial.Twist, r.rod.Elements)}
	if linear.contacts = contacts; contacts != nil {
		linear.border.grow(e.tendons.passed()+contacts.MostColumns(), r.rod.Elements)
	}
	e.motion = motion{at: e.at, options: &e.options}
	e.statics = statics{at: e.at, constants: r.rod, column: make([]int, r.rod.Elements+1)}
	e.Reset()
	e.tendons.rememberRest()
	e.before = make([]float64, e.StateLen())
	return e, nil
}

// Reset implements engine.
func (e *implicit) Reset() {
	e.rod.Reset()
	e.history, e.tally, e.report, e.told = history{}, tally{}, report{}, told{}
	if e.at.contacts != nil {
		e.at.contacts.Reset(e.rod)
	}
	e.at.measure()
	e.tendons.reset()
}

// advance makes one step as planned, or none.
func (e *implicit) advance(p plan, in *inputs) error {
	learned := e.history.contraction
	e.begin(&p, in)
	if p.dt != e.history.last || !e.regular() {
		e.history.contraction = integrate.Contraction{}
	}
	e.predict(&p)
	solved := e.options.newton.Solve(&e.motion) // assembles, borders and solves
	if c := e.at.contacts; c != nil && solved.Converged() && c.Correct(e.rod) {
		solved = e.repeat(solved)
	}
	e.report = report{Report: solved, order: p.order}
	err := e.check(&p, in)
	if err != nil {
		e.abandon()
		e.history.contraction = learned
		return err
	}
	e.accept(&p)
	return nil
}

// repeat solves a step again whose friction has changed.
func (e *implicit) repeat(solved integrate.Report) integrate.Report {
	e.tally.repeats++
	if e.motion.regrip() {
		solved.Iterations++
		return solved
	}
	again := e.options.newton.Solve(&e.motion)
	again.Iterations += solved.Iterations
	again.Rejects += solved.Rejects
	return again
}

// check refuses an iterate that is no solution, or one beyond what the model knows.
func (e *implicit) check(p *plan, in *inputs) error {
	if err := e.at.collapsed(in.Time); err != nil {
		return err
	}
	switch cause := e.report.Cause; {
	case cause == integrate.NonFinite, cause == integrate.Singular, math.IsNaN(e.report.Residual):
		return &UnstableError{Time: in.Time, Node: e.at.linear.singular + 1}
	case cause == integrate.IterationCap:
		return e.at.notConverged(p.dt, in.Time)
	}
	if c := e.at.contacts; c != nil {
		if err := c.CheckSpeed(in.Time); err != nil {
			return err
		}
	}
	return e.at.refuseBut(in.Time, (*contact.Contacts).CheckEntered)
}

// begin sets what is constant during the step: loads, setpoints, the terms of earlier
// levels, the limits of friction, and the loads without a potential.
func (e *implicit) begin(p *plan, in *inputs) {
	setLoads(e.rod.Loads, &e.robot.rod.Mesh, in, 1)
	e.setField(in.Time + p.dt - in.Start)
	dropped := e.tendons.begin(in, e.rod.Pose)
	e.rod.Begin(p.formula, p.spin, dropped)
	if e.at.contacts != nil {
		e.at.contacts.Begin(p.dt)
	}
}

// predict puts the iteration at strains that are extrapolated, if these have a lower merit
// than the present ones, else at the present ones. In regular motion the most exact
// extrapolation needs no such proof, unless the step is so long after the last that its formula
// is of order 1: that far the extrapolation is noise.
func (e *implicit) predict(p *plan) {
	ways, count := e.history.ahead(p.dt)
	if count > 0 && p.order == 2 && e.regular() {
		way := ways[0]
		if e.history.isEven(p.dt) {
			term := e.rod.Differences()
			way = longest(&term)
		}
		e.rod.Extrapolate(way.weights())
		e.at.measure()
		return
	}
	e.at.measure()
	if count == 0 {
		return
	}
	stay := e.motion.Merit()
	for _, way := range ways[:count] {
		e.rod.Extrapolate(way.weights())
		if e.at.measure(); e.motion.Merit() < stay {
			return
		}
	}
	e.rod.Return()
	e.at.measure()
}

// regular reports whether the step before this one took no more iterations than regular motion
// does, of a rod that nothing holds or stops in ways with kinks, and this one is not divided.
func (e *implicit) regular() bool {
	return e.told.Iterations <= regularIterations && e.told.Rejects == 0 && !e.at.byNodes &&
		e.at.contacts == nil && e.tendons.smooth() && !e.rod.Slips()
}

// accept makes the present iterate the state at the end of the step.
func (e *implicit) accept(p *plan) {
	e.rod.Accept()
	e.tendons.accept()
	e.history.add(p.dt)
	if c := e.at.contacts; c != nil {
		if c.Accept(e.rod) {
			e.history.damped = stepsAfterImpact
		}
		e.tally.mostContacts = max(e.tally.mostContacts, uint64(c.Summary().Count))
	}
}

// abandon makes the state that of before begin: of rod, base and friction. History
// and tally know nothing of the step.
func (e *implicit) abandon() {
	e.rod.Abandon()
	if e.at.contacts != nil {
		e.at.contacts.Abandon()
	}
	e.at.measure()
	e.tendons.abandon()
}

// Equilibrate implements engine. Friction, of tendons and in the rod, remembers the equilibrium or
// motion before. In the first one that of tendons is of sliding toward the motors, or away from
// them where tendons.release is set.
func (e *implicit) Equilibrate(in *inputs) error {
	e.setField(in.Time - in.Start)
	err := e.statics.search(in)
	if c := e.at.collapsed(in.Time); c != nil {
		err = c
	} else if err == nil {
		err = e.at.refuse(in.Time)
	} else if c := e.at.contacts; c != nil {
		if in := c.CheckBase(e.rod, in.Time); in != nil { // which no search moves
			err = in
		} else {
			err = e.statics.explain(err)
		}
	}
	e.settle()
	return err
}

// settle makes the equilibrium that was found the state, at rest.
func (e *implicit) settle() {
	e.report = report{Report: e.statics.report}
	e.history = history{}
	e.at.measure()
	e.rod.Settle()
	e.restContacts()
	e.tendons.settle()
	e.tell()
}

// Rest implements engine.
func (e *implicit) Rest() {
	e.history = history{}
	e.setField(0)
	e.rod.Rest()
	e.restContacts()
	e.at.measure()
}

// restContacts makes the present shape the one from which the next step begins.
func (e *implicit) restContacts() {
	if e.at.contacts != nil {
		e.at.contacts.Rest(e.rod)
	}
}

// MoveBase implements mover.
func (e *implicit) MoveBase(to spatial.Pose) { e.rod.Target = to }

// NodePose implements engine.
func (e *implicit) NodePose(i int) spatial.Pose { return e.rod.Pose[i] }

// TipTwist implements engine.
func (e *implicit) TipTwist() spatial.Twist { return e.rod.Twist(len(e.rod.Pose) - 1) }

// BaseWrench implements engine.
func (e *implicit) BaseWrench(in *inputs) spatial.Wrench {
	setLoads(e.rod.Loads, &e.robot.rod.Mesh, in, 1)
	e.tendons.setpoints = in.Setpoints
	e.tendons.setTensions()
	rod, tendons := e.rod.BaseReaction(), e.tendons.bundle.BaseWrench(&e.rod.Base)
	field := e.onBase()
	w := spatial.Wrench{Force: rod.Force.Sub(tendons.Force).Sub(field.Force), Moment: rod.Moment.Sub(tendons.Moment).Sub(field.Moment)}
	if c := e.at.contacts; c != nil {
		touch := c.BaseWrench(e.rod)
		w.Force, w.Moment = w.Force.Sub(touch.Force), w.Moment.Sub(touch.Moment)
	}
	return w
}

// Tendon implements engine.
func (e *implicit) Tendon(k int) (length, rate float64) {
	return e.tendons.bundle.Length(k), e.tendons.bundle.Rate(k, e.rod)
}

// RestLength implements engine.
func (e *implicit) RestLength(k int) float64 { return e.tendons.rest[k] }

// Tension implements engine.
func (e *implicit) Tension(k int, d setpoint) float64 { return e.tendons.tension(k, d) }

// Energy implements engine.
func (e *implicit) Energy() (kinetic, elastic float64) { return e.rod.Energy() }

// MaxStrain implements engine.
func (e *implicit) MaxStrain() float64 { return e.rod.MaxStrain() }
