package contact

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Contacts is a rod among walls with the memory of its friction. Between Begin and Accept it
// is at an iterate of a step. Its methods, but those of setting up and of errors, do not
// allocate.
type Contacts struct {
	Walls    []Wall
	Stations []Station

	// by station
	at      []spatial.Vec // position, world
	room    []float64     // no wall is nearer to the surface, m
	held    []spatial.Vec // position in the state
	roomier []float64     // room in the state

	// by station and wall
	pairs []pair

	frictional bool // within the step
}

// pair is what one wall is to one station.
type pair struct {
	// Of the present position: gap of the surface, or less where that is beyond the reach of
	// the force, infinite where there is no wall.
	gap    float64
	normal spatial.Vec
	bend   spatial.Mat3 // second derivative of the gap, 1/m
	// What is known of the wall: at seen the gap was clear. Nothing is near while the station
	// has not gone half as far.
	seen  spatial.Vec
	clear float64
	hint  shape.Hint

	// State: the elastic displacement of the friction, the normal force in it and the
	// friction itself, which acted at the end of the last step.
	displaced spatial.Vec // m, world
	pressed   float64     // N
	force     spatial.Vec // N, world
	// Of the state, from which a step begins.
	heldGap    float64
	heldNormal spatial.Vec

	// Within a step: friction under a given normal force and its displacement.
	grip   friction
	plane  spatial.Vec // normal in which it acts
	origin spatial.Vec // displacement at the start of the step, m
	strain spatial.Vec // displacement now, m
}

// New places a rod among walls.
func New(r *rod.Rod, o Options) *Contacts {
	c := &Contacts{Walls: o.Walls, Stations: stationsOf(r, &o)}
	n := len(c.Stations)
	c.at, c.held = make([]spatial.Vec, n), make([]spatial.Vec, n)
	c.room, c.roomier = make([]float64, n), make([]float64, n)
	c.pairs = make([]pair, n*len(c.Walls))
	return c
}

// Reset forgets friction, and finds the rod where it is, at rest.
func (c *Contacts) Reset(rod *strain.State) {
	for i := range c.pairs {
		c.pairs[i] = pair{}
	}
	c.Rest(rod)
}

// Rest makes the present shape the state, with friction as it is.
func (c *Contacts) Rest(rod *strain.State) {
	c.frictional = false
	c.locate(rod)
	c.settle()
}

// of returns the pairs of a station, by wall.
func (c *Contacts) of(station int) []pair {
	n := len(c.Walls)
	return c.pairs[station*n : (station+1)*n]
}

// locate finds where stations are and what walls are to them.
func (c *Contacts) locate(rod *strain.State) {
	for i := range c.Stations {
		s := &c.Stations[i]
		c.at[i] = s.at(rod)
		c.room[i] = infinite
		pairs := c.of(i)
		for k := range pairs {
			c.room[i] = min(c.room[i], pairs[k].look(&c.Walls[k].Shape, s, c.at[i], &pairs[k].hint))
		}
	}
}

// look finds the gap at x, and returns a bound below it.
func (p *pair) look(wall *shape.Shape, s *Station, x spatial.Vec, hint *shape.Hint) (room float64) {
	if far := p.clear - s.Reach; far > 0 {
		if d := x.Sub(p.seen).Norm(); d < 0.5*far {
			p.gap = p.clear - d
			return p.gap
		}
	}
	place, ok := wall.At(x, hint)
	if !ok {
		p.gap, p.clear = infinite, 0
		return infinite
	}
	p.gap, p.normal, p.bend = place.D-s.Radius, place.N, place.W
	p.seen, p.clear = x, p.gap
	return p.gap
}

// Measure takes gaps, and displacements of friction, from the shape of the rod.
func (c *Contacts) Measure(rod *strain.State) {
	c.locate(rod)
	if c.frictional {
		c.displace(rod)
	}
}

// displace finds the displacements of friction: from where the station was at the start of
// the step, of the point of its surface that touched there.
func (c *Contacts) displace(rod *strain.State) {
	for i := range c.Stations {
		pairs := c.of(i)
		for k := range pairs {
			p := &pairs[k]
			if p.grip.limit == 0 {
				continue
			}
			s := &c.Stations[i]
			d := c.at[i].Sub(c.held[i]).Add(p.plane.Scale(s.Radius).Cross(s.turned(rod)))
			p.strain = p.origin.Add(d.AddScaled(-d.Dot(p.plane), p.plane))
		}
	}
}

