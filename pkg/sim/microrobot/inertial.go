package microrobot

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// inertial is the engine of one robot with inertia.
type inertial struct {
	x       [1]integrate.Placement
	twist   spatial.Twist // of the reference point, body axes
	stepper integrate.Stepper
	motion  inertialMotion
	solves  solveCounts
	steps   stepCounts

	next   integrate.Motion // motion during a step: a variable would be allocated, for the stepper is behind an interface
	before []float64        // memory of the stepper before a step
	// memories of the stepper before a substep among walls, and before one of its parts
	whole, part []float64
	half        integrate.Motion // end of the parts of a substep among walls
}

var (
	_ engine          = (*inertial)(nil)
	_ inertialEngine  = (*inertial)(nil)
	_ stoppableEngine = (*inertial)(nil)
)

// solveCounts counts what implicit steps took, in iterations.
type solveCounts struct{ solves, last, total, most float64 }

// add counts a solve of n iterations.
func (c *solveCounts) add(n int) {
	c.solves++
	c.last = float64(n)
	c.total += c.last
	c.most = math.Max(c.most, c.last)
}

// newInertial returns the engine of the robot, in its initial state, in env.
func newInertial(r *Robot, env *externalLoads) *inertial {
	s := r.inertial
	e := &inertial{twist: s.start, motion: inertialMotion{robot: r, body: s, env: env}}
	e.x[0] = integrate.Placement{Q: r.file.Body.Orientation, P: r.file.Body.Position}
	o := s.options
	o.AbsTol, o.StiffDrag = tolerance(r.size), r.lubricated || s.decayRate*r.file.Solver.Step > 1
	var err error
	e.stepper, err = rigid.NewStepper(o, s.body, loads{&e.motion}, s.anchor)
	if err != nil { // names and numbers have been checked with the file
		panic("microrobot: " + err.Error())
	}
	n := e.stepper.StateLen()
	e.before, e.whole, e.part = make([]float64, n), make([]float64, n), make([]float64, n)
	return e
}

// tolerance returns by how much (m) an implicit step of a body of the given size (m) may
// err.
func tolerance(size float64) float64 { return math.Min(1e-12, 1e-9*size) }

// StiffError is the error of a step that would have to be divided into too many substeps:
// the field moves the body too fast for the method. The state stays as it was before the
// step.
type StiffError struct {
	Time float64 // of the start of the step, s
	Rate float64 // of the fastest motion, 1/s
	Step float64 // the longest step with which it can be followed, s
}

func (e *StiffError) Error() string {
	return fmt.Sprintf("at t = %.6g s the body answers the field within %.3g s, which takes steps up to %.3g s; use a shorter step_s, a weaker field or dynamics overdamped", e.Time, 1/e.Rate, e.Step)
}

// InertialError is the error of a step with inertia that the method could not take. The
// state stays as it was before the step.
type InertialError struct {
	Time float64 // of the start of the step, s
	Err  error   // why
}

func (e *InertialError) Error() string {
	return fmt.Sprintf("the step from t = %.6g s failed: %v", e.Time, e.Err)
}

// Unwrap returns why the step failed.
func (e *InertialError) Unwrap() error { return e.Err }

// Divide implements engine. The body swings in the field like a pendulum, at √(mB/J), or, with much
// drag, approaches rest as if it had no inertia. Explicit methods must also resolve the decay by
// drag and the rotation of the body.
func (e *inertial) Divide(dt float64) division {
	r, s, env := e.motion.robot, e.motion.body, e.motion.env
	stiffness := r.magnet.Stiffness(env.strongestField(e.x[:]))
	swing := math.Sqrt(stiffness * s.maxInvInertia)
	rate := swing
	if s.hasDrag {
		rate = math.Min(swing, stiffness*r.rotMobility)
	}
	how := division{Substeps: math.Max(wholeSubsteps(dt*env.turnRate(&e.x[0])/substepAngle), env.pulseSubsteps(dt))}
	if rate > 0 {
		how.Time = 1 / rate
	}
	if s.hasDrag && !s.implicit {
		rate = math.Max(swing, s.decayRate)
	}
	how.Substeps = math.Max(how.Substeps, math.Ceil(dt*rate/substepShare-substepRoundoff))
	if !s.implicit {
		how.Substeps = math.Max(how.Substeps, math.Ceil(dt*e.twist.Angular.Norm()/s.substepAngle()-substepRoundoff))
	}
	return how
}

