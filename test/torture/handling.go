package torture

import (
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

const handlingStream = 0x68616e64

// handled is where the base of a rod is at a time, as servo_insertion takes it.
type handled struct{ t, insertion, twist float64 } // s, m, rad

// NewHandledInsertion generates insertion seed as NewInsertion does, with the same vessel, and
// handles the rod as one does in earnest: its front is precurved, thinner and softer, and by
// servo_insertion it is pushed in while it is twisted, drawn back and mostly pushed in again.
func NewHandledInsertion(seed uint64) (*Insertion, error) {
	h := newGenerator(seed, handlingStream, 0)
	return newInsertion(seed, func(d *insertionDraft, c *Insertion) {
		turn := h.sections(&d.file.Rod, d.bore)
		if h.chance(0.5) || turn > 0 { // without strain, a precurved rod is not in the introducer
			d.file.InitialState = robotfile.Equilibrium
		}
		c.handle(h, d)
		last := c.handling[len(c.handling)-1]
		c.Title = fmt.Sprintf("; handled: %d sections, front %.2g mm, precurved by %.2g rad, begins %s, twisted by %.2g rad, %d moves", len(d.file.Rod.Sections),
			2e3*d.file.Rod.Sections[len(d.file.Rod.Sections)-1].Radius[0], turn, d.file.InitialState, last.twist, len(c.handling)-1)
	})
}

// sections makes one or two stretches of the front softer and thinner, mostly precurved. It
// returns the angle by which they are.
func (g *generator) sections(r *robotfile.Rod, bore float64) (turn float64) {
	const (
		tightest = 6   // radii of the rod, of precurvature
		turned   = 0.3 // rad, by which precurvature turns an element at most; coarser ones leave a lumen between their nodes
	)
	radius := r.Radius
	shaft := r.Segments()[0]
	count := 1 + g.IntN(2)
	front := min(bore*g.between(2, 6), 0.4*r.Length)
	shaft.Length = r.Length - front
	r.Sections = []robotfile.Segment{shaft}
	for range count {
		s := r.Sections[len(r.Sections)-1]
		s.Length = front / float64(count)
		begin := s.Radius[len(s.Radius)-1] * g.between(0.6, 1)
		s.Radius = []float64{begin, begin * g.between(0.7, 1)}
		s.InnerRadius = []float64{0}
		s.YoungsModulus *= g.log(0.05, 1)
		s.ShearModulus = s.YoungsModulus / 2.6
		if g.chance(0.8) {
			angle := min(g.between(0.2, 1.5), s.Length/(tightest*radius))
			sin, cos := math.Sincos(g.between(0, 2*math.Pi))
			s.Precurvature = spatial.Vec{X: cos, Y: sin}.Scale(angle / s.Length)
			turn += angle
		}
		r.Sections = append(r.Sections, s)
	}
	steepest := 0.0 // curvature, 1/m
	for _, s := range r.Sections {
		steepest = max(steepest, s.Precurvature.Norm())
	}
	r.Elements = max(r.Elements, 2*len(r.Sections), int(math.Ceil(r.Length*steepest/turned)))
	r.Radius, r.InnerRadius, r.Length = 0, 0, 0 // what follows from the sections
	for _, s := range r.Sections {
		r.Length += s.Length
	}
	return turn
}

// handle moves the base by servo_insertion instead of at one speed.
func (c *Insertion) handle(g *generator, d *insertionDraft) {
	const turns = 2 * math.Pi // rad/s, the greatest rate
	b := &d.file.Base
	way := d.speed * b.Until
	b.Velocity, b.Until = spatial.Vec{}, math.Inf(1)
	c.handling = []handled{{}}
	add := func(insertion, speed float64) {
		last := c.handling[len(c.handling)-1]
		next := handled{t: last.t + math.Abs(insertion-last.insertion)/speed, insertion: insertion, twist: last.twist}
		if g.chance(0.7) {
			next.twist += g.between(-turns, turns) * (next.t - last.t)
		}
		c.handling = append(c.handling, next)
	}
	pause := func(insertion float64) { // in which it may be twisted on the spot
		last := c.handling[len(c.handling)-1]
		next := handled{t: last.t + g.between(0, 0.1), insertion: insertion, twist: last.twist}
		if g.chance(0.5) {
			next.twist += g.between(-turns, turns) * (next.t - last.t)
		}
		c.handling = append(c.handling, next)
	}
	add(way, d.speed)
	pause(way)
	back := way * g.between(0, 0.7)
	add(back, g.log(0.05, 0.2))
	if g.chance(0.7) {
		pause(back)
		add(way, d.speed)
	}
	c.Steps = int(c.handling[len(c.handling)-1].t/d.file.Solver.Step) + 1
}

// at is where the base is to be at a time.
func (c *Insertion) at(t float64) handled {
	for i := 1; i < len(c.handling); i++ {
		if a, b := c.handling[i-1], c.handling[i]; t < b.t {
			share := (t - a.t) / (b.t - a.t)
			return handled{t, a.insertion + share*(b.insertion-a.insertion), a.twist + share*(b.twist-a.twist)}
		}
	}
	return c.handling[len(c.handling)-1]
}

// mover returns a function that commands step i of the insertion.
func (c *Insertion) mover(m sim.Model, in *sim.Inputs) func(i int) {
	if len(c.handling) == 0 {
		return func(int) {}
	}
	port := -1
	for i, p := range m.Ports() {
		if p.Name == "servo_insertion" {
			port = i
		}
	}
	return func(i int) {
		step := c.file.Solver.Step
		h := c.at(float64(i+1) * step)
		if v := in.Set(port, []float64{h.insertion, h.twist}); v != sim.Accepted {
			panic(fmt.Sprintf("torture: %s: servo_insertion is %v", c.Title, v))
		}
		in.Advance(step)
	}
}
