package shape

import (
	"math"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// Place is what a wall is to a point.
type Place struct {
	D float64      // signed distance, m; positive on the free side
	N spatial.Vec  // ∇D, from the wall to the free side; of length 1, with a mesh about 1
	W spatial.Mat3 // ∇∇D, symmetric, 1/m; W N = 0, with a mesh about 0
}

// Hint is where the last point was found on a shape. The zero value makes At search anew.
// It is a plain number that may be stored and restored.
type Hint struct{ Foot float64 }

// kind is the geometry of a shape.
type kind uint8

const (
	planeKind kind = iota
	sphereKind
	capsuleKind
	tubeKind
	meshKind
	rimKind
	boxKind
)

// Shape is a wall. It is immutable and small enough to be kept by value; the
// geometry of tubes and meshes is shared. The zero value is the plane without normal; use the New functions.
type Shape struct {
	kind  kind
	moved bool // pose is not the identity
	pose  spatial.Pose

	capsule              // of a sphere or capsule; a plane has its point and normal there
	halfCore spatial.Vec // of a box: half edge lengths without the rounding, whose radius is that of capsule, m
	tube     *tube
	mesh     *mesh.Field
	rim      *rim
}

// At returns what the shape is to the point p (m), and false where no contact is possible:
// then D is a distance (m), 0 if none is known, within which there is no wall. It starts to
// search at the hint and leaves there where it arrived.
func (s *Shape) At(p spatial.Vec, from *Hint) (at Place, ok bool) {
	if !s.moved {
		return s.at(p, from)
	}
	if at, ok = s.at(s.pose.R.ApplyT(p.Sub(s.pose.P)), from); !ok {
		return at, false
	}
	at.N = s.pose.R.Apply(at.N)
	at.W = s.pose.R.Mul(at.W).MulT(s.pose.R)
	return at, ok
}

// at is At in the frame in which the shape was built.
func (s *Shape) at(p spatial.Vec, from *Hint) (Place, bool) {
	switch s.kind {
	case planeKind:
		return Place{D: p.Sub(s.from).Dot(s.axis), N: s.axis}, true
	case sphereKind:
		return s.sphereAt(p)
	case capsuleKind:
		return s.capsuleAt(p)
	case tubeKind:
		return s.tube.at(p, from)
	case rimKind:
		return s.rim.at(p), true
	case boxKind:
		return s.boxAt(p), true
	}
	var at Place
	if s.mesh.At(p, &at.D, &at.N, &at.W) {
		return at, true
	}
	return Place{D: s.mesh.Clearance(p)}, false
}

// Moved returns the shape with the frame in which it was built placed at the pose. It does
// not add to an earlier move.
func (s Shape) Moved(pose spatial.Pose) Shape {
	s.pose, s.moved = pose, pose != spatial.IdentityPose()
	return s
}

// Pose returns where the frame in which the shape was built is placed.
func (s *Shape) Pose() spatial.Pose { return s.pose }

// MinRadius returns the least radius (m) with which the wall is convex, infinite if it is
// flat or concave everywhere. Stations of a rod of radius r at the distance h dip by
// h²/(8 (MinRadius + r)) between them. For a tube it is that of the inner side of its
// sharpest bend, which a rod that follows the bend does not dip into. The lips of open ends
// are left out. With a mesh all but 2 % of the length of its edges have at least this radius,
// which is no less than the spacing of its grid.
func (s *Shape) MinRadius() float64 {
	switch s.kind {
	case planeKind:
		return math.Inf(1)
	case sphereKind, capsuleKind, boxKind:
		return s.radius
	case tubeKind:
		return s.tube.minRadius
	case rimKind:
		return s.rim.lipRadius
	}
	return s.mesh.MinRadius()
}

// Convex reports whether the wall is convex, as balls, capsules and boxes are, and not flat.
func (s *Shape) Convex() bool {
	return s.kind == sphereKind || s.kind == capsuleKind || s.kind == boxKind
}

// Bounds returns a box (m) that holds every point where D is negative and At returns true.
// It is infinite for a plane and a tube.
func (s *Shape) Bounds() (lo, hi spatial.Vec) {
	switch s.kind {
	case sphereKind, capsuleKind:
		a, b := s.pose.Apply(s.from), s.pose.Apply(s.to())
		return least(a, b).Sub(uniform(s.radius)), most(a, b).Add(uniform(s.radius))
	case boxKind:
		h := s.halfCore.Add(uniform(s.radius))
		return rotatedBounds(s.pose, h.Neg(), h)
	case meshKind:
		lo, hi = s.mesh.Bounds()
		return rotatedBounds(s.pose, lo, hi)
	}
	return uniform(math.Inf(-1)), uniform(math.Inf(1))
}

// Center returns a point in the middle of the shape, in the frame in which it was built: of a
// plane the one that it was built with.
func (s *Shape) Center() spatial.Vec {
	switch s.kind {
	case tubeKind:
		return s.tube.samples[len(s.tube.samples)/2].center
	case meshKind:
		lo, hi := s.mesh.Bounds()
		return lo.Add(hi).Scale(0.5)
	case rimKind:
		return s.rim.center
	}
	return s.from.AddScaled(0.5*s.length, s.axis)
}