// Begin starts a step from the state: friction has the normal forces of its end.
func (c *Contacts) Begin() {
	c.frictional = false
	for i := range c.Stations {
		pairs := c.of(i)
		for k := range pairs {
			p := &pairs[k]
			p.setGrip(&c.Stations[i], c.Walls[k].Friction*p.pressed, p.heldNormal)
			c.frictional = c.frictional || p.grip.limit > 0
		}
	}
}

// BeginStatic starts a search for equilibrium, in which there is no friction.
func (c *Contacts) BeginStatic() {
	c.frictional = false
	for i := range c.pairs {
		p := &c.pairs[i]
		p.grip, p.displaced, p.pressed, p.force = friction{}, spatial.Vec{}, 0, spatial.Vec{}
	}
}

// Soften makes walls give way as if their stiffness were a share of what it is, until that
// share is 1 again.
func (c *Contacts) Soften(share float64) {
	for i := range c.Stations {
		s := &c.Stations[i]
		s.Stiffness = share * s.whole
	}
}

// leastSlip is the least displacement at which friction slips, m.
const leastSlip = 1e-6

// setGrip makes friction slip at a limit (N).
func (p *pair) setGrip(s *Station, limit float64, normal spatial.Vec) {
	p.grip = friction{limit: limit, slip: max(limit/s.Stiffness, leastSlip, reach*s.Radius)}
	p.plane, p.origin = normal, turnInto(p.displaced, normal)
	p.strain = p.origin
}

// Correct makes the normal forces in friction those of the present iterate where that changes
// one by more than a fifth. It reports whether it did: then the step has to be solved again.
func (c *Contacts) Correct(rod *strain.State) bool {
	const change, negligible = 0.2, 1e-6 // share, N
	changed := false
	for i := range c.Stations {
		s, pairs := &c.Stations[i], c.of(i)
		for k := range pairs {
			p, mu := &pairs[k], c.Walls[k].Friction
			if f, _ := s.Force(p.gap); mu > 0 && f > negligible && math.Abs(mu*f-p.grip.limit) > change*p.grip.limit {
				p.setGrip(s, mu*f, p.normal)
				changed = true
			}
		}
	}
	if changed {
		c.frictional = true
		c.displace(rod)
	}
	return changed
}

// Accept makes the present iterate, of a step of dt seconds, the state. It reports whether
// something has hit a wall.
func (c *Contacts) Accept(rod *strain.State) (hit bool) {
	for i := range c.pairs {
		p := &c.pairs[i]
		p.force = spatial.Vec{}
		if p.grip.limit == 0 {
			p.displaced = spatial.Vec{}
			continue
		}
		p.force = p.grip.force(p.strain)
		p.displaced = p.strain.Scale(min(1, p.grip.slip/max(p.strain.Norm(), p.grip.slip))).Flush()
	}
	c.locate(rod)
	for i := range c.Stations {
		s, pairs := &c.Stations[i], c.of(i)
		for k := range pairs {
			p := &pairs[k]
			hit = hit || p.gap < s.Reach && p.heldGap-p.gap > 0.1*s.Reach+leastReach && p.heldGap >= s.Reach
		}
	}
	c.settle()
	return hit
}

// settle makes the present gaps those of the state. Where walls are searched from a hint, it
// searches again from where the search has ended, as after Restore.
func (c *Contacts) settle() {
	copy(c.held, c.at)
	for i := range c.Stations {
		s, pairs := &c.Stations[i], c.of(i)
		for k := range pairs {
			p := &pairs[k]
			if hint := p.hint; p.gap < s.Reach {
				p.look(&c.Walls[k].Shape, s, c.at[i], &hint)
			}
			p.heldGap, p.heldNormal = p.gap, p.normal
			p.pressed, _ = s.Force(p.gap)
			if p.pressed == 0 {
				p.displaced, p.force = spatial.Vec{}, spatial.Vec{}
			}
		}
	}
	copy(c.roomier, c.room)
}
