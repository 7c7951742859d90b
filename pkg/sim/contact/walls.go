package contact

import "sinew/pkg/sim/spatial"

// motion is that of a wall: in the state it is at from, and a step takes it to Target.
type motion struct {
	from, to spatial.Pose
	// Within a step: whether the wall moves, what its motion does to points of it, and the
	// rotation vector of that, world axes.
	moving bool
	by     spatial.Pose
	turn   spatial.Vec
}

// WallPose returns where wall w is in the state, from where it was made.
func (c *Contacts) WallPose(w int) spatial.Pose { return c.motions[w].from }

// WallTarget returns where wall w is at the end of the next step.
func (c *Contacts) WallTarget(w int) spatial.Pose { return c.motions[w].to }

// MoveWall makes to the place of wall w at the end of the next step. Before the first call
// it stays.
func (c *Contacts) SetWallTarget(w int, to spatial.Pose) { c.motions[w].to = to }

// place puts wall w to a pose, at rest.
func (c *Contacts) place(w int, at spatial.Pose) {
	c.motions[w] = motion{from: at, to: at}
	c.Walls[w].Shape = c.Walls[w].Shape.Moved(at)
	c.stances[w].known = false
}

// moveWalls takes the walls to where they are at the end of the step.
func (c *Contacts) moveWalls() {
	for w := range c.motions {
		m := &c.motions[w]
		m.moving, m.turn = m.to != m.from, spatial.Vec{}
		if !m.moving {
			continue
		}
		c.expose(w)
		c.Walls[w].Shape = c.Walls[w].Shape.Moved(m.to)
		c.stances[w].known = false
		m.by = m.to.Mul(m.from.Inv())
		m.turn = m.by.R.LogStep() // as of nodes
	}
}

// expose looks from all stations at wall w, which is about to leave its place: none of them
// is far from it by what was known before.
func (c *Contacts) expose(w int) {
	for i := w; i < len(c.patches); i += len(c.Walls) {
		if !c.patches[i].near {
			c.approach(&c.patches[i])
		}
		for k, last := c.patches[i].span(); k < last; k++ {
			s, p := &c.Points[k], &c.pairs[k]
			if p.clear = 0; p.heldGap < s.ActivationGap {
				continue
			}
			c.lookHeld(&c.patches[i], k)
			if p.heldGap = p.gap; !p.open { // else nothing is known, and checkWay looks
				p.heldGap = p.known(c.held[k])
			}
			p.clear = 0
		}
	}
}

// Abandon takes the walls back to where they are in the state.
func (c *Contacts) Revert() {
	for w := range c.motions {
		m := &c.motions[w]
		if !m.moving {
			continue
		}
		m.moving = false
		c.Walls[w].Shape = c.Walls[w].Shape.Moved(m.from)
		c.stances[w].known = false
		for k := range c.pairs {
			if c.Points[k].Wall == w {
				c.pairs[k].clear = 0
			}
		}
	}
}

// wallOf is the wall of a patch.
func (c *Contacts) wallOf(p *patch) int { return c.Points[p.first].Wall }

// arrive makes the places of the walls at the end of the step those of the state.
func (c *Contacts) arrive() {
	for w := range c.motions {
		c.motions[w].from, c.motions[w].moving = c.motions[w].to, false
	}
}

// carried returns where station k was at the start of the step, taken along by its wall.
func (c *Contacts) carried(k int) spatial.Vec {
	if m := &c.motions[c.Points[k].Wall]; m.moving {
		return m.by.Apply(c.held[k])
	}
	return c.held[k]
}

// turnedAlong returns v, of the start of the step, taken along by wall w.
func (c *Contacts) turnedAlong(w int, v spatial.Vec) spatial.Vec {
	if m := &c.motions[w]; m.moving {
		return m.by.R.Apply(v)
	}
	return v
}
