package contact

import (
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// The tangent of an element pair couples four nodes that are far apart in the matrix. Its parts
// that belong to one node go to the diagonal blocks, and all others are columns of a low-rank
// change. With n the normal, D the distance of the centre lines, f the force and −f′ its slope, the
// columns are: the gradient of the gap along n with the stiffness f′; both directions across n with
// −f/D, the rotation of the normal; and, since the closest points move, the gradients of the gap's
// slopes with f over the second derivatives of the gap.

// assemble adds the wrenches of the pairs in contact to the equations of the nodes, with their
// change as the nodes rotate.
func (s *selfContact) assemble(rod *strain.State, q *strain.Equations) {
	s.active = s.active[:0]
	for _, c := range s.listed {
		f, slope := c.force()
		if c.tangentStiffness = slope; f == 0 {
			continue
		}
		if len(s.active) == maxActivePairs { // checkCapacity reports this as an error
			c.tangentStiffness = 0
		} else {
			s.active = append(s.active, c)
		}
		push := c.normal.Scale(f)
		a, b := &c.points[0], &c.points[1]
		addNodeForce(rod, q, c.a, a.from, push)
		addNodeForce(rod, q, c.a+1, a.to, push)
		addNodeForce(rod, q, c.b, b.from, push.Neg())
		addNodeForce(rod, q, c.b+1, b.to, push.Neg())
	}
}

func addNodeForce(rod *strain.State, q *strain.Equations, node int, w weights, force spatial.Vec) {
	w.addForce(&rod.Pose[node].R, force, spatial.Vec{}, &q.Wrench[node], q.Diag[node])
}

func (s *selfContact) potential() (sum float64) {
	for _, q := range s.listed {
		if q.resolved {
			sum += q.potentialAt(&q.law, q.gap)
		}
	}
	return sum
}

// energy is potential without impact damping.
func (s *selfContact) energy() (sum float64) {
	for _, q := range s.listed {
		if q.resolved {
			sum += q.law.Potential(q.gap)
		}
	}
	return sum
}

// MaxRank returns the largest number of columns of AddColumns.
func (c *Contacts) MaxRank() int {
	return columnsPerPair * c.maxSavedPairs()
}

// Rank returns the number of columns of AddColumns.
func (c *Contacts) Rank() (n int) {
	if c.self == nil {
		return 0
	}
	for _, q := range c.self.active {
		n += q.rank()
	}
	return n
}

// AddColumns adds the part of the tangent of self-contact that Assemble leaves out: a low-rank change
// Σ stiffness column columnᵀ over the increments of the nodes, node 1 first. next returns a cleared
// column for a given stiffness, N/m.
func (c *Contacts) AddColumns(rod *strain.State, next func(stiffness float64) []spatial.Vec6) {
	if c.self == nil {
		return
	}
	for _, q := range c.self.active {
		q.addColumns(rod, next)
	}
}

func (q *ElementPair) rank() int {
	n := 3
	for i := range q.points {
		if q.points[i].interior {
			n++
		}
	}
	return n
}

// Column is a part Stiffness c cᵀ of a tangent, where the column c is the derivative of
// Position·(A − B) + TangentA·A′ − TangentB·B′. A and B are the closest points of a pair, and A′ and B′
// the derivatives of their positions with respect to their shares.
type Column struct {
	Stiffness                    float64 // N/m
	Position, TangentA, TangentB spatial.Vec
}

// Columns returns the columns of the tangent of the normal force, of which the first n count.
func (q *ElementPair) Columns() (all [columnsPerPair]Column, n int) {
	f, slope := q.force()
	u := perpendicular(q.normal)
	all[0] = Column{Stiffness: slope, Position: q.normal}
	all[1] = Column{Stiffness: -f / q.axisDistance, Position: u}
	all[2] = Column{Stiffness: -f / q.axisDistance, Position: q.normal.Cross(u)}
	n = 3
	a, b := &q.points[0], &q.points[1]
	slopeA, slopeB := q.slopeGradient(a.d1), q.slopeGradient(b.d1).Neg()
	switch {
	case a.interior && b.interior:
		// f hᵀ C⁻¹ h with the LDLᵀ factors of C
		k := q.gapHessian[1] / q.gapHessian[0]
		all[3] = Column{f / q.gapHessian[0], slopeA, q.normal, spatial.Vec{}}
		all[4] = Column{f / (q.gapHessian[2] - k*q.gapHessian[1]), slopeB.AddScaled(-k, slopeA), q.normal.Scale(-k), q.normal}
		n = 5
	case a.interior:
		all[3] = Column{f / q.gapHessian[0], slopeA, q.normal, spatial.Vec{}}
		n = 4
	case b.interior:
		all[3] = Column{f / q.gapHessian[2], slopeB, spatial.Vec{}, q.normal}
		n = 4
	}
	return all, n
}

func (q *ElementPair) addColumns(rod *strain.State, next func(stiffness float64) []spatial.Vec6) {
	all, n := q.Columns()
	for i := range n {
		c := &all[i]
		q.addPositionGradient(rod, c.Position, c.TangentA, c.TangentB, next(c.Stiffness))
	}
}

// slopeGradient returns the derivative of the gap's slope along an element, where the position has
// the derivative d, with respect to the relative position of the points.
func (q *ElementPair) slopeGradient(d spatial.Vec) spatial.Vec {
	return d.AddScaled(-d.Dot(q.normal), q.normal).Scale(1 / q.axisDistance)
}

// perpendicular returns a unit vector normal to the unit vector n.
func perpendicular(n spatial.Vec) spatial.Vec {
	x := spatial.Vec{X: 1}
	if n.X*n.X > 0.5 {
		x = spatial.Vec{Y: 1}
	}
	return n.Cross(x).Unit()
}

// addBaseWrench adds the wrench of the contacts of the state on node 0, in base axes about its
// origin.
func (s *selfContact) addBaseWrench(rod *strain.State, sum *spatial.Wrench) {
	for _, q := range s.listed {
		if q.b == 0 && q.normalForce > 0 {
			q.points[1].from.addForce(&rod.Pose[0].R, q.normal.Scale(-q.normalForce), spatial.Vec{}, sum, nil)
		}
	}
}

// addToSummary adds the contacts of the state, each at both of its points.
func (s *selfContact) addToSummary(sum *Summary) {
	for _, q := range s.listed {
		if q.normalForce == 0 {
			continue
		}
		sum.Count += 2
		sum.Force = max(sum.Force, q.normalForce)
		sum.Penetration = max(sum.Penetration, -q.surfaceDistance)
		sum.RelativePenetration = max(sum.RelativePenetration, -q.surfaceDistance/min(q.points[0].radius, q.points[1].radius))
	}
}

// contactsOf returns the two contacts of a pair; wall is the index that stands for the rod.
func (s *selfContact) contactsOf(q *ElementPair, wall int) (both [2]Contact) {
	arc, n := s.contactArcLengths(q), q.normal
	for i := range both {
		p := &q.points[i]
		both[i] = Contact{
			Wall: wall, ArcLength: arc[i], Gap: q.surfaceDistance, Force: q.normalForce,
			Point: p.position.AddScaled(-p.radius, n), Normal: n,
		}
		n = n.Neg()
	}
	return both
}
