package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Segment is an element of the rod as a body in self-contact.
type Segment struct {
	length    float64    // m
	radius    [2]float64 // of the surface at its ends, m
	stiffness float64    // of contact, N/m
	mass      float64    // mass that a contact accelerates, kg

	// Bounding sphere of the centre line at the present shape.
	center         spatial.Vec
	boundingRadius float64 // m
}

// maxRadius returns the largest radius of the surface, m.
func (p *Segment) maxRadius() float64 { return max(p.radius[0], p.radius[1]) }

// minRadius returns the smallest radius of the surface, m.
func (p *Segment) minRadius() float64 { return min(p.radius[0], p.radius[1]) }

// criticalDamping returns the damping that makes an impact of two segments critically damped, N
// s/m.
func (p *Segment) criticalDamping(o *Segment) float64 {
	return 2 * math.Sqrt(min(p.stiffness, o.stiffness)*p.mass*o.mass/(p.mass+o.mass))
}

// updateBoundingSphere bounds the Bézier control points of the centre line, whose convex hull
// contains it.
func (p *Segment) updateBoundingSphere(from, to *HermiteNode) {
	b, c := from.p.AddScaled(p.length/3, from.t), to.p.AddScaled(-p.length/3, to.t)
	p.center = from.p.Add(b).Add(c).Add(to.p).Scale(0.25)
	far := 0.0
	for _, x := range [4]spatial.Vec{from.p, b, c, to.p} {
		far = max(far, x.Sub(p.center).Norm2())
	}
	p.boundingRadius = math.Sqrt(far)
}

// chordDeviation returns a bound of the distance of the centre line from its chord, m.
func (p *Segment) chordDeviation(from, to *HermiteNode) float64 {
	chord := to.p.Sub(from.p)
	b := from.t.Scale(p.length).Sub(chord).Norm2()
	c := to.t.Scale(p.length).Sub(chord).Norm2()
	return 0.25 * math.Sqrt(max(b, c))
}

// ElementPair is the contact of one half of an element with another element. It acts at one point
// of each, where the surfaces are closest, so its forces are opposite, on one line and normal to
// both surfaces.
//
// The closest points of parallel elements are not unique. A bias decides: it enlarges the gap
// towards the ends of an element by biasShare of the radius. Elements that are bent away from or
// along each other may have two pairs of closest points. A step then uses those of the state, and
// where the gap has no minimum there, an added curvature makes it one. Otherwise the force would
// jump between the two from one iteration to the next.
type ElementPair struct {
	a, b               int  // elements; a is farther from the base
	half               int  // half of a: 0 or 1
	isWhole            bool // all of a instead
	segmentA, segmentB *Segment
	law                NormalLaw

	NormalContact
	resolved        bool    // closest points are known; else gap is a lower bound above alarmDistance
	surfaceDistance float64 // distance of the surfaces at the closest points, m
	axisDistance    float64 // distance of the centre lines there, m
	normal          spatial.Vec
	points          [2]elementPoint // closest points of a and b

	// Second derivatives of the gap with respect to the shares of the two points, m.
	gapHessian [3]float64 // aa, ab, bb

	// State: whether the closest points were resolved, their shares, and the addedCurvature of the
	// gap beside them, m.
	hasPrevious    bool
	prevShares     [2]float64
	addedCurvature float64
	normalForce    float64 // at the end of the last step, N
}

// biasShare is the bias at the ends of an element over the radius.
const biasShare = 2e-3

// elementPoint is a point of the centre line of an element.
type elementPoint struct {
	share     float64
	interior  bool // it is not at an end of its range
	position  spatial.Vec
	d1, d2    spatial.Vec // derivatives with respect to the share, m
	from, to  weights     // weights of the position
	derivFrom weights     // weights of d1
	derivTo   weights
	taper     float64 // derivative of the radius with respect to the share, m
	radius    float64 // m
	bias      float64 // bias of the gap, m
	biasSlope float64 // its derivative with respect to the share, m
}

