package shape

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/spatial"
)

// capsule is a segment with a radius about it. The segment of a sphere has no length. A plane
// keeps a point and its normal in from and axis.
type capsule struct {
	from   spatial.Vec // m
	axis   spatial.Vec // unit
	length float64     // m
	radius float64     // m
}

func (b *capsule) to() spatial.Vec { return b.from.AddScaled(b.length, b.axis) }

// NewPlane returns the solid below the plane through the point (m). The normal points to
// the free side and has any length but 0.
func NewPlane(point, normal spatial.Vec) (Shape, error) {
	err := checkPoint("point of the plane", point)
	if n := normal.Norm(); !(n > 0) || !spatial.IsFinite(n) {
		err = errors.Join(err, fmt.Errorf("shape: normal %v of the plane has no direction; it must be finite and not 0", normal))
	}
	return solid(planeKind, capsule{from: point, axis: normal.Unit()}, err)
}

// NewSphere returns the solid ball.
func NewSphere(center spatial.Vec, radius float64) (Shape, error) {
	err := errors.Join(checkPoint("centre of the sphere", center), checkRadius("radius of the sphere", radius))
	return solid(sphereKind, capsule{from: center, radius: radius}, err)
}

// NewCapsule returns the solid of all points within the radius (m) of the segment between
// two points (m). They may coincide: that is a sphere.
func NewCapsule(from, to spatial.Vec, radius float64) (Shape, error) {
	err := errors.Join(checkPoint("first end of the capsule", from), checkPoint("second end of the capsule", to),
		checkRadius("radius of the capsule", radius))
	b := capsule{from: from, length: to.Sub(from).Norm(), radius: radius}
	if b.length == 0 {
		return solid(sphereKind, b, err)
	}
	b.axis = to.Sub(from).Scale(1 / b.length)
	return solid(capsuleKind, b, err)
}

func solid(k kind, b capsule, err error) (Shape, error) {
	if err != nil {
		return Shape{}, err
	}
	return Shape{kind: k, pose: spatial.IdentityPose(), capsule: b}, nil
}

// singularDistance is the distance from a centre, over the radius, below which a direction is round-off.
const singularDistance = 1e-9

func (b *capsule) sphereAt(p spatial.Vec) (at Place, ok bool) {
	q := p.Sub(b.from)
	rho := q.Norm()
	if rho < singularDistance*b.radius {
		return at, false
	}
	at.D = rho - b.radius
	at.N = q.Scale(1 / rho)
	at.W = across(at.N, 1/rho)
	return at, true
}

func (b *capsule) capsuleAt(p spatial.Vec) (at Place, ok bool) {
	q := p.Sub(b.from)
	along := q.Dot(b.axis)
	t := max(0, min(b.length, along))
	q = q.AddScaled(-t, b.axis)
	rho := q.Norm()
	if rho < singularDistance*b.radius {
		return at, false
	}
	at.D = rho - b.radius
	at.N = q.Scale(1 / rho)
	at.W = across(at.N, 1/rho)
	if t == along {
		addSquare(&at.W, b.axis, -1/rho)
	}
	return at, true
}

// across returns k (I − n nᵀ).
func across(n spatial.Vec, k float64) spatial.Mat3 {
	m := spatial.Mat3{XX: k, YY: k, ZZ: k}
	addSquare(&m, n, -k)
	return m
}

// addSquare adds k a aᵀ to m.
func addSquare(m *spatial.Mat3, a spatial.Vec, k float64) {
	x, y, z := k*a.X, k*a.Y, k*a.Z
	xy, xz, yz := x*a.Y, x*a.Z, y*a.Z
	m.XX += x * a.X
	m.XY += xy
	m.XZ += xz
	m.YX += xy
	m.YY += y * a.Y
	m.YZ += yz
	m.ZX += xz
	m.ZY += yz
	m.ZZ += z * a.Z
}
