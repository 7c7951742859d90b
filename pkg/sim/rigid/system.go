package rigid

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Loads are what acts on a body besides its inertia and its joint.
type Loads interface {
	// Wrench returns the load at time t on the body at x, about the reference point
	// and in body axes: N, N m.
	Wrench(t float64, x integrate.Motion) spatial.Wrench
	// Damping returns −∂(wrench)/∂(x.V), a resistance in body axes, force rows and
	// velocity columns first, and whether it is worth the iteration of an implicit
	// step: a drag that slows the body within a step is.
	Damping(t float64, x integrate.Motion) (spatial.Mat6, bool)
	// VelocityIndependent reports that Wrench never depends on x.V, which saves splitting half of
	// its calls.
	VelocityIndependent() bool
}

// System is a body with loads as integrate's CG4, RKMK4, LieEuler and Splitting step it.
// The zero System is not usable.
type System[L Loads] struct {
	Body  *Body
	Loads L
}

// Acceleration implements integrate.Dynamics.
func (s System[L]) Acceleration(t float64, x integrate.Motion) spatial.Twist {
	return s.Body.Acceleration(x.V, s.Loads.Wrench(t, x))
}

// Load implements integrate.LoadedBody.
func (s System[L]) Load(t float64, x integrate.Motion) spatial.Wrench { return s.Loads.Wrench(t, x) }

// VelocityIndependent implements integrate.LoadedBody.
func (s System[L]) VelocityIndependent() bool { return s.Loads.VelocityIndependent() }

// MassProperties implements integrate.LoadedBody.
func (s System[L]) MassProperties() integrate.MassProperties { return s.Body.props }

// Constant are gravity and constant loads about the reference point. The loads are
// *Constant: a value of its size would be copied at every stage of a step.
type Constant struct {
	Body    *Body
	Gravity spatial.Vec    // m/s², world axes
	World   spatial.Wrench // N, N m, world axes
	Fixed   spatial.Wrench // N, N m, turning with the body
}

// Wrench implements Loads.
func (c *Constant) Wrench(_ float64, x integrate.Motion) spatial.Wrench {
	f := c.Body.Weight(x.Q, c.Gravity)
	f.Force, f.Moment = f.Force.Add(c.Fixed.Force), f.Moment.Add(c.Fixed.Moment)
	if c.World != (spatial.Wrench{}) {
		q := x.Q.Conj()
		f.Force, f.Moment = f.Force.Add(q.Apply(c.World.Force)), f.Moment.Add(q.Apply(c.World.Moment))
	}
	return f
}

// VelocityIndependent implements Loads. It returns true.
func (c *Constant) VelocityIndependent() bool { return true }

// Damping implements Loads. There is none.
func (c *Constant) Damping(float64, integrate.Motion) (d spatial.Mat6, ok bool) { return d, false }
