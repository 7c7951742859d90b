package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// contact is the point of a body that is nearest to a wall: force along normal, into the
// fluid, acts at arm from the body's reference point.
type contact struct {
	wall        int
	place       int // of the point on a hull with corners, the same from step to step
	normal, arm spatial.Vec
	gap         float64 // m, over the roughness
	push        float64 // reaction, N
	speed       float64 // approach of the point per N of reaction, m/(s N)
}

// touch is the gap, over the half-width of the body, that still counts as contact:
// round-off after PushOut.
const touch = 1e-9

// maxContacts bounds the points at which a body touches walls at a time: the nearest count.
const maxContacts = 8

// React returns the motion t (world axes) of the body at x under the reactions of
// the walls that it touches, and the sum of these as a wrench about the reference
// point. Reactions push, never pull, and just keep the touching points from moving
// into the walls: without friction, they act along the normals. For a body that
// touches nothing, t comes back unchanged. Hull and the mobility m are in world
// axes.
func (w *Walls) React(x spatial.Vec, hull *Hull, m *Mobility, t spatial.Twist) (spatial.Twist, spatial.Wrench) {
	var buffer [maxContacts]contact
	touching := w.near(buffer[:0], x, hull, m, touch)
	for i := range touching {
		touching[i].gap = 0
	}
	return react(touching, m, t, 1)
}

// Restrain is React of walls that the body may reach within h seconds: no point comes
// nearer by more than its gap, and one inside a wall leaves it. The motion depends on the
// gap continuously, and a body whose motion it is comes to rest at a wall as by a damper of
// the time h.
func (w *Walls) Restrain(x spatial.Vec, hull *Hull, m *Mobility, t spatial.Twist, h float64) spatial.Twist {
	var buffer [maxContacts]contact
	t, _ = react(w.near(buffer[:0], x, hull, m, math.Inf(1)), m, t, h)
	return t
}

// ContactReference is where a body is before a step.
type ContactReference struct {
	Position spatial.Vec // m
	Hull     Hull        // world axes
	Mobility Mobility    // world axes
}

// Prevent returns the least change of the twist of a body on the footing that keeps it out
// of the walls which it would be inside of at x, h seconds later.
func (w *Walls) Prevent(from *ContactReference, x spatial.Vec, hull *Hull, h float64) spatial.Twist {
	var begin, end [maxContacts]contact
	m := &from.Mobility
	pushing := w.near(begin[:0], from.Position, &from.Hull, m, math.Inf(1))
	for i := range pushing {
		pushing[i].gap = math.Inf(1)
	}
	for _, c := range w.near(end[:0], x, hull, m, 0) {
		if at := mostSimilar(pushing, &c); at != nil {
			at.gap = min(at.gap, c.gap)
		}
	}
	t, _ := react(pushing, m, spatial.Twist{}, h)
	return t
}

// mostSimilar returns the one of the contacts that has become c, nil if none has.
func mostSimilar(contacts []contact, c *contact) *contact {
	var best *contact
	for i := range contacts {
		if k := &contacts[i]; k.wall == c.wall && k.place == c.place && (best == nil || k.normal.Dot(c.normal) > best.normal.Dot(c.normal)) {
			best = k
		}
	}
	return best
}

// react returns the motion t of a body under the reactions that keep the contacts from
// closing further within h seconds than to a gap of 0, and the sum of these, by projected
// Gauss-Seidel iteration.
func react(contacts []contact, m *Mobility, t spatial.Twist, h float64) (spatial.Twist, spatial.Wrench) {
	const sweeps = 200
	tolerance := 1e-14
	for i := range contacts {
		if contacts[i].place != 0 {
			tolerance = 1e-9 // the corners of a face share its load in many ways
		}
	}
	for range sweeps {
		most, moved := 0.0, 0.0
		for i := range contacts {
			c := &contacts[i]
			v := t.Linear.Add(t.Angular.Cross(c.arm)).Dot(c.normal)
			d := max(-(v+c.gap/h)/c.speed, -c.push)
			most = max(most, c.push)
			if d == 0 {
				continue
			}
			moved = max(moved, math.Abs(d))
			c.push += d
			dt := m.Apply(c.wrench(d))
			t = spatial.Twist{Linear: t.Linear.Add(dt.Linear), Angular: t.Angular.Add(dt.Angular)}
		}
		if moved <= tolerance*most || len(contacts) == 1 { // exact at once for one contact
			break
		}
	}
	var sum spatial.Wrench
	for i := range contacts {
		r := contacts[i].wrench(contacts[i].push)
		sum.Force, sum.Moment = sum.Force.Add(r.Force), sum.Moment.Add(r.Moment)
	}
	return t, sum
}

