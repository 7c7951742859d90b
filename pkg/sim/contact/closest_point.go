package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// interval is the part of an element that a contact point covers beside a convex wall. The normal
// force acts at the point of the interval that is closest to the wall, so it has no component along
// the rod, wherever the contact point is.
type interval struct {
	lo, hi       float64 // shares of the element; 0, 0: the contact point alone
	length       float64 // of the element, m
	gapVariation float64 // bound of the decrease of the gap from the contact point to anywhere in the interval, for a rod that stretches and bends, m
	gapCurvature float64 // second derivative of the gap with respect to the share, for a straight rod that touches, m
	taper        float64 // change of the radius over the element, m
}

// newInterval returns the interval of contact point i of n in an element of length l, where curved
// is the relative radius of curvature of wall and rod, m. With first, the element is at the base.
func newInterval(i, n int, first bool, l, curved, taper float64) interval {
	h := 1 / float64(n)
	s := interval{lo: h * (float64(i) + 0.5), hi: h * (float64(i) + 1.5), length: l, gapCurvature: l * l / curved, taper: taper}
	if i == 0 && !first { // the base is prescribed
		s.lo = 0
	}
	if i+1 == n {
		s.hi = 1
	}
	x := h * float64(i+1)
	s.gapVariation = (2*l + math.Abs(taper)) * max(x-s.lo, s.hi-x)
	return s
}

// radiusAt returns the radius of the rod at a share of the element within the interval, m.
func (s *ContactPoint) radiusAt(share float64) float64 { return s.Radius + s.taper*(share-s.share) }

// isExtended reports whether the contact point covers an interval.
func (s *interval) isExtended() bool { return s.hi > 0 }

// Least second derivatives of the gap along the rod, over that of a straight rod. Where a rod bends
// around a wall the closest point is not unique. In the state, addedCurvature raises the derivative
// to minCommittedCurvature; a step that bends the rod further uses minCurvature.
const minCommittedCurvature, minCurvature = 0.2, 0.1

// closestPoint is the point of an interval that is closest to the wall.
type closestPoint struct {
	share    float64
	point    spatial.Vec // world, m
	from, to weights     // weights of the position
	// The derivative of the gap with respect to the share vanishes at the closest point.
	// slopeGradient is its derivative with respect to the position, and the normal that with
	// respect to the tangent of the centre line. shareCompliance is the change of the share per
	// change of the derivative: 0 at an end of the interval.
	derivFrom, derivTo weights // weights of the derivative of the position
	slopeGradient      spatial.Vec
	shareCompliance    float64 // 1/m

	addedCurvature float64 // addition to the second derivative of the gap, m
}

// resetTo moves the closest point to the contact point.
func (t *closestPoint) resetTo(s *ContactPoint, x spatial.Vec) {
	t.share, t.point, t.from, t.to, t.shareCompliance = s.share, x, s.from, s.to, 0
}

// queryExtended finds the closest point of a contact point at x that covers an interval, in the
// state, and the addedCurvature that it needs there.
func (p *wallContact) queryExtended(wall *shape.Shape, s *ContactPoint, x spatial.Vec, from, to *HermiteNode, hint *shape.Hint) {
	p.addedCurvature = 0
	if s.rim != nil {
		p.queryRim(s, x, from, to, false)
	} else {
		p.query(wall, s, x, hint)
		p.findClosestPoint(wall, s, from, to)
	}
	if p.gap >= s.ActivationGap+s.gapVariation {
		return
	}
	d1, d2 := s.derivatives(p.share, from, to)
	p.addedCurvature = max(0, minCommittedCurvature*s.gapCurvature-p.gapHessian.Apply(d1).Dot(d1)-p.normal.Dot(d2))
	if p.addedCurvature > 0 {
		p.findClosestPoint(wall, s, from, to)
	}
}

