package microrobot

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// externalLoads is what acts on a robot during one step, besides drag and walls: the
// magnetic field, weight, external loads and the flow of the fluid. Its time counts from
// the start of the step. It is immutable during the step but for the field at one time,
// which it keeps: goroutines need one each.
type externalLoads struct {
	reference.Instant
	robot *Robot
	in    *inputs

	start    float64        // of the step, s
	step     float64        // how many steps were before, a whole number
	world    spatial.Wrench // loads of fixed direction, world axes
	follower spatial.Wrench // loads that turn with the body, body axes
	flowing  bool           // the fluid moves
	// strongest is what strongestField found last, T.
	strongest float64
}

// newExternalLoads returns the external loads of the robot under the inputs in.
func newExternalLoads(r *Robot, in *inputs) externalLoads {
	return externalLoads{Instant: in.Field.Instant(), robot: r, in: in}
}

// begin prepares the loads for a step that starts at time start.
func (e *externalLoads) begin(start, step float64) {
	r, in := e.robot, e.in
	e.start, e.step = start, step
	e.flowing = r.flow != nil || in.Flow != spatial.Twist{}
	e.world, e.follower = r.world, r.follower
	if in.External.InBody {
		e.follower = addWrenches(e.follower, in.External.Wrench)
	} else {
		e.world = addWrenches(e.world, in.External.Wrench)
	}
	e.Set(0)
}

// copyFrom makes e the same as src, to be used at the same time.
func (e *externalLoads) copyFrom(src *externalLoads) {
	own := e.Instant
	own.CopyFrom(&src.Instant)
	*e = *src
	e.Instant = own
}

// strongestField returns the largest magnitude of the field at the start of the step at
// the robots at x, T.
func (e *externalLoads) strongestField(x []integrate.Placement) float64 {
	b, _ := e.At(0, x[0].P)
	most := b.Norm2()
	for i := 1; i < len(x) && (e.HasGradient || e.HasSources); i++ {
		b, _ = e.At(0, x[i].P)
		most = max(most, b.Norm2())
	}
	e.strongest = math.Sqrt(most)
	return e.strongest
}

// check refuses a step that is divided so, in a field that is not finite or stronger than any is.
func (e *externalLoads) check(how *division) error {
	switch {
	case !(how.Substeps >= 1):
		return &UnstableError{Time: e.start}
	case e.strongest > magnetics.MaxField && e.strongest <= math.MaxFloat64:
		return &FieldError{Time: e.start, Field: e.strongest, HasCoils: e.robot.coils != nil}
	}
	return nil
}

// load returns all that acts on the body besides the fluid, body axes, about the
// reference point.
func (e *externalLoads) load(t float64, p spatial.Vec, rot *spatial.Mat3) (force, moment spatial.Vec) {
	r := e.robot
	b, g := e.At(t, p)
	b = rot.ApplyT(b)
	m, permanent := r.magnet.IsPermanent()
	if !permanent {
		m = r.magnet.Moment(b)
	}
	force, moment = e.world.Force, e.follower.Moment.Add(m.Cross(b))
	if g != (magnetics.Gradient{}) {
		force = force.Add(g.Apply(rot.Apply(m)))
	}
	force = rot.ApplyT(force).Add(e.follower.Force)
	if r.weightMoment || e.world.Moment != (spatial.Vec{}) {
		w := r.weight.Wrench(rot.ApplyT(r.file.Gravity))
		moment = moment.Add(w.Moment).Add(rot.ApplyT(e.world.Moment))
	}
	return force, moment
}

// ambient returns the flow at the robot: the fluid's own motion and the commanded one,
// which turns as a rigid body.
func (e *externalLoads) ambient(t float64, p spatial.Vec, rot *spatial.Mat3) stokes.Ambient {
	a := stokes.Ambient{}
	if f := e.robot.flow; f != nil {
		faxen := e.robot.body.Faxen(rot)
		a = f.At(p, e.start+t, &faxen)
	}
	a.Velocity = a.Velocity.Add(e.in.Flow.Linear)
	a.Gradient = a.Gradient.Add(spatial.Skew(e.in.Flow.Angular))
	return a
}

// advection returns the motion in world axes with which the flow carries along a body
// without loads. It is for fluid that moves.
func (e *externalLoads) advection(t float64, p spatial.Vec, rot *spatial.Mat3) spatial.Twist {
	r := e.robot
	a := e.ambient(t, p, rot)
	carried := toWorld(rot, r.body.Advection(rot, &a))
	if r.lubricated {
		carried = addTwists(carried, r.walls.FlowCorrection(p, r.body.Shape.Radius, r.body.Viscosity, a.Velocity))
	}
	return carried
}

// flowThrough returns the share of the speed of the flow at a body at p that goes through the nearest
// walls: no more than 0 where the flow stops at the walls, as fluid does.
func (e *externalLoads) flowThrough(p spatial.Vec) float64 {
	const near = 10 // half-extents within which walls change the drag by a tenth
	if !e.flowing {
		return 0
	}
	speed := e.flowAt(p, p).Norm()
	if speed == 0 {
		return 0
	}
	return e.robot.walls.FlowThrough(p, near*e.robot.size, func(x spatial.Vec) spatial.Vec { return e.flowAt(x, p) }) / speed
}

// flowAt returns the velocity of the fluid at x with a body at p, where the commanded motion is given.
func (e *externalLoads) flowAt(x, p spatial.Vec) spatial.Vec {
	v := e.in.Flow.Linear.Add(e.in.Flow.Angular.Cross(x.Sub(p)))
	if f := e.robot.flow; f != nil {
		v = v.Add(f.At(x, e.start, &spatial.Mat3{}).Velocity)
	}
	return v
}

// turnRate returns how fast field and fluid turn at the start of the step at x, 1/s.
func (e *externalLoads) turnRate(x *integrate.Placement) float64 {
	return e.in.TurnRate(e.robot.file.Solver.Step) + e.flowRate(x)
}

// pulseSubsteps returns into how many substeps a step of dt seconds is divided so that the method resolves
// what of the flow oscillates.
func (e *externalLoads) pulseSubsteps(dt float64) float64 {
	if e.robot.flow == nil {
		return 1
	}
	return wholeSubsteps(dt * e.robot.flow.Rate() / e.robot.maxRotation())
}

// prescribedRotation returns by how much (rad) the field turns or the phase of the flow advances in a
// substep of a step of dt seconds, which is divided by these rates into maxSubsteps at most.
func (e *externalLoads) prescribedRotation(dt float64) float64 {
	inSubstep := func(angle, limit float64) float64 {
		n := wholeSubsteps(angle / limit)
		if n == maxSubsteps {
			return angle / n
		}
		return math.Min(angle/n, limit)
	}
	angle := inSubstep(dt*e.in.TurnRate(dt), substepAngle)
	if e.robot.flow != nil {
		angle = math.Max(angle, inSubstep(dt*e.robot.flow.Rate(), e.robot.maxRotation()))
	}
	return angle
}

// flowRate returns how fast the fluid deforms and turns at the start of the step at x, 1/s.
func (e *externalLoads) flowRate(x *integrate.Placement) float64 {
	if !e.flowing {
		return 0
	}
	rot := x.Q.Rot()
	a := e.ambient(0, x.P, &rot)
	return frobenius(a.Gradient)
}
