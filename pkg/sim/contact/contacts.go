package contact

import (
	"slices"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Contacts is a rod among walls, and with itself, with the memory of its friction. Between Begin and Accept it
// is at an iterate of a step. Its methods, but those of setting up and of errors, do not
// allocate.
type Contacts struct {
	Walls            []Wall
	Points           []ContactPoint
	PenetrationBound float64 // of the rod into the sharpest edge of a wall between two stations, in radii

	// by station
	positions     []spatial.Vec // position, world
	prevPositions []spatial.Vec // position in the state
	wallContacts  []wallContact

	patches     []patch       // of each element one for each wall, in their order
	wallMotions []wallMotion  // by wall
	prevNodes   []hermiteNode // of the state
	self        *selfContact  // nil: the rod passes through itself

	baseRadius        float64       // of the surface at the base, m
	baseActivationGap float64       // gap at which the force would begin there, m
	baseElementLength float64       // of the element there, m
	weightDepths      []float64     // by wall, m: how far below the reach of the law a rod near its base lies by its weight
	baseHints         []shape.Hint  // of it, by wall
	baseContacts      []baseContact // by wall
	staticOffsets     []float64     // by wall, m; see Station

	stepRate    float64         // one over the length of the step, 1/s; 0 in a search for equilibrium
	hasFriction bool            // within the step
	active      []ActiveContact // of the increment
	rod         *strain.State   // that the increment is of
}

// pair is what its wall is to a station.
type wallContact struct {
	// Of the present position: the gap is that of the surface, and more by lowered, or less where that is
	// beyond the reach of the force, infinite where there is no wall.
	normalContact
	normal     spatial.Vec
	gapHessian spatial.Mat3 // second derivative of the gap, 1/m

	// What is known of the wall: at seen the gap was clear, or, where open is true, there was
	// no wall within clear. Nothing is near while the station has not gone half as far.
	queryPoint spatial.Vec
	clearance  float64
	noWall     bool
	hint       shape.Hint

	// State: the elastic displacement of the friction, the normal force in it and the
	// friction itself, which acted at the end of the last step.
	deflection    spatial.Vec // m, world
	normalForce   float64     // N
	frictionForce spatial.Vec // N, world

	prevNormal       spatial.Vec // of the state
	prevFreeDistance float64     // a way (m) from there on which there is no wall, as far as that is known

	closestPoint

	// Within a step: friction under a given normal force and its displacement.
	friction          friction
	frictionNormal    spatial.Vec    // normal in which it acts
	startDeflection   spatial.Vec    // displacement at the start of the step, m
	trialDeflection   spatial.Vec    // displacement now, m
	frictionChange    frictionChange // before Correct changed it
	frictionStiffness spatial.Mat3   // of it in the tangent, N/m
}

// closing is a gap at which a force acts that Law says.
type normalContact struct {
	gap     float64 // m
	prevGap float64 // of the state, from which a step begins, m
	impactDamping

	// Within an iteration: the force in the tangent, N, and its slope, N/m, what the increment takes
	// the force to be more than by its tangent, and by how much it mistakes it, N.
	tangentForce, tangentStiffness, correctionForce, linearisationError float64
}

// New places a rod among walls.
func New(r *rod.Rod, o Options) *Contacts {
	c := &Contacts{Walls: slices.Clone(o.Walls), wallMotions: make([]wallMotion, len(o.Walls))}
	c.Points, c.patches = newPoints(r, &o)
	c.PenetrationBound = o.penetrationBound(r)
	c.baseRadius, c.baseHints = o.Radius(0), make([]shape.Hint, len(o.Walls))
	c.baseActivationGap, c.baseElementLength = newLaw(0, c.baseRadius, false).ActivationGap, r.Lengths[0]
	c.baseContacts, c.staticOffsets = make([]baseContact, len(o.Walls)), make([]float64, len(o.Walls))
	c.weightDepths = weightDepths(r, &o, c.Points, c.patches)
	n := len(c.Points)
	c.positions, c.prevPositions = make([]spatial.Vec, n), make([]spatial.Vec, n)
	c.wallContacts = make([]wallContact, n)
	c.prevNodes = make([]hermiteNode, r.Elements+1)
	c.active = make([]ActiveContact, 0, maxActiveContacts)
	if o.SelfContact {
		c.self = newSelfContact(r, &o)
	}
	return c
}

// Reset forgets friction, and finds the rod where it is, at rest, and the walls where they
// were made.
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
	if c.self != nil {
		c.self.reset()
		c.commitNodes(rod)
	}
	c.CommitAtRest(rod)
}

// Rest makes the present shape the state, with friction as it is.
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

// locate finds where stations are and what walls are to them, and where the rod is near itself.
func (c *Contacts) updateGaps(rod *strain.State) {
	if c.self != nil {
		c.self.update(rod, c.prevNodes)
	}
	c.updateBaseContacts(rod)
	for i := range c.patches {
		p := &c.patches[i]
		if !p.near {
			if p.travel(rod) < p.travelLimit {
				continue
			}
			c.activatePatch(p)
		}
		c.queryPatch(p, rod)
	}
}

