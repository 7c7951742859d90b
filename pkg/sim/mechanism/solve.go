package mechanism

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// compliance is the compliance of the rows, in parts of the compliance that they would have without the rest of the
// mechanism. The round-off of redundant rows over it is what their multipliers may be off by; joints open
// by what the multipliers would move the links by without them in a step, times it. In equilibria, where that may be
// much more, it is staticCompliance.
const compliance, staticCompliance = 1e-9, 1e-10

// mostSkew are the iterations of solveAgain, of which one is usual, and skewError the correction of the rotations, in parts of
// them, after which it ends.
const mostSkew, skewError = 30, 0.05

// addForce adds s times a derivative of a function of the joint's frames to the wrenches of its
// nodes.
func (w *World) addForce(c *connection, s float64, onParent, onChild *spatial.Vec6) {
	add := func(node int, d *spatial.Vec6) {
		if node < 0 {
			return
		}
		for k := range d {
			w.right[node][k] += s * d[k]
		}
	}
	add(c.parent.node, onParent)
	add(c.child.node, onChild)
}

// assemble sets matrix and right-hand side at the present poses.
func (w *World) assemble() {
	if w.hasChangedLaw {
		w.lawRounds++
	}
	w.hasChangedLaw = false
	w.updateContacts()
	for _, c := range w.contacts.listed {
		c.friction.update(w)
	}
	w.coupleContacts()
	w.matrix.Zero()
	clear(w.right)
	clear(w.skew)
	for _, l := range w.links {
		l.assemble(w)
	}
	for _, t := range w.tendons {
		t.assemble(w, true)
	}
	w.assembleContacts(true)
	for _, c := range w.connections {
		c.assemble(w)
	}
}

// assembleMass sets the matrix to massScale times that of masses, and that of rows, and the right-hand side
// to the wrenches on the links at the present velocities.
func (w *World) assembleMass() {
	w.matrix.Zero()
	clear(w.right)
	clear(w.skew)
	for _, l := range w.links {
		l.assembleMass(w, massScale)
	}
	for _, t := range w.tendons {
		t.assemble(w, false)
	}
	w.assembleContacts(false)
	for _, c := range w.connections {
		c.update(w.pose)
		c.addRows(w)
		for k := range c.laws.list {
			c.laws.list[k].isActive = false
		}
		c.addLawRows(w)
	}
}

// mostClosings is how often close holds the multipliers near those of before.
const mostClosings = 3

// close returns an error for a joint or a law that is open after iterate has found a solution. The compliance of rows opens them where
// a light link carries the load of heavy ones, for which it is large. Held near the last multipliers in place of 0, they open by
// what the multipliers change by alone (proximal method of multipliers; Rockafellar, "Augmented Lagrangians and applications of
// the proximal point algorithm in convex programming", Mathematics of Operations Research 1 (1976) 97). What contradicts each
// other stays open.
func (w *World) close(iterate func() error) error {
	err := w.checkClosed()
	for n := 0; n < mostClosings && err != nil; n++ {
		for _, c := range w.connections {
			c.held = c.lambda
			for k := range c.laws.list {
				c.laws.list[k].held = c.laws.list[k].multiplier
			}
		}
		if iterate() != nil {
			break
		}
		err = w.checkClosed()
	}
	for _, c := range w.connections {
		c.held = [6]float64{}
		for k := range c.laws.list {
			c.laws.list[k].held = 0
		}
	}
	return err
}

// addCompliance adds the compliance C of the rows, and C λ on the right for the given share of the
// multipliers, less those that close holds them near.
func (w *World) addCompliance(share float64) {
	compliance := w.rowCompliance
	for _, c := range w.connections {
		d := w.matrix.Diagonal(c.unknown)
		for k := range c.geometry.Size() {
			small := compliance * w.freeCompliance(c, &c.onParent[k], &c.onChild[k])
			d[7*k] -= small
			w.right[c.unknown][k] += share * small * (c.lambda[k] - c.held[k])
		}
		for k := range c.laws.list {
			if o := &c.laws.list[k]; o.isActive {
				o.free = w.freeCompliance(c, &o.onParent, &o.onChild)
				small := compliance * o.free
				w.matrix.Diagonal(c.laws.unknown)[7*k] -= small
				w.right[c.laws.unknown][k] += share * small * (o.multiplier - o.held)
			}
		}
	}
	for _, t := range w.tendons {
		t.addCompliance(w)
	}
}

