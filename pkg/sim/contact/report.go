package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Summary summarises the contacts of the state.
type Summary struct {
	Count int     // contact points in contact, once for each wall, and points of self-contact
	Force float64 // largest normal force, N
	// Penetration is the largest penetration of the rod's surface into a wall or into itself, m,
	// and RelativePenetration that over the radius; 0 without penetration.
	Penetration, RelativePenetration float64
}

// Summary returns the summary of the contacts of the state.
func (c *Contacts) Summary() (sum Summary) {
	if c.self != nil {
		c.self.addToSummary(&sum)
	}
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if p.normalForce == 0 {
				continue
			}
			sum.Count++
			sum.Force = max(sum.Force, p.normalForce)
			depth := s.staticOffset - p.prevGap
			sum.Penetration = max(sum.Penetration, depth)
			sum.RelativePenetration = max(sum.RelativePenetration, depth/s.radiusAt(p.share))
		}
	}
	return sum
}

// PenetrationBetweenPoints returns by how much the penetration into walls within an element exceeds
// that at its contact points, and the largest penetration along the elements, both over the radius.
// The excess is positive where the rod is more curved than the wall and touches it between two
// contact points.
func (c *Contacts) PenetrationBetweenPoints(rod *strain.State) (excess, largest float64) {
	for i := range c.wallPatches {
		patch := &c.patches[i]
		if c.Points[patch.first].isExtended() {
			continue
		}
		from, to := hermiteNodeOf(rod, patch.element), hermiteNodeOf(rod, patch.element+1)
		atPoints, touches := c.patchPenetration(patch)
		if patch.element > 0 {
			before, touchesBefore := c.patchPenetration(&c.patches[i-len(c.Walls)])
			atPoints, touches = max(atPoints, before), touches && touchesBefore
		}
		deepest := 0.0
		for k, last := patch.nearPoints(); k < last; k++ {
			deepest = max(deepest, c.penetrationBeside(k, 1/float64(patch.last-patch.first), &from, &to))
		}
		// a prescribed base inside a wall would count as such a penetration
		if patch.element > 0 && (patch.near || c.patches[i-len(c.Walls)].near) {
			places := fewSamples
			if !touches { // the wall may begin or end between the nodes
				places = manySamples
			}
			deepest = max(deepest, c.penetrationWithin(patch.first, places, &from, &to))
		}
		excess = max(excess, deepest-atPoints)
		largest = max(largest, deepest, atPoints)
	}
	return excess, largest
}

// patchPenetration returns the largest penetration of the contact points of a patch, over the radius,
// and whether the last one of them rests on the wall.
func (c *Contacts) patchPenetration(p *patch) (depth float64, touches bool) {
	for k, last := p.nearPoints(); k < last; k++ {
		depth = max(depth, (c.Points[k].staticOffset-c.wallContacts[k].gap)/c.Points[k].Radius)
		touches = c.wallContacts[k].gap < restingGap*c.Points[k].Radius
	}
	return depth, touches
}

// Numbers of intervals in which an element is sampled for each snapshot: manySamples where the rod
// may touch the edge of a tube.
const fewSamples, manySamples = 4, 32

// restingGap is the gap over the radius below which a contact point rests on a wall.
const restingGap = 0.05

// penetrationWithin samples an element and returns its largest penetration into the wall of contact
// point k, over the radius. It finds penetrations that the derivatives at the contact points do not
// show.
func (c *Contacts) penetrationWithin(k, places int, from, to *HermiteNode) (most float64) {
	s, hint := &c.Points[k], c.wallContacts[k].hint
	part := 1 / float64(places)
	for x := part; x < 1-0.5*part; {
		depth, ok := c.penetrationAt(s, x, &hint, from, to)
		if ok {
			most = max(most, depth/s.radiusAt(x))
		}
		// a positive gap at this sample rules out contact on half of it
		x += max(part, -0.5*depth/s.length)
	}
	return most
}

// penetrationAt returns the penetration at share x of the element of a contact point into its wall,
// m. Where no wall is near it returns false, with minus a distance within which there is none.
func (c *Contacts) penetrationAt(s *ContactPoint, x float64, hint *shape.Hint, from, to *HermiteNode) (depth float64, ok bool) {
	weightsFrom, weightsTo := hermiteWeights(x, s.length)
	place, ok := c.Walls[s.Wall].Shape.At(interpolate(weightsFrom, weightsTo, from, to), hint)
	return s.radiusAt(x) - place.D, ok
}

