package stokes

import "sinew/pkg/sim/spatial"

// contact is a point where a body touches a wall: force along normal, into the
// fluid, acts at arm from the body's reference point.
type contact struct {
	normal, arm spatial.Vec
	push        float64 // reaction, N
	speed       float64 // approach of the point per N of reaction, m/(s N)
}

// touch is the gap, over the half-width of the body, that still counts as contact:
// round-off after PushOut.
const touch = 1e-9

// maxContacts bounds the walls that a body touches at a time.
const maxContacts = 8

// React returns the motion t (world axes) of the body at x under the reactions of
// the walls that it touches, and the sum of these as a wrench about the reference
// point. Reactions push, never pull, and just keep the touching points from moving
// into the walls: without friction, they act along the normals. For a body that
// touches nothing, t comes back unchanged. Extent and the mobility m are in world
// axes.
func (w *Walls) React(x spatial.Vec, extent *spatial.Mat3, m *Mobility, t spatial.Twist) (spatial.Twist, spatial.Wrench) {
	var buffer [maxContacts]contact
	touching := w.touching(buffer[:0], x, extent, m)
	if len(touching) == 0 {
		return t, spatial.Wrench{}
	}
	// projected Gauss-Seidel: exact at once for one contact
	const sweeps = 30
	for range sweeps {
		moved := false
		for i := range touching {
			c := &touching[i]
			v := t.Linear.Add(t.Angular.Cross(c.arm)).Dot(c.normal)
			d := max(-v/c.speed, -c.push)
			if d == 0 {
				continue
			}
			moved = true
			c.push += d
			dt := m.Apply(c.wrench(d))
			t = spatial.Twist{Linear: t.Linear.Add(dt.Linear), Angular: t.Angular.Add(dt.Angular)}
		}
		if !moved || len(touching) == 1 {
			break
		}
	}
	var sum spatial.Wrench
	for i := range touching {
		r := touching[i].wrench(touching[i].push)
		sum.Force, sum.Moment = sum.Force.Add(r.Force), sum.Moment.Add(r.Moment)
	}
	return t, sum
}

// touching appends the contacts of the body to dst.
func (w *Walls) touching(dst []contact, x spatial.Vec, extent *spatial.Mat3, m *Mobility) []contact {
	for i := range w.count() {
		h, n := w.nearest(i, x)
		b := halfWidth(extent, n)
		if h-b > w.roughness+touch*b || len(dst) == maxContacts {
			continue
		}
		c := contact{normal: n}
		if b > 0 {
			c.arm = extent.Apply(n).Scale(-1 / b) // where the tangent plane is normal to n
		}
		unit := m.Apply(c.wrench(1))
		c.speed = unit.Linear.Add(unit.Angular.Cross(c.arm)).Dot(n)
		dst = append(dst, c)
	}
	return dst
}

// wrench returns the wrench about the reference point of a reaction of f newtons.
func (c *contact) wrench(f float64) spatial.Wrench {
	force := c.normal.Scale(f)
	return spatial.Wrench{Force: force, Moment: c.arm.Cross(force)}
}

// PushOut returns x moved along the walls' normals until the body just touches what
// it was inside of. A time step ends with it, since a body that comes to a wall
// during a step gets in by a fraction of that step. In a corner narrower than the
// body it gives up after a few rounds.
func (w *Walls) PushOut(x spatial.Vec, extent *spatial.Mat3) spatial.Vec {
	const rounds = 10
	for range rounds {
		inside := false
		for i := range w.count() {
			h, n := w.nearest(i, x)
			if gap := h - halfWidth(extent, n) - w.roughness; gap < 0 {
				x = x.AddScaled(-gap, n)
				inside = true
			}
		}
		if !inside {
			break
		}
	}
	return x
}
