package contact

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// surface is what the contact points of a patch are near to: a wall, or a rim of one, which is the
// rounded edge of an open end. A rod that crosses a rim between two nodes touches it at neither of
// them. A rim therefore has one contact point in each element, which covers the whole element as
// those of a convex wall cover theirs: the normal force acts at the point of the element that is
// closest to the rim. Friction acts at the contact point, which moves to the closest point at the
// start of each step.
type surface struct {
	wall int        // index in Contacts.Walls
	rim  *shape.Rim // nil: the wall itself
}

// newSurfaces lists the walls, each at its own index, and then their rims.
func newSurfaces(walls []Wall) (all []surface) {
	for w := range walls {
		all = append(all, surface{wall: w})
	}
	for w := range walls {
		for _, r := range walls[w].Shape.Rims() {
			all = append(all, surface{wall: w, rim: &r})
		}
	}
	return all
}

// shapeOf returns the shape that a contact point is near to.
func (c *Contacts) shapeOf(s *ContactPoint) *shape.Shape {
	if s.rim != nil {
		return &s.rim.Shape
	}
	return &c.Walls[s.Wall].Shape
}

// moveShapes moves wall w and its rims to a pose.
func (c *Contacts) moveShapes(w int, at spatial.Pose) {
	c.Walls[w].Shape = c.Walls[w].Shape.Moved(at)
	for i := len(c.Walls); i < len(c.surfaces); i++ {
		if r := &c.surfaces[i]; r.wall == w {
			*r.rim = r.rim.Moved(at)
		}
	}
}

// newRimPoint returns the contact point of element e for a rim, at the end of the element. The mass
// is that of the node there, kg.
func (o *Options) newRimPoint(r *rod.Rod, e int, rim *surface, mass float64) ContactPoint {
	l, taper := r.Lengths[e], o.taper(e)
	begin := r.ArcLengths[e]
	s := ContactPoint{Element: e, Wall: rim.wall, rim: rim.rim, firstArcLength: begin, firstRadius: o.Radius(begin+0.5*l) - 0.5*taper}
	thinnest := min(s.firstRadius, s.firstRadius+taper)
	stiffness := o.Stiffness
	if stiffness == 0 {
		stiffness = NodeStiffness(r, e, false)
	}
	s.NormalLaw = NewNormalLaw(stiffness, thinnest, o.Stiffness == 0)
	s.fullStiffness = s.Stiffness
	s.Damping = 2 * math.Sqrt(s.impactStiffness(1)*mass)
	lip := rim.rim.MinRadius()
	s.maxPenetrationPerStep = 0.5 * (thinnest + min(lip, flatWallRatio*thinnest))
	s.interval = newInterval(0, 1, e == 0, l, lip+thinnest, taper)
	s.gapVariation = 0 // queryRim bounds the gap of the whole element
	s.moveTo(1)
	return s
}

// fitsOpening reports whether the element of a contact point is thinner than the opening of its rim.
// The nearest point of a rim is not unique on its axis, where a thicker one touches it.
func (s *ContactPoint) fitsOpening() bool {
	return max(s.firstRadius, s.firstRadius+s.taper)+s.ActivationGap < s.rim.Opening()
}

// moveTo moves the contact point of a rim to a share of its element.
func (s *ContactPoint) moveTo(share float64) {
	s.share = share
	s.ArcLength, s.Radius = s.firstArcLength+share*s.length, s.firstRadius+share*s.taper
	s.from, s.to = hermiteWeights(share, s.length)
}

// placeRimPoints moves the contact points of rims to the closest points in the state.
func (c *Contacts) placeRimPoints() {
	for _, i := range c.near {
		if p := &c.patches[i]; i >= c.wallPatches {
			c.queryPrevious(p, p.first)
		}
	}
}

// queryRim computes the gap of the rim of a contact point at x, of an element between two nodes. The
// gap is a lower bound for the whole element where that is above alarmDistance. tracked says that the
// rim was near in the state, whose closest point is then a start of the search, too.
func (p *wallContact) queryRim(s *ContactPoint, x spatial.Vec, from, to *HermiteNode, tracked bool) {
	rim := s.rim
	p.resetTo(s, x)
	third := s.length / 3
	far := rim.Clearance(&[4]spatial.Vec{from.p, from.p.AddScaled(third, from.t), to.p.AddScaled(-third, to.t), to.p}) -
		s.firstRadius - max(0, s.taper) + s.staticOffset
	p.queryPoint, p.clearance, p.noWall = x, far, false
	if p.gap = far; far > s.alarmDistance() {
		return
	}
	if p.addedCurvature > 0 {
		p.moveClosestPoint(&rim.Shape, s, s.share, from, to)
	} else {
		p.startAtOpening(rim, s, from, to)
	}
	p.findClosestPointOfRim(rim, s, from, to)
	if tracked && p.addedCurvature == 0 { // of two points that are closest nearby, the one of least gap
		atOpening := *p
		if p.moveClosestPoint(&rim.Shape, s, s.share, from, to) {
			p.findClosestPointOfRim(rim, s, from, to)
		}
		if !(p.gap < atOpening.gap) {
			*p = atOpening
		}
	}
	if !math.IsInf(p.gap, 1) {
		p.clearance = p.gap
	}
}

// findClosestPointOfRim finds the closest point of a rim, which has none behind it.
func (p *wallContact) findClosestPointOfRim(rim *shape.Rim, s *ContactPoint, from, to *HermiteNode) {
	p.findClosestPoint(&rim.Shape, s, from, to)
	if rim.IsBehind(p.point, p.normal) {
		p.gap = infinite
	}
}

// acrossRod returns the part of a displacement of the closest point of a rim that changes the distance
// of the rod from the rim: that across the rod, but at the tip, beyond which there is no rod.
func (c *Contacts) acrossRod(k int, displacement spatial.Vec) spatial.Vec {
	s := &c.Points[k]
	if s.Element+2 == len(c.prevNodes) && (s.share == s.hi || c.wallContacts[k].share == s.hi) {
		return displacement
	}
	along, _ := s.derivatives(s.share, &c.prevNodes[s.Element], &c.prevNodes[s.Element+1])
	return displacement.AddScaled(-displacement.Dot(along)/along.Norm2(), along)
}

// startAtOpening moves the closest point of a rim to where the chord of the element passes the
// plane of the rim, or to the end of the element that is nearer to that. From there the search
// descends to the side of the rim that the rod leans on.
func (p *wallContact) startAtOpening(rim *shape.Rim, s *ContactPoint, from, to *HermiteNode) {
	a, b := rim.HeightAbove(from.p), rim.HeightAbove(to.p)
	share := 0.0
	switch {
	case a*b < 0:
		share = a / (a - b)
	case math.Abs(b) < math.Abs(a):
		share = 1
	}
	p.moveClosestPoint(&rim.Shape, s, max(s.lo, share), from, to)
}

// moveClosestPoint moves the closest point to a share of the element, if there is a wall. It
// reports whether there is one.
func (p *wallContact) moveClosestPoint(wall *shape.Shape, s *ContactPoint, share float64, from, to *HermiteNode) bool {
	weightsFrom, weightsTo := hermiteWeights(share, s.length)
	at := interpolate(weightsFrom, weightsTo, from, to)
	place, ok := wall.At(at, &p.hint)
	if !ok {
		return false
	}
	p.share, p.point, p.from, p.to = share, at, weightsFrom, weightsTo
	p.gap, p.normal, p.gapHessian = place.D-s.radiusAt(share)+s.staticOffset, place.N, place.W
	return true
}
