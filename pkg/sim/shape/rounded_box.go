package shape

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// NewBox returns the solid box about the origin with the given edge lengths (m) along x, y and z. Its
// edges and corners are rounded with the given radius (m): normals turn evenly there, also for a point
// that is less than the radius within. Moved places the box.
func NewBox(size spatial.Vec, edgeRadius float64) (Shape, error) {
	var err error
	least := min(size.X, size.Y, size.Z)
	if !(least > 0) || !spatial.IsFinite(size.X+size.Y+size.Z) {
		err = fmt.Errorf("shape: size %v m of the box; each edge must be finite and above 0", size)
	}
	if !(edgeRadius > 0 && edgeRadius < least/2) {
		err = errors.Join(err, fmt.Errorf("shape: radius %g m of the edges of the box; it must be above 0 and below half the shortest edge, %g m", edgeRadius, least/2))
	}
	s, err := solid(boxKind, capsule{radius: edgeRadius}, err)
	s.halfCore = size.Scale(0.5).Sub(uniform(edgeRadius))
	return s, err
}

// Core returns the half edge lengths of the box that a rounded box has within its rounding, and the radius
// of that, m; false for other shapes.
func (s *Shape) Core() (half spatial.Vec, radius float64, ok bool) {
	return s.halfCore, s.radius, s.kind == boxKind
}

// Segment returns the ends of the segment about which a capsule has its radius, in the frame of Moved, m; of a
// sphere they coincide. It returns false for other shapes.
func (s *Shape) Segment() (from, to spatial.Vec, radius float64, ok bool) {
	return s.pose.Apply(s.from), s.pose.Apply(s.to()), s.radius, s.kind == sphereKind || s.kind == capsuleKind
}

// boxAt is At for a box.
func (s *Shape) boxAt(p spatial.Vec) (at Place) {
	over := spatial.Vec{X: math.Abs(p.X) - s.halfCore.X, Y: math.Abs(p.Y) - s.halfCore.Y, Z: math.Abs(p.Z) - s.halfCore.Z}
	outside := most(over, spatial.Vec{})
	sign := spatial.Vec{X: math.Copysign(1, p.X), Y: math.Copysign(1, p.Y), Z: math.Copysign(1, p.Z)}
	rho := outside.Norm()
	if rho == 0 { // within the core: the nearest face
		switch depth := max(over.X, over.Y, over.Z); depth {
		case over.X:
			at.N = spatial.Vec{X: sign.X}
		case over.Y:
			at.N = spatial.Vec{Y: sign.Y}
		default:
			at.N = spatial.Vec{Z: sign.Z}
		}
		at.D = max(over.X, over.Y, over.Z) - s.radius
		return at
	}
	at.D = rho - s.radius
	at.N = outside.Scale(1 / rho).Mul(sign)
	at.W = spatial.Diag3(spatial.Vec{X: axisCurvature(over.X, rho), Y: axisCurvature(over.Y, rho), Z: axisCurvature(over.Z, rho)})
	addSquare(&at.W, at.N, -1/rho)
	return at
}

// axisCurvature returns the curvature along an axis that is outside of the core, 1/m.
func axisCurvature(over, rho float64) float64 {
	if over > 0 {
		return 1 / rho
	}
	return 0
}

// boxTriangles returns the surface of a box.
func (s *Shape) boxTriangles() (all []mesh.Triangle) {
	// A face is a grid of points core + radius direction/|direction|, where the direction is 1 along the face's axis and
	// has these values along the two others, the first half at the lower end of the core.
	const steps = 4
	var across []float64
	for i := range 2 * (steps + 1) {
		across = append(across, float64(i-steps-i/(steps+1))/steps)
	}
	axes := [3]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	for k := range 3 {
		for _, side := range [2]float64{1, -1} {
			n, u, v := axes[k].Scale(side), axes[(k+1)%3], axes[(k+2)%3].Scale(side)
			at := func(i, j int) spatial.Vec {
				sign := func(i int) float64 { return float64(i/(steps+1)*2 - 1) }
				core := n.AddScaled(sign(i), u).AddScaled(sign(j), v).Mul(s.halfCore)
				return core.AddScaled(s.radius, n.AddScaled(across[i], u).AddScaled(across[j], v).Unit())
			}
			for i := range len(across) - 1 {
				for j := range len(across) - 1 {
					a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
					all = append(all, mesh.Triangle{a, b, c}, mesh.Triangle{a, c, d})
				}
			}
		}
	}
	return all
}
