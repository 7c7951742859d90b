package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// patch is the contact points of one element for one surface. Broad-phase culling skips the contact
// points of a patch that is far from its wall.
type patch struct {
	element, first, last int // index of the element; its contact points are first ≤ k < last
	surface              int // index in Contacts.surfaces

	near bool
	// Nodes of the element when the patch was culled, and how far each contact point may move from
	// there before one can be within alarmDistance of the wall.
	fromNode, toNode hermiteNode
	travelLimit      float64 // m
	tangentFactor    float64 // bound of a contact point's displacement per change of the tangents, m; 0 at a node
}

// hermiteNode is the position (m) and unit tangent of a node, world axes: what the Hermite
// interpolation of the centre line needs.
type hermiteNode struct{ p, t spatial.Vec }

func hermiteNodeOf(rod *strain.State, node int) hermiteNode {
	g := &rod.Pose[node]
	return hermiteNode{g.P, g.R.Col3()}
}

// nearPoints returns the range of contact points of a patch that is near its wall, and an empty
// range for a culled one.
func (p *patch) nearPoints() (first, last int) {
	if !p.near {
		return 0, 0
	}
	return p.first, p.last
}

// travel returns a bound of the displacement of every contact point since the patch was culled, m.
// The position of a contact point is a mean of those of two nodes plus less than a quarter of the
// element's length times the tangents.
func (p *patch) travel(rod *strain.State) float64 {
	b := &rod.Pose[p.element+1]
	if p.tangentFactor == 0 { // all contact points are at the node
		return b.P.Sub(p.toNode.p).Norm()
	}
	from, to := hermiteNodeOf(rod, p.element), hermiteNode{b.P, b.R.Col3()}
	return p.travelBetween(&from, &to)
}

// travelBetween is travel to two nodes.
func (p *patch) travelBetween(from, to *hermiteNode) float64 {
	displacement2 := max(from.p.Sub(p.fromNode.p).Norm2(), to.p.Sub(p.toNode.p).Norm2())
	tangent2 := max(from.t.Sub(p.fromNode.t).Norm2(), to.t.Sub(p.toNode.t).Norm2())
	return math.Sqrt(displacement2) + p.tangentFactor*math.Sqrt(tangent2)
}

// incrementTravel returns a bound of the displacement of every contact point under the body
// increments eta of the nodes, node 1 first, m.
func (p *patch) incrementTravel(eta []spatial.Vec6) float64 {
	b := &eta[p.element]
	displacement2, tangent2 := b.Linear().Norm2(), b.Angular().Norm2()
	if p.element > 0 && p.tangentFactor > 0 {
		a := &eta[p.element-1]
		displacement2, tangent2 = max(displacement2, a.Linear().Norm2()), max(tangent2, a.Angular().Norm2())
	}
	return math.Sqrt(displacement2) + p.tangentFactor*math.Sqrt(tangent2)
}

// activatePatch ends the culling of a patch, with the state from which the step began.
func (c *Contacts) activatePatch(p *patch) {
	p.near, c.nearChanged = true, true
	for k := p.first; k < p.last; k++ {
		c.prevPositions[k] = c.Points[k].positionBetween(&c.prevNodes[p.element], &c.prevNodes[p.element+1])
		c.queryPrevious(p, k)
		c.wallContacts[k].tangentForce, c.wallContacts[k].tangentStiffness, c.wallContacts[k].correctionForce, c.wallContacts[k].frictionStiffness = 0, 0, 0, spatial.Mat3{}
	}
}

