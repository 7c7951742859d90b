package microrobot

import (
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// engine is the state of a robot, or of all robots of a swarm, with its time stepping under the
// external loads that it is made with. The model prepares the loads for the current time before
// it calls Divide, Step, Velocity or Acceleration. No method allocates.
type engine interface {
	// Divide returns how a step of dt seconds that starts now is divided. In a field
	// that is not finite the number of substeps is NaN.
	Divide(dt float64) division
	// Step advances the state by dt seconds and returns how it was divided. It fails with
	// *UnstableError or another error with time and cause, and then keeps the state.
	Step(dt float64) (division, error)

	// Placements returns where the robots are, until the next step. The first is the
	// robot that all ports but poses refer to.
	Placements() []integrate.Placement
	// Velocity returns the present velocity of the first robot's reference point in
	// world axes (m/s) and its angular velocity in body axes (rad/s), without Brownian
	// motion, which has none.
	Velocity() (v, w spatial.Vec)

	// Touches appends to dst what of robot i presses on walls, N. There are walls.
	Touches(i int, dst []stokes.Touch) []stokes.Touch

	// Gauges lists what Measure writes to dst, beyond what every model measures. Measure
	// returns how many those are.
	Gauges() []sim.Gauge
	Measure(dst []float64) int

	// StateLen, Save and Restore are as in sim.Model, of the state alone.
	// Restore is given finite values only.
	StateLen() int
	Save(dst []float64)
	Restore(src []float64)
}

// multiBodyEngine is implemented by engines of many robots.
type multiBodyEngine interface {
	// Motions sets dst to the motion of every robot, as Velocity returns that of the first.
	Motions(dst []spatial.Twist)
}

// inertialEngine is implemented by engines with inertia.
type inertialEngine interface {
	// Acceleration returns the present acceleration of the first robot's reference
	// point (m/s²) and its angular acceleration (rad/s²), world axes.
	Acceleration() spatial.Twist
}

// stoppableEngine is implemented by engines whose velocity is part of the state.
type stoppableEngine interface {
	// Rest stops the robots where they are.
	Rest()
}

// division describes how a step is divided.
type division struct {
	Substeps  float64 // a whole number
	Alignment alignment
	Time      float64 // alignment time τ, s; 0: nothing aligns the body
}

// balance returns the alignment time of a body that stays in balance, s; 0 if the method
// integrates it.
func (d *division) balance() float64 {
	if d.Alignment == instantaneous {
		return d.Time
	}
	return 0
}

// alignment is the treatment of the alignment of the moment with the field.
type alignment uint8

const (
	integrated    alignment = iota // as the method integrates it
	instantaneous                  // at once: the torques stay in balance
)

// Bounds on substeps.
const (
	// substepShare is the longest substep over the alignment time τ: at τ/2 the methods
	// of order 4 err by 1e-5 of an angle that decays; they are unstable above 2.8 τ.
	substepShare = 0.5
	// substepAngle is the largest angle (rad) by which field or fluid turn in a substep.
	substepAngle = 0.5
	// flowAngle is the largest angle (rad) by which the fluid deforms in a substep of a
	// method of order 4 and robots that do not act on one another: in shear, a spheroid of aspect ratio up to 10 then errs
	// by less than 1e-8 rad a period. Thin bodies turn over in a small part of it.
	flowAngle = 0.02
	// substepRoundoff is how much above a whole number of substeps counts as that number.
	substepRoundoff = 1e-9
	// maxSubsteps is how many substeps are worth the time. Beyond, τ is below 1/500 of
	// the step, and the torques on the body are in balance nearly all the time.
	maxSubsteps = robotfile.MaxSubsteps
)

// wholeSubsteps returns the whole number not below x, from 1 to maxSubsteps; NaN for NaN.
func wholeSubsteps(x float64) float64 {
	if x <= 1 {
		return 1
	}
	return math.Min(math.Max(1, math.Ceil(x-substepRoundoff)), maxSubsteps)
}

// divisionLen is the number of values of a saved division.
const divisionLen = 3

func (d *division) put(dst []float64) {
	dst[0], dst[1], dst[2] = d.Substeps, float64(d.Alignment), d.Time
}

func (d *division) take(src []float64) {
	*d = division{Substeps: src[0], Time: src[2]}
	if src[1] != 0 {
		d.Alignment = instantaneous
	}
}

// UnstableError is the error of a step that gave a number that is not finite. The
// state stays as it was before the step.
type UnstableError struct {
	Time float64 // of the start of the step, s
}

func (e *UnstableError) Error() string {
	return fmt.Sprintf("the motion is no longer finite at t = %.6g s; the robot may have reached a source of the field, or the loads are too large", e.Time)
}

// FieldError is the error of a step in a field that is stronger than any that moves robots. The state
// stays as it was before the step.
type FieldError struct {
	Time     float64 // of the start of the step, s
	Field    float64 // at the body, T
	HasCoils bool
}

func (e *FieldError) Error() string {
	text := fmt.Sprintf("at t = %.6g s the field at the body is %.4g T, allowed: at most %g T; keep it away from magnets and coils, and fields smaller", e.Time, e.Field, magnetics.MaxField)
	if e.HasCoils {
		text += "; coil_currents are in A: 5000 mA are 5"
	}
	return text
}
