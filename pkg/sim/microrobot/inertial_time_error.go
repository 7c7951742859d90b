package microrobot

import (
	"math"

	"sinew/pkg/sim"
)

// timeErrorCap is the error in time over the length of the body at which the estimate ends. The loads on two bodies that are
// farther apart have nothing in common: where a controller keeps the body in an unstable equilibrium, the finer one leaves it,
// and its substeps multiply in the strong field far away.
const timeErrorCap = 10

var timeErrorGauge = sim.Gauge{
	Key: sim.TimeError, Warn: sim.TimeErrorWarning, Accept: sim.TimeError,
	Hint: "estimated time-discretisation error; use a smaller solver.step_s, a weaker field or more drag. Not meaningful for chaotic motion or a body stabilised by a controller: the estimate holds the commands fixed",
}

// estimatedInertial is the engine of one robot with inertia and an estimate of its error in time: its distance from a second body
// that takes twice as many substeps under the same loads. So errors add up, decay and grow as those of the motion do, at
// impacts and in chaos too.
type estimatedInertial struct {
	*inertial
	finer *inertial
	// offset is the estimate at the last restart of the finer body, over the length.
	offset float64
	state  []float64 // for one of the bodies to take from the other
}

var (
	_ engine          = (*estimatedInertial)(nil)
	_ inertialEngine  = (*estimatedInertial)(nil)
	_ stoppableEngine = (*estimatedInertial)(nil)
)

// newEstimatedInertial returns the engine of the robot, in its initial state, in env.
func newEstimatedInertial(r *Robot, env *externalLoads) *estimatedInertial {
	e := &estimatedInertial{inertial: newInertial(r, env), finer: newInertial(r, env)}
	e.state = make([]float64, e.inertial.StateLen())
	return e
}

// Step implements engine.
func (e *estimatedInertial) Step(dt float64) (division, error) {
	how, err := e.inertial.Step(dt)
	if err != nil {
		return how, err
	}
	before := e.timeError()
	_, err = e.finer.advance(dt, 2)
	switch {
	case err != nil:
		e.restartFiner(before)
	case e.timeError() >= timeErrorCap:
		e.restartFiner(timeErrorCap)
	}
	return how, nil
}

// restartFiner moves the finer body to the body, and keeps the estimate, over the length, as its least value.
func (e *estimatedInertial) restartFiner(estimate float64) {
	e.offset = estimate
	e.inertial.Save(e.state)
	e.finer.Restore(e.state)
}

// timeError returns how far any point of the body is from where ever shorter substeps would have taken it, over its
// length, at most timeErrorCap. Errors of order 2 are 4/3 of what half the length of the substeps changes, those of higher orders less (Richardson).
func (e *estimatedInertial) timeError() float64 {
	const remainder = 4. / 3
	r, a, b := e.motion.robot, &e.x[0], &e.finer.x[0]
	off := a.P.Sub(b.P).Norm() + r.size*angleBetween(a.Q, b.Q)
	return math.Min(largest(e.offset+remainder*off/r.Length()), timeErrorCap)
}

// Rest implements stoppableEngine.
func (e *estimatedInertial) Rest() {
	e.inertial.Rest()
	e.finer.Rest()
}

// Gauges implements engine.
func (e *estimatedInertial) Gauges() []sim.Gauge { return append(e.inertial.Gauges(), timeErrorGauge) }

// Measure implements engine.
func (e *estimatedInertial) Measure(dst []float64) int {
	n := e.inertial.Measure(dst)
	dst[n] = e.timeError()
	return n + 1
}

// StateLen implements engine.
func (e *estimatedInertial) StateLen() int { return 2*e.inertial.StateLen() + 1 }

// Save implements engine.
func (e *estimatedInertial) Save(dst []float64) {
	n := e.inertial.StateLen()
	e.inertial.Save(dst)
	e.finer.Save(dst[n:])
	dst[2*n] = e.offset
}

// Restore implements engine.
func (e *estimatedInertial) Restore(src []float64) {
	n := e.inertial.StateLen()
	e.inertial.Restore(src[:n])
	e.finer.Restore(src[n : 2*n])
	e.offset = math.Max(0, src[2*n])
}