// set moves the point to the share x of element e. bias is the second derivative of its bias, m.
func (p *elementPoint) set(x float64, e *Segment, bias float64, from, to *HermiteNode) {
	p.share = x
	p.from, p.to = hermiteWeights(x, e.length)
	p.derivFrom, p.derivTo = hermiteSlopes(x, e.length)
	p.position = interpolate(p.from, p.to, from, to)
	s := interval{length: e.length}
	p.d1, p.d2 = s.derivatives(x, from, to)
	p.taper = e.radius[1] - e.radius[0]
	p.radius = e.radius[0] + x*p.taper
	p.bias, p.biasSlope = 0.5*bias*(x-0.5)*(x-0.5), bias*(x-0.5)
}

// biasCurvature returns the second derivative of the bias of a, 0, or b, 1, with respect to the share, m. A
// sphere has one closest point on whatever segment, which then needs no bias.
func (q *ElementPair) biasCurvature(i int) float64 {
	own, other := q.segmentA, q.segmentB
	if i == 1 {
		own, other = other, own
	}
	if own.length > 0 && other.length == 0 {
		return 0
	}
	return 8 * biasShare * own.minRadius()
}

// contactDistance returns a bound of the distance of the centre lines in contact, m.
func (q *ElementPair) contactDistance() float64 {
	return q.segmentA.maxRadius() + q.segmentB.maxRadius()
}

// alarmDistance is the gap above which the closest points are not resolved, m. A pair that closes
// it within one step starts without previous points. It is at least the activation gap, however
// thin the rod is.
func (q *ElementPair) alarmDistance() float64 {
	return max(0.25*q.contactDistance(), q.law.ActivationGap)
}

// maxPenetrationPerStep is the largest penetration that one step may add, m.
func (q *ElementPair) maxPenetrationPerStep() float64 {
	return 0.5 * (q.segmentA.minRadius() + q.segmentB.minRadius())
}

// commit finds the closest points in the state with the given nodes.
func (q *ElementPair) commit(nodes []HermiteNode) {
	q.hasPrevious, q.addedCurvature = false, 0
	q.update(nodes)
	q.prevGap = q.gap
	if q.hasPrevious = q.resolved; !q.hasPrevious {
		return
	}
	q.prevShares = [2]float64{q.points[0].share, q.points[1].share}
	mean, half := 0.5*(q.gapHessian[0]+q.gapHessian[2]), 0.5*(q.gapHessian[0]-q.gapHessian[2])
	least, want := mean-math.Sqrt(half*half+q.gapHessian[1]*q.gapHessian[1]), min(q.biasCurvature(0), q.biasCurvature(1))
	q.addedCurvature = max(0, want-least)
	q.gapHessian[0], q.gapHessian[2] = q.gapHessian[0]+q.addedCurvature, q.gapHessian[2]+q.addedCurvature
}

// update finds the closest points at the given nodes.
func (q *ElementPair) update(nodes []HermiteNode) {
	a0, a1, b0, b1 := &nodes[q.a], &nodes[q.a+1], &nodes[q.b], &nodes[q.b+1]
	x, y := q.closestOnChords(a0, a1, b0, b1)
	far := chordPoint(a0, a1, x).Sub(chordPoint(b0, b1, y)).Norm()
	q.gap = far - q.segmentA.chordDeviation(a0, a1) - q.segmentB.chordDeviation(b0, b1) - q.segmentA.maxRadius() - q.segmentB.maxRadius()
	if q.resolved = !(q.gap > q.alarmDistance()); !q.resolved {
		return
	}
	if q.hasPrevious {
		x, y = q.prevShares[0], q.prevShares[1]
	}
	q.findClosest(x, y, a0, a1, b0, b1)
}

// shareLimits returns the range of the share on a.
func (q *ElementPair) shareLimits() (from, to float64) {
	if q.isWhole {
		return 0, 1
	}
	return 0.5 * float64(q.half), 0.5 * float64(q.half+1)
}

func chordPoint(from, to *HermiteNode, x float64) spatial.Vec {
	return from.p.AddScaled(x, to.p.Sub(from.p))
}

