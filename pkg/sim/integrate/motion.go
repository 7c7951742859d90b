package integrate

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Motion is a point of SE(3) × R⁶: placement and twist of a rigid body.
type Motion struct {
	Placement
	// V is the velocity of the reference point (m/s) and the angular velocity (rad/s), both in body
	// axes.
	V spatial.Twist
}

// Dynamics is a second-order system of one rigid body, which CG4Motion and LieEulerMotion step. As
// a value type with a small state it is called without heap indirection.
type Dynamics interface {
	// Acceleration returns the rates of change of the components of x.V, m/s² and rad/s². The
	// acceleration of the reference point is that plus ω × v.
	Acceleration(t float64, x Motion) spatial.Twist
}

// IsFinite reports whether all numbers of x are finite.
func (x *Motion) IsFinite() bool {
	return x.Placement.IsFinite() && x.V.Linear.IsFinite() && x.V.Angular.IsFinite()
}

// screwMotion returns x after the screw motion exp(ξ) of the twist ξ = (v, u) in body axes: the
// exponential map of SE(3) at x. The parts of the twist are separate parameters, because the
// compiler keeps vectors in registers and larger values in memory.
func (x Placement) screwMotion(v, u spatial.Vec) Placement {
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

// screwCoefs returns the coefficients for s = θ². A step of CG4 takes 4 to 14 % longer
// with the coefficients of spatial.Exp and expStep, which are two calls instead of one.
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