// lookAll finds where the stations of a patch are and what its wall is to them.
func (c *Contacts) queryPatch(p *patch, rod *strain.State) {
	wall := &c.Walls[c.Points[p.first].Wall].Shape
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

// look finds the gap at x.
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

// Measure takes gaps, and displacements of friction, from the shape of the rod.
func (c *Contacts) UpdateKinematics(rod *strain.State) {
	c.updateGaps(rod)
	if c.hasFriction {
		c.updateDeflections(rod)
	}
}

// displace finds the displacements of friction: from where the station was at the start of
// the step, of the point of its surface that touched there, over the wall, which may have
// moved too.
func (c *Contacts) updateDeflections(rod *strain.State) {
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			p := &c.wallContacts[k]
			if p.friction.limit == 0 {
				continue
			}
			s := &c.Points[k]
			turned := s.stepRotation(rod).Sub(c.wallMotions[s.Wall].rotation)
			d := c.positions[k].Sub(c.advectedPosition(k)).Add(p.frictionNormal.Scale(s.Radius).Cross(turned))
			p.trialDeflection = p.startDeflection.Add(d.AddScaled(-d.Dot(p.frictionNormal), p.frictionNormal))
		}
	}
}

// Begin starts a step from the state: friction has the normal forces of its end, and the
// walls are where they are at the end of the step, dt seconds long.
func (c *Contacts) Begin(dt float64) {
	c.hasFriction = false
	c.stepRate = 1 / dt
	c.moveWalls()
	if c.self != nil {
		c.self.setImpactDamping(c.stepRate)
	}
	c.discardCorrection()
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			p, s := &c.wallContacts[k], &c.Points[k]
			p.setImpactDamping(&s.NormalLaw, c.stepRate)
			c.setFriction(k, c.Walls[s.Wall].Friction*p.normalForce, p.prevGap, c.rotateWithWall(s.Wall, p.prevNormal))
			c.hasFriction = c.hasFriction || p.friction.limit > 0
		}
	}
}

// BeginStatic starts a search for equilibrium, in which there is no friction.
func (c *Contacts) BeginStatic() {
	c.hasFriction = false
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

// forget takes friction away.
func (p *wallContact) clearFriction() {
	p.friction, p.deflection, p.normalForce, p.frictionForce = friction{}, spatial.Vec{}, 0, spatial.Vec{}
}

// Soften makes walls give way as if their stiffness were a share of what it is, until that
// share is 1 again.
func (c *Contacts) ScaleStiffness(share float64) {
	for i := range c.Points {
		s := &c.Points[i]
		s.Stiffness = share * s.fullStiffness
	}
	if c.self != nil {
		c.self.scaleStiffness(share)
	}
}

// Accept makes the present iterate, of a step of dt seconds, the state. It reports whether
// something has hit a wall.
func (c *Contacts) Commit(rod *strain.State) (hit bool) {
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			p := &c.wallContacts[k]
			p.frictionForce = spatial.Vec{}
			if p.friction.limit == 0 {
				p.deflection = spatial.Vec{}
				continue
			}
			p.frictionForce = p.friction.force(p.trialDeflection)
			p.deflection = p.trialDeflection.Scale(min(1, p.friction.slip/max(p.trialDeflection.Norm(), p.friction.slip))).Flush()
		}
	}
	c.updateGaps(rod)
	hit = c.self != nil && c.self.hasImpact()
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			hit = hit || p.gap < s.ActivationGap && p.prevGap-p.gap > 0.1*s.ActivationGap+minActivationGap && p.prevGap >= s.ActivationGap
		}
	}
	c.commitGaps(rod)
	c.cullFarPatches()
	c.commitWallPoses()
	return hit
}

// hold makes the present nodes those of the state.
func (c *Contacts) commitNodes(rod *strain.State) {
	for i := range c.prevNodes {
		c.prevNodes[i] = hermiteNodeOf(rod, i)
	}
}

// settle makes the present gaps those of the state. Where walls are searched from a hint, it
// searches again from where the search has ended, as after Restore.
func (c *Contacts) commitGaps(rod *strain.State) {
	c.commitNodes(rod)
	if c.self != nil {
		c.self.commit()
	}
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			c.prevPositions[k] = c.positions[k]
			if hint, wall := p.hint, &c.Walls[s.Wall].Shape; s.isExtended() {
				from, to := &c.prevNodes[s.Element], &c.prevNodes[s.Element+1]
				p.query(wall, s, c.positions[k], &hint)
				p.commitClosestPoint(wall, s, from, to)
			} else if p.gap < s.ActivationGap {
				p.query(wall, s, c.positions[k], &hint)
			}
			p.prevGap, p.prevNormal, p.prevFreeDistance = p.gap, p.normal, p.freeDistance(c.prevPositions[k])
			p.normalForce, _ = p.forceAt(&s.NormalLaw, p.gap)
			if p.normalForce == 0 {
				p.deflection, p.frictionForce = spatial.Vec{}, spatial.Vec{}
			}
		}
	}
}
