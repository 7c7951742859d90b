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
	at    []spatial.Vec // position, world
	held  []spatial.Vec // position in the state
	pairs []pair

	patches []patch  // of each element one for each wall, in their order
	motions []motion // by wall
	nodes   []frame  // of the state
	self    *itself  // nil: the rod passes through itself

	baseRadius float64      // of the surface at the base, m
	baseReach  float64      // gap at which the force would begin there, m
	baseLength float64      // of the element there, m
	sunk       []float64    // by wall, m: how far below the reach of the law a rod near its base lies by its weight
	baseHints  []shape.Hint // of it, by wall
	stances    []stance     // by wall
	lowered    []float64    // by wall, m; see Station

	rate       float64 // one over the length of the step, 1/s; 0 in a search for equilibrium
	frictional bool    // within the step
	amended    amendment
}

// pair is what its wall is to a station.
type pair struct {
	// Of the present position: the gap is that of the surface, and more by lowered, or less where that is
	// beyond the reach of the force, infinite where there is no wall.
	closing
	normal spatial.Vec
	bend   spatial.Mat3 // second derivative of the gap, 1/m

	// What is known of the wall: at seen the gap was clear, or, where open is true, there was
	// no wall within clear. Nothing is near while the station has not gone half as far.
	seen  spatial.Vec
	clear float64
	open  bool
	hint  shape.Hint

	// State: the elastic displacement of the friction, the normal force in it and the
	// friction itself, which acted at the end of the last step.
	displaced spatial.Vec // m, world
	pressed   float64     // N
	force     spatial.Vec // N, world

	heldNormal spatial.Vec // of the state
	heldRoom   float64     // a way (m) from there on which there is no wall, as far as that is known

	touching

	// Within a step: friction under a given normal force and its displacement.
	grip   friction
	plane  spatial.Vec  // normal in which it acts
	origin spatial.Vec  // displacement at the start of the step, m
	strain spatial.Vec  // displacement now, m
	former held         // before Correct changed it
	hold   spatial.Mat3 // of it in the tangent, N/m
}

// closing is a gap at which a force acts that Law says.
type closing struct {
	gap     float64 // m
	heldGap float64 // of the state, from which a step begins, m
	impact

	// Within an iteration: the force in the tangent, N, and its slope, N/m, what the increment takes
	// the force to be more than by its tangent, and by how much it mistakes it, N.
	tangent, slope, extra, mistake float64
}

// New places a rod among walls.
func New(r *rod.Rod, o Options) *Contacts {
	c := &Contacts{Walls: slices.Clone(o.Walls), motions: make([]motion, len(o.Walls))}
	c.Points, c.patches = stationsOf(r, &o)
	c.PenetrationBound = o.dip(r)
	c.baseRadius, c.baseHints = o.Radius(0), make([]shape.Hint, len(o.Walls))
	c.baseReach, c.baseLength = lawOf(0, c.baseRadius, false).ActivationGap, r.Lengths[0]
	c.stances, c.lowered = make([]stance, len(o.Walls)), make([]float64, len(o.Walls))
	c.sunk = sunk(r, &o, c.Points, c.patches)
	n := len(c.Points)
	c.at, c.held = make([]spatial.Vec, n), make([]spatial.Vec, n)
	c.pairs = make([]pair, n)
	c.nodes = make([]frame, r.Elements+1)
	c.amended = newAmendment(r.Elements)
	if o.SelfContact {
		c.self = newItself(r, &o)
	}
	return c
}

// Reset forgets friction, and finds the rod where it is, at rest, and the walls where they
// were made.
func (c *Contacts) Reset(rod *strain.State) {
	for w := range c.Walls {
		c.place(w, spatial.IdentityPose())
	}
	for i := range c.pairs {
		c.pairs[i] = pair{}
	}
	for i := range c.patches {
		c.patches[i].near = true
	}
	if c.self != nil {
		c.self.clear()
		c.hold(rod)
	}
	c.CommitAtRest(rod)
}

// Rest makes the present shape the state, with friction as it is.
func (c *Contacts) CommitAtRest(rod *strain.State) {
	c.frictional, c.rate = false, 0
	if c.self != nil {
		c.self.brace(0)
	}
	for i := range c.pairs {
		c.pairs[i].brace(&c.Points[i].NormalLaw, 0)
	}
	c.locate(rod)
	c.settle(rod)
	c.part()
}

// locate finds where stations are and what walls are to them, and where the rod is near itself.
func (c *Contacts) locate(rod *strain.State) {
	if c.self != nil {
		c.self.locate(rod, c.nodes)
	}
	c.stand(rod)
	for i := range c.patches {
		p := &c.patches[i]
		if !p.near {
			if p.gone(rod) < p.slack {
				continue
			}
			c.approach(p)
		}
		c.lookAll(p, rod)
	}
}

// lookAll finds where the stations of a patch are and what its wall is to them.
func (c *Contacts) lookAll(p *patch, rod *strain.State) {
	wall := &c.Walls[c.Points[p.first].Wall].Shape
	for k := p.first; k < p.last; k++ {
		s := &c.Points[k]
		c.at[k] = s.at(rod)
		c.pairs[k].look(wall, s, c.at[k], &c.pairs[k].hint)
	}
	if !c.Points[p.first].spans() {
		return
	}
	from, to := frameOf(rod, p.element), frameOf(rod, p.element+1)
	for k := p.first; k < p.last; k++ {
		c.pairs[k].nearest(wall, &c.Points[k], &from, &to)
	}
}