// substepAngle returns by how much (rad) the body may turn in a substep of an explicit
// method: one of order 2 loses more phase in a turn than those of order 4.
func (s *rigidBody) substepAngle() float64 {
	if s.options.Method == rigid.Splitting {
		return substepAngle / 2
	}
	return substepAngle
}

// Step implements engine.
func (e *inertial) Step(dt float64) (division, error) { return e.advance(dt, 1) }

// advance is Step in so many times the substeps. Where an implicit method does not converge, the
// substeps are halved.
func (e *inertial) advance(dt, refinement float64) (division, error) {
	how, start := e.Divide(dt), e.motion.env.start
	if err := e.motion.env.check(&how); err != nil {
		return how, err
	}
	if how.Substeps > maxSubsteps {
		rate := how.Substeps * substepShare / dt
		return how, &StiffError{Time: start, Rate: rate, Step: maxSubsteps * substepShare / rate}
	}
	how.Substeps *= refinement
	e.stepper.Save(e.before)
	for parts := 1; ; parts *= 2 {
		err := e.takeSubsteps(dt, how.Substeps)
		if err == nil {
			if parts > 1 {
				e.steps.divided++
			}
			return how, nil
		}
		e.stepper.Restore(e.before, integrate.Motion{Placement: e.x[0], V: e.twist})
		switch {
		case errors.Is(err, integrate.ErrNonFinite):
			return how, &UnstableError{Time: start}
		case errors.As(err, new(*WallError)):
			return how, err
		case !errors.Is(err, integrate.ErrNotConverged) && !errors.Is(err, errTooFar) || parts >= maxParts:
			e.steps.unconverged++
			return how, &InertialError{Time: start, Err: err}
		default:
			how.Substeps *= 2
		}
	}
}

// errTooFar is that a body moves so far in a substep that it could pass through a wall.
var errTooFar = errors.New("the body moves so far in a part of a step that it could pass through a wall; use a smaller solver.step_s, less load or a slower start")

// takeSubsteps moves the body by dt seconds in n substeps. After an error the body is where
// it was, but the stepper is not.
func (e *inertial) takeSubsteps(dt, n float64) error {
	m := &e.motion
	solves := e.solves
	x := &e.next
	*x = integrate.Motion{Placement: e.x[0], V: e.twist}
	h := dt / n
	var stepped integrate.Motion // as the stepper left the body
	for i := 0.0; i < n; i++ {
		var err error
		switch r := m.robot; {
		case r.walls == nil:
			stepped, err = e.substep(i*h, h, x, &solves)
		case r.lubricated || e.motion.body.decayRate*h > stiffContact:
			from := x.Placement
			if stepped, err = e.substep(i*h, h, x, &solves); err == nil {
				if r.reachable(&from, &x.Placement) < 1 {
					return errTooFar
				}
				m.stopAtWalls(x)
			}
		default:
			stepped, err = e.amongWalls(i*h, h, x, &solves)
		}
		if err != nil {
			return err
		}
	}
	if !x.IsFinite() {
		return integrate.ErrNonFinite
	}
	e.solves = solves
	e.x[0], e.twist = x.Placement, x.V.Flush()
	if (integrate.Motion{Placement: e.x[0], V: e.twist}) != stepped {
		e.stepper.Restart() // so that a saved state continues in the same way
	}
	return nil
}

// substep moves the body by h seconds without contact, and returns as what the stepper left it.
func (e *inertial) substep(t, h float64, x *integrate.Motion, solves *solveCounts) (stepped integrate.Motion, err error) {
	m, s := &e.motion, e.motion.body
	if m.robot.lubricated {
		m.beginFilm(t, h, x)
	}
	report, err := e.stepper.Step(t, h, x)
	if err != nil {
		return *x, err
	}
	solves.add(report.Iterations)
	stepped = *x
	if !s.implicit {
		*x = s.body.Hold(*x, e.motion.body.anchor)
	}
	m.endFilm(t, h, x)
	return stepped, nil
}

// Rest implements rester.
func (e *inertial) Rest() { e.twist = spatial.Twist{} }

// Placements implements engine.
func (e *inertial) Placements() []integrate.Placement { return e.x[:] }

