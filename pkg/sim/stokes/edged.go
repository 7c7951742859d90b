package stokes

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes/boundary"
)

// Cuboid returns the cuboid with the half-widths a (m) along the body axes, its centre the reference
// point. Its resistance comes from boundary elements, within 0.2 %. It fails for half-widths that are not
// positive, or that differ by more than a factor of 50, which takes too many panels.
func Cuboid(a spatial.Vec) (Shape, error) {
	err := errors.Join(
		checkPositive("half-width x", a.X, "m"),
		checkPositive("half-width y", a.Y, "m"),
		checkPositive("half-width z", a.Z, "m"),
		checkSlender(min(a.X, a.Y, a.Z), max(a.X, a.Y, a.Z)),
	)
	if err != nil {
		return Shape{}, err
	}
	s, err := solidShape(func(n boundary.Resolution) *boundary.Surface { return n.Cuboid(a) })
	s.Hull = Hull{Edges: [3]spatial.Vec{{X: a.X}, {Y: a.Y}, {Z: a.Z}}, Sweeps: 3}
	s.Volume = 8 * a.X * a.Y * a.Z
	s.Second = spatial.Diag3(a.Mul(a).Scale(s.Volume / 3))
	return s, err
}

// SolidCylinder returns the round cylinder of the given length and radius (m) around the x axis, its centre
// the reference point. Its resistance comes from boundary elements, within 0.2 %. It fails for sizes
// that are not positive, or a ratio of length to diameter above 50 or below 1/50.
func SolidCylinder(length, radius float64) (Shape, error) {
	half := length / 2
	err := errors.Join(
		checkPositive("length", length, "m"),
		checkPositive("radius", radius, "m"),
		checkSlender(min(half, radius), max(half, radius)),
	)
	if err != nil {
		return Shape{}, err
	}
	s, err := solidShape(func(n boundary.Resolution) *boundary.Surface { return n.Cylinder(half, radius) })
	rr := radius * radius
	s.Hull = Hull{Ellipsoid: spatial.Diag3(spatial.Vec{Y: rr, Z: rr}), Edges: [3]spatial.Vec{{X: half}}, Sweeps: 1}
	s.Volume = math.Pi * rr * length
	s.Second = spatial.Diag3(spatial.Vec{X: half * half / 3, Y: rr / 4, Z: rr / 4}.Scale(s.Volume))
	return s, err
}

// checkSlender returns an error if the smallest half-width is too small for boundary elements.
func checkSlender(least, most float64) error {
	const limit = 50
	if most > limit*least {
		return fmt.Errorf("stokes: the half-widths are %g and %g m; their ratio must be at most %d", most, least, limit)
	}
	return nil
}

// solidShape returns the shape, without hull and volume, of a body with three planes of symmetry.
func solidShape(surface func(boundary.Resolution) *boundary.Surface) (Shape, error) {
	const allowed = 0.02 // what extrapolation leaves of the change is below a third of it
	l, change, err := boundary.Extrapolate(surface)
	if err != nil {
		return Shape{}, fmt.Errorf("stokes: %w", err)
	}
	if !(change <= allowed) {
		return Shape{}, fmt.Errorf("stokes: a finer surface changes the resistance by %.2g of it; allowed: %g; make the sizes of the body less different", change, allowed)
	}
	w := &l.Wrench
	return Shape{
		Resistance: Diagonal(spatial.Vec{X: w[0][0], Y: w[1][1], Z: w[2][2]}, spatial.Vec{X: w[3][3], Y: w[4][4], Z: w[5][5]}),
		Strain:     StrainMap{AngularShear: spatial.Diag3(spatial.Vec{X: w[3][9], Y: w[4][10], Z: w[5][11]})},
		Faxen:      l.Second.Scale(0.5),
	}, nil
}
