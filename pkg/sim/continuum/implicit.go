package continuum

import (
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/continuum/motion"
	"sinew/pkg/sim/continuum/rodmodel"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// implicit is the engine of method implicit: it builds the rod and its force elements, hands them to the equations, and commands to the
// elements. A stepper moves them in time, a solver finds their equilibria.
type implicit struct {
	system  *equations.System
	stepper *motion.Stepper
	solver  *equilibrium.Solver

	// elements of the system
	loads   *force.Loads
	tendons *force.Tendons
	magnets *force.Magnets // nil: none
	contact *force.Contact // nil: the rod can touch nothing

	step        float64 // solver.step_s
	maxRotation float64 // in a step, rad
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
	e := &implicit{
		loads:   force.NewLoads(&r.rod.Mesh),
		tendons: force.NewTendons(r.tendonConstants(), r.rod, f.DiskForce == robotfile.TransverseDiskForce),
		magnets: r.newMagnets(),
		step:    f.Solver.Step, maxRotation: f.Solver.MaxRotation(),
		contact: r.newContact(),
	}
	elements := []equations.Element{e.loads, e.tendons}
	if springs := r.springs(); springs != nil {
		elements = append(elements, force.NewSprings(springs))
	}
	options := rodmodel.Options(&f.Rod, r.rod)
	options.Gravity, options.Attached = f.Gravity, r.attachedBodies()
	if e.magnets != nil {
		options.MidpointLoads = e.magnets.Magnets
		elements = append(elements, e.magnets)
	}
	if e.contact != nil {
		elements = append(elements, e.contact)
	}
	var err error
	if e.system, err = equations.New(strain.New(r.rod, options), r.rod, motion.AngleTolerance, elements...); err != nil {
		return nil, err
	}
	e.stepper, e.solver = motion.New(e.system), equilibrium.New(e.system)
	e.Reset()
	e.tendons.RememberRest()
	return e, nil
}

// tendonConstants are those of the tendons.
func (r *Robot) tendonConstants() (all []force.Tendon) {
	for k := range r.tendons {
		all = append(all, r.tendons[k].Tendon)
	}
	return all
}

// springs are those of the robot file, at the nodes of the rod; nil where there are none.
func (r *Robot) springs() (all []force.Spring) {
	for _, s := range r.file.Springs {
		all = append(all, force.Spring{
			Name: s.Name, Node: r.rod.NearestNode(s.At), Anchor: s.Point, Stiffness: s.Stiffness, RestLength: s.RestLength, Damping: s.Damping,
		})
	}
	return all
}

// setField puts the magnets of the rod into a field. It refuses one that is too strong at a magnet of the stress-free rod.
func (e *implicit) setField(field *reference.Field) error {
	return e.magnets.SetField(e.system.State, field.Instant())
}

// command hands commands to the elements.
func (e *implicit) command(in *inputs) {
	e.loads.Tip, e.loads.Points = in.Tip, in.Loads
	e.tendons.SetCommands(in.Setpoints, in.Coupling)
}

// Reset implements engine.
func (e *implicit) Reset() {
	e.system.State.Reset()
	e.stepper.Reset()
	e.system.Reset()
}

// Step implements engine.
func (e *implicit) Step(dt float64, in *inputs) error {
	e.command(in)
	err := e.stepper.StepInParts(in.Time, dt, e.parts(dt))
	if err != nil && e.magnets != nil {
		err = e.magnets.Explain(err, e.system.State, in.Time)
	}
	return err
}

// parts is into how many parts a step of dt seconds is divided, a power of two, so that a field, a magnet around the robot and the base turn
// by no more than maxRotation in one.
func (e *implicit) parts(dt float64) int {
	angle := e.system.State.Base.R.TMul(e.system.State.Target.R).Log().Norm()
	if e.magnets != nil {
		angle = max(angle, e.magnets.Field.TurnRate(dt)*dt)
	}
	parts := 1
	for allowed := e.maxRotation * (1 + angleRoundoff); angle > allowed && parts < robotfile.MaxStepParts; parts *= 2 {
		angle /= 2
	}
	return parts
}

// angleRoundoff is the relative round-off of the angle of a step.
const angleRoundoff = 1e-9

// Equilibrate implements engine. Friction, of tendons and in the rod, follows the equilibrium or motion before. In the first one that of
// tendons is of sliding toward the motors.
func (e *implicit) Equilibrate(in *inputs) error {
	e.command(in)
	err := e.solver.Solve()
	switch between := e.system.Check(in.Time, false); {
	case err == nil:
		err = e.solver.Check(in.Time)
	case between != nil:
		err = between
	default:
		err = e.solver.Explain(err, in.Time)
	}
	e.settle()
	return err
}

// settle makes the iterate, an equilibrium, the state, at rest.
func (e *implicit) settle() {
	e.system.UpdateKinematics()
	e.system.State.CommitEquilibrium()
	e.system.CommitEquilibrium()
	e.stepper.RestartFrom(e.solver.Report())
}

// equilibrateNear makes the state the equilibrium under in, at rest, from the one that reference, under the same commands, has found last.
// It fails where that does not lead there, and then leaves any state.
func (e *implicit) equilibrateNear(reference *implicit, in *inputs) error {
	e.command(in)
	if err := e.solver.SolveNear(reference.solver); err != nil {
		return err
	}
	if err := e.solver.Check(in.Time); err != nil {
		return err
	}
	e.settle()
	return nil
}

// extrapolateEquilibrium makes the state the equilibrium of reference and, times what differs, its derivative. It fails where there is none,
// and then leaves any state.
func (e *implicit) extrapolateEquilibrium(reference *implicit, in *inputs) error {
	e.command(in)
	if err := e.solver.SolveBySensitivity(reference.solver); err != nil {
		return err
	}
	e.settle()
	return nil
}

// Rest implements engine.
func (e *implicit) Rest() {
	e.stepper.Restart()
	e.system.State.SetAtRest()
	e.system.CommitAtRest()
	e.system.UpdateKinematics()
}

// MoveBase implements mover.
func (e *implicit) MoveBase(to spatial.Pose) { e.system.State.Target = to }

// NodePose implements engine.
func (e *implicit) NodePose(i int) spatial.Pose { return e.system.State.Pose[i] }

// NodeTwist implements engine.
func (e *implicit) NodeTwist(i int) spatial.Twist { return e.system.State.NodeTwist(i) }

// BaseWrench implements engine.
func (e *implicit) BaseWrench(in *inputs) spatial.Wrench {
	e.command(in)
	e.loads.Apply(e.system.State)
	return e.system.BaseWrench()
}

// Tendon implements engine.
func (e *implicit) Tendon(k int) (length, rate float64) { return e.tendons.Length(k, e.system.State) }

// RestLength implements engine.
func (e *implicit) RestLength(k int) float64 { return e.tendons.RestLength(k) }

// Tension implements engine.
func (e *implicit) Tension(k int, d force.Setpoint) float64 { return e.tendons.Tension(k, d) }

// Energy implements engine.
func (e *implicit) Energy() (kinetic, elastic float64) { return e.system.State.Energy() }

// MaxStrain implements engine.
func (e *implicit) MaxStrain() float64 { return e.system.State.MaxStrain() }

// Gauges implements engine.
func (e *implicit) Gauges() []sim.Gauge {
	gauges := append(e.stepper.Gauges(), sim.Gauge{ // the largest angle by which a node turns, by its angular velocity
		Key: "rotation_per_step", Unit: "rad", Warn: e.maxRotation, Accept: string(robotfile.RotationPerStep),
		Hint: "a node of the rod turns so fast that the steps do not resolve it; use a smaller step_s",
	})
	if e.magnets != nil {
		gauge := reference.PrescribedRotationGauge
		gauge.Warn = e.maxRotation
		gauges = append(gauges, gauge)
	}
	return append(gauges, e.system.Gauges()...)
}

// Measure implements engine.
func (e *implicit) Measure(dst []float64) {
	e.stepper.MeasureGauges(dst)
	dst = dst[motion.GaugeCount:]
	h := e.stepper.LastStep()
	dst[0] = min(e.system.State.MaxAngularSpeed()*h, math.MaxFloat64)
	dst = dst[1:]
	if e.magnets != nil {
		if h == 0 {
			h = e.step / float64(e.parts(e.step))
		}
		dst[0] = e.magnets.Field.TurnRate(h) * h
		dst = dst[1:]
	}
	e.system.MeasureGauges(dst)
}

// StateLen implements engine.
func (e *implicit) StateLen() int { return e.stepper.StateLen() }

// Save implements engine.
func (e *implicit) Save(dst []float64) { e.stepper.Save(dst) }

// Restore implements engine.
func (e *implicit) Restore(src []float64) { e.stepper.Restore(src) }
