package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// piece is an element of the rod as what another one may touch.
type segment struct {
	length    float64    // m
	radius    [2]float64 // of the surface at its ends, m
	stiffness float64    // of contact, N/m
	mass      float64    // that contact moves, kg

	// A ball with the centre line of the present shape in it.
	center         spatial.Vec
	boundingRadius float64 // m
}

// widest is the largest radius of the surface.
func (p *segment) maxRadius() float64 { return max(p.radius[0], p.radius[1]) }

// thinnest is the smallest radius of the surface.
func (p *segment) minRadius() float64 { return min(p.radius[0], p.radius[1]) }

// dampingWith is what damps an impact of two pieces critically, N s/m.
func (p *segment) criticalDamping(o *segment) float64 {
	return 2 * math.Sqrt(min(p.stiffness, o.stiffness)*p.mass*o.mass/(p.mass+o.mass))
}

// enclose puts the ball round the control points of the centre line, which it stays among.
func (p *segment) updateBoundingSphere(from, to *hermiteNode) {
	b, c := from.p.AddScaled(p.length/3, from.t), to.p.AddScaled(-p.length/3, to.t)
	p.center = from.p.Add(b).Add(c).Add(to.p).Scale(0.25)
	far := 0.0
	for _, x := range [4]spatial.Vec{from.p, b, c, to.p} {
		far = max(far, x.Sub(p.center).Norm2())
	}
	p.boundingRadius = math.Sqrt(far)
}

// bow is how far the centre line is at most from the chord.
func (p *segment) chordDeviation(from, to *hermiteNode) float64 {
	chord := to.p.Sub(from.p)
	b := from.t.Scale(p.length).Sub(chord).Norm2()
	c := to.t.Scale(p.length).Sub(chord).Norm2()
	return 0.25 * math.Sqrt(max(b, c))
}

// couple is half an element of the rod and another element that are near one another. They
// touch at one place of each, where their surfaces are nearest; so the forces on them are equal
// and opposite, on one line, and across both.
//
// Where the two are parallel, nothing is nearest. Then a share middle of the radius, which
// the gap is larger by at the ends of an element than in its middle, decides. Where they are
// bent away from one another, or along one another, either of two places may be. Then that of
// the state is what counts in a step, and where it is no least gap the gap is larger by as much
// as makes it grow to all sides: otherwise the force would jump from one place to the other
// between the iterations.
type elementPair struct {
	a, b               int // elements, a farther from the base
	half               int // of a: 0 or 1
	segmentA, segmentB *segment
	law                NormalLaw

	normalContact
	resolved        bool    // else the gap is beyond alert, and that is all that is known of it
	surfaceDistance float64 // distance of the surfaces at the places where they touch, m
	axisDistance    float64 // of the centre lines there, m
	normal          spatial.Vec
	points          [2]elementPoint // of a and b

	// Second derivatives of the gap with respect to the shares of the two places, m.
	gapHessian [3]float64 // aa, ab, bb

	// State: held are the shares where it would touch, if tested, and bind the second derivative
	// of what the gap is larger by beside them, m.
	hasPrevious    bool
	prevShares     [2]float64
	addedCurvature float64
	normalForce    float64 // normal force at the end of the last step, N
}

// middle is the share of the radius that decides where parallel elements touch.
const biasShare = 2e-3

// place is one on an element.
type elementPoint struct {
	share     float64
	interior  bool // not held at an end of the element
	position  spatial.Vec
	d1, d2    spatial.Vec // derivatives with respect to the share, m
	from, to  weights     // of the position
	derivFrom weights     // of d1
	derivTo   weights
	taper     float64 // derivative of the radius, m
	radius    float64 // m
	bias      float64 // by which the gap is larger than in the middle, m
	biasSlope float64 // its derivative, m
}