// near appends to dst the contacts of the body with gaps up to reach (of its half-width).
func (w *Walls) near(dst []contact, x spatial.Vec, hull *Hull, m *Mobility, reach float64) []contact {
	var points [maxTouches]contact
	for i := range w.count() {
		found := w.points(&points, i, x, hull)
		for k := range found {
			if c := &found[k]; c.gap <= reach*hull.HalfWidth(c.normal) {
				dst = insert(dst, c, m)
			}
		}
	}
	return dst
}

// insert appends the contact to dst, or, where that is full, puts it in the place of the
// widest, if it is narrower.
func insert(dst []contact, c *contact, m *Mobility) []contact {
	unit := m.Apply(c.wrench(1))
	c.speed = unit.Linear.Add(unit.Angular.Cross(c.arm)).Dot(c.normal)
	if len(dst) < maxContacts {
		return append(dst, *c)
	}
	widest := 0
	for i := range dst {
		if dst[i].gap > dst[widest].gap {
			widest = i
		}
	}
	if c.gap < dst[widest].gap {
		dst[widest] = *c
	}
	return dst
}

// points returns the points of the body at x that are nearest to wall i, in dst: either end of a long
// body in a vessel, the corners of a cuboid, none where a surface has no distance. The first is the
// nearest.
func (w *Walls) points(dst *[maxTouches]contact, i int, x spatial.Vec, hull *Hull) []contact {
	if hull.Sweeps == 0 {
		return w.ellipsoidPoints(dst[:0], i, x, &hull.Ellipsoid)
	}
	found := dst[:0]
	for k := range hull.corners() {
		corner, before := hull.corner(k), len(found)
		if i < len(w.planes) {
			found = w.feet(found, i, x.Add(corner), hull)
		} else {
			found = w.ellipsoidPoints(found, i, x.Add(corner), &hull.Ellipsoid)
		}
		for j := before; j < len(found); j++ {
			found[j].arm, found[j].place = found[j].arm.Add(corner), len(dst)*k+j-before
		}
	}
	if i >= w.fixed() {
		found = w.appendBetween(found, i, x, hull)
	}
	return nearestFirst(found)
}

// nearestFirst exchanges the nearest of the points and the first one.
func nearestFirst(points []contact) []contact {
	nearest := 0
	for i := range points {
		if points[i].gap < points[nearest].gap {
			nearest = i
		}
	}
	if nearest > 0 {
		points[0], points[nearest] = points[nearest], points[0]
	}
	return points
}

// ellipsoidPoints appends to dst the points of an ellipsoid at x that are nearest to wall i, the nearest
// first.
func (w *Walls) ellipsoidPoints(dst []contact, i int, x spatial.Vec, e *spatial.Mat3) []contact {
	if i >= w.fixed() {
		return w.appendTouches(dst, i, x, e)
	}
	if i >= len(w.planes) {
		if all := w.appendEnds(dst, i, x, e); len(all) > len(dst) {
			return all
		}
	}
	h, n := w.nearest(i, x)
	return append(dst, w.contact(i, n, h, e))
}

// feet appends to dst the points on which the ellipsoid of a hull stands at x on plane i.
func (w *Walls) feet(dst []contact, i int, x spatial.Vec, hull *Hull) []contact {
	h, n := w.nearest(i, x)
	var feet [4]spatial.Vec
	for _, p := range feet[:hull.feet(&feet, n)] {
		dst = append(dst, contact{wall: i, normal: n, gap: h + p.Dot(n) - w.roughness, arm: p})
	}
	return dst
}

// contact returns the contact of an ellipsoid with wall i, which is h away from its centre along
// the normal n.
func (w *Walls) contact(i int, n spatial.Vec, h float64, e *spatial.Mat3) contact {
	b := halfWidth(e, n)
	c := contact{wall: i, normal: n, gap: h - b - w.roughness}
	if b > 0 {
		c.arm = e.Apply(n).Scale(-1 / b) // where the tangent plane is normal to n
	}
	return c
}

// wrench returns the wrench about the reference point of a reaction of f newtons.
func (c *contact) wrench(f float64) spatial.Wrench {
	force := c.normal.Scale(f)
	return spatial.Wrench{Force: force, Moment: c.arm.Cross(force)}
}

// PushOut returns x moved along the walls' normals until the body just touches what
// it was inside of: what the error of a time step leaves. In a corner narrower than the
// body it gives up after a few rounds.
func (w *Walls) PushOut(x spatial.Vec, hull *Hull) spatial.Vec {
	const rounds = 10
	var points [maxTouches]contact
	for range rounds {
		inside := false
		for i := range w.count() {
			for j, c := range w.points(&points, i, x, hull) {
				if c.gap < 0 && (j == 0 || i < w.fixed() && hull.Sweeps == 0) {
					x = x.AddScaled(-c.gap, c.normal)
					inside = true
				}
			}
		}
		if !inside {
			break
		}
	}
	return x
}
