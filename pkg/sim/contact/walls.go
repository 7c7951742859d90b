package contact

import "sinew/pkg/sim/spatial"

// wallMotion is the motion of a wall: from its pose in the state to its pose at the end of the
// step. Poses are relative to where the wall was made.
type wallMotion struct {
	from, to spatial.Pose
	// Within a step: whether the wall moves, its displacement, and the rotation vector of that,
	// world axes.
	moving       bool
	displacement spatial.Pose
	rotation     spatial.Vec
}

// WallPose returns the pose of wall w in the state, relative to where it was made.
func (c *Contacts) WallPose(w int) spatial.Pose { return c.wallMotions[w].from }

// WallTarget returns the pose of wall w at the end of the next step.
func (c *Contacts) WallTarget(w int) spatial.Pose { return c.wallMotions[w].to }

// SetWallTarget sets the pose of wall w at the end of the next step, relative to where it was made.
// A wall without a target is at rest.
func (c *Contacts) SetWallTarget(w int, to spatial.Pose) { c.wallMotions[w].to = to }

// setWallPose moves wall w to a pose, at rest.
func (c *Contacts) setWallPose(w int, at spatial.Pose) {
	c.wallMotions[w] = wallMotion{from: at, to: at}
	c.moveShapes(w, at)
	c.baseContacts[w].known = false
}

// moveWalls moves the walls to their poses at the end of the step.
func (c *Contacts) moveWalls() {
	for w := range c.wallMotions {
		m := &c.wallMotions[w]
		m.moving, m.rotation = m.to != m.from, spatial.Vec{}
		if !m.moving {
			continue
		}
		c.requeryWall(w)
		c.moveShapes(w, m.to)
		c.baseContacts[w].known = false
		m.displacement = m.to.Mul(m.from.Inv())
		m.rotation = m.displacement.R.LogStep() // as for nodes
	}
}

// requeryWall queries wall w at all contact points before it moves, since clearances known so far
// hold for a wall at rest.
func (c *Contacts) requeryWall(w int) {
	for i := range c.patches {
		if c.patchWall(&c.patches[i]) != w {
			continue
		}
		if !c.patches[i].near {
			c.activatePatch(&c.patches[i])
		}
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s, p := &c.Points[k], &c.wallContacts[k]
			if p.clearance = 0; p.prevGap < s.ActivationGap {
				continue
			}
			c.queryPrevious(&c.patches[i], k)
			if p.prevGap = p.gap; !p.noWall { // otherwise the range of the search is unknown, and checkPath covers it
				p.prevGap = p.knownClearance(c.prevPositions[k])
			}
			p.clearance = 0
		}
	}
	if c.nearChanged {
		c.listNear()
	}
}

// Revert moves the walls back to their poses in the state.
func (c *Contacts) Revert() {
	for w := range c.wallMotions {
		m := &c.wallMotions[w]
		if !m.moving {
			continue
		}
		m.moving = false
		c.moveShapes(w, m.from)
		c.baseContacts[w].known = false
		for k := range c.wallContacts {
			if c.Points[k].Wall == w {
				c.wallContacts[k].clearance = 0
			}
		}
	}
}

// patchWall returns the wall of a patch.
func (c *Contacts) patchWall(p *patch) int { return c.surfaces[p.surface].wall }

// commitWallPoses makes the poses at the end of the step those of the state.
func (c *Contacts) commitWallPoses() {
	for w := range c.wallMotions {
		c.wallMotions[w].from, c.wallMotions[w].moving = c.wallMotions[w].to, false
	}
}

// advectedPosition returns the position of contact point k at the start of the step, moved with its
// wall through the step, world, m.
func (c *Contacts) advectedPosition(k int) spatial.Vec {
	if m := &c.wallMotions[c.Points[k].Wall]; m.moving {
		return m.displacement.Apply(c.prevPositions[k])
	}
	return c.prevPositions[k]
}

// rotateWithWall returns the vector v of the start of the step, rotated with wall w through the
// step.
func (c *Contacts) rotateWithWall(w int, v spatial.Vec) spatial.Vec {
	if m := &c.wallMotions[w]; m.moving {
		return m.displacement.R.Apply(v)
	}
	return v
}
