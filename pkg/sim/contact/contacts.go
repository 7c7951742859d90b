package contact

import (
	"slices"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Contacts is the state of all contacts of a rod with walls and with itself, the deflections of
// friction included. Between Begin and Commit it belongs to an iterate of a step. Its methods do
// not allocate, but for New and those that return errors.
type Contacts struct {
	Walls            []Wall
	Points           []ContactPoint
	PenetrationBound float64 // bound of the penetration into the sharpest wall edge between two contact points, over the radius

	// by contact point
	positions     []spatial.Vec // at the iterate, world, m
	prevPositions []spatial.Vec // in the state, world, m
	wallContacts  []wallContact

	surfaces    []surface // of the walls, and of their rims
	rimPoints   []int     // indices of the contact points of rims
	patches     []patch   // by element and, within an element, by wall; then those of rims, by rim and element
	wallPatches int       // number of the patches of walls
	near        []int     // indices of the patches that are near, increasing
	nearChanged bool      // near is out of date
	culling     culling
	wallMotions []wallMotion  // by wall
	prevNodes   []HermiteNode // nodes of the state
	self        *selfContact  // nil: self-contact is off

	baseRadius        float64       // radius of the surface at the base, m
	baseActivationGap float64       // activation gap of the normal force at the base, m
	baseElementLength float64       // length of the first element, m
	weightDepths      []float64     // by wall: distance below the activation gap at which the node next to the base carries its weight, m
	baseHints         []shape.Hint  // search hints at the base, by wall
	baseContacts      []baseContact // by wall
	staticOffsets     []float64     // by wall, m; see ContactPoint.staticOffset

	bendingForce float64 // EI/L² of the rod, by which forces are negligible, N

	stepRate    float64         // 1/dt of the step, 1/s; 0 in statics
	hasFriction bool            // some contact point has friction in this step
	active      []ActiveContact // active set of the increment
	rod         *strain.State   // rod of the increment
}

// wallContact is the contact of one contact point with its wall.
type wallContact struct {
	// At the iterate. The gap is that of the surfaces plus the static offset. It is a lower bound
	// where it exceeds alarmDistance, and infinite where no wall is near.
	NormalContact
	normal     spatial.Vec  // gradient of the gap; see push
	gapHessian spatial.Mat3 // second derivative of the gap with respect to the position, 1/m

	// Result of the last query of the wall: at queryPoint the surface had the gap clearance; with
	// noWall there was no wall within clearance. No wall is near until the contact point has moved
	// by half of that.
	queryPoint spatial.Vec
	clearance  float64
	noWall     bool
	hint       shape.Hint

	// State: elastic deflection of friction, the normal force that limits it, and the friction
	// force at the end of the last step.
	deflection    spatial.Vec // world, m
	normalForce   float64     // N
	frictionForce spatial.Vec // world, N

	prevNormal       spatial.Vec // direction of the normal force in the state
	prevFreeDistance float64     // distance from there within which there is no wall, as far as that is known, m

	closestPoint

	// Within a step: friction under a fixed normal force, and its deflection.
	friction          Friction
	frictionNormal    spatial.Vec    // normal of the plane in which friction acts
	startDeflection   spatial.Vec    // deflection at the start of the step, m
	trialDeflection   spatial.Vec    // deflection at the iterate, m
	frictionChange    frictionChange // change by the last UpdateFriction
	frictionStiffness spatial.Mat3   // stiffness of friction in the tangent, N/m
}

// push returns the magnitude (N) and the direction of the normal force at the iterate. The force is along the gradient of the gap, which
// is no unit vector at the edges of a mesh: there the distance is rounded off.
func (p *wallContact) push(law *NormalLaw) (force float64, direction spatial.Vec) {
	f, _ := p.ForceAt(law, p.gap)
	size := p.normal.Norm()
	if size == 0 {
		return 0, spatial.Vec{}
	}
	return f * size, p.normal.Scale(1 / size)
}

// NormalContact is a gap with the normal force that acts at it.
type NormalContact struct {
	gap     float64 // m
	prevGap float64 // in the state at the start of the step, m
	impactDamping

	// Within an iteration: force and stiffness in the tangent (N, N/m), the force that the reduced
	// correction adds to the linearised one (N), and the linearisation error of the increment (N).
	tangentForce, tangentStiffness, correctionForce, linearisationError float64
}

// New returns the contacts of rod r in the environment o. Call Reset before the first step.
func New(r *rod.Rod, o Options) *Contacts {
	c := &Contacts{Walls: slices.Clone(o.Walls), wallMotions: make([]wallMotion, len(o.Walls))}
	c.surfaces = newSurfaces(c.Walls)
	c.Points, c.patches = newPoints(r, &o, c.surfaces)
	for k := range c.Points {
		if c.Points[k].rim != nil {
			c.rimPoints = append(c.rimPoints, k)
		}
	}
	c.culling = newCulling(r.Elements + 1)
	c.wallPatches, c.near = len(c.patches)-len(c.rimPoints), make([]int, 0, len(c.patches))
	c.PenetrationBound = o.penetrationBound(r)
	c.bendingForce = r.Stiffness.Bend.X / (r.Length * r.Length)
	c.baseRadius, c.baseHints = o.Radius(0), make([]shape.Hint, len(o.Walls))
	c.baseActivationGap, c.baseElementLength = NewNormalLaw(0, c.baseRadius, false).ActivationGap, r.Lengths[0]
	c.baseContacts, c.staticOffsets = make([]baseContact, len(o.Walls)), make([]float64, len(o.Walls))
	c.weightDepths = weightDepths(r, &o, c.Points, c.patches)
	n := len(c.Points)
	c.positions, c.prevPositions = make([]spatial.Vec, n), make([]spatial.Vec, n)
	c.wallContacts = make([]wallContact, n)
	c.prevNodes = make([]HermiteNode, r.Elements+1)
	c.active = make([]ActiveContact, 0, maxActiveContacts)
	if o.SelfContact {
		c.self = newSelfContact(r, &o)
	}
	return c
}

// Reset makes the present shape of the rod the state, at rest, without friction, and moves walls to
// the poses in which they were made.
func (c *Contacts) Reset(rod *strain.State) {
	for w := range c.Walls {
		c.setWallPose(w, spatial.IdentityPose())
	}
	for i := range c.wallContacts {
		c.wallContacts[i] = wallContact{}
	}
	for i := range c.patches {
		c.patches[i].near = true
	}
	c.listNear()
	if c.self != nil {
		c.self.reset()
		c.commitNodes(rod)
	}
	c.CommitAtRest(rod)
}

// CommitAtRest makes the present shape the state, at rest. It keeps friction.
func (c *Contacts) CommitAtRest(rod *strain.State) {
	c.hasFriction, c.stepRate = false, 0
	if c.self != nil {
		c.self.setImpactDamping(0)
	}
	for i := range c.wallContacts {
		c.wallContacts[i].setImpactDamping(&c.Points[i].NormalLaw, 0)
	}
	c.updateGaps(rod)
	c.commitGaps(rod)
	c.cullFarPatches()
}

// updateGaps computes the positions of contact points, their gaps, and the gaps of self-contact.
func (c *Contacts) updateGaps(rod *strain.State) {
	if c.self != nil {
		c.self.update(rod, c.prevNodes)
	}
	c.updateBaseContacts(rod)
	c.activateApproaching(rod, nil)
	for _, i := range c.near {
		c.queryPatch(&c.patches[i], rod)
	}
}

// queryPatch computes the positions and gaps of the contact points of one patch.
func (c *Contacts) queryPatch(p *patch, rod *strain.State) {
	if s := &c.Points[p.first]; s.rim != nil {
		from, to := hermiteNodeOf(rod, p.element), hermiteNodeOf(rod, p.element+1)
		c.positions[p.first] = s.positionBetween(&from, &to)
		q := &c.wallContacts[p.first]
		q.queryRim(s, c.positions[p.first], &from, &to, q.prevGap < s.alarmDistance())
		return
	}
	wall := c.shapeOf(&c.Points[p.first])
	for k := p.first; k < p.last; k++ {
		s := &c.Points[k]
		c.positions[k] = s.position(rod)
		c.wallContacts[k].query(wall, s, c.positions[k], &c.wallContacts[k].hint)
	}
	if !c.Points[p.first].isExtended() {
		return
	}
	from, to := hermiteNodeOf(rod, p.element), hermiteNodeOf(rod, p.element+1)
	for k := p.first; k < p.last; k++ {
		c.wallContacts[k].findClosestPoint(wall, &c.Points[k], &from, &to)
	}
}

// query computes the gap of contact point s at the position x. It skips the search where the last
// query shows that no wall is near.
func (p *wallContact) query(wall *shape.Shape, s *ContactPoint, x spatial.Vec, hint *shape.Hint) {
	p.resetTo(s, x)
	if far := p.clearance - s.ActivationGap - s.gapVariation; far > 0 {
		if d := x.Sub(p.queryPoint).Norm(); d < 0.5*far {
			if p.gap = p.clearance - d; p.noWall {
				p.gap = infinite
			}
			return
		}
	}
	place, ok := wall.At(x, hint)
	p.queryPoint, p.noWall = x, !ok
	p.clearance = place.D - s.Radius
	if !ok {
		p.gap = infinite
		return
	}
	p.gap, p.normal, p.gapHessian = p.clearance+s.staticOffset, place.N, place.W
}

// UpdateKinematics computes gaps and deflections of friction at the present shape of the rod.
func (c *Contacts) UpdateKinematics(rod *strain.State) {
	c.updateGaps(rod)
	if c.hasFriction {
		c.updateDeflections(rod)
	}
}

// updateDeflections computes the deflections of friction: the displacement since the start of the
// step of the surface point that touched, relative to the wall, which may have moved, projected
// into the friction plane.
func (c *Contacts) updateDeflections(rod *strain.State) {
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			p := &c.wallContacts[k]
			if p.friction.Limit == 0 {
				continue
			}
			s := &c.Points[k]
			turned := s.stepRotation(rod).Sub(c.wallMotions[s.Wall].rotation)
			d := c.positions[k].Sub(c.advectedPosition(k)).Add(p.frictionNormal.Scale(s.Radius).Cross(turned))
			p.trialDeflection = p.startDeflection.Add(d.AddScaled(-d.Dot(p.frictionNormal), p.frictionNormal))
		}
	}
}

