package continuum

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/continuum/motion"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// explicit is the engine of the methods reference and explicit: the staggered
// rod under position Verlet.
type explicit struct {
	robot   *Robot
	rod     *staggered.State
	tendons []chords
	rest    []float64 // routed length of each tendon in the stress-free rod, m
	limit   float64   // stability limit, s
	ratio   float64   // last step over limit
	in      *inputs   // what acts in the present step
}

// chords is a tendon of either scheme.
type chords interface {
	AddLoads(x *staggered.State, tension float64) spatial.Wrench
	Length(x *staggered.State) (length, rate float64)
}

// newExplicit makes the engine for a corrected rod.
func newExplicit(r *Robot) (*explicit, error) {
	for _, t := range r.tendons {
		if t.Friction != 0 {
			return nil, fmt.Errorf("tendon %s: %w: friction_coefficient above 0; use method implicit", t.Name, ErrNotInExplicit)
		}
		if math.IsInf(t.Stiffness, 1) {
			return nil, fmt.Errorf("tendon %s: %w: stiffness_n_per_m .inf; give a number, or use method implicit", t.Name, ErrNotInExplicit)
		}
	}
	f := &r.file
	d := f.Rod.Damping
	x := staggered.New(r.rod, staggered.Options{
		Scheme: staggered.Corrected,
		Damping: staggered.Damping{
			Legacy: d.PyElasticaNu, LegacyStep: f.Solver.Step,
			Drag: d.Drag, KelvinVoigt: d.KelvinVoigt, Quadratic: d.QuadraticDrag,
		},
		Gravity:  f.Gravity,
		Attached: r.attachedBodies(),
	})
	tendons := make([]chords, len(r.tendons))
	for i, t := range r.tendons {
		tendons[i] = tendon.NewCorrected(t.Route, x, f.DiskForce == robotfile.TransverseDiskForce)
	}
	return newVerlet(r, x, tendons)
}

// newVerlet puts an engine together and refuses a step above the stability
// limit.
func newVerlet(r *Robot, x *staggered.State, tendons []chords) (*explicit, error) {
	e := &explicit{robot: r, rod: x, tendons: tendons, rest: make([]float64, len(tendons))}
	e.limit = staggered.StepLimit(r.rod, x.Damping(), e.stiffening())
	if s := r.file.Solver; s.Step > e.limit {
		return nil, &StepTooLargeError{Step: s.Step, Limit: e.limit, Method: string(s.Method)}
	}
	e.Reset()
	for k, t := range tendons {
		e.rest[k], _ = t.Length(x)
	}
	return e, nil
}

// stiffening is what the tendons' stiffness adds to the squares of the rod's
// frequencies at most, in the stress-free shape.
func (e *explicit) stiffening() float64 {
	var sum float64
	for k, t := range e.tendons {
		e.rod.ClearLoads()
		t.AddLoads(e.rod, 1)
		sum += e.rod.StiffeningBound(e.robot.tendons[k].Stiffness)
	}
	e.rod.ClearLoads()
	return sum
}

func (e *explicit) Reset() {
	e.rod.Reset()
	e.ratio = 0
}

func (e *explicit) Step(dt float64, in *inputs) error {
	const roundoff = 1e-9 // equal steps of a period differ from step_s by that
	if dt > e.limit*(1+roundoff) {
		return &StepTooLargeError{Step: dt, Limit: e.limit, Method: string(e.robot.file.Solver.Method)}
	}
	e.rod.SaveCheckpoint()
	e.in = in
	integrate.PositionVerlet(e, dt)
	if k := e.rod.FirstNonFinite(); k >= 0 {
		e.rod.RestoreCheckpoint()
		return &motion.DivergedError{Time: in.Time, Node: k}
	}
	e.ratio = dt / e.limit
	return nil
}

// Drift is half of a Verlet step; see integrate.Oscillator.
func (e *explicit) Drift(h float64) { e.rod.Drift(h) }

// Kick is the middle of a Verlet step; see integrate.Oscillator.
func (e *explicit) Kick(h float64) {
	e.rod.ApplyPendingDrift()
	e.load(e.in)
	e.rod.Kick(h)
}

