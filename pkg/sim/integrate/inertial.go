package integrate

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Motion is a point of SE(3) × R⁶: where a rigid body is and how it moves.
type Motion struct {
	Placement
	// V is the velocity of the reference point (m/s) and the angular velocity
	// (rad/s), both in body axes.
	V spatial.Twist
}

// Dynamics is a second-order system of one rigid body: CG4Motion and LieEulerMotion step
// it. A value type with a small state is called without
// indirection through the heap.
type Dynamics interface {
	// Acceleration returns the rates of change of the components of x.V: m/s² and
	// rad/s². The acceleration of the reference point is that plus ω × v.
	Acceleration(t float64, x Motion) spatial.Twist
}

// Solve says what a step took. An explicit step takes no iterations.
type Solve struct {
	Iterations int     // linear solves
	Error      float64 // weighted size of the last increment; converged at 1
}

// Stepper is a method together with the system that it steps: what a simulation
// holds. It is called once per step, so that the stages of the step need no call
// through an interface.
type Stepper interface {
	// Step advances x by h > 0 from time t. On an error x is as before.
	Step(t, h float64, x *Motion) (Solve, error)
	// Restart forgets what a method of several levels remembers of the steps
	// before. So does a step from a motion that the last one did not leave.
	Restart()
	// MemoryLen returns how many numbers the method remembers besides the motion.
	MemoryLen() int
	// Save writes them to dst. Restore takes them from src, written after a step that
	// ended at x: the steps from there are then the same, bit by bit.
	Save(dst []float64)
	Restore(src []float64, x Motion)
}

// Explicit is the Stepper of a one-step method without memory.
type Explicit[S Dynamics] struct {
	System S
	Method func(s S, t, h float64, x Motion) Motion
}

// NewCG4 steps s with the tableau m, &CG4 or &CG4Rational.
func NewCG4[S Dynamics](m *CrouchGrossman, s S) *Explicit[S] {
	return &Explicit[S]{s, func(s S, t, h float64, x Motion) Motion { return CG4Motion(m, s, t, h, x) }}
}

// NewLieEuler steps s with LieEulerMotion.
func NewLieEuler[S Dynamics](s S) *Explicit[S] { return &Explicit[S]{s, LieEulerMotion[S]} }

// Step is that of Stepper. It fails with ErrNonFinite.
func (e *Explicit[S]) Step(t, h float64, x *Motion) (Solve, error) {
	next := e.Method(e.System, t, h, *x)
	if !next.IsFinite() {
		return Solve{}, ErrNonFinite
	}
	*x = next
	return Solve{}, nil
}

// Restart does nothing: a one-step method remembers nothing.
func (e *Explicit[S]) Restart() {}

// MemoryLen returns 0.
func (e *Explicit[S]) MemoryLen() int { return 0 }

// Save writes nothing.
func (e *Explicit[S]) Save([]float64) {}

// Restore takes nothing.
func (e *Explicit[S]) Restore([]float64, Motion) {}

// IsFinite reports whether all numbers of x are finite.
func (x *Motion) IsFinite() bool {
	return x.Placement.IsFinite() && x.V.Linear.IsFinite() && x.V.Angular.IsFinite()
}

// screwed is x after the motion exp(ξ), ξ = (v, u) a twist in body axes: the exponential
// map of SE(3) at x. Twists go in halves here, because the compiler keeps vectors in
// registers, and larger values in memory.
func (x Placement) screwed(v, u spatial.Vec) Placement {
	k := screwCoefs(u.Norm2())
	uv := u.Cross(v)
	uuv := u.Cross(uv)
	d := spatial.Vec{
		X: v.X + k.b*uv.X + k.c*uuv.X,
		Y: v.Y + k.b*uv.Y + k.c*uuv.Y,
		Z: v.Z + k.b*uv.Z + k.c*uuv.Z,
	}
	turn := spatial.Quat{W: k.cos, X: k.sin * u.X, Y: k.sin * u.Y, Z: k.sin * u.Z}
	return Placement{Q: x.Q.Mul(turn), P: x.P.Add(x.Q.Apply(d))}
}

// screwCoef are the coefficients of the exponential map for a rotation by θ.
type screwCoef struct {
	cos, sin float64 // cos θ/2 and (sin θ/2)/θ
	b, c     float64 // (1−cos θ)/θ² and (θ−sin θ)/θ³
}

// screwSeriesMax2 is the squared angle below which four terms of each series leave less
// than 1e-17.
const screwSeriesMax2 = 0.02

// screwCoefs returns the coefficients for s = θ².
func screwCoefs(s float64) screwCoef {
	q := 0.25 * s
	if s < screwSeriesMax2 {
		return screwCoef{
			cos: 1 - q*(1./2-q*(1./24-q*(1./720-q*(1./40320)))),
			sin: 1./2 - q*(1./12-q*(1./240-q*(1./10080-q*(1./725760)))),
			b:   1./2 - s*(1./24-s*(1./720-s*(1./40320-s*(1./3628800)))),
			c:   1./6 - s*(1./120-s*(1./5040-s*(1./362880-s*(1./39916800)))),
		}
	}
	t := math.Sqrt(s)
	sh, ch := math.Sincos(t / 2)
	k := screwCoef{cos: ch, sin: sh / t, b: 2 * sh * sh / s}
	k.c = (1 - 2*sh*ch/t) / s
	return k
}

// LieEulerMotion advances x by h from time t with the twist and the acceleration of
// its start held, first order.
func LieEulerMotion[S Dynamics](s S, t, h float64, x Motion) Motion {
	a := s.Acceleration(t, x)
	next := x
	next.Placement = x.screwed(x.V.Linear.Scale(h), x.V.Angular.Scale(h))
	next.V.Linear, next.V.Angular = x.V.Linear.AddScaled(h, a.Linear), x.V.Angular.AddScaled(h, a.Angular)
	next.Q = next.Q.Normalized()
	return next
}
