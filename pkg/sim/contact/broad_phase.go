package contact

import (
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// patch is the contact points of one element for one surface. Broad-phase culling skips the contact
// points of a patch that is far from its wall.
type patch struct {
	element, first, last int // index of the element; its contact points are first ≤ k < last
	surface              int // index in Contacts.surfaces

	near bool
	// travelLimit is, of a culled patch, how far each contact point may move from the reference of
	// the culling before one can be within alarmDistance of the wall, m.
	travelLimit   float64
	tangentFactor float64 // bound of a contact point's displacement per change of the tangents, m; 0 at a node
}

// culling is what culled patches share: the reference shape from which their travelLimit counts, and
// how far the nodes are from there. Motion is bounded by node, since many patches have the same nodes.
type culling struct {
	reference []HermiteNode
	travel    []nodeTravel // by node, of the last update
}

// nodeTravel is a bound of the displacement of a node (m) and of the change of its tangent.
type nodeTravel struct{ position, tangent float64 }

func newCulling(nodes int) culling {
	return culling{make([]HermiteNode, nodes), make([]nodeTravel, nodes)}
}

// update computes the travel of the nodes from the reference to the present shape and from there by
// the body increments eta of the nodes, node 1 first.
func (u *culling) update(rod *strain.State, eta []spatial.Vec6) {
	for i := range u.reference {
		n := hermiteNodeOf(rod, i)
		u.travel[i] = u.reference[i].travelTo(&n)
	}
	for i := range eta {
		t := &u.travel[i+1]
		t.position += eta[i].Linear().Norm()
		t.tangent += eta[i].Angular().Norm()
	}
}

// updateTo computes the travel of the nodes from the reference to a shape.
func (u *culling) updateTo(nodes []HermiteNode) {
	for i := range nodes {
		u.travel[i] = u.reference[i].travelTo(&nodes[i])
	}
}

// travelTo returns the travel to another shape of the node.
func (n *HermiteNode) travelTo(to *HermiteNode) nodeTravel {
	return nodeTravel{to.p.Sub(n.p).Norm(), to.t.Sub(n.t).Norm()}
}

// of returns a bound of the displacement of every contact point of a patch, m. The position of a
// contact point is a mean of those of two nodes plus less than a quarter of the element's length times
// the tangents.
func (u *culling) of(p *patch) float64 {
	from, to := &u.travel[p.element], &u.travel[p.element+1]
	return max(from.position, to.position) + p.tangentFactor*max(from.tangent, to.tangent)
}

// HermiteNode is the position (m) and unit tangent of a node, world axes: what the Hermite
// interpolation of the centre line needs.
type HermiteNode struct{ p, t spatial.Vec }

// NewHermiteNode returns that of the given position (m) and unit tangent.
func NewHermiteNode(position, tangent spatial.Vec) HermiteNode { return HermiteNode{position, tangent} }

func hermiteNodeOf(rod *strain.State, node int) HermiteNode {
	g := &rod.Pose[node]
	return HermiteNode{g.P, g.R.Col3()}
}

// nearPoints returns the range of contact points of a patch that is near its wall, and an empty
// range for a culled one.
func (p *patch) nearPoints() (first, last int) {
	if !p.near {
		return 0, 0
	}
	return p.first, p.last
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
	q.prevGap, q.prevFreeDistance = q.gap, q.freeDistance(c.prevPositions[k])
	_, q.prevNormal = q.push(&s.NormalLaw)
	q.setImpactDamping(&s.NormalLaw, c.stepRate)
}

// cullFarPatches culls the patches that are, in the state, far from walls at rest.
func (c *Contacts) cullFarPatches() {
	moved := false
	for _, i := range c.near {
		p := &c.patches[i]
		if c.wallMotions[c.patchWall(p)].moving {
			continue
		}
		limit := infinite
		for k := p.first; k < p.last; k++ {
			s := &c.Points[k]
			limit = min(limit, c.wallContacts[k].knownClearance(c.prevPositions[k])-s.alarmDistance())
		}
		if limit <= c.leastTravel(p) {
			continue
		}
		if !moved {
			c.moveReference()
			moved = true
		}
		p.near, p.travelLimit, c.nearChanged = false, limit, true
		for k := p.first; k < p.last; k++ {
			c.wallContacts[k].clearFriction()
		}
	}
	if c.nearChanged {
		c.listNear()
	}
}

// moveReference makes the state the reference of the culling.
func (c *Contacts) moveReference() {
	c.culling.updateTo(c.prevNodes)
	for i := range c.patches {
		if p := &c.patches[i]; !p.near {
			p.travelLimit -= c.culling.of(p)
		}
	}
	copy(c.culling.reference, c.prevNodes)
}

// leastTravel is the displacement that a patch must be free of contact for to be culled, m. To look at
// a rim costs little more than to look whether a culled patch has come near it.
func (c *Contacts) leastTravel(p *patch) float64 {
	if s := &c.Points[p.first]; s.rim != nil {
		return 2 * s.Radius
	}
	return 0
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
	c.culling.update(rod, eta)
	for i := range c.patches {
		p := &c.patches[i]
		if p.near || c.culling.of(p) < p.travelLimit {
			continue
		}
		c.activatePatch(p)
		if eta != nil {
			c.queryPatch(p, rod)
		}
	}
	if c.nearChanged {
		c.listNear()
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
