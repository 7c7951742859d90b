package microrobot

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// inertia is the state that motion with inertia adds to the pose.
type inertia struct {
	solid   *solid
	stepper integrate.Stepper
	twist   spatial.Twist // of the reference point, body axes
	film    film
	tally   tally
	next    integrate.Motion // scratch: during a step
	before  []float64        // scratch: the memory of the stepper before a step
}

// tally counts what implicit steps took.
type tally struct{ steps, last, all, most float64 }

// count adds a solve of n iterations.
func (c *tally) count(n int) {
	c.steps++
	c.last = float64(n)
	c.all += c.last
	c.most = math.Max(c.most, c.last)
}

// newInertia starts the motion of the robot under the dynamics d, nil if it is overdamped.
func (r *Robot) newInertia(d *dynamics) *inertia {
	s := r.solid
	if s == nil {
		return nil
	}
	o := s.options
	o.AbsTol, o.StiffDrag = tolerance(r.size), r.lubricated || s.decay*r.file.Solver.Step > 1
	in := &inertia{solid: s, twist: s.start}
	stepper, err := rigid.NewStepper(o, s.body, loads{d, &in.film}, s.anchor)
	if err != nil { // names and numbers have been checked with the file
		panic("microrobot: " + err.Error())
	}
	in.stepper, in.before = stepper, make([]float64, stepper.MemoryLen())
	return in
}

// StiffError is the error of a step that would have to be divided into too many parts:
// the field moves the body too fast for the method. The state is
// that of before the step.
type StiffError struct {
	Time float64 // of the start of the step, s
	Rate float64 // of the fastest motion, 1/s
	Step float64 // the longest step with which it can be followed, s
}

func (e *StiffError) Error() string {
	return fmt.Sprintf("at t = %.6g s the body answers the field within %.3g s, which takes steps up to %.3g s; use a shorter step_s, a weaker field or dynamics overdamped", e.Time, 1/e.Rate, e.Step)
}

// divideInertial is divide for motion with inertia. The body swings in the field like a
// pendulum, at √(mB/J), or, with much drag, comes to rest as if it had no inertia. Explicit
// methods have to follow the slowing by drag too. A rate that is not finite gives NaN parts.
func (m *Model) divideInertial(dt float64) division {
	r, s := m.robot, m.robot.solid
	stiffness := r.magnet.Stiffness(m.strongest())
	swing := math.Sqrt(stiffness * s.swift)
	rate := swing
	if s.drags {
		rate = math.Min(swing, stiffness*r.gyro)
	}
	how := division{Substeps: parts(dt * m.turns() / substepAngle)}
	if rate > 0 {
		how.Time = 1 / rate
	}
	if s.drags && !s.implicit {
		rate = math.Max(swing, s.decay)
	}
	how.Substeps = math.Max(how.Substeps, math.Ceil(dt*rate/substepShare-roundoff))
	return how
}

// advanceInertial moves the body by dt seconds. Where an implicit method does not converge,
// the parts are halved. After an error the body is where it was.
func (m *Model) advanceInertial(dt float64, how *division) error {
	in := m.inertia
	if how.Substeps > maxSubsteps {
		rate := how.Substeps * substepShare / dt
		return &StiffError{Time: m.time, Rate: rate, Step: maxSubsteps * substepShare / rate}
	}
	in.stepper.Save(in.before)
	for {
		err := m.takeParts(dt, how.Substeps)
		if err == nil {
			return nil
		}
		in.stepper.Restore(in.before, integrate.Motion{Placement: m.x, V: in.twist})
		switch again := 2 * how.Substeps; {
		case errors.Is(err, integrate.ErrNonFinite):
			return &UnstableError{Time: m.time}
		case !errors.Is(err, integrate.ErrNotConverged) || again > maxSubsteps:
			return &InertialError{Time: m.time, Err: err}
		default:
			how.Substeps = again
		}
	}
}

// takeParts moves the body by dt seconds in the given number of parts. After an error the
// body is where it was, but the stepper is not.
func (m *Model) takeParts(dt, parts float64) error {
	in := m.inertia
	tally := in.tally
	x := &in.next // the stepper is behind an interface: a variable would be allocated
	*x = integrate.Motion{Placement: m.x, V: in.twist}
	h := dt / parts
	for i := 0.0; i < parts; i++ {
		if m.robot.lubricated {
			m.beginFilm(i*h, h, x)
		}
		report, err := in.stepper.Step(i*h, h, x)
		if err != nil {
			return err
		}
		tally.count(report.Iterations)
		if !in.solid.implicit {
			*x = in.solid.body.Hold(*x, in.solid.anchor)
		}
		if in.film.mode == filmPredicted {
			m.endFilm(i*h, h, x)
		}
		if m.robot.walls != nil {
			m.strike(x)
		}
	}
	if !x.IsFinite() {
		return integrate.ErrNonFinite
	}
	in.tally = tally
	m.x, in.twist = x.Placement, x.V.Flush()
	return nil
}

