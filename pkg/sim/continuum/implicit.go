package continuum

import (
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// implicit is the engine of method implicit: the rod of constant-strain elements
// under BDF2, its equations solved by Newton's method on a block-skyline matrix.
type implicit struct {
	robot    *Robot
	rod      *strain.State
	bundle   *tendon.Bundle
	friction []*tendon.Friction // nil for tendons without
	rest     []float64          // routed length of each tendon in the stress-free rod, m
	rao      bool

	equations
	newton  integrate.Newton
	formula integrate.BDF
	in      *inputs   // of the present step or equilibrium
	offset  []float64 // length minus reach of each tendon: 0 but in equilibria with friction
	// stiffest bounds the stiffness of the tendons: +Inf but while a search for
	// equilibrium stiffens them step by step.
	stiffest float64
	release  bool // equilibria are those of sliding away from the motors

	variant
	stepping
	report Report
}

// variant are choices of the time discretisation: the zero value is the best one.
type variant struct {
	firstOrder bool // BDF1 throughout
	laggedGyro bool // gyroscopic moment at the last angular velocity, of first order
}

// stepping is the state besides that of rod and friction.
type stepping struct {
	last   float64 // length of the last step, s; 0: none yet
	steps  int     // since rest, at most 2: enough to extrapolate
	failed bool    // the last step did not converge
	tally
}

// tally counts since the start.
type tally struct{ all, iterations, most, unconverged uint64 }

// Report tells how the last step of method implicit went.
type Report struct {
	integrate.Report
	Order     int  // of the formula
	Predicted bool // the iteration started from the extrapolated strains
	Slack     int  // tendons under length control without tension
	// Thrust is the largest total tension in a gap between disks, relative to the
	// Euler load π² EI/gap² of the rod there.
	Thrust float64
}

const (
	// angleTolerance (rad) is the increment that ends a step's iteration. Errors
	// enter the velocity divided by the step, so it must be small.
	angleTolerance = 1e-5
	// iterationCap bounds the work of a step; regular motion takes two or three.
	iterationCap = 8
	// With friction, sticking and slipping have to be told apart, which may take
	// more, and increments that go too far are halved.
	frictionCap   = 16
	frictionHalve = 5
	// bristlesPerRadius times the largest tension over the radius of the hole is
	// the stiffness of a friction bristle: at the few hundredths of that tension
	// that a disk holds it bends by as little of the radius. Much stiffer ones slow
	// the iteration down.
	bristlesPerRadius = 2
)

// newImplicit makes the engine.
func newImplicit(r *Robot) (*implicit, error) {
	f := &r.file
	if r.rod.Material.Law != rod.Linear {
		return nil, fmt.Errorf("material_law %s: %w; use linear, or method explicit", f.Rod.MaterialLaw, ErrNotInImplicit)
	}
	if f.Rod.Damping.PyElasticaNu != 0 {
		return nil, fmt.Errorf("pyelastica_nu %g: %w; use kelvin_voigt_s or drag_per_s", f.Rod.Damping.PyElasticaNu, ErrNotInImplicit)
	}
	routes := make([]*tendon.Route, len(r.tendons))
	for k := range routes {
		routes[k] = r.tendons[k].route
	}
	e := &implicit{
		robot: r,
		rod: strain.New(r.rod, strain.Options{
			KelvinVoigt: f.Rod.Damping.KelvinVoigt, Drag: f.Rod.Damping.Drag, Quadratic: f.Rod.Damping.QuadraticDrag,
			Gravity: f.Gravity, Attached: r.attached(),
		}),
		bundle:   tendon.NewBundle(routes),
		friction: make([]*tendon.Friction, len(routes)),
		rest:     make([]float64, len(routes)),
		offset:   make([]float64, len(routes)),
		rao:      f.DiskForce == robotfile.TransverseDiskForce,
		newton:   integrate.Newton{Tol: angleTolerance, Cap: iterationCap},
	}
	for k, t := range r.tendons {
		if t.friction > 0 {
			stiffness := bristlesPerRadius * t.limits.MaxTension / max(t.route.Base.Norm(), r.rod.Section.Radius())
			e.friction[k] = tendon.NewFriction(e.bundle, k, t.friction, stiffness)
			e.newton.Cap, e.newton.Backtrack = frictionCap, frictionHalve
		}
	}
	e.stiffest = math.Inf(1)
	if err := e.equations.make(e.bundle, r.rod.Elements); err != nil {
		return nil, err
	}
	e.border.grow(len(e.friction)+e.passed(), r.rod.Elements)
	e.Reset()
	for k := range e.rest {
		e.rest[k] = e.bundle.Length(k)
	}
	return e, nil
}

func (e *implicit) Reset() {
	e.rod.Reset()
	e.stepping = stepping{}
	e.report = Report{}
	e.measure()
	for _, f := range e.friction {
		if f != nil {
			f.Free()
			f.Settle(0)
		}
	}
}

// measure takes the lengths of the tendons from the poses.
func (e *implicit) measure() { e.bundle.Measure(e.rod.Pose) }

// setLoads makes the external loads of the nodes those of in, times scale.
func (e *implicit) setLoads(in *inputs, scale float64) {
	clear(e.rod.Loads)
	n := len(e.rod.Loads) - 1
	addLoad(&e.rod.Loads[n], &in.Tip.Wrench, in.Tip.Axes, scale)
	for i := range in.Loads {
		l := &in.Loads[i]
		at := min(max(l.At/e.robot.rod.ElementLength, 0), float64(n))
		k := min(int(at), n-1)
		part := at - float64(k)
		addLoad(&e.rod.Loads[k], &l.Wrench, l.Axes, scale*(1-part))
		addLoad(&e.rod.Loads[k+1], &l.Wrench, l.Axes, scale*part)
	}
}

func addLoad(l *strain.NodeLoad, w *spatial.Wrench, a axes, scale float64) {
	if a == bodyAxes {
		l.Follower.Force = l.Follower.Force.AddScaled(scale, w.Force)
		l.Follower.Moment = l.Follower.Moment.AddScaled(scale, w.Moment)
		return
	}
	l.Force = l.Force.AddScaled(scale, w.Force)
	l.Moment = l.Moment.AddScaled(scale, w.Moment)
}

// Step is that of engine. A step that does not converge leaves the last accepted
// iterate, counts, and makes the next one of first order.
func (e *implicit) Step(dt float64, in *inputs) error {
	e.in = in
	e.setLoads(in, 1)
	ratio := e.begin(dt)
	e.beginFriction()
	gyro := ratio
	if e.laggedGyro {
		gyro = 0
	}
	if e.rao {
		e.tighten()
	}
	e.rod.Begin(e.formula, gyro, e.transverse())
	predicted, merit := e.start(ratio)
	e.report.Report = e.newton.Solve(e, merit)
	e.report.Predicted = predicted
	switch e.report.Cause {
	case integrate.NonFinite, integrate.Singular:
		e.rod.Abandon()
		e.measure()
		return &UnstableError{Time: in.Time, Node: e.singular + 1}
	}
	e.rod.Accept()
	for _, f := range e.friction {
		if f != nil {
			f.End()
		}
	}
	e.last = dt
	e.steps = min(e.steps+1, 2)
	n := uint64(e.report.Iterations)
	e.all, e.iterations, e.most = e.all+1, e.iterations+n, max(e.most, n)
	e.failed = !e.report.Converged()
	if e.failed {
		e.unconverged++
	}
	return nil
}

// begin chooses the formula of a step of length dt and returns the ratio to the
// step before for extrapolation, 0 where none is due.
func (e *implicit) begin(dt float64) (ratio float64) {
	e.report.Order = 2
	if e.firstOrder || e.steps == 0 || e.failed || dt > integrate.MaxBDF2Ratio*e.last {
		e.report.Order = 1
	}
	e.formula = integrate.NewBDF(e.report.Order, dt, e.last)
	if e.steps == 0 {
		return 0
	}
	return dt / e.last
}

// beginFriction starts a step of the tendons with friction.
func (e *implicit) beginFriction() {
	for k, f := range e.friction {
		if f != nil {
			f.Begin(e.Tension(k, e.in.Drives[k]))
			e.offset[k] = 0
		}
	}
}

// start puts the iteration at the present or at the extrapolated strains,
// whichever has the lower merit, and returns that.
func (e *implicit) start(ratio float64) (predicted bool, merit float64) {
	e.measure()
	stay := e.Merit()
	if e.steps < 2 {
		return false, stay
	}
	e.rod.Extrapolate(ratio)
	e.measure()
	if merit = e.Merit(); merit < stay {
		return true, merit
	}
	e.rod.Return()
	e.measure()
	return false, stay
}

// MoveBase is that of mover.
func (e *implicit) MoveBase(to spatial.Pose) { e.rod.Target = to }

func (e *implicit) NodePose(i int) spatial.Pose { return e.rod.Pose[i] }

func (e *implicit) TipTwist() spatial.Twist { return e.rod.Twist(len(e.rod.Pose) - 1) }

func (e *implicit) BaseWrench(in *inputs) spatial.Wrench {
	e.in = in
	e.setLoads(in, 1)
	e.tighten()
	rod, tendons := e.rod.BaseReaction(), e.bundle.BaseWrench(&e.rod.Base)
	return spatial.Wrench{Force: rod.Force.Sub(tendons.Force), Moment: rod.Moment.Sub(tendons.Moment)}
}

func (e *implicit) Tendon(k int) (length, rate float64) {
	return e.bundle.Length(k), e.bundle.Rate(k, e.rod)
}

func (e *implicit) RestLength(k int) float64 { return e.rest[k] }

func (e *implicit) Tension(k int, d drive) float64 {
	if d.Mode == tensionControl {
		return d.Tension
	}
	return max(0, e.stiffness(k)*(e.bundle.Length(k)-(e.rest[k]-d.Pull)))
}

// tension is the tension of tendon k at the base while an iteration looks for a
// shape. In equilibria with friction the pieces of a tendon weigh by their share
// of the tension, so that its energy stays a potential.
func (e *implicit) tension(k int, d drive) float64 {
	if d.Mode == tensionControl {
		return d.Tension
	}
	return max(0, e.stiffness(k)*e.stretch(k, d))
}

// stiffness is that of tendon k, N/m.
func (e *implicit) stiffness(k int) float64 {
	return min(e.robot.tendons[k].stiffness, e.stiffest)
}

// stretch is by how much tendon k is longer than without tension, m.
func (e *implicit) stretch(k int, d drive) float64 {
	return e.bundle.Reach(k) + e.offset[k] - (e.rest[k] - d.Pull)
}

func (e *implicit) Energy() (kinetic, elastic float64) { return e.rod.Energy() }

func (e *implicit) MaxStrain() float64 { return e.rod.MaxStrain() }