// Begin starts a step of dt seconds from the state. It moves walls to their targets and sets the
// friction limits from the normal forces of the end of the last step.
func (c *Contacts) Begin(dt float64) {
	c.hasFriction = false
	c.stepRate = 1 / dt
	c.placeRimPoints()
	c.moveWalls()
	if c.self != nil {
		c.self.setImpactDamping(c.stepRate)
	}
	c.discardCorrection()
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			p, s := &c.wallContacts[k], &c.Points[k]
			p.setImpactDamping(&s.NormalLaw, c.stepRate)
			c.setFriction(k, c.Walls[s.Wall].Friction*p.normalForce, p.prevGap, c.rotateWithWall(s.Wall, p.prevNormal))
			c.hasFriction = c.hasFriction || p.friction.Limit > 0
		}
	}
}

// BeginStatic starts a search for equilibrium. It removes friction.
func (c *Contacts) BeginStatic() {
	c.hasFriction = false
	c.placeRimPoints()
	c.discardCorrection()
	c.stepRate = 0
	if c.self != nil {
		c.self.setImpactDamping(0)
	}
	for i := range c.wallContacts {
		c.wallContacts[i].clearFriction()
		c.wallContacts[i].setImpactDamping(&c.Points[i].NormalLaw, 0)
	}
}

