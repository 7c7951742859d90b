package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// patch is the stations of one element for one wall. While it is far from the wall they are
// not looked at.
type patch struct {
	element, first, last int // stations from first to before last

	near bool
	// Where it was when it was found to be far, and how far each station may go from there
	// before one could be within its diameter of the wall.
	fromNode, toNode hermiteNode
	travelLimit      float64 // m
	tangentFactor    float64 // of the centre line, m per change of the tangents
}

// frame is position and tangent of a node.
type hermiteNode struct{ p, t spatial.Vec }

func hermiteNodeOf(rod *strain.State, node int) hermiteNode {
	g := &rod.Pose[node]
	return hermiteNode{g.P, g.R.Col3()}
}

// span returns the stations of a patch that is near, else none.
func (p *patch) nearPoints() (first, last int) {
	if !p.near {
		return 0, 0
	}
	return p.first, p.last
}

// gone returns a bound on how far any station is from where it was when the patch was found
// to be far. The position of a station is the mean of those of two nodes, and of the tangents
// less than a quarter of the length of the element.
func (p *patch) travel(rod *strain.State) float64 {
	a, b := &rod.Pose[p.element], &rod.Pose[p.element+1]
	if p.tangentFactor == 0 { // all are at the node
		return b.P.Sub(p.toNode.p).Norm()
	}
	way := max(a.P.Sub(p.fromNode.p).Norm2(), b.P.Sub(p.toNode.p).Norm2())
	turn := max(a.R.Col3().Sub(p.fromNode.t).Norm2(), b.R.Col3().Sub(p.toNode.t).Norm2())
	return math.Sqrt(way) + p.tangentFactor*math.Sqrt(turn)
}

// goes returns a bound on how far increments of the nodes, which begin with node 1, take any
// station.
func (p *patch) incrementTravel(eta []spatial.Vec6) float64 {
	b := &eta[p.element]
	way, turn := b.Linear().Norm2(), b.Angular().Norm2()
	if p.element > 0 && p.tangentFactor > 0 {
		a := &eta[p.element-1]
		way, turn = max(way, a.Linear().Norm2()), max(turn, a.Angular().Norm2())
	}
	return math.Sqrt(way) + p.tangentFactor*math.Sqrt(turn)
}

// approach makes a far patch a near one, with the state from which the step has begun.
func (c *Contacts) activatePatch(p *patch) {
	p.near = true
	for k := p.first; k < p.last; k++ {
		c.prevPositions[k] = c.Points[k].positionBetween(&c.prevNodes[p.element], &c.prevNodes[p.element+1])
		c.queryPrevious(p, k)
		c.wallContacts[k].tangentForce, c.wallContacts[k].tangentStiffness, c.wallContacts[k].correctionForce, c.wallContacts[k].frictionStiffness = 0, 0, 0, spatial.Mat3{}
	}
}

// lookHeld finds what its wall is to station k of a patch in the state.
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

// part makes patches far that are, in the state, from walls that stand still.
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

// known is a distance of the station at x within which there is no wall: it may have moved since
// it was found.
func (p *wallContact) knownClearance(x spatial.Vec) float64 {
	return min(p.gap, p.clearance-x.Sub(p.queryPoint).Norm())
}

// room is that distance, but infinite where no wall is near and nothing known of how far that goes:
// checkWay finds what comes into a wall from there.
func (p *wallContact) freeDistance(x spatial.Vec) float64 {
	if p.noWall && !(p.clearance > 0) {
		return infinite
	}
	return p.knownClearance(x)
}

// alert is the gap beyond which nothing that happens in a step concerns the station.
func (s *ContactPoint) alarmDistance() float64 {
	return max(2*s.Radius, s.ActivationGap) + s.gapVariation
}
