package rigid

import (
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// MinCosine is the least |cos θ₁| at which Tait-Bryan angles are used.
const MinCosine = 1e-3

// SingularityError reports that Tait-Bryan angles x-y-z came too close to where the first
// and the third angle turn about the same axis.
type SingularityError struct {
	Angle  float64 // θ₁, rad
	Cosine float64 // cos θ₁, in size below MinCosine
}

// Error implements error.
func (e *SingularityError) Error() string {
	return fmt.Sprintf("rigid: Tait-Bryan angles are singular: |cos θ₁| = %.3g at θ₁ = %.6g rad, must be at least %g; use Euler parameters or the rotation vector",
		math.Abs(e.Cosine), e.Angle, MinCosine)
}

// TaitBryan is a body for methods of the Newmark family with Tait-Bryan angles x-y-z, R = R_x(θ₀) R_y(θ₁)
// R_z(θ₂), as rotation coordinates (Exudyn's NodeRigidBodyRxyz). The angles are
// continuous from step to step and may exceed π. Steps fail with *SingularityError near
// |θ₁| = π/2.
type TaitBryan[L Loads] struct{ anchored[L] }

// NewTaitBryan returns b under loads, its pivot, if any, held at anchor.
func NewTaitBryan[L Loads](b *Body, loads L, anchor spatial.Vec) TaitBryan[L] {
	return TaitBryan[L]{anchored[L]{b, loads, anchor}}
}

// Size implements integrate.Constrained.
func (s TaitBryan[L]) Size() (n, m int) { return 6, s.Body.jointSize() }

// Angles returns the Tait-Bryan angles x-y-z of the rotation r, θ₁ from −π/2 to π/2, the
// others from −π to π. Where θ₀ and θ₂ turn about the same axis, θ₀ is 0.
func Angles(r spatial.Mat3) spatial.Vec {
	const gimbal = 1e-14
	c := math.Hypot(r.YZ, r.ZZ)
	v := spatial.Vec{Y: math.Atan2(r.XZ, c)}
	if c < gimbal {
		v.Z = math.Atan2(r.YX, r.YY)
		return v
	}
	v.X, v.Z = math.Atan2(-r.YZ, r.ZZ), math.Atan2(-r.XY, r.XX)
	return v
}

// FromAngles returns the rotation R_x(a.X) R_y(a.Y) R_z(a.Z).
func FromAngles(a spatial.Vec) spatial.Mat3 {
	s0, c0 := math.Sincos(a.X)
	s1, c1 := math.Sincos(a.Y)
	s2, c2 := math.Sincos(a.Z)
	return spatial.Mat3{
		XX: c1 * c2, XY: -c1 * s2, XZ: s1,
		YX: c0*s2 + s0*s1*c2, YY: c0*c2 - s0*s1*s2, YZ: -s0 * c1,
		ZX: s0*s2 - c0*s1*c2, ZY: s0*c2 + c0*s1*s2, ZZ: c0 * c1,
	}
}

// taitBryanRates returns G at the angles a with rates v, and what goes with it.
func taitBryanRates(a, v spatial.Vec) rates {
	s1, c1 := math.Sincos(a.Y)
	s2, c2 := math.Sincos(a.Z)
	k := rates{n: 3, g: [4]spatial.Vec{{X: c1 * c2, Y: -c1 * s2, Z: s1}, {X: s2, Y: c2}, {Z: 1}}}
	// Ġ θ̇ is quadratic in the rates, so that it is half its derivative times them
	k.slope = [4]spatial.Vec{
		{X: -s1*c2*v.Y - c1*s2*v.Z, Y: s1*s2*v.Y - c1*c2*v.Z, Z: c1 * v.Y},
		{X: -s1*c2*v.X + c2*v.Z, Y: s1*s2*v.X - s2*v.Z, Z: c1 * v.X},
		{X: -c1*s2*v.X + c2*v.Y, Y: -c1*c2*v.X - s2*v.Y},
	}
	k.bias = k.slope[0].Scale(v.X/2).AddScaled(v.Y/2, k.slope[1]).AddScaled(v.Z/2, k.slope[2])
	return k
}

// Enter implements integrate.Constrained.
func (s TaitBryan[L]) SetPoint(x integrate.Motion, p *integrate.Point) {
	a := Angles(x.Q.Rot())
	x.P.Put(p.Q[:])
	a.Put(p.Q[3:])
	s1, c1 := math.Sincos(a.Y)
	s2, c2 := math.Sincos(a.Z)
	w := x.V.Angular
	first := (c2*w.X - s2*w.Y) / c1
	x.Q.Apply(x.V.Linear).Put(p.V[:])
	spatial.Vec{X: first, Y: s2*w.X + c2*w.Y, Z: w.Z - s1*first}.Put(p.V[3:])
}

// Leave implements integrate.Constrained.
func (s TaitBryan[L]) MotionOf(p *integrate.Point) integrate.Motion {
	a, v := spatial.VecAt(p.Q[3:]), spatial.VecAt(p.V[3:])
	k, r := taitBryanRates(a, v), FromAngles(a)
	return integrate.Motion{
		Placement: integrate.Placement{Q: r.Quat(), P: spatial.VecAt(p.Q[:])},
		V:         spatial.Twist{Linear: r.ApplyT(spatial.VecAt(p.V[:])), Angular: k.sum(p.V[3:])},
	}
}

// Advance implements integrate.Constrained.
func (s TaitBryan[L]) Advance(from, d *[row]float64, p *integrate.Point) {
	addCoordinates(from, d, p)
}

// Assemble implements integrate.Constrained. It returns *SingularityError near the singular angles.
func (s TaitBryan[L]) Assemble(t float64, p *integrate.Point, _ *[row]float64, e *integrate.Equations) error {
	a := spatial.VecAt(p.Q[3:])
	if c := math.Cos(a.Y); !(math.Abs(c) >= MinCosine) {
		return &SingularityError{Angle: a.Y, Cosine: c}
	}
	k, r := taitBryanRates(a, spatial.VecAt(p.V[3:])), FromAngles(a)
	s.assemble(t, s.MotionOf(p), &r, &k, p, e)
	return nil
}