// put puts the place to a share of an element.
func (p *elementPoint) set(x float64, e *segment, from, to *hermiteNode) {
	p.share = x
	p.from, p.to = hermiteWeights(x, e.length)
	p.derivFrom, p.derivTo = hermiteSlopes(x, e.length)
	p.position = interpolate(p.from, p.to, from, to)
	s := interval{length: e.length}
	p.d1, p.d2 = s.derivatives(x, from, to)
	p.taper = e.radius[1] - e.radius[0]
	p.radius = e.radius[0] + x*p.taper
	k := e.biasCurvature()
	p.bias, p.biasSlope = 0.5*k*(x-0.5)*(x-0.5), k*(x-0.5)
}

// centring is the second derivative of what decides where parallel elements touch, m.
func (p *segment) biasCurvature() float64 { return 8 * biasShare * p.minRadius() }

// thickness is the distance of the centre lines where the two touch, at most.
func (q *elementPair) contactDistance() float64 {
	return q.segmentA.maxRadius() + q.segmentB.maxRadius()
}

// alert is the gap beyond which no place is looked for: what comes nearer within a step does
// without that of the state. The force begins within it, however thin the rod is.
func (q *elementPair) alarmDistance() float64 {
	return max(0.25*q.contactDistance(), q.law.ActivationGap)
}

// bite is how much nearer than to touch the two may come at once.
func (q *elementPair) maxPenetrationPerStep() float64 {
	return 0.5 * (q.segmentA.minRadius() + q.segmentB.minRadius())
}

// hold finds where the two are nearest in the state, the nodes of which are there.
func (q *elementPair) commit(nodes []hermiteNode) {
	q.hasPrevious, q.addedCurvature = false, 0
	q.update(nodes)
	q.prevGap = q.gap
	if q.hasPrevious = q.resolved; !q.hasPrevious {
		return
	}
	q.prevShares = [2]float64{q.points[0].share, q.points[1].share}
	mean, half := 0.5*(q.gapHessian[0]+q.gapHessian[2]), 0.5*(q.gapHessian[0]-q.gapHessian[2])
	least, want := mean-math.Sqrt(half*half+q.gapHessian[1]*q.gapHessian[1]), min(q.segmentA.biasCurvature(), q.segmentB.biasCurvature())
	q.addedCurvature = max(0, want-least)
	q.gapHessian[0], q.gapHessian[2] = q.gapHessian[0]+q.addedCurvature, q.gapHessian[2]+q.addedCurvature
}

