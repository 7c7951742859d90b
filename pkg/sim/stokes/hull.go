package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Hull is the convex body that walls touch: an ellipsoid that is moved along up to three segments
// (their Minkowski sum). A cuboid is a point moved along its edges, a cylinder a disk moved along
// its axis. The zero value is a point.
type Hull struct {
	// Ellipsoid gives the half-width √(nᵀ Ellipsoid n) of the ellipsoid along the unit vector n, m².
	Ellipsoid spatial.Mat3
	// Edges are the halves of the segments, from their middle at the reference point, m; the first
	// Sweeps of them count.
	Edges  [3]spatial.Vec
	Sweeps int
}

// maxTouches bounds the points at which a hull may touch one wall: seven of an ellipsoid at either
// end of a segment or one at each corner of a cuboid, and one between.
const maxTouches = 15

// Rotated returns the hull in the axes a, with a mapping the axes of the hull to them.
func (h *Hull) Rotated(a *spatial.Mat3) Hull {
	r := Hull{Ellipsoid: a.Mul(h.Ellipsoid).MulT(*a), Sweeps: h.Sweeps}
	for i := range h.Sweeps {
		r.Edges[i] = a.Apply(h.Edges[i])
	}
	return r
}

// HalfWidth returns the half-width of the hull along the unit vector n, m.
func (h *Hull) HalfWidth(n spatial.Vec) float64 {
	sum := halfWidth(&h.Ellipsoid, n)
	for i := range h.Sweeps {
		sum += math.Abs(h.Edges[i].Dot(n))
	}
	return sum
}

// Bound returns a distance from the reference point within which the whole hull is, m.
func (h *Hull) Bound() float64 {
	sum := math.Sqrt(h.Ellipsoid.Trace())
	for i := range h.Sweeps {
		sum += h.Edges[i].Norm()
	}
	return sum
}

// corners returns the number of corners of the segments' sum.
func (h *Hull) corners() int { return 1 << h.Sweeps }

// corner returns corner k of the segments' sum, m.
func (h *Hull) corner(k int) (at spatial.Vec) {
	for i := range h.Sweeps {
		if k&(1<<i) != 0 {
			at = at.Add(h.Edges[i])
		} else {
			at = at.Sub(h.Edges[i])
		}
	}
	return at
}

// feet sets points to those on which the ellipsoid stands on a plane with the unit normal n, and
// returns their number: of a disk that is moved along its axis the lowest point of the rim and three
// others, a quarter of it apart; of a cuboid the point itself.
func (h *Hull) feet(points *[4]spatial.Vec, n spatial.Vec) int {
	if h.Sweeps != 1 {
		points[0] = spatial.Vec{}
		return 1
	}
	axis := h.Edges[0].Unit()
	radius := math.Sqrt(h.Ellipsoid.Trace() / 2)
	first := n.AddScaled(-n.Dot(axis), axis).Neg()
	if first.Norm() < 1e-12 { // upright: any direction is as low
		first = axis.Perpendicular()
	}
	first = first.Unit().Scale(radius)
	second := axis.Cross(first)
	*points = [4]spatial.Vec{first, second, second.Neg(), first.Neg()}
	return len(points)
}
