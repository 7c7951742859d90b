package contact

import "sinew/pkg/sim/spatial"

// motion is that of a wall: in the state it is at from, and a step takes it to Target.
type wallMotion struct {
	from, to spatial.Pose
	// Within a step: whether the wall moves, what its motion does to points of it, and the
	// rotation vector of that, world axes.
	moving       bool
	displacement spatial.Pose
	rotation     spatial.Vec
}

// WallPose returns where wall w is in the state, from where it was made.
func (c *Contacts) WallPose(w int) spatial.Pose { return c.wallMotions[w].from }

// WallTarget returns where wall w is at the end of the next step.
func (c *Contacts) WallTarget(w int) spatial.Pose { return c.wallMotions[w].to }

// MoveWall makes to the place of wall w at the end of the next step. Before the first call
// it stays.
func (c *Contacts) SetWallTarget(w int, to spatial.Pose) { c.wallMotions[w].to = to }

// place puts wall w to a pose, at rest.
func (c *Contacts) setWallPose(w int, at spatial.Pose) {
	c.wallMotions[w] = wallMotion{from: at, to: at}
	c.Walls[w].Shape = c.Walls[w].Shape.Moved(at)
	c.baseContacts[w].known = false
}

// moveWalls takes the walls to where they are at the end of the step.
func (c *Contacts) moveWalls() {
	for w := range c.wallMotions {
		m := &c.wallMotions[w]
		m.moving, m.rotation = m.to != m.from, spatial.Vec{}
		if !m.moving {
			continue
		}
		c.requeryWall(w)
		c.Walls[w].Shape = c.Walls[w].Shape.Moved(m.to)
		c.baseContacts[w].known = false
		m.displacement = m.to.Mul(m.from.Inv())
		m.rotation = m.displacement.R.LogStep() // as of nodes
	}
}

// expose looks from all stations at wall w, which is about to leave its place: none of them
// is far from it by what was known before.
func (c *Contacts) requeryWall(w int) {
	for i := w; i < len(c.patches); i += len(c.Walls) {
		if !c.patches[i].near {
			c.activatePatch(&c.patches[i])
		}
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if p.clearance = 0; p.prevGap < s.ActivationGap {
				continue
			}
			c.queryPrevious(&c.patches[i], k)
			if p.prevGap = p.gap; !p.noWall { // else nothing is known, and checkWay looks
				p.prevGap = p.knownClearance(c.prevPositions[k])
			}
			p.clearance = 0
		}
	}
}

// Abandon takes the walls back to where they are in the state.
func (c *Contacts) Revert() {
	for w := range c.wallMotions {
		m := &c.wallMotions[w]
		if !m.moving {
			continue
		}
		m.moving = false
		c.Walls[w].Shape = c.Walls[w].Shape.Moved(m.from)
		c.baseContacts[w].known = false
		for k := range c.wallContacts {
			if c.Points[k].Wall == w {
				c.wallContacts[k].clearance = 0
			}
		}
	}
}

// wallOf is the wall of a patch.
func (c *Contacts) patchWall(p *patch) int { return c.Points[p.first].Wall }

// arrive makes the places of the walls at the end of the step those of the state.
func (c *Contacts) commitWallPoses() {
	for w := range c.wallMotions {
		c.wallMotions[w].from, c.wallMotions[w].moving = c.wallMotions[w].to, false
	}
}

// carried returns where station k was at the start of the step, taken along by its wall.
func (c *Contacts) advectedPosition(k int) spatial.Vec {
	if m := &c.wallMotions[c.Points[k].Wall]; m.moving {
		return m.displacement.Apply(c.prevPositions[k])
	}
	return c.prevPositions[k]
}

// turnedAlong returns v, of the start of the step, taken along by wall w.
func (c *Contacts) rotateWithWall(w int, v spatial.Vec) spatial.Vec {
	if m := &c.wallMotions[w]; m.moving {
		return m.displacement.R.Apply(v)
	}
	return v
}
