package mechanism

import (
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/spatial"
)

// bristle is the Coulomb friction of a contact point: an elastic deflection that is part of the state, so that a
// contact below the limit sticks without creep, and slips at the limit. A step takes the limit from the
// normal force at the end of the step before, or, where that has changed by more than a fifth, from that of
// its own iterate; its tangent is then symmetric. The force acts on points that are fixed on both links within a step.
//
// The slip within a step is damped as the approach is: the force of an impact is that of the damping, by the ratio of slip and
// approach up to the limit, so that its impulse is Coulomb's at any length of the step. A spring alone would have hardly begun to
// deflect in a short one.
type bristle struct {
	// state
	deflection  spatial.Vec // world, m
	normal      spatial.Vec // direction of the normal force
	normalForce float64     // N

	// within a step
	law        contact.Friction // with the damping
	slip       float64          // elastic deflection at which it slips, m
	share      float64          // of the stiffness in that with the damping
	plane      spatial.Vec      // normal of the plane in which friction acts
	start      spatial.Vec      // deflection at the start of the step, m
	nodePoints [4]nodePoint
	trial      spatial.Vec // deflection at the iterate that has the force with the stiffness of the law, m
	rate       spatial.Vec // change of that by the increment, m
}

// leastSlip is the least deflection at which a contact point slips, over the activation gap: about that of a body
// that rests on it. Where rods are far stiffer than their loads, a smaller one only costs iterations.
const leastSlip = 0.1

// begin starts a step with the friction of the state, that of the law alone after an impact, whose damping has ended with its step.
func (b *bristle) begin(c *contactPoint, w *World) {
	b.law = contact.Friction{}
	force := b.normalForce
	if c.isDamped(force) {
		elastic, _ := c.law.Force(c.gap)
		force = elastic * c.normal.Norm()
	}
	if c.mu*force > 0 {
		b.set(c, w, c.mu*force, b.normal, b.deflection)
		b.start = b.elasticPart(b.start)
		b.update(w)
	}
}

// isDamped reports whether a normal force at the present gap is one of damping, by more than a fifth of it.
func (c *contactPoint) isDamped(force float64) bool {
	elastic, _ := c.law.Force(c.gap)
	return (1-frictionChange)*force > elastic*c.normal.Norm()
}

// elasticPart returns the part of a deflection that the present limit allows: beyond, the contact slips.
func (b *bristle) elasticPart(deflection spatial.Vec) spatial.Vec {
	return deflection.Scale(min(1, b.slip/max(deflection.Norm(), b.slip)))
}

// set makes the friction that of the given limit (N) after a deflection (m), in the plane with a unit normal, at the present node points.
func (b *bristle) set(c *contactPoint, w *World, limit float64, normal, deflection spatial.Vec) {
	b.setLimit(c, limit)
	b.plane = normal
	b.start = contact.ProjectKeepingLength(deflection, normal)
	b.nodePoints = c.nodePoints
	at := c.surfacePoint()
	for i := range b.nodePoints {
		if s := &b.nodePoints[i]; s.node >= 0 {
			share := c.shares[i/2] // of a rod's element; a node turns its share of the arm
			if i%2 == 0 {
				share = 1 - share
			}
			s.arm = s.arm.AddScaled(share, w.frames[s.node].R.ApplyT(at.Sub(c.points[i/2])))
		}
	}
	b.update(w)
}

func (b *bristle) setLimit(c *contactPoint, limit float64) {
	_, slope := c.law.Force(c.gap)
	b.law = c.law.Friction(limit, slope, leastSlip)
	b.slip, b.share = b.law.Slip, 1
	if damping := c.slope - slope; damping > 0 {
		stiffness := limit / b.slip
		b.share = stiffness / (stiffness + damping)
		b.law.Slip *= b.share
	}
}

// update computes the deflection at the present poses.
func (b *bristle) update(w *World) {
	if b.law.Limit == 0 {
		return
	}
	slip := relativePosition(&b.nodePoints, w.frames).Sub(relativePosition(&b.nodePoints, w.contacts.startPose))
	b.trial = b.start.Scale(b.share).Add(slip.AddScaled(-slip.Dot(b.plane), b.plane))
}

// relativePosition returns the position of the point on a from that on b, m.
func relativePosition(nodePoints *[4]nodePoint, nodes []spatial.Pose) (sum spatial.Vec) {
	for i := range nodePoints {
		if s := &nodePoints[i]; s.node >= 0 {
			g := &nodes[s.node]
			sum = sum.AddScaled(sideSign(i), g.P.Scale(s.weight).Add(g.R.Apply(s.arm)))
		}
	}
	return sum
}

// sideSign is 1 for node points of a, and -1 for those of b.
func sideSign(i int) float64 { return float64(1 - i/2*2) }

// force returns the friction force on a, N.
func (b *bristle) force() spatial.Vec { return b.law.Force(b.trial) }

// columns returns the columns of the tangent, and how many count.
func (b *bristle) columns() (all [2]column, count int) {
	if d := b.trial.Norm(); d > b.law.Slip {
		return [2]column{{stiffness: b.law.Limit / d, v: b.plane.Cross(b.trial.Scale(1 / d))}}, 1
	}
	u := b.plane.Perpendicular()
	k := b.law.Limit / b.law.Slip
	return [2]column{{stiffness: k, v: u}, {stiffness: k, v: b.plane.Cross(u)}}, 2
}

// commit makes deflection and normal force at the end of the step the state.
func (b *bristle) commit(c *contactPoint) {
	b.normalForce, b.normal = c.push()
	if b.law.Limit == 0 || c.force == 0 {
		b.deflection = spatial.Vec{}
		return
	}
	b.deflection = b.elasticPart(b.trial.AddScaled(1-b.share, b.start)).Flush()
}

// slippingPoint returns the contact point of the largest normal force of those that slip at the iterate, or nil.
func (w *World) slippingPoint() (most *contactPoint) {
	for _, c := range w.contacts.listed {
		if b := &c.friction; b.law.Limit > 0 && b.trial.Norm() > b.law.Slip && (most == nil || c.force > most.force) {
			most = c
		}
	}
	return most
}

// updateFriction sets limits of friction from the normal forces of the iterate where they differ by more than the
// given share. It reports whether there was one; then the equations have to be solved again.
func (w *World) updateFriction(share float64) (hasChanged bool) {
	for _, c := range w.contacts.listed {
		b := &c.friction
		force, normal := c.push()
		want := c.mu * force
		if d := want - b.law.Limit; d > share*b.law.Limit && d > 1e-9*c.law.Stiffness*c.law.ActivationGap || -d > share*b.law.Limit {
			hasChanged = true
			switch {
			case want == 0:
				b.law = contact.Friction{}
			case b.law.Limit == 0:
				b.set(c, w, want, normal, spatial.Vec{})
			default:
				b.setLimit(c, want)
				b.update(w)
			}
		}
	}
	return hasChanged
}
