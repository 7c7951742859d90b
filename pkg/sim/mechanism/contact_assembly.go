package mechanism

import (
	"cmp"
	"slices"

	"sinew/pkg/sim/spatial"
)

// isUnknown reports whether a frame is that of a node, which the equations move.
func (w *World) isUnknown(frame int) bool { return frame >= 0 && frame < len(w.pose) }

// hasActiveContact reports whether some point has a force.
func (w *World) hasActiveContact() bool {
	for _, p := range w.contacts.listed {
		if p.isActive() {
			return true
		}
	}
	return false
}

// isActive reports whether the point has a force.
func (c *contactPoint) isActive() bool { return c.force > 0 || c.friction.law.Limit > 0 }

// coupleContacts finds where the points that act couple nodes in the matrix, and makes a matrix with more couplings
// where it lacks some.
func (w *World) coupleContacts() {
	c := &w.contacts
	c.hasCoupled = false
	for _, p := range c.listed {
		if p.isActive() && p.generation != c.generation && !p.findPlaces(w) {
			c.hasCoupled = true
		}
	}
	if !c.hasCoupled {
		return
	}
	c.coupled = c.couplings(c.coupled)
	w.newMatrix()
	for _, p := range c.listed {
		if p.isActive() {
			p.findPlaces(w)
		}
	}
}

// coupleNear makes the couplings of the matrix those of the points that are near at the start of a step, so that they,
// and with them round-off, depend on the state alone.
func (w *World) coupleNear() {
	c := &w.contacts
	c.near = c.couplings(c.near[:0])
	if !slices.Equal(c.near, c.coupled) {
		c.near, c.coupled = c.coupled, c.near
		w.newMatrix()
	}
}

