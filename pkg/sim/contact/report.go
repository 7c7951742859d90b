package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Summary is what touches in the state.
type Summary struct {
	Count int     // stations that touch, once for each wall, and places where the rod touches itself
	Force float64 // largest normal force, N
	// Penetration is the largest depth of the surface of the rod in a wall or in itself, m, and
	// Depth that over its radius; 0 where nothing is inside one.
	Penetration, RelativePenetration float64
}

// Summary tells what touches in the state.
func (c *Contacts) Summary() (sum Summary) {
	if c.self != nil {
		c.self.addToSummary(&sum)
	}
	for i := range c.patches {
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

// Dips is by how much, in its radii, the rod is deeper in walls between the stations than at
// them: where it is more bent than the wall it meets that between two of them.
func (c *Contacts) PenetrationBetweenPoints(rod *strain.State) (most float64) {
	for i := range c.patches {
		patch := &c.patches[i]
		if c.Points[patch.first].isExtended() {
			continue
		}
		from, to := hermiteNodeOf(rod, patch.element), hermiteNodeOf(rod, patch.element+1)
		deepest, touches := c.patchPenetration(patch)
		for k, last := patch.nearPoints(); k < last; k++ {
			most = max(most, c.penetrationBeside(k, 1/float64(patch.last-patch.first), &from, &to))
		}
		if patch.element == 0 { // a base that is held in a wall looks like a dip
			continue
		}
		last := &c.patches[i-len(c.Walls)]
		before, touchesBefore := c.patchPenetration(last)
		if patch.near || last.near {
			places := fewSamples
			if !(touches && touchesBefore) { // the wall may end in between, or begin
				places = manySamples
			}
			most = max(most, c.penetrationWithin(patch.first, places, max(deepest, before), &from, &to))
		}
	}
	return most
}

// deepest is how deep in its wall the stations of a patch are at most, m, and whether the last of them lies on it.
func (c *Contacts) patchPenetration(p *patch) (depth float64, touches bool) {
	for k, last := p.nearPoints(); k < last; k++ {
		depth = max(depth, c.Points[k].staticOffset-c.wallContacts[k].gap)
		touches = c.wallContacts[k].gap < restingGap*c.Points[k].Radius
	}
	return depth, touches
}

// An element is looked at in so many parts, for each snapshot: many where the rod may cut the mouth of a tube.
const fewSamples, manySamples = 4, 32

// lying is the gap, over the radius, below which a rod lies on a wall.
const restingGap = 0.05

// dipWithin is by how much, in its radii, the rod is deeper in the wall of station k than that (m), between so many
// parts of the element: what derivatives at the stations do not tell of.
func (c *Contacts) penetrationWithin(k, places int, deepest float64, from, to *hermiteNode) (most float64) {
	s, hint := &c.Points[k], c.wallContacts[k].hint
	part := 1 / float64(places)
	for x := part; x < 1-0.5*part; {
		wf, wt := hermiteWeights(x, s.length)
		place, ok := c.Walls[s.Wall].Shape.At(interpolate(wf, wt, from, to), &hint)
		deep := s.radiusAt(x) - place.D - deepest
		if ok {
			most = max(most, deep/s.Radius)
		}
		// what is clear by so much comes no nearer on half of that way
		x += max(part, -0.5*deep/s.length)
	}
	return most
}

// dipBeside is that where the rod is nearest to the wall of station k, as far as the derivatives of
// the gap tell where that is: within the element, and no farther than the next station, which is
// between shares away.
func (c *Contacts) penetrationBeside(k int, between float64, from, to *hermiteNode) float64 {
	s, p := &c.Points[k], &c.wallContacts[k]
	if near := 2*s.Radius + s.length*to.t.Sub(from.t).Norm()/8; !(p.gap < near) {
		return 0
	}
	d1, d2 := s.derivatives(s.share, from, to)
	slope, curve := p.normal.Dot(d1)-s.taper, p.gapHessian.Apply(d1).Dot(d1)+p.normal.Dot(d2)
	if x := s.share - slope/curve; curve > 0 && math.Abs(x-s.share) <= between && x > 0 && x <= 1 {
		wf, wt := hermiteWeights(x, s.length)
		hint := p.hint
		if place, ok := c.Walls[s.Wall].Shape.At(interpolate(wf, wt, from, to), &hint); ok {
			return (min(p.gap-s.staticOffset, 0) + s.radiusAt(x) - place.D) / s.Radius
		}
	}
	return 0
}

// Touch is a station that touches a wall, or a place where the rod touches itself.
type Contact struct {
	Wall      int // in Contacts.Walls, or as many as there are: the rod itself
	ArcLength float64
	Gap       float64     // between the surfaces, m; negative where pressed in
	Force     float64     // normal, N
	Point     spatial.Vec // on the surface of the rod, world, m
	Normal    spatial.Vec // from the wall to the rod
	Friction  spatial.Vec // on the rod, world axes, N
}

// List appends to dst what touches in the state, element by element from base to tip, then
// the pairs of places where the rod touches itself; at most so many: those with the largest
// forces. Beside a convex wall friction acts at the station, and the normal force where the rod is
// nearest: that are two entries, of which the second has no normal force.
func (c *Contacts) ListContacts(dst []Contact, most int) []Contact {
	for i := range c.patches {
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

// enter appends t to a list of at most so many.
func appendStrongest(all []Contact, t *Contact, most int) []Contact {
	if len(all) < most {
		return append(all, *t)
	}
	return replaceWeakest(all, *t)
}

// strength is the larger one of the normal force and the friction, N: an entry may have one of them alone.
func (t *Contact) strength() float64 { return max(t.Force, t.Friction.Norm()) }

// replaceLeast puts t at the end in place of the entry with the least force, if it has more.
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

// Total is the wrench of all contacts of the state on the rod about a point, world axes.
func (c *Contacts) TotalWrench(about spatial.Vec) (sum spatial.Wrench) {
	for w := range c.Walls {
		on := c.WallWrench(w, about)
		sum.Force, sum.Moment = sum.Force.Add(on.Force), sum.Moment.Add(on.Moment)
	}
	return sum
}

// OnRod is the wrench of wall w in the state on the rod about a point, world axes.
func (c *Contacts) WallWrench(w int, about spatial.Vec) (sum spatial.Wrench) {
	for i := w; i < len(c.patches); i += len(c.Walls) {
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