// look finds where the two are nearest, of nodes that are there.
func (q *elementPair) update(nodes []hermiteNode) {
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

// ends returns the shares between which the place on a is.
func (q *elementPair) shareLimits() (from, to float64) {
	return 0.5 * float64(q.half), 0.5 * float64(q.half+1)
}

func chordPoint(from, to *hermiteNode, x float64) spatial.Vec {
	return from.p.AddScaled(x, to.p.Sub(from.p))
}

// ofChords returns the shares at which the chords of the two are nearest.
func (q *elementPair) closestOnChords(a0, a1, b0, b1 *hermiteNode) (x, y float64) {
	u, v, d := a1.p.Sub(a0.p), b1.p.Sub(b0.p), a0.p.Sub(b0.p)
	size := q.contactDistance()
	k, m := size*q.segmentA.biasCurvature(), size*q.segmentB.biasCurvature()
	// d + u x − v y, about x = y = ½
	d = d.AddScaled(0.5, u).AddScaled(-0.5, v)
	f := quadraticFit{aa: u.Norm2() + k, ab: -u.Dot(v), bb: v.Norm2() + m, a: d.Dot(u), b: -d.Dot(v)}
	from, to := q.shareLimits()
	dx, dy := f.minimize(from-0.5, to-0.5, -0.5, 0.5)
	return 0.5 + dx, 0.5 + dy
}

// bowl is ½ (aa x² + 2 ab x y + bb y²) + a x + b y, convex.
type quadraticFit struct{ aa, ab, bb, a, b float64 }

func (f *quadraticFit) value(x, y float64) float64 {
	return 0.5*(f.aa*x*x+f.bb*y*y) + f.ab*x*y + f.a*x + f.b*y
}

// lowest returns where it is lowest among x0 ≤ x ≤ x1, y0 ≤ y ≤ y1.
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

// nearest finds the places from where those of the chords are: by Newton's method for half the
// square of the distance, which for straight elements needs one step.
func (q *elementPair) findClosest(x, y float64, a0, a1, b0, b1 *hermiteNode) {
	const steps, halvings, tolerance = 30, 6, 1e-7 // of a step, which leaves its square
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

// put puts the places to shares and measures the gap there.
func (q *elementPair) setPoints(x, y float64, a0, a1, b0, b1 *hermiteNode) {
	a, b := &q.points[0], &q.points[1]
	from, to := q.shareLimits()
	a.set(max(from, min(to, x)), q.segmentA, a0, a1)
	b.set(max(0, min(1, y)), q.segmentB, b0, b1)
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

// model is the gap near the places, to second order and times the distance, made convex.
func (q *elementPair) fitQuadratic() quadraticFit {
	a, b := &q.points[0], &q.points[1]
	d, n := q.axisDistance, q.normal
	f := quadraticFit{
		aa: a.d1.Norm2() + d*(n.Dot(a.d2)+q.segmentA.biasCurvature()+q.addedCurvature), ab: -a.d1.Dot(b.d1),
		bb: b.d1.Norm2() + d*(q.segmentB.biasCurvature()+q.addedCurvature-n.Dot(b.d2)),
		a:  d * (n.Dot(a.d1) - a.taper + a.biasSlope + q.addedCurvature*(a.share-q.prevShares[0])),
		b:  d * (-n.Dot(b.d1) - b.taper + b.biasSlope + q.addedCurvature*(b.share-q.prevShares[1])),
	}
	floor := 0.25 * q.contactDistance() * min(q.segmentA.biasCurvature(), q.segmentB.biasCurvature())
	mean, half := 0.5*(f.aa+f.bb), 0.5*(f.aa-f.bb)
	if least := mean - math.Sqrt(half*half+f.ab*f.ab); least < floor {
		f.aa, f.bb = f.aa+floor-least, f.bb+floor-least
	}
	return f
}

// finish takes the second derivatives of the gap at the places.
func (q *elementPair) updateHessian() {
	a, b := &q.points[0], &q.points[1]
	n := q.normal
	na, nb := n.Dot(a.d1), n.Dot(b.d1)
	q.gapHessian = [3]float64{
		(a.d1.Norm2()-na*na)/q.axisDistance + n.Dot(a.d2) + q.segmentA.biasCurvature() + q.addedCurvature,
		-(a.d1.Dot(b.d1) - na*nb) / q.axisDistance,
		(b.d1.Norm2()-nb*nb)/q.axisDistance - n.Dot(b.d2) + q.segmentB.biasCurvature() + q.addedCurvature,
	}
	from, to := q.shareLimits()
	a.interior, b.interior = a.share > from && a.share < to, b.share > 0 && b.share < 1
}

// change returns, to first order, by how much the gap changes with increments of the nodes,
// which begin with node 1.
func (q *elementPair) gapChange(rod *strain.State, eta []spatial.Vec6) float64 {
	a, b := &q.points[0], &q.points[1]
	return q.normal.Dot(pointDisplacement(rod, q.a, a.from, a.to, eta).Sub(pointDisplacement(rod, q.b, b.from, b.to, eta)))
}

// column adds to x the derivative, by the increments of the nodes, of v·(A − B) + va·A′ − vb·B′,
// where A and B are the positions of the two places and A′ and B′ their derivatives along them.
func (q *elementPair) addPositionGradient(rod *strain.State, v, va, vb spatial.Vec, x []spatial.Vec6) {
	a, b := &q.points[0], &q.points[1]
	addNodeGradient(rod, q.a, v, va, a.from, a.derivFrom, x)
	addNodeGradient(rod, q.a+1, v, va, a.to, a.derivTo, x)
	addNodeGradient(rod, q.b, v.Neg(), vb.Neg(), b.from, b.derivFrom, x)
	addNodeGradient(rod, q.b+1, v.Neg(), vb.Neg(), b.to, b.derivTo, x)
}

// addGradient adds what a node contributes by its weights in a position and its derivative.
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
