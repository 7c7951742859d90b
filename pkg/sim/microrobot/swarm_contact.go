package microrobot

import (
	"math"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// contacts are the pairs of equal spheres that touch or are about to.
type contacts struct {
	diameter float64 // m
	pairs    []contactPair

	slope, before, slopeBefore []float64 // scratch of minimize, by pair
}

// contactPair is a possible contact of the spheres i and j, j < i.
type contactPair struct {
	i, j    int
	normal  spatial.Vec // unit vector from j to i
	gap     float64     // m
	guess   float64     // of the force, N
	turning float64     // force by which turning the pair changes the load, N
	chance  float64     // −ln of a uniform random number, of thermal motion
	touch   float64     // distance that thermal motion at contact keeps, m
	force   float64     // N
	opening float64     // gap at the end of the substep, m
	active  bool
}

// pairsPerSphere is how many pairs there is room for: a sphere touches 12 others at most,
// which is 6 pairs each, and some more are near.
const pairsPerSphere = 12

func newContacts(n int, diameter float64) contacts {
	room := pairsPerSphere * n
	return contacts{
		diameter: diameter, pairs: make([]contactPair, 0, room),
		slope: make([]float64, room), before: make([]float64, room), slopeBefore: make([]float64, room),
	}
}

// find sets the pairs to those of the spheres at x with gaps below reach (m).
func (c *contacts) find(x []spatial.Vec, reach float64) {
	c.pairs = c.pairs[:0]
	limit := (c.diameter + reach) * (c.diameter + reach)
	for i := range x {
		at := x[i]
		for j := range i {
			d := at.Sub(x[j])
			r2 := d.Norm2()
			if r2 >= limit || r2 == 0 || len(c.pairs) == cap(c.pairs) {
				continue
			}
			r := math.Sqrt(r2)
			c.pairs = append(c.pairs, contactPair{i: i, j: j, normal: d.Scale(1 / r), gap: r - c.diameter})
		}
	}
}

// drawTouches draws the numbers that say how near to contact thermal motion has come.
func (c *contacts) drawTouches(noise *stokes.Noise) {
	for k := range c.pairs {
		v := noise.Vec()
		// half the squared length of two normal numbers is exponentially distributed
		c.pairs[k].chance = (v.X*v.X + v.Y*v.Y) / 2
	}
}

// reflect sets the distance that pairs keep which thermal motion of energy kT (J) drives
// together within h seconds, with the velocities shaken of thermal motion alone and free
// of all but contacts. For one pair at constant drift and noise it is the exact reflection
// of Lépingle (Math. Comput. Simul. 38 (1995) 119): the free gap changes by d within h, on
// the way its least value is lower than at the end by (√(d² + 2 σ² c) + d)/2, with the
// variance σ² of d and an exponentially distributed c, and what of it is negative pushes
// the pair apart. A drift that parts a pair does not count, for contacts with others may
// prevent it.
func (c *contacts) reflect(shaken, free []spatial.Vec, h, kT float64, fluid *stokes.Swarm) {
	for k := range c.pairs {
		p := &c.pairs[k]
		thermal := h * p.normal.Dot(shaken[p.i].Sub(shaken[p.j]))
		d := math.Min(thermal, h*p.normal.Dot(free[p.i].Sub(free[p.j])))
		variance := 2 * kT * h * fluid.Opening(p.i, p.j, p.gap+c.diameter)
		root := math.Sqrt(d*d + 2*variance*p.chance)
		switch {
		case d > 0:
			p.touch = (root + d) / 2
		case root > 0:
			p.touch = variance * p.chance / (root - d) // the same without cancellation
		default:
			p.touch = 0
		}
	}
}

// minimize finds forces that push and never pull, under which no pair's gap is below 0 at
// the end of a substep and only pairs that touch press on one another: the minimum of a
// quadratic form whose gradient are the gaps, by projected gradients with the steps of
// Barzilai and Borwein (Yan, Zhang, Shelley, J. Chem. Phys. 150 (2019) 064109). slopes sets
// the opening of every pair under its force; opens is about that of one pair per force
// (m/N).
func (c *contacts) minimize(opens float64, slopes func()) bool {
	const (
		maxIterations = 400
		tolerance     = 2e-5 // of the diameter
	)
	n := len(c.pairs)
	var step float64
	for iteration := range maxIterations {
		slopes()
		off, ss, sg, gg := 0.0, 0.0, 0.0, 0.0
		for k := range n {
			p := &c.pairs[k]
			if p.force > 0 {
				off = math.Max(off, math.Abs(p.opening))
			} else {
				off = math.Max(off, -p.opening)
			}
			ds, dg := p.force-c.before[k], p.opening-c.slopeBefore[k]
			ss, sg, gg = ss+ds*ds, sg+ds*dg, gg+dg*dg
			c.before[k], c.slopeBefore[k] = p.force, p.opening
		}
		if off <= tolerance*c.diameter {
			return true
		}
		switch {
		case iteration == 0 || sg <= 0:
			step = 1 / opens
		case iteration%2 == 0:
			step = ss / sg
		default:
			step = sg / gg
		}
		for k := range n {
			p := &c.pairs[k]
			p.force = math.Max(0, p.force-step*p.opening)
		}
	}
	return false
}

// separate pushes apart the robots that a substep has brought to overlap, by forces of
// contact during the substep. It reports whether it could.
func (s *interactingSwarm) separate() bool {
	const reach = 0.1 // diameters within which forces of contact may bring others together
	s.reported = fromLoads
	far := 0.0
	for i := range s.x {
		s.at[i] = s.x[i].P
		far = max(far, s.at[i].Sub(s.spare[i].P).Norm2())
	}
	if s.least > s.contacts.diameter+2*math.Sqrt(far) {
		return true // no robot has moved so far since the start of the step
	}
	if s.contacts.find(s.at, 0); len(s.contacts.pairs) == 0 {
		return true
	}
	c := &s.contacts
	c.find(s.at, reach*c.diameter)
	if !c.minimize(2*s.h*s.motion.constants.trans.X, s.slopesJob) {
		return false
	}
	for i := range s.x {
		x, m := &s.x[i], s.pushed(i)
		x.P = x.P.AddScaled(s.h, m.Linear)
		x.Q = spatial.ExpQuat(m.Angular.Scale(s.h)).Mul(x.Q).Normalized()
	}
	s.report()
	return true
}

// setSlopes sets the opening of every pair at the end of the substep under its force.
func (s *interactingSwarm) setSlopes() {
	clear(s.loads)
	for k := range s.contacts.pairs {
		p := &s.contacts.pairs[k]
		f := p.normal.Scale(p.force)
		s.loads[p.i].Force = s.loads[p.i].Force.Add(f)
		s.loads[p.j].Force = s.loads[p.j].Force.Sub(f)
	}
	s.workers.run(s.motionsJob)
	for k := range s.contacts.pairs {
		p := &s.contacts.pairs[k]
		p.opening = p.gap + s.h*p.normal.Dot(s.pushed(p.i).Linear.Sub(s.pushed(p.j).Linear))
	}
}

// pushed returns the motion of robot i under the loads, world axes.
func (s *interactingSwarm) pushed(i int) spatial.Twist {
	motion := s.fluid.Alone(i, s.loads[i])
	for k := range s.lanes {
		motion = addTwists(motion, s.lanes[k].motions[i])
	}
	return motion
}
