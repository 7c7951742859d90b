package joint

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// Type is a kind of joint, named by the motion that it leaves.
type Type string

// The types of joints.
const (
	Fixed       Type = "fixed"       // no motion
	Revolute    Type = "revolute"    // rotation about the axis
	Prismatic   Type = "prismatic"   // translation along the axis
	Cylindrical Type = "cylindrical" // translation along and rotation about the axis
	Universal   Type = "universal"   // rotation about the axis, then about the second axis
	Spherical   Type = "spherical"   // all rotations
	Planar      Type = "planar"      // translations normal to the axis and rotation about it
)

// Joint is a joint of one type. Its axes are unit vectors.
type Joint struct {
	kind        Type
	rows        []row
	coordinates []coordinate
}

// row is a constraint, or a function of which coordinates are made.
type row struct {
	kind rowKind
	a, b spatial.Vec // e of P(e); a and b of O(a, b); a of L is the axis along which log R is taken
}

type rowKind int

const (
	position rowKind = iota
	orientation
	rotation // one component of log R
)

// parallel is the sine of the angle of the axes of a universal joint below which it is singular.
const parallel = 1e-3

// New returns a joint. axis is in the axes of the parent's frame; fixed and spherical joints do not
// use it. second, in the axes of the child's frame, is the second axis of a universal joint.
func New(t Type, axis, second spatial.Vec) (*Joint, error) {
	x, y, z := spatial.Vec{X: 1}, spatial.Vec{Y: 1}, spatial.Vec{Z: 1}
	points := []row{{position, x, x}, {position, y, y}, {position, z, z}}
	turns := []row{{rotation, x, x}, {rotation, y, y}, {rotation, z, z}}
	j := &Joint{kind: t}
	switch t {
	case Fixed:
		j.rows = slices.Concat(points, turns)
		return j, nil
	case Spherical:
		j.rows = points
		for _, r := range turns {
			j.coordinates = append(j.coordinates, coordinate{sine: r})
		}
		return j, nil
	}
	a, err := unit("axis", axis)
	if err != nil {
		return nil, err
	}
	e1 := a.Perpendicular()
	e2 := a.Cross(e1)
	along := func(e spatial.Vec) row { return row{position, e, e} }
	aligned := []row{{orientation, e1, a}, {orientation, e2, a}}
	about := coordinate{sine: row{orientation, e2, e1}, cosine: row{orientation, e1, e1}, isAngle: true, scale: 1}
	switch t {
	case Revolute:
		j.rows, j.coordinates = slices.Concat(points, aligned), []coordinate{about}
	case Prismatic:
		j.rows, j.coordinates = slices.Concat([]row{along(e1), along(e2)}, turns), []coordinate{{sine: along(a)}}
	case Cylindrical:
		j.rows, j.coordinates = slices.Concat([]row{along(e1), along(e2)}, aligned), []coordinate{{sine: along(a)}, about}
	case Planar:
		x := beside(a)
		j.rows, j.coordinates = slices.Concat([]row{along(a)}, aligned), []coordinate{{sine: along(x)}, {sine: along(a.Cross(x))}, about}
	case Universal:
		b, err := unit("second axis", second)
		if err != nil {
			return nil, err
		}
		f1, s1 := b.AddScaled(-a.Dot(b), a), a.AddScaled(-a.Dot(b), b) // b beside a and a beside b
		if f1.Norm() < parallel {
			return nil, fmt.Errorf("joint: the axes of a universal joint enclose %.2g rad; they need more than %.2g", f1.Norm(), parallel)
		}
		f1, s1 = f1.Unit(), s1.Unit()
		f2, s2 := a.Cross(f1), b.Cross(s1)
		j.rows = append(points, row{orientation, a, b})
		j.coordinates = []coordinate{
			{sine: row{orientation, f2, b}, cosine: row{orientation, f1, b}, isAngle: true, scale: 1},
			{sine: row{orientation, a, s2}, cosine: row{orientation, a, s1}, isAngle: true, scale: -1},
		}
	default:
		return nil, fmt.Errorf("joint: type %q; allowed are fixed, revolute, prismatic, cylindrical, universal, spherical, planar", t)
	}
	return j, nil
}

// beside returns the direction of the first coordinate of a planar joint with the normal a: that of the axis of the parent's
// frame that follows the one next to a, in the order x, y, z, x, as far as it is in the plane.
func beside(a spatial.Vec) spatial.Vec {
	next := spatial.Vec{X: 1}
	if x, y, z := math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z); x > y && x > z {
		next = spatial.Vec{Y: 1}
	} else if y > z {
		next = spatial.Vec{Z: 1}
	}
	return next.AddScaled(-a.Dot(next), a).Unit()
}

func unit(name string, v spatial.Vec) (spatial.Vec, error) {
	n := v.Norm()
	if !(n > 0) || math.IsInf(n, 0) {
		return v, fmt.Errorf("joint: %s [%g, %g, %g] has no direction; it needs a finite length above 0", name, v.X, v.Y, v.Z)
	}
	return v.Scale(1 / n), nil
}

// IsReversed reports whether the axes of parent and child, which the joint aligns, point to opposite sides at the pose g.
func (j *Joint) IsReversed(g *spatial.Pose) bool {
	switch j.kind {
	case Revolute, Cylindrical, Planar:
		a := j.rows[len(j.rows)-1].b
		return a.Dot(g.R.Apply(a)) < 0
	}
	return false
}

// Type returns the type of the joint.
func (j *Joint) Type() Type { return j.kind }

// Size returns the number of rows: 6 minus that of coordinates.
func (j *Joint) Size() int { return len(j.rows) }

// LocksRotation reports whether row k is about a rotation, in rad, and not about a position, in m.
func (j *Joint) LocksRotation(k int) bool { return j.rows[k].kind != position }