// Velocity implements engine.
func (e *inertial) Velocity() (v, w spatial.Vec) {
	return e.x[0].Q.Apply(e.twist.Linear), e.twist.Angular
}

// Acceleration implements accelerator. Of a body that touches walls it is the mean over a
// step, which the walls may end.
func (e *inertial) Acceleration() spatial.Twist {
	m := &e.motion
	x := integrate.Motion{Placement: e.x[0], V: e.twist}
	rot := x.Q.Rot()
	a := e.freeAcceleration()
	if m.robot.walls != nil {
		h := m.robot.file.Solver.Step
		hull := m.robot.hull(&rot)
		free := addTwists(toWorld(&rot, e.twist), spatial.Twist{Linear: a.Linear.Scale(h), Angular: a.Angular.Scale(h)})
		held := m.react(x.P, &rot, &hull, free)
		a.Linear = a.Linear.AddScaled(1/h, held.Linear.Sub(free.Linear))
		a.Angular = a.Angular.AddScaled(1/h, held.Angular.Sub(free.Angular))
	}
	return a
}

// freeAcceleration returns the acceleration without what walls prevent, world axes.
func (e *inertial) freeAcceleration() spatial.Twist {
	m := &e.motion
	x := integrate.Motion{Placement: e.x[0], V: e.twist}
	rot := x.Q.Rot()
	m.film = film{}
	a := m.body.body.Acceleration(e.twist, loads{m}.Wrench(0, x))
	a.Linear = a.Linear.Add(e.twist.Angular.Cross(e.twist.Linear)) // the axes turn
	return toWorld(&rot, a)
}

// Gauges implements engine.
func (e *inertial) Gauges() []sim.Gauge {
	g := []sim.Gauge{
		{Key: "kinetic_energy", Unit: "J"},
		{Key: "drag_time", Unit: "s"}, // in which drag far from walls slows the body at the fastest; 0: no drag
	}
	if e.motion.body.implicit {
		g = append(g,
			sim.Gauge{Key: "newton_iterations"}, // of the last solve
			sim.Gauge{Key: "newton_iterations_mean"},
			sim.Gauge{Key: "newton_iterations_max"},
			sim.Gauge{Key: sim.DividedSteps, Warn: 0.5},
			sim.Gauge{Key: sim.UnconvergedSteps, Warn: 0.5}, // each was an error
		)
	}
	return g
}

// Measure implements engine.
func (e *inertial) Measure(dst []float64) int {
	s := e.motion.body
	dst[0], dst[1] = s.body.KineticEnergy(integrate.Motion{Placement: e.x[0], V: e.twist}), 0
	if s.decayRate > 0 {
		dst[1] = 1 / s.decayRate
	}
	if !s.implicit {
		return 2
	}
	c := &e.solves
	dst[2], dst[3], dst[4], dst[5], dst[6] = c.last, 0, c.most, e.steps.divided, e.steps.unconverged
	if c.solves > 0 {
		dst[3] = c.total / c.solves
	}
	return 7
}

// solveCountsLen is the number of values of saved solveCounts and stepCounts.
const solveCountsLen = 4 + stepCountsLen

// StateLen implements engine.
func (e *inertial) StateLen() int {
	return placementLen + twistLen + solveCountsLen + e.stepper.StateLen()
}

// Save implements engine.
func (e *inertial) Save(dst []float64) {
	putPlacement(dst, &e.x[0])
	putTwist(dst[placementLen:], e.twist)
	dst = dst[placementLen+twistLen:]
	c := &e.solves
	dst[0], dst[1], dst[2], dst[3] = c.solves, c.last, c.total, c.most
	dst[4], dst[5] = e.steps.divided, e.steps.unconverged
	e.stepper.Save(dst[solveCountsLen:])
}

// Restore implements engine.
func (e *inertial) Restore(src []float64) {
	e.x[0], e.twist = takePlacement(src), takeTwist(src[placementLen:])
	src = src[placementLen+twistLen:]
	e.solves = solveCounts{solves: src[0], last: src[1], total: src[2], most: src[3]}
	e.steps = stepCounts{divided: src[4], unconverged: src[5]}
	e.stepper.Restore(src[solveCountsLen:], integrate.Motion{Placement: e.x[0], V: e.twist})
}