// InertialError is the error of a step with inertia that the method could not take. The
// state is that of before the step.
type InertialError struct {
	Time float64 // of the start of the step, s
	Err  error   // why
}

func (e *InertialError) Error() string {
	return fmt.Sprintf("the step from t = %.6g s failed: %v", e.Time, e.Err)
}

// Unwrap is that of package errors.
func (e *InertialError) Unwrap() error { return e.Err }

// strike keeps the body out of the walls: it is put back to where it touches, and an
// impulse along the normal takes the velocity into the wall away, without friction and
// without rebound.
func (m *Model) strike(x *integrate.Motion) {
	r := m.robot
	rot := x.Q.Rot()
	extent := r.extent(&rot)
	if r.walls.Gap(x.P, &extent) >= 0 {
		return
	}
	x.P = r.walls.PushOut(x.P, &extent)
	v := m.react(x.P, &rot, &extent, turned(&rot, x.V))
	x.V = spatial.Twist{Linear: rot.ApplyT(v.Linear), Angular: rot.ApplyT(v.Angular)}
}

// react is the twist t (world axes) of the body at p less what walls that it touches do
// not let happen.
func (m *Model) react(p spatial.Vec, rot, extent *spatial.Mat3, t spatial.Twist) spatial.Twist {
	yield := m.robot.solid.yield.Rotated(*rot)
	t, _ = m.robot.walls.React(p, extent, &yield, t)
	return t
}

// motion is the velocity of the reference point now in world axes, and the angular
// velocity in body axes.
func (m *Model) motion() (v, w spatial.Vec) {
	if m.inertia == nil {
		return m.velocity()
	}
	return m.x.Q.Apply(m.inertia.twist.Linear), m.inertia.twist.Angular
}

// acceleration is that of the reference point and of the rotation now, world axes. Of a
// body that touches walls it is the mean over a step, which the walls may end.
func (m *Model) acceleration() spatial.Twist {
	in := m.inertia
	x := integrate.Motion{Placement: m.x, V: in.twist}
	rot := x.Q.Rot()
	in.film = film{}
	a := in.solid.body.Acceleration(in.twist, loads{&m.dyn, &in.film}.Wrench(0, x))
	a.Linear = a.Linear.Add(in.twist.Angular.Cross(in.twist.Linear)) // the axes turn
	a = turned(&rot, a)
	if m.robot.walls != nil {
		h := m.robot.file.Solver.Step
		extent := m.robot.extent(&rot)
		free := sum(turned(&rot, in.twist), spatial.Twist{Linear: a.Linear.Scale(h), Angular: a.Angular.Scale(h)})
		held := m.react(x.P, &rot, &extent, free)
		a.Linear = a.Linear.AddScaled(1/h, held.Linear.Sub(free.Linear))
		a.Angular = a.Angular.AddScaled(1/h, held.Angular.Sub(free.Angular))
	}
	return a
}

// twistLen is the number of values of a twist.
const twistLen = 6

// stateLen is the number of values that put writes.
func (in *inertia) stateLen() int {
	if in == nil {
		return 0
	}
	return twistLen + tallyLen + in.stepper.MemoryLen()
}

// tallyLen is the number of values of a tally.
const tallyLen = 4

func (in *inertia) put(dst []float64) {
	in.twist.Linear.Put(dst)
	in.twist.Angular.Put(dst[3:])
	c := &in.tally
	dst[6], dst[7], dst[8], dst[9] = c.steps, c.last, c.all, c.most
	in.stepper.Save(dst[twistLen+tallyLen:])
}

// take reads what put wrote with the body at x.
func (in *inertia) take(src []float64, x integrate.Placement) {
	in.twist = spatial.Twist{Linear: spatial.VecAt(src), Angular: spatial.VecAt(src[3:])}
	in.tally = tally{steps: src[6], last: src[7], all: src[8], most: src[9]}
	in.stepper.Restore(src[twistLen+tallyLen:], integrate.Motion{Placement: x, V: in.twist})
}
