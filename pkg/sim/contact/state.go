package contact

import (
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Numbers of values in a saved state: of a wallContact, a patch, a node of the reference of the
// culling, the pose of a wall, and an element pair in contact.
const (
	wallContactLen = 16
	patchLen       = 2
	nodeLen        = 6
	wallPoseLen    = 12
	elementPairLen = 2
)

// StateLen returns the number of values that Save writes.
func (c *Contacts) StateLen() int {
	return wallPoseLen*len(c.Walls) + wallContactLen*len(c.wallContacts) + patchLen*len(c.patches) + nodeLen*len(c.culling.reference) + len(c.rimPoints) + elementPairLen*c.maxSavedPairs()
}

// maxSavedPairs returns the largest number of element pairs in contact.
func (c *Contacts) maxSavedPairs() int {
	if c.self == nil {
		return 0
	}
	return min(maxActivePairs, len(c.self.pool))
}

// Save writes the state to dst: the poses of walls, the contacts with walls, the patches, the shares
// of the contact points of rims and the pairs in self-contact.
func (c *Contacts) Save(dst []float64) {
	for w := range c.wallMotions {
		c.wallMotions[w].from.Put(dst)
		dst = dst[wallPoseLen:]
	}
	for i := range c.wallContacts {
		p := &c.wallContacts[i]
		p.deflection.Put(dst)
		p.frictionForce.Put(dst[3:])
		p.queryPoint.Put(dst[6:])
		p.normal.Put(dst[9:])
		dst[12], dst[13], dst[14], dst[15] = p.normalForce, p.clearance, p.hint.Foot, boolValue(p.noWall)
		dst = dst[wallContactLen:]
	}
	for i := range c.patches {
		p := &c.patches[i]
		dst[0], dst[1] = boolValue(p.near), p.travelLimit
		dst = dst[patchLen:]
	}
	for i := range c.culling.reference {
		n := &c.culling.reference[i]
		n.p.Put(dst)
		n.t.Put(dst[3:])
		dst = dst[nodeLen:]
	}
	for i, k := range c.rimPoints {
		dst[i] = c.Points[k].share
	}
	dst = dst[len(c.rimPoints):]
	if c.self != nil {
		c.self.save(dst[:elementPairLen*c.maxSavedPairs()])
	}
}

// save writes, for each pair in contact, 1 + its slot and its normal force, by increasing slot.
func (s *selfContact) save(dst []float64) {
	for _, q := range s.listed {
		if q.normalForce > 0 && len(dst) > 0 { // checkCapacity reports more as an error
			dst[0], dst[1] = float64(1+s.slotOf(q.a, q.b, q.half)), q.normalForce
			dst = dst[elementPairLen:]
		}
	}
	clear(dst)
}

// restore sets the normal forces of the listed pairs to the saved ones.
func (s *selfContact) restore(src []float64) {
	for _, q := range s.listed {
		if q.normalForce = 0; len(src) > 0 && src[0] == float64(1+s.slotOf(q.a, q.b, q.half)) {
			q.normalForce = src[1]
			src = src[elementPairLen:]
		}
	}
}

func boolValue(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Restore makes src, written by Save, the state of a rod at its present shape.
func (c *Contacts) Restore(src []float64, rod *strain.State) {
	pairs := src[wallPoseLen*len(c.Walls):]
	for w := range c.Walls {
		c.setWallPose(w, spatial.PoseAt(src))
		src = src[wallPoseLen:]
	}
	for i := range c.wallContacts {
		c.wallContacts[i] = wallContact{
			NormalContact: NormalContact{gap: infinite}, deflection: spatial.VecAt(src), frictionForce: spatial.VecAt(src[3:]), queryPoint: spatial.VecAt(src[6:]), normal: spatial.VecAt(src[9:]),
			normalForce: src[12], clearance: src[13], hint: shape.Hint{Foot: src[14]}, noWall: src[15] != 0,
		}
		src = src[wallContactLen:]
	}
	c.hasFriction, c.stepRate = false, 0
	for i := range c.wallContacts {
		c.wallContacts[i].setImpactDamping(&c.Points[i].NormalLaw, 0)
	}
	c.updateBaseContacts(rod)
	for i, k := range c.rimPoints {
		s := &c.Points[k]
		s.moveTo(src[patchLen*len(c.patches)+nodeLen*len(c.culling.reference)+i])
	}
	for i := range c.patches {
		p := &c.patches[i]
		p.near, p.travelLimit = src[0] != 0, src[1]
		src = src[patchLen:]
		for k, last := p.nearPoints(); k < last; k++ {
			s, q := &c.Points[k], &c.wallContacts[k]
			if c.positions[k] = s.position(rod); s.rim != nil { // commitGaps queries it
				continue
			}
			seen, normal, clear, open, hint := q.queryPoint, q.normal, q.clearance, q.noWall, q.hint
			q.query(c.shapeOf(s), s, c.positions[k], &hint)
			q.queryPoint, q.normal, q.clearance, q.noWall = seen, normal, clear, open
		}
	}
	c.listNear()
	for i := range c.culling.reference {
		c.culling.reference[i] = HermiteNode{spatial.VecAt(src), spatial.VecAt(src[3:])}
		src = src[nodeLen:]
	}
	src = src[len(c.rimPoints):]
	if c.self != nil {
		c.self.reset()
		c.self.setImpactDamping(0)
		c.self.update(rod, c.prevNodes)
	}
	c.commitGaps(rod)
	for i := range c.wallContacts { // the saved forces include the damping of the last step
		c.wallContacts[i].normalForce = pairs[i*wallContactLen+12]
	}
	if c.self != nil {
		c.self.restore(src[:elementPairLen*c.maxSavedPairs()])
	}
}
