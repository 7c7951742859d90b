package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// CheckInside refuses a rod that is in a wall, or in itself, by more than its radius: its centre
// line is on the wrong side. The base is held where nothing but this looks at it.
func (c *Contacts) CheckPenetration(rod *strain.State, time float64) error {
	return c.checkPenetration(rod, time, false)
}

// CheckEntered is CheckInside at the end of a step, but for places that touched at its start: they have
// been pressed so deep into a soft wall, which a gauge tells.
func (c *Contacts) CheckNewPenetration(rod *strain.State, time float64) error {
	return c.checkPenetration(rod, time, true)
}

func (c *Contacts) checkPenetration(rod *strain.State, time float64, entered bool) error {
	worst := penetrationRecord{contacts: c, time: time}
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s := &c.Points[k]
			p := &c.wallContacts[k]
			if depth := s.staticOffset - p.gap; depth > s.Radius && !(entered && p.prevGap < s.ActivationGap) {
				worst.record(s.Wall, s.ArcLength, depth, s.Radius)
			}
		}
	}
	if c.recordBasePenetration(rod, &worst); worst.err != nil {
		return worst.err
	}
	if c.self != nil && !entered {
		if q := c.self.deepestPenetration(); q != nil {
			return &SelfInsideError{ArcLength: c.self.contactArcLengths(q), Depth: -q.surfaceDistance, Allowed: min(q.points[0].radius, q.points[1].radius)}
		}
	}
	return nil
}

// deepest is the error of the place that is deepest in a wall of those noted.
type penetrationRecord struct {
	contacts *Contacts
	time     float64
	err      *InsideWallError // nil: none yet
}

func (d *penetrationRecord) record(wall int, at, depth, radius float64) {
	if d.err == nil || depth > d.err.Depth {
		d.err = &InsideWallError{Time: d.time, Wall: d.contacts.Walls[wall].Name, ArcLength: at, Depth: depth, Allowed: radius}
	}
}

// ofBase notes the walls in which the base is: its centre, by more than what a mesh, or somebody who stands it on
// a table, leaves open.
func (c *Contacts) recordBasePenetration(rod *strain.State, to *penetrationRecord) {
	const open = 0.1
	for w := range c.Walls {
		if at, ok := c.Walls[w].Shape.At(rod.Pose[0].P, &c.baseHints[w]); ok && -at.D > open*c.baseRadius {
			to.record(w, 0, c.baseRadius-at.D, c.baseRadius)
		}
	}
}

// CheckBase refuses a base that is in a wall.
func (c *Contacts) CheckBasePenetration(rod *strain.State, time float64) error {
	base := penetrationRecord{contacts: c, time: time}
	if c.recordBasePenetration(rod, &base); base.err == nil {
		return nil
	}
	return base.err
}

// CheckCarried tells of a step that cannot be solved whether that is because the base comes into a
// wall, or carries the rod, with the shape that it has, into the back of one.
func (c *Contacts) CheckBaseMotion(rod *strain.State, time float64) error {
	if err := c.CheckBasePenetration(rod, time); err != nil {
		return err
	}
	by := rod.Base.Mul(rod.StartBase().Inv())
	for i := range c.patches {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			if err := c.checkPath(time, k, c.advectedPosition(k), by.Apply(c.prevPositions[k])); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkWay refuses a way of station k within a step, from where nothing was near, that leads
// through a wall. So do those from beside the end of a tube into it: from behind, the wall begins
// where it is deepest. The way is looked at every half radius, or is too long for that.
func (c *Contacts) checkPath(time float64, k int, from, to spatial.Vec) error {
	s, p := &c.Points[k], &c.wallContacts[k]
	way := to.Sub(from)
	d := way.Norm()
	if !math.IsInf(p.prevGap, 1) || d < p.prevFreeDistance && !math.IsInf(p.prevFreeDistance, 1) {
		return nil
	}
	const most = 4096 // places
	n := math.Ceil(2 * d / s.Radius)
	if !(n <= most) {
		return &SpeedError{Time: time, ArcLength: s.ArcLength, Wall: c.Walls[s.Wall].Name, Distance: d, Allowed: 0.5 * most * s.Radius}
	}
	depth, hint := 0.0, p.hint
	for i := 1.0; i <= n; i++ {
		if at, ok := c.Walls[s.Wall].Shape.At(from.AddScaled(i/n, way), &hint); ok {
			depth = max(depth, -at.D)
		}
	}
	if depth == 0 {
		return nil
	}
	in := penetrationRecord{contacts: c, time: time}
	in.record(s.Wall, s.ArcLength, depth+s.Radius, s.Radius)
	return in.err
}