// load makes the external loads of the rod those of in and returns the wrench
// that the base exerts on the tendons, world axes, about the base origin.
func (e *explicit) load(in *inputs) (base spatial.Wrench) {
	e.rod.ClearLoads()
	for k, t := range e.tendons {
		w := t.AddLoads(e.rod, e.Tension(k, in.Setpoints[k]))
		base.Force = base.Force.Add(w.Force)
		base.Moment = base.Moment.Add(w.Moment)
	}
	if w := &in.Tip; w.Force != (spatial.Vec{}) || w.Moment != (spatial.Vec{}) {
		e.rod.AddTipLoad(w.Wrench, w.Axes == force.BodyAxes)
	}
	for i := range in.Loads {
		l := &in.Loads[i]
		e.rod.AddLoadAt(l.At, l.Wrench, l.Axes == force.BodyAxes)
	}
	return base
}

func (e *explicit) Tension(k int, d force.Setpoint) float64 {
	if d.Mode == force.TensionControl {
		return d.Tension
	}
	length, _ := e.tendons[k].Length(e.rod)
	a := &e.robot.tendons[k]
	return min(a.limits.MaxTension, max(a.MinTension, a.Stiffness*(length-(e.rest[k]-d.Pull))))
}

func (e *explicit) Tendon(k int) (length, rate float64) { return e.tendons[k].Length(e.rod) }

// RestLength is the routed length of tendon k in the stress-free rod, m.
func (e *explicit) RestLength(k int) float64 { return e.rest[k] }

// Rest implements engine.
func (e *explicit) Rest() { e.rod.Stop() }

func (e *explicit) NodePose(i int) spatial.Pose { return e.rod.NodePose(i) }

func (e *explicit) NodeTwist(i int) spatial.Twist { return e.rod.NodeTwist(i) }

func (e *explicit) BaseWrench(in *inputs) spatial.Wrench {
	tendons := e.load(in)
	w := e.rod.BaseReaction()
	r := e.robot.rod.Base.R
	return spatial.Wrench{
		Force:  r.ApplyT(w.Force.Add(tendons.Force)),
		Moment: w.Moment.Add(r.ApplyT(tendons.Moment)),
	}
}

func (e *explicit) Energy() (kinetic, elastic float64) { return e.rod.Energy() }

func (e *explicit) MaxStrain() float64 { return e.rod.MaxStrain() }

// warnRatio is the share of the stability limit above which coarse, undamped rods
// have been seen to blow up under sudden tensions.
const warnRatio = 0.95

func (e *explicit) Gauges() []sim.Gauge {
	return []sim.Gauge{{Key: "step_over_stability_limit", Warn: warnRatio}}
}

func (e *explicit) Measure(dst []float64) { dst[0] = e.ratio }

func (e *explicit) StateLen() int { return e.rod.StateLen() + 1 }

func (e *explicit) Save(dst []float64) {
	dst[0] = e.ratio
	e.rod.Save(dst[1:])
}

func (e *explicit) Restore(src []float64) {
	e.ratio = src[0]
	e.rod.Restore(src[1:])
}

// NotSettledError is the error of an equilibrium that was not found.
type NotSettledError struct {
	Residual float64 // largest force out of balance, N
	Steps    int
}

func (e *NotSettledError) Error() string {
	return fmt.Sprintf("no equilibrium found: %.3g N out of balance after %d steps; use solver.method implicit, fewer elements or smaller loads",
		e.Residual, e.Steps)
}