// clearFriction removes friction and its deflection.
func (p *wallContact) clearFriction() {
	p.friction, p.deflection, p.normalForce, p.frictionForce = Friction{}, spatial.Vec{}, 0, spatial.Vec{}
}

// ScaleStiffness sets the stiffness of all contacts to share times its full value. Penalty
// continuation calls it with shares below 1, and with 1 at its end.
func (c *Contacts) ScaleStiffness(share float64) {
	for i := range c.Points {
		s := &c.Points[i]
		s.Stiffness = share * s.fullStiffness
	}
	if c.self != nil {
		c.self.scaleStiffness(share)
	}
}

// Commit makes the present iterate the state at the end of the step. It reports whether a contact
// point hit a wall, or the rod hit itself, in the step.
func (c *Contacts) Commit(rod *strain.State) (hit bool) {
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			p := &c.wallContacts[k]
			p.frictionForce = spatial.Vec{}
			if p.friction.Limit == 0 {
				p.deflection = spatial.Vec{}
				continue
			}
			p.frictionForce = p.friction.Force(p.trialDeflection)
			p.deflection = p.trialDeflection.Scale(min(1, p.friction.Slip/max(p.trialDeflection.Norm(), p.friction.Slip))).Flush()
		}
	}
	c.updateGaps(rod)
	hit = c.self != nil && c.self.hasImpact()
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			hit = hit || s.IsImpact(p.prevGap, p.gap)
		}
	}
	c.commitGaps(rod)
	c.cullFarPatches()
	c.commitWallPoses()
	return hit
}

// commitNodes copies the present nodes to the state.
func (c *Contacts) commitNodes(rod *strain.State) {
	for i := range c.prevNodes {
		c.prevNodes[i] = hermiteNodeOf(rod, i)
	}
}

// commitGaps makes the present gaps those of the state. Where the search of a wall depends on a
// hint, it searches again from the hint that the last search has left, as Restore does, so that a
// restored state continues with the same bits.
func (c *Contacts) commitGaps(rod *strain.State) {
	c.commitNodes(rod)
	if c.self != nil {
		c.self.commit()
	}
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			c.prevPositions[k] = c.positions[k]
			if hint, wall := p.hint, c.shapeOf(s); s.isExtended() {
				from, to := &c.prevNodes[s.Element], &c.prevNodes[s.Element+1]
				p.queryExtended(wall, s, c.positions[k], from, to, &hint)
			} else if p.gap < s.ActivationGap {
				p.query(wall, s, c.positions[k], &hint)
			}
			p.prevGap, p.prevFreeDistance = p.gap, p.freeDistance(c.prevPositions[k])
			p.normalForce, p.prevNormal = p.push(&s.NormalLaw)
			if p.normalForce == 0 {
				p.deflection, p.frictionForce = spatial.Vec{}, spatial.Vec{}
			}
		}
	}
}
