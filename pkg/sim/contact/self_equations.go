package contact

import (
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// The tangent of a couple joins four nodes that are far from one another in the matrix. All of
// it that is not of one node is in columns of a change of low rank: with n the normal, D the
// distance of the centre lines, f the force and −f′ its slope, along n with f′; along both
// directions u across n with −f/D, for what is pushed is at the end of a lever; and, for the
// places move to where the elements are nearest, with f over the second derivatives of the gap
// there.

// add adds the wrenches of the couples that touch to the equations of the nodes, and how they
// turn with these.
func (s *selfContact) assemble(rod *strain.State, q *strain.Equations) {
	s.active = s.active[:0]
	for _, c := range s.listed {
		f, slope := c.force()
		if c.tangentStiffness = slope; f == 0 {
			continue
		}
		if len(s.active) == maxActivePairs { // checkRoom tells of it
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

// energy is potential without what damping takes.
func (s *selfContact) energy() (sum float64) {
	for _, q := range s.listed {
		if q.resolved {
			sum += q.law.Potential(q.gap)
		}
	}
	return sum
}

// MostColumns is the largest number of columns that Columns fills.
func (c *Contacts) MaxRank() int {
	return columnsPerPair * c.maxSavedPairs()
}

// Rank is the number of columns that Columns fills.
func (c *Contacts) Rank() (n int) {
	if c.self == nil {
		return 0
	}
	for _, q := range c.self.active {
		n += q.rank()
	}
	return n
}

// AddColumns enters what Add has left out of the tangent, of contacts of the rod with itself: a
// change of low rank. next makes a column of a stiffness, by the increments of the nodes, which
// begin with node 1, and returns it cleared.
func (c *Contacts) AddColumns(rod *strain.State, next func(stiffness float64) []spatial.Vec6) {
	if c.self == nil {
		return
	}
	for _, q := range c.self.active {
		q.addColumns(rod, next)
	}
}

func (q *elementPair) rank() int {
	n := 3
	for i := range q.points {
		if q.points[i].interior {
			n++
		}
	}
	return n
}

func (q *elementPair) addColumns(rod *strain.State, next func(stiffness float64) []spatial.Vec6) {
	f, slope := q.force()
	u, zero := perpendicular(q.normal), spatial.Vec{}
	q.addPositionGradient(rod, q.normal, zero, zero, next(slope))
	q.addPositionGradient(rod, u, zero, zero, next(-f/q.axisDistance))
	q.addPositionGradient(rod, q.normal.Cross(u), zero, zero, next(-f/q.axisDistance))
	a, b := &q.points[0], &q.points[1]
	la, lb := q.slopeGradient(a.d1), q.slopeGradient(b.d1).Neg()
	switch {
	case a.interior && b.interior:
		// f hᵀ C⁻¹ h by the factors of C
		k := q.gapHessian[1] / q.gapHessian[0]
		q.addPositionGradient(rod, la, q.normal, zero, next(f/q.gapHessian[0]))
		q.addPositionGradient(rod, lb.AddScaled(-k, la), q.normal.Scale(-k), q.normal, next(f/(q.gapHessian[2]-k*q.gapHessian[1])))
	case a.interior:
		q.addPositionGradient(rod, la, q.normal, zero, next(f/q.gapHessian[0]))
	case b.interior:
		q.addPositionGradient(rod, lb, zero, q.normal, next(f/q.gapHessian[2]))
	}
}

// lean is by how much the derivative of the gap along an element with the derivative d changes
// with the relative position of the places.
func (q *elementPair) slopeGradient(d spatial.Vec) spatial.Vec {
	return d.AddScaled(-d.Dot(q.normal), q.normal).Scale(1 / q.axisDistance)
}

// across is a unit vector across the unit vector n.
func perpendicular(n spatial.Vec) spatial.Vec {
	x := spatial.Vec{X: 1}
	if n.X*n.X > 0.5 {
		x = spatial.Vec{Y: 1}
	}
	return n.Cross(x).Unit()
}

// onBase adds what the contacts of the state do to the base, in its axes about it.
func (s *selfContact) addBaseWrench(rod *strain.State, sum *spatial.Wrench) {
	for _, q := range s.listed {
		if q.b == 0 && q.normalForce > 0 {
			q.points[1].from.addForce(&rod.Pose[0].R, q.normal.Scale(-q.normalForce), spatial.Vec{}, sum, nil)
		}
	}
}

// summarize adds what touches in the state: each contact at both of its places.
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

// touches are the two places of a couple, as of contacts with a wall of that number.
func (s *selfContact) contactsOf(q *elementPair, wall int) (both [2]Contact) {
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