// queryPrevious queries the wall of contact point k of a patch at the state.
func (c *Contacts) queryPrevious(p *patch, k int) {
	s, q := &c.Points[k], &c.wallContacts[k]
	wall, from, to := c.shapeOf(s), &c.prevNodes[p.element], &c.prevNodes[p.element+1]
	hint := q.hint
	if s.isExtended() {
		q.queryExtended(wall, s, c.prevPositions[k], from, to, &hint)
	} else {
		q.query(wall, s, c.prevPositions[k], &hint)
	}
	if s.rim != nil && q.share != s.share {
		s.moveTo(q.share)
		c.prevPositions[k] = s.positionBetween(from, to)
		q.queryExtended(wall, s, c.prevPositions[k], from, to, &hint)
	}
	q.prevGap, q.prevNormal, q.prevFreeDistance = q.gap, q.normal, q.freeDistance(c.prevPositions[k])
	q.setImpactDamping(&s.NormalLaw, c.stepRate)
}

// cullFarPatches culls the patches that are, in the state, far from walls at rest.
func (c *Contacts) cullFarPatches() {
	for _, i := range c.near {
		p := &c.patches[i]
		if c.wallMotions[c.patchWall(p)].moving {
			continue
		}
		p.travelLimit = infinite
		for k := p.first; k < p.last; k++ {
			s := &c.Points[k]
			p.travelLimit = min(p.travelLimit, c.wallContacts[k].knownClearance(c.prevPositions[k])-s.alarmDistance())
		}
		if p.travelLimit <= c.leastTravel(p) {
			continue
		}
		p.near, c.nearChanged = false, true
		if i >= c.wallPatches {
			c.rimCulling.reset()
		}
		p.fromNode, p.toNode = c.prevNodes[p.element], c.prevNodes[p.element+1]
		for k := p.first; k < p.last; k++ {
			c.wallContacts[k].clearFriction()
		}
	}
	if c.nearChanged {
		c.listNear()
	}
	c.rimCulling.update(c)
}

// listNear lists the patches that are near.
func (c *Contacts) listNear() {
	c.near, c.nearChanged = c.near[:0], false
	for i := range c.patches {
		if c.patches[i].near {
			c.near = append(c.near, i)
		}
	}
}

// activateApproaching ends the culling of the patches that may be near a wall at the present shape, or,
// with body increments eta of the nodes (node 1 first), after these. It queries them then.
func (c *Contacts) activateApproaching(rod *strain.State, eta []spatial.Vec6) {
	c.activateAmong(c.patches[:c.wallPatches], rod, eta)
	if r := &c.rimCulling; len(r.limits) > 0 {
		travel := r.travel(rod, eta)
		for i := range r.limits {
			if travel >= r.limits[i] {
				r.limits[i] = 0
				c.activateAmong(c.patches[r.first[i]:r.first[i+1]], rod, eta)
			}
		}
	}
	if c.nearChanged {
		c.listNear()
	}
}

// activateAmong is activateApproaching for some patches.
func (c *Contacts) activateAmong(patches []patch, rod *strain.State, eta []spatial.Vec6) {
	for i := range patches {
		p := &patches[i]
		if p.near {
			continue
		}
		travel := p.travel(rod)
		if eta != nil {
			travel += p.incrementTravel(eta)
		}
		if travel >= p.travelLimit {
			c.activatePatch(p)
			if eta != nil {
				c.queryPatch(p, rod)
			}
		}
	}
}

// knownClearance returns a distance of the contact point at x within which there is no wall, m. It
// accounts for the displacement since the last query.
func (p *wallContact) knownClearance(x spatial.Vec) float64 {
	return min(p.gap, p.clearance-x.Sub(p.queryPoint).Norm())
}

// freeDistance is knownClearance, but infinite where no wall is near and the range of the search is
// unknown. checkPath covers motion into a wall from there.
func (p *wallContact) freeDistance(x spatial.Vec) float64 {
	if p.noWall && !(p.clearance > 0) {
		return infinite
	}
	return p.knownClearance(x)
}

// alarmDistance is the gap above which a contact point cannot touch within a step, m.
func (s *ContactPoint) alarmDistance() float64 {
	return max(2*s.Radius, s.ActivationGap) + s.gapVariation
}
