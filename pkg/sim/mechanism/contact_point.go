package mechanism

import (
	"math"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/mechanism/blocks"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// contactPoint is the contact of two colliders at one point of each: where two axes are closest, or a point of
// an axis on a field. Its normal n points from b to a. It moves the point of a by Σ weight p + R arm over
// the node points of a, and that of b likewise.
type contactPoint struct {
	key  pointKey
	a, b *collider
	mu   float64 // pair friction
	law  contact.NormalLaw

	pair *contact.ElementPair // of two axes: own; nil: a field
	own  contact.ElementPair
	// of a field
	normalForce     contact.NormalContact
	lo, hi          float64 // range of the share of the point on the axis
	hint            shape.Hint
	shareCompliance float64     // change of the share per derivative of the gap; 0 at the ends of the range, 1/m
	slopeGradient   spatial.Vec // derivative of that derivative with respect to the point
	curvature       [2]column   // of the field

	// at the present poses
	isNear     bool // the closest points are known; otherwise gap is a lower bound
	gap        float64
	normal     spatial.Vec    // gradient of the gap; see push
	shares     [2]float64     // of the points on the axes of a and b
	points     [2]spatial.Vec // on the axes of a and b, or on the field at the point on a, m
	force      float64        // N
	slope      float64        // −dforce/dgap, N/m
	gapRate    float64        // change of the gap by the increment, m
	nodePoints [4]nodePoint   // two of a, two of b
	slopes     [4]nodePoint   // derivatives with respect to the shares
	keepers    [3]column      // of the last tangent, what acts from the start of the step: two of friction, and damping
	factored   [3]float64     // stiffnesses of keepers in the last factors, N/m

	friction bristle
	reported spatial.Vec // force on a at the end of the last step, N

	// where the nodes couple in the matrix
	nodes      [4]int // distinct; the first count count
	slot       [4]int // of each nodePoint among them; -1: of what the equations do not move
	count      int
	place      [6]blocks.Place // of pairs of them, in the order (0, 1), (0, 2), …
	generation int             // of the matrix for which place holds
}

// pointKey tells contact points apart: indices of the colliders, and the part.
type pointKey struct{ a, b, part int }

// nodePoint is the part of a node in a point: weight times the position, and an arm in the axes of the node, m.
type nodePoint struct {
	node   int // -1: there is none
	weight float64
	arm    spatial.Vec
}

// column is a part stiffness v vᵀ of a tangent with respect to the relative position of the points. along is what
// it has of the derivatives of the positions with respect to the shares.
type column struct {
	stiffness float64
	v         spatial.Vec
	along     [2]spatial.Vec // of a and b
}

// parts returns how many contact points two colliders have: two halves of an axis on another axis, and on a field
// the first end of an axis, the ends of equal pieces of it, and, where the field is convex, a point that slides.
func parts(a, b *collider) int {
	switch {
	case a.isPoint:
		return 1
	case b.kind != fieldCollider:
		return 2
	case b.field.Convex():
		return 3
	}
	return 1 + a.pieces(b)
}

// pieces returns into how many pieces an axis is divided on a field.
func (c *collider) pieces(field *collider) int {
	if field.field.Convex() {
		return 1 // what lies between finds the sliding point
	}
	curved := field.field.MinRadius() + c.radius
	return contact.PointsPerElement(c.length, c.radius, 1/(1/curved+c.precurvature), false)
}

// init sets up a point that has been listed, at the start of the step.
func (c *contactPoint) init(w *World, key pointKey) {
	a, b := &w.contacts.colliders[key.a], &w.contacts.colliders[key.b]
	*c = contactPoint{key: key, a: a, b: b, mu: w.contacts.pairFriction(a, b), law: a.law(b), generation: -1}
	if b.kind == fieldCollider {
		switch {
		case a.isPoint:
			c.lo, c.hi = 0, 0
		case key.part <= a.pieces(b):
			share := float64(key.part) / float64(a.pieces(b))
			c.lo, c.hi = share, share
			c.law.Stiffness /= min(float64(a.pieces(b)), contact.MaxSharing)
		default:
			c.lo, c.hi = 0, 1
		}
		c.shares[0] = 0.5 * (c.lo + c.hi)
		c.setNodes(w, a.endpoints[0].node, a.endpoints[1].node, b.node, -1)
	} else {
		half := key.part
		if a.isPoint {
			half = -1
		}
		c.pair = &c.own
		c.pair.Init(a.segment, b.segment, half, c.law)
		c.setNodes(w, a.endpoints[0].node, a.endpoints[1].node, b.endpoints[0].node, b.endpoints[1].node)
	}
	c.update(w.contacts.startPose)
	c.commitGap(w.contacts.startPose)
	c.beginStep(w.contacts.rate)
}

func (c *contactPoint) setNodes(w *World, nodes ...int) {
	for i, n := range nodes {
		c.slot[i] = -1
		if !w.isUnknown(n) {
			continue
		}
		for k := range c.count {
			if c.nodes[k] == n {
				c.slot[i] = k
			}
		}
		if c.slot[i] < 0 {
			c.slot[i] = c.count
			c.nodes[c.count] = n
			c.count++
		}
	}
}

// ends returns the ends of both axes.
func (c *contactPoint) ends(nodes []spatial.Pose) (all [4]contact.HermiteNode) {
	for i, s := range [...]*collider{c.a, c.b} {
		if s.kind == fieldCollider {
			continue
		}
		for k := range s.endpoints {
			all[2*i+k] = s.endpoints[k].place(nodes)
		}
	}
	return all
}

// update computes gap, normal, force and node points at the given poses.
func (c *contactPoint) update(nodes []spatial.Pose) {
	c.force, c.slope = 0, 0
	ends := c.ends(nodes)
	if c.pair == nil {
		c.updateOnField(nodes, &ends)
		return
	}
	c.isNear = c.pair.Update(&ends)
	if c.gap, c.normal = c.pair.Gap(); !c.isNear {
		return
	}
	c.force, c.slope = c.pair.Force()
	for i, s := range [...]*collider{c.a, c.b} {
		p := c.pair.Point(i)
		c.points[i], c.shares[i] = p.Position, p.Share
		s.setNodePoints(&p.Weights, &p.Slopes, c.nodePoints[2*i:], c.slopes[2*i:])
	}
}

// setNodePoints sets the node points of a point of the axis, and those of its derivative with respect to the share.
func (c *collider) setNodePoints(weights, slopes *[2][2]float64, nodePoints, derivative []nodePoint) {
	for k := range c.endpoints {
		n := &c.endpoints[k]
		at := func(w *[2]float64) nodePoint {
			return nodePoint{n.node, w[0], n.at.Scale(w[0]).AddScaled(w[1], n.tangent)}
		}
		nodePoints[k], derivative[k] = at(&weights[k]), at(&slopes[k])
	}
}

// tangent columns of the normal force.
func (c *contactPoint) columns() (all [5]column, count int) {
	if c.pair == nil {
		all = [5]column{{stiffness: c.slope, v: c.normal}, c.curvature[0], c.curvature[1], {stiffness: c.force * c.shareCompliance, v: c.slopeGradient, along: [2]spatial.Vec{c.normal, c.normal}}}
		all[1].stiffness *= -c.force
		all[2].stiffness *= -c.force
		return all, 4
	}
	from, n := c.pair.Columns()
	for i := range n {
		all[i] = column{from[i].Stiffness, from[i].Position, [2]spatial.Vec{from[i].TangentA, from[i].TangentB}}
	}
	return all, n
}

// lowestBias is the second derivative of what is added to the gap towards the ends of the range of a point that
// slides along a field, over the radius: it makes the closest point unique where the axis is parallel to
// a face. See contact.ElementPair.
const lowestBias = 0.016

// updateOnField is update for a point on a field.
func (c *contactPoint) updateOnField(nodes []spatial.Pose, ends *[4]contact.HermiteNode) {
	c.shareCompliance, c.slopeGradient = 0, spatial.Vec{}
	at, ok := c.query(nodes, ends)
	if c.hi > c.lo && ok && at.D-c.a.radius-c.a.length*max(c.shares[0], 1-c.shares[0]) < c.law.ActivationGap {
		at, ok = c.slide(nodes, ends)
	}
	c.gap, c.isNear = at.D-c.a.radius, ok
	if !ok {
		return
	}
	bias := lowestBias * c.a.radius * (c.hi - c.lo)
	c.gap += 0.5 * bias * (c.shares[0] - 0.5) * (c.shares[0] - 0.5)
	c.normal = at.N
	c.force, c.slope = c.normalForce.ForceAt(&c.law, c.gap)
	c.setCurvature(&at.W)
	weights, slopes := contact.PositionWeights(c.shares[0], c.a.length)
	c.a.setNodePoints(&weights, &slopes, c.nodePoints[:], c.slopes[:])
	c.points[1] = c.points[0]
	g := &nodes[c.b.node]
	c.nodePoints[2] = nodePoint{c.b.node, 1, g.R.ApplyT(c.points[0].Sub(g.P))}
	d1, _ := contact.AxisDerivatives(c.shares[0], c.a.length, &ends[0], &ends[1])
	c.slopes[2] = nodePoint{c.b.node, 0, g.R.ApplyT(d1)} // the normal turns with the field
	c.nodePoints[3], c.slopes[3] = nodePoint{node: -1}, nodePoint{node: -1}
}

// query returns what the field is at the point, world axes.
func (c *contactPoint) query(nodes []spatial.Pose, ends *[4]contact.HermiteNode) (at shape.Place, ok bool) {
	c.points[0] = contact.AxisPoint(c.shares[0], c.a.length, &ends[0], &ends[1])
	g := &nodes[c.b.node]
	at, ok = c.b.field.At(g.R.ApplyT(c.points[0].Sub(g.P)), &c.hint)
	at.N, at.W = g.R.Apply(at.N), g.R.Mul(at.W).MulT(g.R)
	return at, ok
}

// slide moves the point to where the axis is closest to the field: Newton's method between bounds.
func (c *contactPoint) slide(nodes []spatial.Pose, ends *[4]contact.HermiteNode) (at shape.Place, ok bool) {
	const steps, tolerance = 40, 1e-11
	lo, hi := math.Inf(-1), math.Inf(1)
	bias := lowestBias * c.a.radius
	for range steps {
		if at, ok = c.query(nodes, ends); !ok {
			return at, false
		}
		d1, d2 := contact.AxisDerivatives(c.shares[0], c.a.length, &ends[0], &ends[1])
		c.slopeGradient = at.W.Apply(d1)
		slope := at.N.Dot(d1) + bias*(c.shares[0]-0.5)
		curve := max(c.slopeGradient.Dot(d1)+at.N.Dot(d2)+bias, bias)
		free := c.shares[0] - slope/curve
		next := max(c.lo, min(c.hi, free))
		if c.shareCompliance = 0; next == free {
			c.shareCompliance = 1 / curve
		}
		if math.Abs(next-c.shares[0]) < tolerance {
			break
		}
		if slope > 0 {
			hi = c.shares[0]
		} else {
			lo = c.shares[0]
		}
		if next <= lo || next >= hi {
			next = 0.5 * (max(lo, c.lo) + min(hi, c.hi))
		}
		c.shares[0] = next
	}
	return at, ok
}

// setCurvature sets the columns of the field's second derivative across the normal: its eigenvectors.
func (c *contactPoint) setCurvature(m *spatial.Mat3) {
	_, n := c.push()
	u := n.Perpendicular()
	v := n.Cross(u)
	mu, mv := m.Apply(u), m.Apply(v)
	uu, uv, vv := u.Dot(mu), u.Dot(mv), v.Dot(mv)
	sin, cos := math.Sincos(0.5 * math.Atan2(2*uv, uu-vv))
	mean, half := 0.5*(uu+vv), math.Hypot(0.5*(uu-vv), uv)
	c.curvature = [2]column{
		{stiffness: mean + half, v: u.Scale(cos).AddScaled(sin, v)},
		{stiffness: mean - half, v: v.Scale(cos).AddScaled(-sin, u)},
	}
}

// commitGap makes the present gap that of the state.
func (c *contactPoint) commitGap(nodes []spatial.Pose) {
	if c.pair != nil {
		ends := c.ends(nodes)
		c.pair.Commit(&ends)
		c.pair.SetStep(0)
		return
	}
	c.normalForce.Begin(&c.law, c.gap, 0)
}

// beginStep starts a step of length 1/rate, or statics with rate 0. The slope is then that with the damping of the step.
func (c *contactPoint) beginStep(rate float64) {
	if c.pair != nil {
		if c.pair.SetStep(rate); c.isNear {
			_, c.slope = c.pair.Force()
		}
		return
	}
	// round-off of the search is not part of the state
	c.hint, c.shares[0] = shape.Hint{}, 0.5*(c.lo+c.hi)
	if c.normalForce.SetStep(&c.law, rate); c.isNear {
		_, c.slope = c.normalForce.ForceAt(&c.law, c.gap)
	}
}

// push returns the magnitude (N) and the direction of the normal force. The force is along the gradient of the gap, which is no unit
// vector at the edges of a mesh: there the distance is rounded off.
func (c *contactPoint) push() (force float64, direction spatial.Vec) {
	size := c.normal.Norm()
	if size == 0 {
		return 0, spatial.Vec{}
	}
	return c.force * size, c.normal.Scale(1 / size)
}

// forceAt returns the normal force at another gap, N.
func (c *contactPoint) forceAt(gap float64) float64 {
	if c.pair != nil {
		return c.pair.ForceAtGap(gap)
	}
	force, _ := c.normalForce.ForceAt(&c.law, gap)
	return force
}

// isImpact reports whether the colliders touch and were apart at the start of the step.
func (c *contactPoint) isImpact() bool {
	if c.pair != nil {
		return c.pair.IsImpact()
	}
	return c.isNear && c.normalForce.IsImpact(&c.law, c.gap)
}

// surfacePoint returns the place of contact between the surfaces, world, m.
func (c *contactPoint) surfacePoint() spatial.Vec {
	_, normal := c.push()
	return c.points[0].AddScaled(-c.a.radius-0.5*c.gap, normal)
}
