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
func (s *itself) add(rod *strain.State, q *strain.Equations) {
	s.touching = s.touching[:0]
	for _, c := range s.listed {
		f, slope := c.force()
		if c.slope = slope; f == 0 {
			continue
		}
		if len(s.touching) == mostTouching { // checkRoom tells of it
			c.slope = 0
		} else {
			s.touching = append(s.touching, c)
		}
		push := c.normal.Scale(f)
		a, b := &c.on[0], &c.on[1]
		load(rod, q, c.a, a.from, push)
		load(rod, q, c.a+1, a.to, push)
		load(rod, q, c.b, b.from, push.Neg())
		load(rod, q, c.b+1, b.to, push.Neg())
	}
}

func load(rod *strain.State, q *strain.Equations, node int, w weights, force spatial.Vec) {
	w.load(&rod.Pose[node].R, force, spatial.Vec{}, &q.Wrench[node], q.Diag[node])
}

func (s *itself) potential() (sum float64) {
	for _, q := range s.listed {
		if q.tested {
			sum += q.work(&q.law, q.gap)
		}
	}
	return sum
}

// energy is potential without what damping takes.
func (s *itself) energy() (sum float64) {
	for _, q := range s.listed {
		if q.tested {
			sum += q.law.Potential(q.gap)
		}
	}
	return sum
}

// MostColumns is the largest number of columns that Columns fills.
func (c *Contacts) MaxRank() int {
	return columnsEach * c.mostCouples()
}

// Rank is the number of columns that Columns fills.
func (c *Contacts) Rank() (n int) {
	if c.self == nil {
		return 0
	}
	for _, q := range c.self.touching {
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
	for _, q := range c.self.touching {
		q.enter(rod, next)
	}
}

func (q *couple) rank() int {
	n := 3
	for i := range q.on {
		if q.on[i].free {
			n++
		}
	}
	return n
}

func (q *couple) enter(rod *strain.State, next func(stiffness float64) []spatial.Vec6) {
	f, slope := q.force()
	u, zero := across(q.normal), spatial.Vec{}
	q.column(rod, q.normal, zero, zero, next(slope))
	q.column(rod, u, zero, zero, next(-f/q.distance))
	q.column(rod, q.normal.Cross(u), zero, zero, next(-f/q.distance))
	a, b := &q.on[0], &q.on[1]
	la, lb := q.lean(a.d1), q.lean(b.d1).Neg()
	switch {
	case a.free && b.free:
		// f hᵀ C⁻¹ h by the factors of C
		k := q.curve[1] / q.curve[0]
		q.column(rod, la, q.normal, zero, next(f/q.curve[0]))
		q.column(rod, lb.AddScaled(-k, la), q.normal.Scale(-k), q.normal, next(f/(q.curve[2]-k*q.curve[1])))
	case a.free:
		q.column(rod, la, q.normal, zero, next(f/q.curve[0]))
	case b.free:
		q.column(rod, lb, zero, q.normal, next(f/q.curve[2]))
	}
}

// lean is by how much the derivative of the gap along an element with the derivative d changes
// with the relative position of the places.
func (q *couple) lean(d spatial.Vec) spatial.Vec {
	return d.AddScaled(-d.Dot(q.normal), q.normal).Scale(1 / q.distance)
}

// across is a unit vector across the unit vector n.
func across(n spatial.Vec) spatial.Vec {
	x := spatial.Vec{X: 1}
	if n.X*n.X > 0.5 {
		x = spatial.Vec{Y: 1}
	}
	return n.Cross(x).Unit()
}

// onBase adds what the contacts of the state do to the base, in its axes about it.
func (s *itself) onBase(rod *strain.State, sum *spatial.Wrench) {
	for _, q := range s.listed {
		if q.b == 0 && q.pressed > 0 {
			q.on[1].from.load(&rod.Pose[0].R, q.normal.Scale(-q.pressed), spatial.Vec{}, sum, nil)
		}
	}
}

// summarize adds what touches in the state: each contact at both of its places.
func (s *itself) summarize(sum *Summary) {
	for _, q := range s.listed {
		if q.pressed == 0 {
			continue
		}
		sum.Count += 2
		sum.Force = max(sum.Force, q.pressed)
		sum.Penetration = max(sum.Penetration, -q.open)
		sum.RelativePenetration = max(sum.RelativePenetration, -q.open/min(q.on[0].radius, q.on[1].radius))
	}
}

// touches are the two places of a couple, as of contacts with a wall of that number.
func (s *itself) touches(q *couple, wall int) (both [2]Contact) {
	arc, n := s.arcLengths(q), q.normal
	for i := range both {
		p := &q.on[i]
		both[i] = Contact{
			Wall: wall, ArcLength: arc[i], Gap: q.open, Force: q.pressed,
			Point: p.at.AddScaled(-p.radius, n), Normal: n,
		}
		n = n.Neg()
	}
	return both
}
