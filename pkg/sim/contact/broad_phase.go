package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// patch is the stations of one element for one wall. While it is far from the wall they are
// not looked at.
type patch struct {
	element, first, last int // stations from first to before last

	near bool
	// Where it was when it was found to be far, and how far each station may go from there
	// before one could be within its diameter of the wall.
	from, to frame
	slack    float64 // m
	bulge    float64 // of the centre line, m per change of the tangents
}

// frame is position and tangent of a node.
type frame struct{ p, t spatial.Vec }

func frameOf(rod *strain.State, node int) frame {
	g := &rod.Pose[node]
	return frame{g.P, g.R.Col3()}
}

// span returns the stations of a patch that is near, else none.
func (p *patch) span() (first, last int) {
	if !p.near {
		return 0, 0
	}
	return p.first, p.last
}

// gone returns a bound on how far any station is from where it was when the patch was found
// to be far. The position of a station is the mean of those of two nodes, and of the tangents
// less than a quarter of the length of the element.
func (p *patch) gone(rod *strain.State) float64 {
	a, b := &rod.Pose[p.element], &rod.Pose[p.element+1]
	if p.bulge == 0 { // all are at the node
		return b.P.Sub(p.to.p).Norm()
	}
	way := max(a.P.Sub(p.from.p).Norm2(), b.P.Sub(p.to.p).Norm2())
	turn := max(a.R.Col3().Sub(p.from.t).Norm2(), b.R.Col3().Sub(p.to.t).Norm2())
	return math.Sqrt(way) + p.bulge*math.Sqrt(turn)
}

// goes returns a bound on how far increments of the nodes, which begin with node 1, take any
// station.
func (p *patch) goes(eta []spatial.Vec6) float64 {
	b := &eta[p.element]
	way, turn := b.Linear().Norm2(), b.Angular().Norm2()
	if p.element > 0 && p.bulge > 0 {
		a := &eta[p.element-1]
		way, turn = max(way, a.Linear().Norm2()), max(turn, a.Angular().Norm2())
	}
	return math.Sqrt(way) + p.bulge*math.Sqrt(turn)
}

// approach makes a far patch a near one, with the state from which the step has begun.
func (c *Contacts) approach(p *patch) {
	p.near = true
	for k := p.first; k < p.last; k++ {
		c.held[k] = c.Points[k].between(&c.nodes[p.element], &c.nodes[p.element+1])
		c.lookHeld(p, k)
		c.pairs[k].tangent, c.pairs[k].slope, c.pairs[k].extra, c.pairs[k].hold = 0, 0, 0, spatial.Mat3{}
	}
}

// lookHeld finds what its wall is to station k of a patch in the state.
func (c *Contacts) lookHeld(p *patch, k int) {
	s, q := &c.Points[k], &c.pairs[k]
	wall, from, to := &c.Walls[s.Wall].Shape, &c.nodes[p.element], &c.nodes[p.element+1]
	hint := q.hint
	if q.look(wall, s, c.held[k], &hint); s.spans() {
		q.touch(wall, s, from, to)
	}
	q.heldGap, q.heldNormal, q.heldRoom = q.gap, q.normal, q.room(c.held[k])
	q.brace(&s.NormalLaw, c.rate)
}

// part makes patches far that are, in the state, from walls that stand still.
func (c *Contacts) part() {
	for i := range c.patches {
		p := &c.patches[i]
		if !p.near || c.motions[c.wallOf(p)].moving {
			continue
		}
		p.slack = infinite
		for k := p.first; k < p.last; k++ {
			s := &c.Points[k]
			p.slack = min(p.slack, c.pairs[k].known(c.held[k])-s.alert())
		}
		if p.slack <= 0 {
			continue
		}
		p.near = false
		p.from, p.to = c.nodes[p.element], c.nodes[p.element+1]
		for k := p.first; k < p.last; k++ {
			c.pairs[k].forget()
		}
	}
}

// known is a distance of the station at x within which there is no wall: it may have moved since
// it was found.
func (p *pair) known(x spatial.Vec) float64 { return min(p.gap, p.clear-x.Sub(p.seen).Norm()) }

// room is that distance, but infinite where no wall is near and nothing known of how far that goes:
// checkWay finds what comes into a wall from there.
func (p *pair) room(x spatial.Vec) float64 {
	if p.open && !(p.clear > 0) {
		return infinite
	}
	return p.known(x)
}

// alert is the gap beyond which nothing that happens in a step concerns the station.
func (s *ContactPoint) alert() float64 { return max(2*s.Radius, s.ActivationGap) + s.dip }