// closestOnChords returns the shares of the closest points of the two chords.
func (q *ElementPair) closestOnChords(a0, a1, b0, b1 *HermiteNode) (x, y float64) {
	u, v, d := a1.p.Sub(a0.p), b1.p.Sub(b0.p), a0.p.Sub(b0.p)
	size := q.contactDistance()
	k, m := size*q.biasCurvature(0), size*q.biasCurvature(1)
	// d + u x − v y, with x and y from the middle of the chords
	d = d.AddScaled(0.5, u).AddScaled(-0.5, v)
	f := quadraticFit{aa: u.Norm2() + k, ab: -u.Dot(v), bb: v.Norm2() + m, a: d.Dot(u), b: -d.Dot(v)}
	from, to := q.shareLimits()
	dx, dy := f.minimize(from-0.5, to-0.5, -0.5, 0.5)
	return 0.5 + dx, 0.5 + dy
}

// quadraticFit is the convex function ½ (aa x² + 2 ab x y + bb y²) + a x + b y.
type quadraticFit struct{ aa, ab, bb, a, b float64 }

func (f *quadraticFit) value(x, y float64) float64 {
	return 0.5*(f.aa*x*x+f.bb*y*y) + f.ab*x*y + f.a*x + f.b*y
}

// minimize returns the minimiser in x0 ≤ x ≤ x1, y0 ≤ y ≤ y1.
func (f *quadraticFit) minimize(x0, x1, y0, y1 float64) (x, y float64) {
	det := f.aa*f.bb - f.ab*f.ab
	x, y = (f.ab*f.b-f.bb*f.a)/det, (f.ab*f.a-f.aa*f.b)/det
	if x0 <= x && x <= x1 && y0 <= y && y <= y1 {
		return x, y
	}
	least := math.Inf(1)
	try := func(u, v float64) {
		if now := f.value(u, v); now < least {
			least, x, y = now, u, v
		}
	}
	for _, u := range [2]float64{x0, x1} {
		try(u, max(y0, min(y1, -(f.b+f.ab*u)/f.bb)))
	}
	for _, v := range [2]float64{y0, y1} {
		try(max(x0, min(x1, -(f.a+f.ab*v)/f.aa)), v)
	}
	return x, y
}

// findClosest finds the closest points from the shares x and y on, by Newton's method for half the
// squared distance. Straight elements take one iteration.
func (q *ElementPair) findClosest(x, y float64, a0, a1, b0, b1 *HermiteNode) {
	const steps, halvings, tolerance = 30, 6, 1e-7 // tolerance of an increment; the error left is its square
	a, b := &q.points[0], &q.points[1]
	from, to := q.shareLimits()
	q.setPoints(x, y, a0, a1, b0, b1)
	for range steps {
		f := q.fitQuadratic()
		dx, dy := f.minimize(from-a.share, to-a.share, -b.share, 1-b.share)
		x, y, before, share := a.share, b.share, q.gap, 1.0
		if max(math.Abs(dx), math.Abs(dy)) < tolerance {
			q.setPoints(x+dx, y+dy, a0, a1, b0, b1)
			break
		}
		for range halvings {
			q.setPoints(x+share*dx, y+share*dy, a0, a1, b0, b1)
			if q.gap <= before+1e-14*q.axisDistance {
				break
			}
			share /= 2
		}
	}
	q.updateHessian()
}

// setPoints moves the points to the shares x and y and computes the gap there.
func (q *ElementPair) setPoints(x, y float64, a0, a1, b0, b1 *HermiteNode) {
	a, b := &q.points[0], &q.points[1]
	from, to := q.shareLimits()
	a.set(max(from, min(to, x)), q.segmentA, q.biasCurvature(0), a0, a1)
	b.set(max(0, min(1, y)), q.segmentB, q.biasCurvature(1), b0, b1)
	q.normal = a.position.Sub(b.position)
	q.axisDistance = q.normal.Norm()
	q.normal = q.normal.Scale(1 / max(q.axisDistance, math.SmallestNonzeroFloat64))
	q.surfaceDistance = q.axisDistance - a.radius - b.radius
	q.gap = q.surfaceDistance + a.bias + b.bias
	if q.addedCurvature > 0 {
		dx, dy := a.share-q.prevShares[0], b.share-q.prevShares[1]
		q.gap += 0.5 * q.addedCurvature * (dx*dx + dy*dy)
	}
}

