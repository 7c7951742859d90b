package magnetics

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Pair is two thin coaxial coils, in series: the same current makes their fields
// add up (Helmholtz) or oppose one another (Maxwell).
type Pair struct {
	Radius, Separation float64 // m
	Turns              float64 // of each coil
	Opposed            bool
}

// Helmholtz returns the pair of coils at a distance of their radius, whose field at
// the centre is uniform to fourth order.
func Helmholtz(radius, turns float64) Pair {
	return Pair{Radius: radius, Separation: radius, Turns: turns}
}

// Maxwell returns the opposed pair at √3 of the radius, whose gradient at the centre
// is uniform to fourth order.
func Maxwell(radius, turns float64) Pair {
	return Pair{Radius: radius, Separation: math.Sqrt(3) * radius, Turns: turns, Opposed: true}
}

// OnAxis returns field (T) and gradient dB/dz (T/m) on the axis at z (m) from the
// centre, per ampere.
func (p Pair) OnAxis(z float64) (b, dbdz float64) {
	b, dbdz = p.coil(z - p.Separation/2)
	other, slope := p.coil(z + p.Separation/2)
	if p.Opposed {
		return b - other, dbdz - slope
	}
	return b + other, dbdz + slope
}

// coil is one coil's field and its derivative at the distance u from its plane:
// µ0 n R²/(2 (R²+u²)^(3/2)) per ampere.
func (p Pair) coil(u float64) (b, dbdu float64) {
	s := p.Radius*p.Radius + u*u
	b = Mu0 * p.Turns * p.Radius * p.Radius / (2 * s * math.Sqrt(s))
	return b, -3 * u * b / s
}

// Near returns the field around the centre of the pair for a current (A): exact on
// axis and across it to the first order in the distance. axis is a unit vector.
func (p Pair) Near(center, axis spatial.Vec, current float64) Linear {
	b, slope := p.OnAxis(0)
	// axisymmetric: slope along the axis, half of it inward across
	g := spatial.Outer(axis, axis).Scale(1.5 * slope * current)
	half := -0.5 * slope * current
	return Linear{
		B: axis.Scale(b * current), Center: center,
		G: Gradient{XX: g.XX + half, XY: g.XY, XZ: g.XZ, YY: g.YY + half, YZ: g.YZ},
	}
}