// freeCompliance returns the compliance that the nodes of a joint give a row without the rest of the
// mechanism.
func (w *World) freeCompliance(c *connection, onParent, onChild *spatial.Vec6) float64 {
	return w.nodeCompliance(c.parent.node, onParent) + w.nodeCompliance(c.child.node, onChild)
}

// nodeCompliance returns the compliance that a node gives a row without the rest of the mechanism.
func (w *World) nodeCompliance(node int, row *spatial.Vec6) (sum float64) {
	if node < 0 {
		return 0
	}
	stiffness := w.matrix.Diagonal(node)
	for i, g := range row {
		if k := math.Abs(stiffness[7*i]); k > 0 {
			sum += g * g / k
		}
	}
	return sum
}

// solve sets increment to the solution of the assembled system. It reports whether there is one.
// share is 1 where the multipliers in the right-hand side are increments, and 0 otherwise.
func (w *World) solve(share float64) bool {
	w.addCompliance(share)
	if !w.matrix.Factor() {
		return false
	}
	for _, c := range w.contacts.listed {
		for i := range c.keepers {
			c.factored[i] = c.keepers[i].stiffness
		}
	}
	w.solveAgain()
	return true
}

// solveAgain solves with the last factors and the skew part of the tangent, which they do not have: by the conjugate gradients of
// Concus and Golub ("A generalized conjugate gradient method for nonsymmetric systems of linear equations", Lecture
// Notes in Economics and Mathematical Systems 134 (1976) 56), of which the first iteration is iterative refinement. That is
// enough but for moments that are large beside stiffness and inertia.
func (w *World) solveAgain() {
	copy(w.increment, w.right)
	w.matrix.Solve(w.increment)
	copy(w.older, w.increment)
	weight, last := 1.0, 0.0
	for n := range mostSkew {
		w.matrix.Multiply(w.increment, w.residual)
		w.addSkew(w.residual)
		for i := range w.residual {
			for k := range w.residual[i] {
				w.residual[i][k] = w.right[i][k] - w.residual[i][k]
			}
		}
		copy(w.correction, w.residual)
		w.matrix.Solve(w.correction)
		energy, turn, most := 0.0, 0.0, 0.0
		for i := range w.pose {
			energy += dot(&w.correction[i], &w.residual[i])
			turn, most = max(turn, w.correction[i].Angular().Norm()), max(most, w.increment[i].Angular().Norm())
		}
		if n > 0 {
			weight = 1 / (1 + energy/(last*weight))
		}
		last = energy
		for i := range w.increment {
			for k := range w.increment[i] {
				x, before := w.increment[i][k], w.older[i][k]
				w.older[i][k], w.increment[i][k] = x, before+weight*(w.correction[i][k]+x-before)
			}
		}
		if !(turn > skewError*max(most, converged) && energy > 0) {
			return
		}
	}
}

// addSkew adds the skew part of the tangent times the increment to y.
func (w *World) addSkew(y []spatial.Vec6) {
	for i := range w.skew {
		s, d, turn := &w.skew[i], w.increment[i].Linear(), w.increment[i].Angular()
		addWrench(&y[i], s.Force.Cross(turn), s.Force.Cross(d).Add(s.Moment.Cross(turn)))
	}
}

// incrementSize returns the largest rotation of a node or within a link, rad, and the largest
// displacement, m, of the increment; NaN if it has one.
func (w *World) incrementSize() (turn, shift float64) {
	for i := range w.pose {
		x := &w.increment[i]
		turn, shift = max(turn, x.Angular().Norm()), max(shift, x.Linear().Norm())
	}
	for _, l := range w.links {
		turn = max(turn, l.strainIncrement(w.of(l, w.increment)))
	}
	return turn, shift
}

// of returns the part of a vector by node that belongs to a link.
func (w *World) of(l link, x []spatial.Vec6) []spatial.Vec6 {
	return x[max(l.firstNode(), 0):][:l.nodeCount()]
}

// move moves the nodes by scale times the increment, after incrementSize.
func (w *World) move(scale float64) {
	for _, l := range w.links {
		l.move(w.of(l, w.increment), scale, w.pose[max(l.firstNode(), 0):])
	}
}

// addMultipliers adds scale times the increment to the multipliers.
func (w *World) addMultipliers(scale float64) {
	for _, c := range w.connections {
		for k := range c.geometry.Size() {
			c.lambda[k] += scale * w.increment[c.unknown][k]
		}
		for k := range c.laws.list {
			c.laws.list[k].multiplier += scale * w.increment[c.laws.unknown][k]
		}
	}
	for _, t := range w.tendons {
		if t.law.isActive {
			t.law.multiplier += scale * w.increment[t.unknown][0]
		}
	}
}
