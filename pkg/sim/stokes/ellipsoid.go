package stokes

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mathext"

	"sinew/pkg/sim/spatial"
)

// Sphere returns the sphere of radius a (m).
func Sphere(a float64) (Shape, error) {
	if err := checkPositive("radius", a, "m"); err != nil {
		return Shape{}, err
	}
	s, err := Ellipsoid(spatial.Vec{X: a, Y: a, Z: a})
	s.Radius = a
	return s, err
}

// Ellipsoid returns the ellipsoid of semi-axes a (m) along the body axes, its
// centre the reference point. Sphere, needle and disk are no special cases: the
// resistance comes from Carlson's integrals R_F and R_D, good to a few 1e-16 for
// all of them.
//
// Force and moment follow Oberbeck (1876) and Jeffery, "The motion of ellipsoidal
// particles immersed in a viscous fluid", Proc. R. Soc. A 102 (1922) 161, with
// χ = 2abc R_F(a²,b²,c²) and αᵢ = (2/3)abc R_D(…,…,aᵢ²):
//
//	Fᵢ = 16πη abc/(χ + αᵢ aᵢ²) vᵢ
//	Mᵢ = 16πη abc/(3(aⱼ²αⱼ + a_k²α_k)) [(aⱼ² + a_k²) wᵢ − (aⱼ² − a_k²) Eⱼₖ].
func Ellipsoid(a spatial.Vec) (Shape, error) {
	err := errors.Join(
		checkPositive("semi-axis x", a.X, "m"),
		checkPositive("semi-axis y", a.Y, "m"),
		checkPositive("semi-axis z", a.Z, "m"),
	)
	if err != nil {
		return Shape{}, err
	}
	// of the ellipsoid scaled to unit size: Carlson's integrals have a range
	size := max(a.X, a.Y, a.Z)
	b := a.Scale(1 / size)
	b2 := b.Mul(b)
	abc := b.X * b.Y * b.Z
	chi := 2 * abc * mathext.EllipticRF(b2.X, b2.Y, b2.Z)
	p := b2.Mul(Demagnetization(a)).Scale(2) // aᵢ²αᵢ
	trans := func(p float64) float64 { return 16 * math.Pi * abc / (chi + p) }
	k := func(pj, pk float64) float64 { return 16. / 3 * math.Pi * abc / (pj + pk) }
	turn := spatial.Vec{X: k(p.Y, p.Z), Y: k(p.Z, p.X), Z: k(p.X, p.Y)}
	sum := spatial.Vec{X: b2.Y + b2.Z, Y: b2.Z + b2.X, Z: b2.X + b2.Y}
	diff := spatial.Vec{ // a² − b² loses digits, (a−b)(a+b) does not
		X: (b.Y - b.Z) * (b.Y + b.Z),
		Y: (b.Z - b.X) * (b.Z + b.X),
		Z: (b.X - b.Y) * (b.X + b.Y),
	}
	cube := size * size * size
	a2 := a.Mul(a)
	volume := 4. / 3 * math.Pi * a.X * a.Y * a.Z
	return Shape{
		Resistance: Diagonal(
			spatial.Vec{X: trans(p.X), Y: trans(p.Y), Z: trans(p.Z)}.Scale(size),
			turn.Mul(sum).Scale(cube)),
		Strain: StrainMap{AngularShear: spatial.Diag3(turn.Mul(diff).Scale(cube))},
		Faxen:  spatial.Diag3(a2.Scale(1. / 6)),
		Hull:   Hull{Ellipsoid: spatial.Diag3(a2)},
		Volume: volume,
		Second: spatial.Diag3(a2.Scale(volume / 5)),
	}, nil
}

// Demagnetization returns the demagnetization factors of the ellipsoid of semi-axes
// a, along the body axes. They sum to 1.
func Demagnetization(a spatial.Vec) spatial.Vec {
	b := a.Scale(1 / max(a.X, a.Y, a.Z))
	b2 := b.Mul(b)
	return spatial.Vec{
		X: mathext.EllipticRD(b2.Y, b2.Z, b2.X),
		Y: mathext.EllipticRD(b2.Z, b2.X, b2.Y),
		Z: mathext.EllipticRD(b2.X, b2.Y, b2.Z),
	}.Scale(b.X * b.Y * b.Z / 3)
}
