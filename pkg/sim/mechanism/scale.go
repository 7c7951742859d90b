package mechanism

import "math"

// stiffness is what resists displacements, N/m, and rotations, N m/rad, of a node.
type stiffness struct{ linear, angular float64 }

// scaleNodes sets the stiffness of every node, by which shifts of the Hessian are scaled: that of the rod, or the least of weight
// and loads, springs, motors and tendons that act on the body. A mechanism has soft parts beside stiff ones, and what is small
// in one is not in the other. Bodies on which nothing acts have that of the links that joints connect them to.
func (w *World) scaleNodes() {
	byLink := make([]stiffness, len(w.links))
	for i, l := range w.rods {
		byLink[i] = l.stiffness()
	}
	for i, b := range w.bodies {
		byLink[len(w.rods)+i] = w.bodyStiffness(b)
	}
	if w.scale == nil {
		w.scale = make([]stiffness, len(w.pose))
	}
	of := func(s *side) *stiffness { return &byLink[w.linkOf[s.node]] }
	for range w.links { // as far as a chain of them reaches
		for _, c := range w.connections {
			if !c.hasPair {
				continue
			}
			a, b := of(&c.parent), of(&c.child)
			if a.linear == 0 {
				a, b = b, a
			}
			if b.linear == 0 {
				*b = *a
			}
		}
	}
	var largest stiffness
	for _, k := range byLink {
		largest.linear, largest.angular = max(largest.linear, k.linear), max(largest.angular, k.angular)
	}
	if largest.linear == 0 {
		largest = stiffness{1, w.size * w.size}
	}
	for i := range w.scale {
		if w.scale[i] = byLink[w.linkOf[i]]; w.scale[i].linear == 0 {
			w.scale[i] = largest
		}
	}
}

// bodyStiffness returns the least stiffness of what acts on a body; 0 if nothing does.
func (w *World) bodyStiffness(b *body) stiffness {
	if b.node < 0 {
		return stiffness{}
	}
	force, moment := b.Mass*b.gravity.Norm(), 0.0
	force, moment = force+b.external.wrench.Force.Norm(), moment+b.external.wrench.Moment.Norm()
	for _, l := range b.Loads {
		force, moment = force+l.Wrench.Force.Norm(), moment+l.Wrench.Moment.Norm()
	}
	length, least := b.extent(), math.Inf(1) // the second in N m/rad
	w.eachJointOf(b, func(c *connection, s *JointSide) {
		length = max(length, s.Frame.P.Norm(), s.Frame.P.Sub(b.CenterOfMass).Norm())
	})
	for _, t := range w.tendons {
		for _, h := range t.hole {
			if h.node == b.node {
				force += math.Abs(t.tension())
			}
		}
	}
	add := func(isAngle bool, k float64) {
		if !isAngle {
			k *= length * length
		}
		if k > 0 {
			least = min(least, k)
		}
	}
	w.eachJointOf(b, func(c *connection, s *JointSide) {
		for i, spring := range c.Spring {
			add(c.geometry.IsAngle(i), spring.Stiffness)
		}
		for i, m := range c.Motor {
			switch m.Kind {
			case PositionMotor:
				add(c.geometry.IsAngle(i), m.Stiffness)
			case EffortMotor:
				effort, _ := c.motorEffort(i, c.coordinate[i])
				if c.geometry.IsAngle(i) {
					moment += math.Abs(effort)
				} else {
					force += math.Abs(effort)
				}
			}
		}
	})
	add(true, force*length+moment)
	if math.IsInf(least, 1) {
		return stiffness{}
	}
	return stiffness{least / (length * length), least}
}

// eachJointOf calls do for the joints that hold a body.
func (w *World) eachJointOf(b *body, do func(c *connection, s *JointSide)) {
	for _, c := range w.connections {
		for _, s := range [...]*JointSide{&c.Parent, &c.Child} {
			if s.Link == b.Name {
				do(c, s)
			}
		}
	}
}

// jointStiffness returns the larger stiffness of the nodes of a joint.
func (w *World) jointStiffness(c *connection) (k stiffness) {
	for _, s := range [...]*side{&c.parent, &c.child} {
		if s.node >= 0 {
			k.linear, k.angular = max(k.linear, w.scale[s.node].linear), max(k.angular, w.scale[s.node].angular)
		}
	}
	return k
}

// addShift adds shift times the stiffness of the nodes to their blocks (Levenberg).
func (w *World) addShift(shift float64) {
	for i, k := range w.scale {
		d := w.matrix.Diagonal(i)
		d.LinLin().AddDiag(shift * k.linear)
		d.RotRot().AddDiag(shift * k.angular)
	}
}
