package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// stretch is the part of an element for which a station stands beside a convex wall. It
// touches where that part is nearest to the wall: there the wall pushes across the rod, as
// one without friction does, wherever the station is.
type interval struct {
	lo, hi       float64 // shares of the element; 0, 0: the station alone
	length       float64 // of the element, m
	gapVariation float64 // by how much less than at the station the gap is at most, m: twice the way, for a rod that stretches and bends
	gapCurvature float64 // second derivative of the gap in the share where a straight rod touches, m
	taper        float64 // change of the radius over the element, m
}

// stretchOf returns that of station i of n in an element of length l; the surface of the wall
// and of the rod are together curved by 1/curved.
func newInterval(i, n int, first bool, l, curved, taper float64) interval {
	h := 1 / float64(n)
	s := interval{lo: h * (float64(i) + 0.5), hi: h * (float64(i) + 1.5), length: l, gapCurvature: l * l / curved, taper: taper}
	if i == 0 && !first { // the base does not move
		s.lo = 0
	}
	if i+1 == n {
		s.hi = 1
	}
	x := h * float64(i+1)
	s.gapVariation = (2*l + math.Abs(taper)) * max(x-s.lo, s.hi-x)
	return s
}

// radiusAt is the radius of the rod at a share of the element within the stretch, m.
func (s *ContactPoint) radiusAt(share float64) float64 { return s.Radius + s.taper*(share-s.share) }

// spans reports whether the station stands for more than itself.
func (s *interval) isExtended() bool { return s.hi > 0 }

// Least second derivative of the gap along the rod, over that of a straight one: where a rod
// bends round a wall nothing is nearest. In the state it is made up to flattest, and a step
// that bends the rod further has leastCurve.
const minCommittedCurvature, minCurvature = 0.2, 0.1

// touching is where a station touches, within its stretch.
type closestPoint struct {
	share    float64
	point    spatial.Vec // m
	from, to weights     // of position
	// The derivative of the gap with respect to the share is 0 there. It changes by lean with
	// the position and by the normal with the direction of the centre line, and give is how
	// far the place moves for that: 0 where it cannot.
	derivFrom, derivTo weights // of the derivative of the position
	slopeGradient      spatial.Vec
	shareCompliance    float64 // 1/m

	addedCurvature float64 // what is added to the second derivative of the gap, m
}

// stay puts the touching place to the station.
func (t *closestPoint) resetTo(s *ContactPoint, x spatial.Vec) {
	t.share, t.point, t.from, t.to, t.shareCompliance = s.share, x, s.from, s.to, 0
}

// touch finds the touching place in the state, once the station has been looked at, and how much
// the gap lacks there of being curved along the rod.
func (p *wallContact) commitClosestPoint(wall *shape.Shape, s *ContactPoint, from, to *hermiteNode) {
	if p.addedCurvature = 0; p.gap >= s.ActivationGap+s.gapVariation {
		return
	}
	p.findClosestPoint(wall, s, from, to)
	d1, d2 := s.derivatives(p.share, from, to)
	p.addedCurvature = max(0, minCommittedCurvature*s.gapCurvature-p.gapHessian.Apply(d1).Dot(d1)-p.normal.Dot(d2))
	if p.addedCurvature > 0 {
		p.findClosestPoint(wall, s, from, to)
	}
}

// nearest finds the touching place, if there is one: by Newton's method from the station. Where
// the wall is thin beside the stretch that goes too far: then the place is halfway between the
// last ones on either side of it.
func (p *wallContact) findClosestPoint(wall *shape.Shape, s *ContactPoint, from, to *hermiteNode) {
	if p.gap >= s.ActivationGap+s.gapVariation {
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
		wf, wt := hermiteWeights(next, s.length)
		at := interpolate(wf, wt, from, to)
		place, ok := wall.At(at, &p.hint)
		if !ok {
			break
		}
		p.share, p.point, p.from, p.to = next, at, wf, wt
		p.gap, p.normal, p.gapHessian = place.D-s.radiusAt(next)+s.staticOffset, place.N, place.W
	}
	p.derivFrom, p.derivTo = hermiteSlopes(p.share, s.length)
	p.gap += 0.5 * p.addedCurvature * (p.share - s.share) * (p.share - s.share)
}

// yield adds to the tangents, of a normal force f, that the touching place moves.
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

// gradient is that of the derivative of the gap along the rod, with respect to the body
// increment of a node that has those weights in the position and its derivative.
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

// weightsAt returns those of the place at a share of an element of length l.
func hermiteWeights(x, l float64) (from, to weights) {
	y := 1 - x
	return weights{y * y * (1 + 2*x), l * x * y * y}, weights{x * x * (1 + 2*y), -l * x * x * y}
}

// slopesAt returns the derivatives of weightsAt.
func hermiteSlopes(x, l float64) (from, to weights) {
	y := 1 - x
	return weights{-6 * x * y, l * y * (1 - 3*x)}, weights{6 * x * y, -l * x * (2 - 3*x)}
}

// derivatives returns the first and second derivative of the position with respect to the share.
func (s *interval) derivatives(x float64, from, to *hermiteNode) (d1, d2 spatial.Vec) {
	a, b := hermiteSlopes(x, s.length)
	k := 6 * (1 - 2*x)
	return interpolate(a, b, from, to),
		interpolate(weights{-k, s.length * (6*x - 4)}, weights{k, s.length * (6*x - 2)}, from, to)
}

// mix adds up what two nodes make of a place.
func interpolate(a, b weights, from, to *hermiteNode) spatial.Vec {
	return from.p.Scale(a.position).AddScaled(a.tangent, from.t).AddScaled(b.position, to.p).AddScaled(b.tangent, to.t)
}