// findClosestPoint finds the closest point by Newton's method, from the contact point on, if the
// wall is near; at a rim, from where queryRim begins. Where the wall is thin compared with the
// interval, Newton's method overshoots, and bisection between the last points on both sides replaces
// its step.
func (p *wallContact) findClosestPoint(wall *shape.Shape, s *ContactPoint, from, to *HermiteNode) {
	if s.rim == nil && p.gap >= s.ActivationGap+s.gapVariation {
		return
	}
	const steps, tolerance = 40, 1e-11
	lo, hi := math.Inf(-1), math.Inf(1)
	for range steps {
		d1, d2 := s.derivatives(p.share, from, to)
		p.slopeGradient = p.gapHessian.Apply(d1)
		slope := p.normal.Dot(d1) - s.taper + p.addedCurvature*(p.share-s.share)
		curve := max(p.slopeGradient.Dot(d1)+p.normal.Dot(d2)+p.addedCurvature, minCurvature*s.gapCurvature)
		free := p.share - slope/curve
		next := max(s.lo, min(s.hi, free))
		if p.shareCompliance = 0; next == free {
			p.shareCompliance = 1 / curve
		}
		if math.Abs(next-p.share) < tolerance {
			break
		}
		if slope > 0 {
			hi = p.share
		} else {
			lo = p.share
		}
		if next <= lo || next >= hi {
			next = 0.5 * (lo + hi)
		}
		if !p.moveClosestPoint(wall, s, next, from, to) {
			break
		}
	}
	p.derivFrom, p.derivTo = hermiteSlopes(p.share, s.length)
	p.gap += 0.5 * p.addedCurvature * (p.share - s.share) * (p.share - s.share)
}

// addClosestPointMotion adds the effect of the motion of the closest point to the tangent of a
// normal force f.
func (p *wallContact) addClosestPointMotion(rod *strain.State, s *ContactPoint, f float64, q *strain.Equations) {
	a, b := &rod.Pose[s.Element], &rod.Pose[s.Element+1]
	u, v := p.nodeSlopeGradient(&a.R, p.from, p.derivFrom), p.nodeSlopeGradient(&b.R, p.to, p.derivTo)
	k := f * p.shareCompliance
	addOuter(q.Diag[s.Element+1], k, &v, &v)
	if s.Element > 0 {
		addOuter(q.Diag[s.Element], k, &u, &u)
		addOuter(q.Next[s.Element], k, &u, &v)
	}
}

// nodeSlopeGradient returns the gradient of the gap's derivative along the rod with respect to the
// body increment of a node with rotation r, which has the weights w in the position and along in
// its derivative.
func (p *wallContact) nodeSlopeGradient(r *spatial.Mat3, w, along weights) spatial.Vec6 {
	lean, n := r.ApplyT(p.slopeGradient), r.ApplyT(p.normal)
	return spatial.Vec6Of(lean.Scale(w.position).AddScaled(along.position, n),
		tangent.Cross(lean.Scale(w.tangent).AddScaled(along.tangent, n)))
}

// addOuter adds k a bᵀ to m.
func addOuter(m *spatial.Mat6, k float64, a, b *spatial.Vec6) {
	for i := range 6 {
		for j := range 6 {
			m[6*i+j] += k * a[i] * b[j]
		}
	}
}

// hermiteWeights returns the weights of both nodes in the position at the share x of an element of
// length l.
func hermiteWeights(x, l float64) (from, to weights) {
	y := 1 - x
	return weights{y * y * (1 + 2*x), l * x * y * y}, weights{x * x * (1 + 2*y), -l * x * x * y}
}

// hermiteSlopes returns the derivatives of hermiteWeights with respect to x.
func hermiteSlopes(x, l float64) (from, to weights) {
	y := 1 - x
	return weights{-6 * x * y, l * y * (1 - 3*x)}, weights{6 * x * y, -l * x * (2 - 3*x)}
}

// derivatives returns the first and second derivative of the position with respect to the share, m.
func (s *interval) derivatives(x float64, from, to *HermiteNode) (d1, d2 spatial.Vec) {
	a, b := hermiteSlopes(x, s.length)
	k := 6 * (1 - 2*x)
	return interpolate(a, b, from, to),
		interpolate(weights{-k, s.length * (6*x - 4)}, weights{k, s.length * (6*x - 2)}, from, to)
}

// interpolate returns the combination of two nodes with the weights a and b, world, m.
func interpolate(a, b weights, from, to *HermiteNode) spatial.Vec {
	return from.p.Scale(a.position).AddScaled(a.tangent, from.t).AddScaled(b.position, to.p).AddScaled(b.tangent, to.t)
}