// penetrationBeside returns the same where the rod is closest to the wall of contact point k
// according to the derivatives of the gap: within the element, and at most the share between away
// from the contact point.
func (c *Contacts) penetrationBeside(k int, between float64, from, to *HermiteNode) float64 {
	s, p := &c.Points[k], &c.wallContacts[k]
	if near := 2*s.Radius + s.length*to.t.Sub(from.t).Norm()/8; !(p.gap < near) {
		return 0
	}
	d1, d2 := s.derivatives(s.share, from, to)
	slope, curve := p.normal.Dot(d1)-s.taper, p.gapHessian.Apply(d1).Dot(d1)+p.normal.Dot(d2)
	x := s.share - slope/curve
	if !(curve > 0) || math.Abs(x-s.share) > between || x <= 0 || x > 1 {
		return 0
	}
	hint := p.hint
	if depth, ok := c.penetrationAt(s, x, &hint, from, to); ok {
		return max(depth/s.radiusAt(x), 0)
	}
	return 0
}

// Contact is one contact of the state: of a contact point with a wall, or one of the two points of
// a self-contact.
type Contact struct {
	Wall      int // index in Contacts.Walls; len(Walls) for self-contact
	ArcLength float64
	Gap       float64     // distance of the surfaces, m; negative in penetration
	Force     float64     // normal force, N
	Point     spatial.Vec // on the surface of the rod, world, m
	Normal    spatial.Vec // unit vector from the wall to the rod, world axes
	Friction  spatial.Vec // on the rod, world axes, N
}

// ListContacts appends the contacts of the state to dst, by element from base to tip, then those of
// self-contact; of more than most contacts, those with the largest forces. Beside a convex wall
// friction acts at the contact point and the normal force at the closest point. These are two
// entries, the second without a normal force.
func (c *Contacts) ListContacts(dst []Contact, most int) []Contact {
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if p.normalForce == 0 {
				continue
			}
			t := Contact{
				Wall: s.Wall, ArcLength: s.ArcLength + (p.share-s.share)*s.length, Gap: p.prevGap - s.staticOffset, Force: p.normalForce,
				Point: p.point.AddScaled(-s.radiusAt(p.share), p.prevNormal), Normal: p.prevNormal, Friction: p.frictionForce,
			}
			if p.share == s.share || p.frictionForce == (spatial.Vec{}) {
				dst = appendStrongest(dst, &t, most)
				continue
			}
			u := t
			u.ArcLength, u.Force, u.Point = s.ArcLength, 0, c.prevPositions[k].AddScaled(-s.Radius, p.prevNormal)
			t.Friction = spatial.Vec{}
			dst = appendStrongest(appendStrongest(dst, &t, most), &u, most)
		}
	}
	if c.self == nil {
		return dst
	}
	for _, q := range c.self.listed {
		if q.normalForce > 0 {
			both := c.self.contactsOf(q, len(c.Walls))
			dst = appendStrongest(appendStrongest(dst, &both[0], most), &both[1], most)
		}
	}
	return dst
}

// appendStrongest appends t to a list of at most most contacts.
func appendStrongest(all []Contact, t *Contact, most int) []Contact {
	if len(all) < most {
		return append(all, *t)
	}
	return replaceWeakest(all, *t)
}

// strength returns the larger one of normal force and friction, N, since an entry may have only
// one.
func (t *Contact) strength() float64 { return max(t.Force, t.Friction.Norm()) }

// replaceWeakest removes the contact with the least strength and appends t, if t is stronger.
func replaceWeakest(all []Contact, t Contact) []Contact {
	least := -1
	for i := range all {
		if all[i].strength() < t.strength() && (least < 0 || all[i].strength() < all[least].strength()) {
			least = i
		}
	}
	if least < 0 {
		return all
	}
	copy(all[least:], all[least+1:])
	all[len(all)-1] = t
	return all
}

// TotalWrench returns the wrench of all walls on the rod in the state, about a point, world axes.
// Self-contact adds nothing to it.
func (c *Contacts) TotalWrench(about spatial.Vec) (sum spatial.Wrench) {
	for w := range c.Walls {
		on := c.WallWrench(w, about)
		sum.Force, sum.Moment = sum.Force.Add(on.Force), sum.Moment.Add(on.Moment)
	}
	return sum
}

// WallWrench returns the wrench of wall w on the rod in the state, about a point, world axes.
func (c *Contacts) WallWrench(w int, about spatial.Vec) (sum spatial.Wrench) {
	for _, i := range c.near {
		if c.patchWall(&c.patches[i]) != w {
			continue
		}
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if p.normalForce == 0 {
				continue
			}
			push, at := p.prevNormal.Scale(p.normalForce), c.prevPositions[k].AddScaled(-s.Radius, p.prevNormal)
			sum.Force = sum.Force.Add(push).Add(p.frictionForce)
			sum.Moment = sum.Moment.Add(p.point.Sub(about).Cross(push)).Add(at.Sub(about).Cross(p.frictionForce))
		}
	}
	return sum
}
