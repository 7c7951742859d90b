package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// CheckPenetration returns an error if the rod penetrates a wall or itself by more than its radius,
// so that its centre line is on the wrong side, or if its base is inside a wall. No contact force
// acts on the prescribed base, so this check alone covers it.
func (c *Contacts) CheckPenetration(rod *strain.State, time float64) error {
	return c.checkPenetration(rod, time, false)
}

// CheckNewPenetration is CheckPenetration at the end of a step for contact points that did not
// touch at its start. Contact points that did may be pressed deeply into a soft wall, which a gauge
// shows.
func (c *Contacts) CheckNewPenetration(rod *strain.State, time float64) error {
	return c.checkPenetration(rod, time, true)
}

func (c *Contacts) checkPenetration(rod *strain.State, time float64, entered bool) error {
	worst := penetrationRecord{contacts: c, time: time}
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			s := &c.Points[k]
			p := &c.wallContacts[k]
			if depth := s.staticOffset - p.gap; depth > s.Radius && !(entered && p.prevGap < s.ActivationGap) {
				worst.record(s.Wall, s.ArcLength, depth, s.Radius, c.positions[k])
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

// penetrationRecord keeps the error of the deepest penetration recorded.
type penetrationRecord struct {
	contacts *Contacts
	time     float64
	err      *InsideWallError // nil: no penetration so far
}

// record records the penetration of a wall by the surface at an arc length, whose centre is at p (m).
func (d *penetrationRecord) record(wall int, at, depth, radius float64, p spatial.Vec) {
	if d.err == nil || depth > d.err.Depth {
		w := &d.contacts.Walls[wall]
		d.err = &InsideWallError{Time: d.time, Wall: w.Name, ArcLength: at, Depth: depth, Allowed: radius, shape: w.Shape, at: p}
	}
}

// recordBasePenetration records the walls that contain the centre of the base, by more than a tenth
// of the radius. That tolerance covers the error of a mesh, and a base that stands on a table.
func (c *Contacts) recordBasePenetration(rod *strain.State, to *penetrationRecord) {
	const open = 0.1
	for w := range c.Walls {
		if at, ok := c.Walls[w].Shape.At(rod.Pose[0].P, &c.baseHints[w]); ok && -at.D > open*c.baseRadius {
			to.record(w, 0, c.baseRadius-at.D, c.baseRadius, rod.Pose[0].P)
		}
	}
}

// CheckBasePenetration returns an *InsideWallError if the base is inside a wall.
func (c *Contacts) CheckBasePenetration(rod *strain.State, time float64) error {
	base := penetrationRecord{contacts: c, time: time}
	if c.recordBasePenetration(rod, &base); base.err == nil {
		return nil
	}
	return base.err
}

// CheckBaseMotion explains a step that cannot be solved. It returns an error if the base moves into
// a wall, or if a rigid motion with the base takes the rod through a wall.
func (c *Contacts) CheckBaseMotion(rod *strain.State, time float64) error {
	if err := c.CheckBasePenetration(rod, time); err != nil {
		return err
	}
	by := rod.Base.Mul(rod.StartBase().Inv())
	for _, i := range c.near {
		for k, last := c.patches[i].nearPoints(); k < last; k++ {
			if err := c.checkPath(time, k, c.advectedPosition(k), by.Apply(c.prevPositions[k])); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkPath returns an error if the straight path of contact point k, from where no wall was near,
// leads through a wall. This covers a path into a tube from outside, since the penetration is
// largest where the wall begins from behind. It samples the path every half radius, and refuses a
// path that is too long for that.
func (c *Contacts) checkPath(time float64, k int, from, to spatial.Vec) error {
	s, p := &c.Points[k], &c.wallContacts[k]
	path := to.Sub(from)
	d := path.Norm()
	if !math.IsInf(p.prevGap, 1) || d < p.prevFreeDistance && !math.IsInf(p.prevFreeDistance, 1) {
		return nil
	}
	const most = 4096 // largest number of samples
	n := math.Ceil(2 * d / s.Radius)
	if !(n <= most) {
		return &SpeedError{Time: time, ArcLength: s.ArcLength, Wall: c.Walls[s.Wall].Name, Distance: d, Allowed: 0.5 * most * s.Radius}
	}
	depth, hint := 0.0, p.hint
	for i := 1.0; i <= n; i++ {
		if at, ok := c.shapeOf(s).At(from.AddScaled(i/n, path), &hint); ok {
			depth = max(depth, -at.D)
		}
	}
	if depth == 0 {
		return nil
	}
	in := penetrationRecord{contacts: c, time: time}
	in.record(s.Wall, s.ArcLength, depth+s.Radius, s.Radius, to)
	return in.err
}
