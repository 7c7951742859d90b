package contact

import "sinew/pkg/sim/spatial"

// What an element pair is to links other than one rod, see package mechanism: each of its segments may
// also be a capsule or a sphere of a rigid body, whose nodes move with the body.

// NewSegment returns the segment of the given length (m), 0 of a sphere, and radius at its ends (m).
func NewSegment(length float64, radius [2]float64) *Segment {
	return &Segment{length: length, radius: radius}
}

// Init makes q the pair of half 0 or 1 of segment a, or with half < 0 of all of it, with segment b. Update and
// Commit take the nodes of a, then those of b.
func (q *ElementPair) Init(a, b *Segment, half int, law NormalLaw) {
	*q = ElementPair{a: 0, b: 2, half: half, isWhole: half < 0, segmentA: a, segmentB: b, law: law}
	q.gap, q.prevGap = infinite, infinite
	q.setImpactDamping(&q.law, 0)
}

// Update finds the closest points. It reports whether the pair is near; if not, the gap is a lower bound.
func (q *ElementPair) Update(nodes *[4]HermiteNode) bool {
	q.update(nodes[:])
	return q.resolved
}

// Commit finds the closest points in the state, from which those of a step do not jump.
func (q *ElementPair) Commit(nodes *[4]HermiteNode) { q.commit(nodes[:]) }

// Forget makes the next closest points independent of those of the state.
func (q *ElementPair) Forget() { q.hasPrevious, q.addedCurvature = false, 0 }

// SetStep begins a step of length 1/rate, or statics with rate 0.
func (q *ElementPair) SetStep(rate float64) { q.setImpactDamping(&q.law, rate) }

// Force returns the normal force of a near pair, N, and its slope, N/m.
func (q *ElementPair) Force() (force, slope float64) { return q.force() }

// ForceAtGap returns the normal force at another gap, N.
func (q *ElementPair) ForceAtGap(gap float64) float64 {
	force, _ := q.ForceAt(&q.law, gap)
	return force
}

// Gap returns the distance of the surfaces, m, and the unit normal from b to a, world axes.
func (q *ElementPair) Gap() (gap float64, normal spatial.Vec) { return q.gap, q.normal }

// IsImpact reports whether the segments were apart in the state and touch now.
func (q *ElementPair) IsImpact() bool { return q.resolved && q.law.IsImpact(q.prevGap, q.gap) }

// ClosestPoint is one of the two closest points of a pair.
type ClosestPoint struct {
	Share    float64     // of the segment, 0 at its first node
	Position spatial.Vec // on the axis of the segment, world, m
	Radius   float64     // m
	// Weights of positions (1) and tangents (m) of both nodes in the position, and in its derivative
	// with respect to the share.
	Weights, Slopes [2][2]float64
}

// Point returns the closest point on a, 0, or b, 1.
func (q *ElementPair) Point(i int) ClosestPoint {
	p := &q.points[i]
	return ClosestPoint{
		Share: p.share, Position: p.position, Radius: p.radius,
		Weights: [2][2]float64{{p.from.position, p.from.tangent}, {p.to.position, p.to.tangent}},
		Slopes:  [2][2]float64{{p.derivFrom.position, p.derivFrom.tangent}, {p.derivTo.position, p.derivTo.tangent}},
	}
}

// PositionWeights returns the weights of positions (1) and tangents (m) of both nodes in the position at a share of
// an element of the given length (m), and in its derivative with respect to the share.
func PositionWeights(share, length float64) (weights, slopes [2][2]float64) {
	a, b := hermiteWeights(share, length)
	c, d := hermiteSlopes(share, length)
	return [2][2]float64{{a.position, a.tangent}, {b.position, b.tangent}}, [2][2]float64{{c.position, c.tangent}, {d.position, d.tangent}}
}

// AxisPoint returns the position at a share of an element of the given length (m), world, m.
func AxisPoint(share, length float64, from, to *HermiteNode) spatial.Vec {
	a, b := hermiteWeights(share, length)
	return interpolate(a, b, from, to)
}

// AxisDerivatives returns the first and second derivative of AxisPoint with respect to the share, m.
func AxisDerivatives(share, length float64, from, to *HermiteNode) (d1, d2 spatial.Vec) {
	s := interval{length: length}
	return s.derivatives(share, from, to)
}

// BoundingSphere returns the centre and the radius (m) of a ball about the axis of the segment.
func (p *Segment) BoundingSphere(from, to *HermiteNode) (center spatial.Vec, radius float64) {
	p.updateBoundingSphere(from, to)
	return p.center, p.boundingRadius
}