// couplings adds the pairs of nodes that points which act, or are near, couple, and returns all in order.
func (c *contacts) couplings(pairs [][2]int) [][2]int {
	for _, p := range c.listed {
		if !p.isActive() && p.gap > nearShare*c.margin {
			continue
		}
		for i := range p.count {
			for _, k := range p.nodes[i+1 : p.count] {
				pairs = append(pairs, [2]int{min(p.nodes[i], k), max(p.nodes[i], k)})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	return slices.Compact(pairs)
}

// findPlaces reports whether the matrix couples the nodes of the point, and finds where.
func (c *contactPoint) findPlaces(w *World) bool {
	n := 0
	for i := range c.count {
		for k := i + 1; k < c.count; k++ {
			if !w.matrix.IsCoupled(c.nodes[i], c.nodes[k]) {
				return false
			}
			c.place[n] = w.matrix.Place(c.nodes[i], c.nodes[k])
			n++
		}
	}
	c.generation = w.contacts.generation
	return true
}

// assembleContacts adds wrenches of contact, and the tangents where the matrix is that of an iteration.
func (w *World) assembleContacts(withTangent bool) {
	for _, c := range w.contacts.listed {
		isExact := withTangent && !w.contacts.isConvex
		c.keepers = [3]column{}
		if c.force > 0 {
			w.addContactForce(&c.nodePoints, c.normal.Scale(c.force), isExact)
			if withTangent {
				columns, n := c.columns()
				w.addColumns(c, &c.nodePoints, &c.slopes, columns[:n])
			}
			if _, slope := c.law.Force(c.gap); c.slope > slope {
				c.keepers[2] = column{stiffness: c.slope - slope, v: c.normal}
			}
			if isExact {
				w.addFieldRotation(c)
			}
		}
		if b := &c.friction; b.law.Limit > 0 {
			w.addContactForce(&b.nodePoints, b.force(), isExact)
			if withTangent {
				columns, n := b.columns()
				w.addColumns(c, &b.nodePoints, &noSlopes, columns[:n])
				copy(c.keepers[:], columns[:n])
			}
		}
	}
}

// noSlopes are the derivatives of node points that do not slide.
var noSlopes = [4]nodePoint{{node: -1}, {node: -1}, {node: -1}, {node: -1}}

// addContactForce adds the force on a, and its opposite on b, N in world axes. Its tangent is the symmetric part of
// that of a constant force.
func (w *World) addContactForce(nodePoints *[4]nodePoint, force spatial.Vec, withTangent bool) {
	for i := range nodePoints {
		s := &nodePoints[i]
		if !w.isUnknown(s.node) {
			continue
		}
		var unused spatial.Mat6
		k := &unused
		if withTangent {
			k = w.matrix.Diagonal(s.node)
		}
		s.addForce(&w.pose[s.node].R, force.Scale(sideSign(i)), &w.right[s.node], k)
	}
}

// addForce adds the force f (world axes) on a point, and the symmetric part of its tangent.
func (s *nodePoint) addForce(rot *spatial.Mat3, f spatial.Vec, r *spatial.Vec6, k *spatial.Mat6) {
	f = rot.ApplyT(f)
	addWrench(r, f.Scale(s.weight), s.arm.Cross(f))
	half := spatial.Skew(f).Scale(0.5 * s.weight) // of the block below the diagonal
	turn := spatial.Skew(s.arm).Mul(spatial.Skew(f)).Scale(-1)
	addBlocks(k, spatial.Mat3{}, half, turn.Add(turn.T()).Scale(0.5))
}

// addColumns adds the columns over the nodes of a point.
func (w *World) addColumns(c *contactPoint, nodePoints, slopes *[4]nodePoint, columns []column) {
	var block [6]spatial.Mat6
	for i := range columns {
		q := &columns[i]
		if q.stiffness == 0 || q.stiffness < 0 && w.contacts.isConvex {
			continue
		}
		var gradient [4]spatial.Vec6
		for k := range nodePoints {
			slot := c.slot[k]
			if slot < 0 {
				continue
			}
			r := &w.pose[c.nodes[slot]].R
			s, d := &nodePoints[k], &slopes[k]
			v, along := r.ApplyT(q.v).Scale(sideSign(k)), r.ApplyT(q.along[k/2]).Scale(sideSign(k))
			addWrench(&gradient[slot], v.Scale(s.weight).AddScaled(d.weight, along), s.arm.Cross(v).Add(d.arm.Cross(along)))
		}
		n := 0
		for a := range c.count {
			addOuter(w.matrix.Diagonal(c.nodes[a]), q.stiffness, &gradient[a], &gradient[a])
			for b := a + 1; b < c.count; b++ {
				addOuter(&block[n], q.stiffness, &gradient[a], &gradient[b])
				n++
			}
		}
	}
	n := 0
	for a := range c.count {
		for b := a + 1; b < c.count; b++ {
			w.matrix.Add(c.place[n], &block[n])
			n++
		}
	}
}

// addFieldRotation adds what the rotation of the body of a field changes: the force turns with the body, and acts
// on it where the other collider is.
func (w *World) addFieldRotation(c *contactPoint) {
	if c.pair != nil || !w.isUnknown(c.b.node) {
		return
	}
	s := &c.nodePoints[2]
	g := &w.pose[s.node]
	force := c.normal.Scale(c.force)
	var unused spatial.Vec6
	for range 2 { // once in place of the constant force −f, which is in the tangent, and once more
		s.addForce(&g.R, force, &unused, w.matrix.Diagonal(s.node))
	}
	turn := spatial.Skew(force).Mul(g.R)
	for k := range 2 {
		o := &c.nodePoints[k]
		if !w.isUnknown(o.node) {
			continue
		}
		m := w.pose[o.node].R.TMul(turn)
		block := spatial.Blocks6(spatial.Mat3{}, m.Scale(o.weight), spatial.Mat3{}, spatial.Skew(o.arm).Mul(m))
		w.addBlock(c, c.slot[k], c.slot[2], &block)
	}
}

// addBlock adds a block with the rows of the node in slot i and the columns of that in slot k, i < k.
func (w *World) addBlock(c *contactPoint, i, k int, block *spatial.Mat6) {
	n := 0
	for a := range c.count {
		for b := a + 1; b < c.count; b++ {
			if a == i && b == k {
				w.matrix.Add(c.place[n], block)
			}
			n++
		}
	}
}
