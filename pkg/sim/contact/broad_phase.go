package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// patch is the contact points of one element for one wall. Broad-phase culling skips the contact
// points of a patch that is far from its wall.
type patch struct {
	element, first, last int // index of the element; its contact points are first ≤ k < last

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
	a, b := &rod.Pose[p.element], &rod.Pose[p.element+1]
	if p.tangentFactor == 0 { // all contact points are at the node
		return b.P.Sub(p.toNode.p).Norm()
	}
	displacement2 := max(a.P.Sub(p.fromNode.p).Norm2(), b.P.Sub(p.toNode.p).Norm2())
	tangent2 := max(a.R.Col3().Sub(p.fromNode.t).Norm2(), b.R.Col3().Sub(p.toNode.t).Norm2())
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
	p.near = true
	for k := p.first; k < p.last; k++ {
		c.prevPositions[k] = c.Points[k].positionBetween(&c.prevNodes[p.element], &c.prevNodes[p.element+1])
		c.queryPrevious(p, k)
		c.wallContacts[k].tangentForce, c.wallContacts[k].tangentStiffness, c.wallContacts[k].correctionForce, c.wallContacts[k].frictionStiffness = 0, 0, 0, spatial.Mat3{}
	}
}

// queryPrevious queries the wall of contact point k of a patch at the state.
func (c *Contacts) queryPrevious(p *patch, k int) {
	s, q := &c.Points[k], &c.wallContacts[k]
	wall, from, to := &c.Walls[s.Wall].Shape, &c.prevNodes[p.element], &c.prevNodes[p.element+1]
	hint := q.hint
	if q.query(wall, s, c.prevPositions[k], &hint); s.isExtended() {
		q.commitClosestPoint(wall, s, from, to)
	}
	q.prevGap, q.prevNormal, q.prevFreeDistance = q.gap, q.normal, q.freeDistance(c.prevPositions[k])
	q.setImpactDamping(&s.NormalLaw, c.stepRate)
}

// cullFarPatches culls the patches that are, in the state, far from walls at rest.
func (c *Contacts) cullFarPatches() {
	for i := range c.patches {
		p := &c.patches[i]
		if !p.near || c.wallMotions[c.patchWall(p)].moving {
			continue
		}
		p.travelLimit = infinite
		for k := p.first; k < p.last; k++ {
			s := &c.Points[k]
			p.travelLimit = min(p.travelLimit, c.wallContacts[k].knownClearance(c.prevPositions[k])-s.alarmDistance())
		}
		if p.travelLimit <= 0 {
			continue
		}
		p.near = false
		p.fromNode, p.toNode = c.prevNodes[p.element], c.prevNodes[p.element+1]
		for k := p.first; k < p.last; k++ {
			c.wallContacts[k].clearFriction()
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
