package shape

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// surfaceDepth is how deep a point is within a shape that counts as on its surface, over the size of the shape: places in files are
// rounded.
const surfaceDepth = 1e-6

// Contains reports whether the point p (m) is within the shape and not on its surface. The shape is bounded.
func (s *Shape) Contains(p spatial.Vec) bool { return s.depth(p) > surfaceDepth*s.size() }

// Hides reports whether the shape is between two points (m), or holds one of them deeper than its surface.
func (s *Shape) Hides(from, to spatial.Vec) bool {
	way := to.Sub(from)
	surface := surfaceDepth * math.Min(s.size(), way.Norm())
	switch {
	case s.kind == planeKind:
		return math.Max(s.depth(from), s.depth(to)) > surface
	case s.Convex():
		return s.crossesConvex(from, way, surface)
	}
	return s.traceRay(from, way, surface)
}

// size is the length of the diagonal of Bounds, m.
func (s *Shape) size() float64 {
	lo, hi := s.Bounds()
	return hi.Sub(lo).Norm()
}

// depth is how deep p (m) is within the shape, m; negative outside.
func (s *Shape) depth(p spatial.Vec) float64 {
	var hint Hint
	at, ok := s.At(p, &hint)
	if !ok && s.Convex() { // in the middle, where no direction is defined
		return s.radius
	}
	return -at.D
}

// crossesConvex reports whether a convex shape is on the way of a point. The distance is convex along the way: it is above the tangents at
// any two points, and its least value is found by Kelley's cutting planes.
func (s *Shape) crossesConvex(from, way spatial.Vec, surface float64) bool {
	const most = 60 // cuts; each is better than the last
	var hint Hint
	var d, slope [2]float64
	t := [2]float64{0, 1}
	for i := range t {
		at, ok := s.At(from.AddScaled(t[i], way), &hint)
		if !ok || at.D < -surface {
			return true
		}
		d[i], slope[i] = at.D, at.N.Dot(way)
	}
	for range most {
		if slope[0] >= 0 || slope[1] <= 0 {
			return false
		}
		x := (d[1] - d[0] + slope[0]*t[0] - slope[1]*t[1]) / (slope[0] - slope[1])
		if d[0]+slope[0]*(x-t[0]) >= -surface {
			return false
		}
		at, ok := s.At(from.AddScaled(x, way), &hint)
		if !ok || at.D < -surface {
			return true
		}
		i := 0
		if at.N.Dot(way) > 0 {
			i = 1
		}
		t[i], d[i], slope[i] = x, at.D, at.N.Dot(way)
	}
	return false
}

// traceRay reports whether a tube or mesh is on the way of a point, by sphere tracing: the point advances by its distance from the wall.
func (s *Shape) traceRay(from, way spatial.Vec, surface float64) bool {
	const least = 1e-3 // of the way: thinner grazing is not seen
	begin, end := s.clip(from, way)
	if begin > end {
		return false
	}
	length := way.Norm()
	var hint Hint
	for t := begin; ; {
		at, ok := s.At(from.AddScaled(t, way), &hint)
		if ok && at.D < -surface {
			return true
		}
		if t >= end {
			return false
		}
		step := at.D / length
		if ok {
			step /= math.Max(1, at.N.Norm())
		}
		t = math.Min(t+math.Max(step, least*(end-begin)), end)
	}
}

// clip returns the part of the way from a point that is within Bounds, as shares of it; begin is above end if there is none.
func (s *Shape) clip(from, way spatial.Vec) (begin, end float64) {
	lo, hi := s.Bounds()
	begin, end = 0, 1
	for _, x := range [3][4]float64{{from.X, way.X, lo.X, hi.X}, {from.Y, way.Y, lo.Y, hi.Y}, {from.Z, way.Z, lo.Z, hi.Z}} {
		if x[1] == 0 {
			if x[0] < x[2] || x[0] > x[3] {
				return 1, 0
			}
			continue
		}
		a, b := (x[2]-x[0])/x[1], (x[3]-x[0])/x[1]
		begin, end = math.Max(begin, math.Min(a, b)), math.Min(end, math.Max(a, b))
	}
	return begin, end
}