// Equilibrate finds the equilibrium, from the present shape, by dynamic relaxation
// with kinetic damping (Cundall 1976): a twin of the rod without its dampers moves
// freely and is stopped whenever its kinetic energy has peaked, until no force is
// out of balance.
func (e *explicit) Equilibrate(in *inputs) error {
	const (
		share = 0.7 // step over its stability limit
		most  = 5_000_000
	)
	twin := *e
	twin.rod = staggered.New(e.robot.rod, staggered.Options{
		Scheme: staggered.Corrected, Gravity: e.robot.file.Gravity, Attached: e.robot.attachedBodies(),
	})
	shape := make([]float64, e.rod.StateLen())
	e.rod.Save(shape)
	twin.rod.Restore(shape)
	twin.rod.Stop()
	twin.in = in

	dt := share * staggered.StepLimit(e.robot.rod, staggered.Damping{}, e.stiffening())
	goal := twin.roundoff(in)
	var before, residual float64
	for range most {
		integrate.PositionVerlet(&twin, dt)
		if k := twin.rod.FirstNonFinite(); k >= 0 {
			return &motion.DivergedError{Time: in.Time, Node: k}
		}
		now := twin.rod.KineticEnergy()
		if now >= before {
			before = now
			continue
		}
		before = 0
		twin.rod.Stop()
		twin.load(in)
		if residual = twin.rod.ResidualForce(); residual < goal {
			twin.rod.Save(shape)
			e.rod.Restore(shape)
			return nil
		}
	}
	return &NotSettledError{Residual: residual, Steps: most}
}

// roundoff is a force (N) that is nothing beside those that hold the robot's
// shape, and that their round-off still lets one see.
func (e *explicit) roundoff(in *inputs) float64 {
	const (
		small    = 1e-9
		floor    = 1e-14 // 45 ε, of the stretch stiffness
		bendOver = 3     // cantilever: force = 3 EI/L² times deflection/L
	)
	r := e.robot.rod
	s := bendOver * r.Stiffness.Bend.X / (r.Length * r.Length)
	for k, d := range in.Setpoints {
		s += math.Abs(e.Tension(k, d))
	}
	return small*(s+in.Tip.Force.Norm()) + floor*r.Stiffness.Shear.Z
}

// newReference makes the engine that reproduces PyElastica 0.3.2 with
// TendonForces. Its error joins one, ErrNotInReference, per feature that the
// original does not have or mishandles.
func newReference(r *Robot) (*explicit, error) {
	f := &r.file
	d := f.Rod.Damping
	errs := []error{r.checkReference()}
	x := staggered.New(r.rod, staggered.Options{
		Scheme:  staggered.Original,
		Damping: staggered.Damping{Legacy: d.PyElasticaNu, LegacyStep: f.Solver.Step, Drag: d.Drag, DragRotations: true},
		Gravity: f.Gravity,
	})
	tendons := make([]chords, len(r.tendons))
	for i, t := range r.tendons {
		if t.Route.OnBase {
			errs = append(errs, fmt.Errorf("tendon %s: %w: its first disk is nearest to node 0, the base", t.Name, ErrNotInReference))
		}
		c, err := tendon.NewOriginal(t.Route, r.rod, f.Tendons[i].Disks.Mass)
		if err != nil {
			errs = append(errs, fmt.Errorf("tendon %s: %w: %w", t.Name, ErrNotInReference, err))
		}
		tendons[i] = c
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return newVerlet(r, x, tendons)
}

// checkReference names what the robot has and the original has not.
func (r *Robot) checkReference() error {
	f := &r.file
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf("%w: %s", ErrNotInReference, fmt.Sprintf(format, args...)))
		}
	}
	refuse(f.Rod.Section != nil, "rod.section other than a circle; give radius_m")
	refuse(f.Rod.InnerRadius > 0, "rod.inner_radius_m above 0; give radius_m alone")
	refuse(f.Rod.Elements < 2, "%d element; it needs at least 2", f.Rod.Elements)
	refuse(f.Rod.Damping.KelvinVoigt != 0, "damping.kelvin_voigt_s above 0")
	refuse(f.Rod.Damping.QuadraticDrag != 0, "damping.quadratic_drag_kg_per_m2 above 0")
	refuse(f.Tip.Mass != 0 || f.Tip.Inertia != spatial.Vec{}, "a tip with mass or inertia")
	refuse(f.DiskForce == robotfile.TransverseDiskForce, "disk_force transverse")
	refuse(f.InitialState == robotfile.Equilibrium, "initial_state equilibrium")
	for i := range f.Tendons {
		t := &f.Tendons[i]
		refuse(t.Friction != 0, "tendon %s: friction_coefficient above 0", t.Name)
		refuse(t.Stiffness != 0, "tendon %s: stiffness_n_per_m above 0; it pulls with a tension", t.Name)
	}
	return errors.Join(errs...)
}