// look finds the gap at x.
func (p *pair) look(wall *shape.Shape, s *ContactPoint, x spatial.Vec, hint *shape.Hint) {
	p.stay(s, x)
	if far := p.clear - s.ActivationGap - s.dip; far > 0 {
		if d := x.Sub(p.seen).Norm(); d < 0.5*far {
			if p.gap = p.clear - d; p.open {
				p.gap = infinite
			}
			return
		}
	}
	place, ok := wall.At(x, hint)
	p.seen, p.open = x, !ok
	p.clear = place.D - s.Radius
	if !ok {
		p.gap = infinite
		return
	}
	p.gap, p.normal, p.bend = p.clear+s.lowered, place.N, place.W
}

// Measure takes gaps, and displacements of friction, from the shape of the rod.
func (c *Contacts) UpdateKinematics(rod *strain.State) {
	c.locate(rod)
	if c.frictional {
		c.displace(rod)
	}
}

// displace finds the displacements of friction: from where the station was at the start of
// the step, of the point of its surface that touched there, over the wall, which may have
// moved too.
func (c *Contacts) displace(rod *strain.State) {
	for i := range c.patches {
		for k, last := c.patches[i].span(); k < last; k++ {
			p := &c.pairs[k]
			if p.grip.limit == 0 {
				continue
			}
			s := &c.Points[k]
			turned := s.turned(rod).Sub(c.motions[s.Wall].turn)
			d := c.at[k].Sub(c.carried(k)).Add(p.plane.Scale(s.Radius).Cross(turned))
			p.strain = p.origin.Add(d.AddScaled(-d.Dot(p.plane), p.plane))
		}
	}
}

// Begin starts a step from the state: friction has the normal forces of its end, and the
// walls are where they are at the end of the step, dt seconds long.
func (c *Contacts) Begin(dt float64) {
	c.frictional = false
	c.rate = 1 / dt
	c.moveWalls()
	if c.self != nil {
		c.self.brace(c.rate)
	}
	c.unamend()
	for i := range c.patches {
		for k, last := c.patches[i].span(); k < last; k++ {
			p, s := &c.pairs[k], &c.Points[k]
			p.brace(&s.NormalLaw, c.rate)
			c.setGrip(k, c.Walls[s.Wall].Friction*p.pressed, p.heldGap, c.turnedAlong(s.Wall, p.heldNormal))
			c.frictional = c.frictional || p.grip.limit > 0
		}
	}
}

// BeginStatic starts a search for equilibrium, in which there is no friction.
func (c *Contacts) BeginStatic() {
	c.frictional = false
	c.unamend()
	c.rate = 0
	if c.self != nil {
		c.self.brace(0)
	}
	for i := range c.pairs {
		c.pairs[i].forget()
		c.pairs[i].brace(&c.Points[i].NormalLaw, 0)
	}
}

// forget takes friction away.
func (p *pair) forget() {
	p.grip, p.displaced, p.pressed, p.force = friction{}, spatial.Vec{}, 0, spatial.Vec{}
}

// Soften makes walls give way as if their stiffness were a share of what it is, until that
// share is 1 again.
func (c *Contacts) ScaleStiffness(share float64) {
	for i := range c.Points {
		s := &c.Points[i]
		s.Stiffness = share * s.whole
	}
	if c.self != nil {
		c.self.soften(share)
	}
}

// Accept makes the present iterate, of a step of dt seconds, the state. It reports whether
// something has hit a wall.
func (c *Contacts) Commit(rod *strain.State) (hit bool) {
	for i := range c.patches {
		for k, last := c.patches[i].span(); k < last; k++ {
			p := &c.pairs[k]
			p.force = spatial.Vec{}
			if p.grip.limit == 0 {
				p.displaced = spatial.Vec{}
				continue
			}
			p.force = p.grip.force(p.strain)
			p.displaced = p.strain.Scale(min(1, p.grip.slip/max(p.strain.Norm(), p.grip.slip))).Flush()
		}
	}
	c.locate(rod)
	hit = c.self != nil && c.self.hit()
	for i := range c.patches {
		for k, last := c.patches[i].span(); k < last; k++ {
			s, p := &c.Points[k], &c.pairs[k]
			hit = hit || p.gap < s.ActivationGap && p.heldGap-p.gap > 0.1*s.ActivationGap+leastReach && p.heldGap >= s.ActivationGap
		}
	}
	c.settle(rod)
	c.part()
	c.arrive()
	return hit
}

// hold makes the present nodes those of the state.
func (c *Contacts) hold(rod *strain.State) {
	for i := range c.nodes {
		c.nodes[i] = frameOf(rod, i)
	}
}

// settle makes the present gaps those of the state. Where walls are searched from a hint, it
// searches again from where the search has ended, as after Restore.
func (c *Contacts) settle(rod *strain.State) {
	c.hold(rod)
	if c.self != nil {
		c.self.settle()
	}
	for i := range c.patches {
		for k, last := c.patches[i].span(); k < last; k++ {
			s, p := &c.Points[k], &c.pairs[k]
			c.held[k] = c.at[k]
			if hint, wall := p.hint, &c.Walls[s.Wall].Shape; s.spans() {
				from, to := &c.nodes[s.Element], &c.nodes[s.Element+1]
				p.look(wall, s, c.at[k], &hint)
				p.touch(wall, s, from, to)
			} else if p.gap < s.ActivationGap {
				p.look(wall, s, c.at[k], &hint)
			}
			p.heldGap, p.heldNormal, p.heldRoom = p.gap, p.normal, p.room(c.held[k])
			p.pressed, _ = p.press(&s.NormalLaw, p.gap)
			if p.pressed == 0 {
				p.displaced, p.force = spatial.Vec{}, spatial.Vec{}
			}
		}
	}
}