// fitQuadratic returns the second-order model of the gap times the distance at the points, shifted
// to be convex.
func (q *ElementPair) fitQuadratic() quadraticFit {
	a, b := &q.points[0], &q.points[1]
	d, n := q.axisDistance, q.normal
	f := quadraticFit{
		aa: a.d1.Norm2() + d*(n.Dot(a.d2)+q.biasCurvature(0)+q.addedCurvature), ab: -a.d1.Dot(b.d1),
		bb: b.d1.Norm2() + d*(q.biasCurvature(1)+q.addedCurvature-n.Dot(b.d2)),
		a:  d * (n.Dot(a.d1) - a.taper + a.biasSlope + q.addedCurvature*(a.share-q.prevShares[0])),
		b:  d * (-n.Dot(b.d1) - b.taper + b.biasSlope + q.addedCurvature*(b.share-q.prevShares[1])),
	}
	floor := 0.25 * q.contactDistance() * min(q.biasCurvature(0), q.biasCurvature(1))
	mean, half := 0.5*(f.aa+f.bb), 0.5*(f.aa-f.bb)
	if least := mean - math.Sqrt(half*half+f.ab*f.ab); least < floor {
		f.aa, f.bb = f.aa+floor-least, f.bb+floor-least
	}
	return f
}

// updateHessian computes the second derivatives of the gap at the points.
func (q *ElementPair) updateHessian() {
	a, b := &q.points[0], &q.points[1]
	n := q.normal
	na, nb := n.Dot(a.d1), n.Dot(b.d1)
	q.gapHessian = [3]float64{
		(a.d1.Norm2()-na*na)/q.axisDistance + n.Dot(a.d2) + q.biasCurvature(0) + q.addedCurvature,
		-(a.d1.Dot(b.d1) - na*nb) / q.axisDistance,
		(b.d1.Norm2()-nb*nb)/q.axisDistance - n.Dot(b.d2) + q.biasCurvature(1) + q.addedCurvature,
	}
	from, to := q.shareLimits()
	a.interior, b.interior = a.share > from && a.share < to, b.share > 0 && b.share < 1
}

// gapChange returns, to first order, the change of the gap under the body increments eta of the
// nodes, node 1 first, m.
func (q *ElementPair) gapChange(rod *strain.State, eta []spatial.Vec6) float64 {
	a, b := &q.points[0], &q.points[1]
	return q.normal.Dot(pointDisplacement(rod, q.a, a.from, a.to, eta).Sub(pointDisplacement(rod, q.b, b.from, b.to, eta)))
}

// addPositionGradient adds to x the derivative of v·(A − B) + va·A′ − vb·B′ with respect to the
// body increments of the nodes, node 1 first. A and B are the positions of the two points and A′
// and B′ their derivatives with respect to the shares.
func (q *ElementPair) addPositionGradient(rod *strain.State, v, va, vb spatial.Vec, x []spatial.Vec6) {
	a, b := &q.points[0], &q.points[1]
	addNodeGradient(rod, q.a, v, va, a.from, a.derivFrom, x)
	addNodeGradient(rod, q.a+1, v, va, a.to, a.derivTo, x)
	addNodeGradient(rod, q.b, v.Neg(), vb.Neg(), b.from, b.derivFrom, x)
	addNodeGradient(rod, q.b+1, v.Neg(), vb.Neg(), b.to, b.derivTo, x)
}

// addNodeGradient adds the part of one node, from its weights in a position and its derivative.
func addNodeGradient(rod *strain.State, node int, v, va spatial.Vec, w, along weights, x []spatial.Vec6) {
	if node == 0 {
		return
	}
	r := &rod.Pose[node].R
	lin := r.ApplyT(v.Scale(w.position).AddScaled(along.position, va))
	ang := tangent.Cross(r.ApplyT(v.Scale(w.tangent).AddScaled(along.tangent, va)))
	y := &x[node-1]
	*y = spatial.Vec6Of(y.Linear().Add(lin), y.Angular().Add(ang))
}
