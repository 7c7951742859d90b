package contact

import (
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// pairLen, patchLen, placeLen and coupleLen are the numbers of values of a pair, of a patch, of
// the place of a wall and of a couple that touches in a saved state.
const (
	pairLen   = 16
	patchLen  = 14
	placeLen  = 12
	coupleLen = 2
)

// StateLen is the number of values that Save writes.
func (c *Contacts) StateLen() int {
	return placeLen*len(c.Walls) + pairLen*len(c.pairs) + patchLen*len(c.patches) + coupleLen*c.mostCouples()
}

// mostCouples is how many couples touch at the most.
func (c *Contacts) mostCouples() int {
	if c.self == nil {
		return 0
	}
	return min(mostTouching, len(c.self.pool))
}

// Save writes the state to dst.
func (c *Contacts) Save(dst []float64) {
	for w := range c.motions {
		c.motions[w].from.Put(dst)
		dst = dst[placeLen:]
	}
	for i := range c.pairs {
		p := &c.pairs[i]
		p.displaced.Put(dst)
		p.force.Put(dst[3:])
		p.seen.Put(dst[6:])
		p.normal.Put(dst[9:])
		dst[12], dst[13], dst[14], dst[15] = p.pressed, p.clear, p.hint.Foot, number(p.open)
		dst = dst[pairLen:]
	}
	for i := range c.patches {
		p := &c.patches[i]
		dst[0], dst[1] = number(p.near), p.slack
		for k, v := range [4]spatial.Vec{p.from.p, p.from.t, p.to.p, p.to.t} {
			v.Put(dst[2+3*k:])
		}
		dst = dst[patchLen:]
	}
	if c.self != nil {
		c.self.save(dst[:coupleLen*c.mostCouples()])
	}
}

// save writes the forces of the couples that touch, in their order, each after 1 + its slot.
func (s *itself) save(dst []float64) {
	for _, q := range s.listed {
		if q.pressed > 0 && len(dst) > 0 { // checkRoom tells of more
			dst[0], dst[1] = float64(1+s.slotOf(q.a, q.b, q.half)), q.pressed
			dst = dst[coupleLen:]
		}
	}
	clear(dst)
}

// restore makes those forces the ones of the listed couples.
func (s *itself) restore(src []float64) {
	for _, q := range s.listed {
		if q.pressed = 0; len(src) > 0 && src[0] == float64(1+s.slotOf(q.a, q.b, q.half)) {
			q.pressed = src[1]
			src = src[coupleLen:]
		}
	}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Restore makes src, written by Save, the state of the rod where it is.
func (c *Contacts) Restore(src []float64, rod *strain.State) {
	pairs := src[placeLen*len(c.Walls):]
	for w := range c.Walls {
		c.place(w, spatial.PoseAt(src))
		src = src[placeLen:]
	}
	for i := range c.pairs {
		c.pairs[i] = pair{
			closing: closing{gap: infinite}, displaced: spatial.VecAt(src), force: spatial.VecAt(src[3:]), seen: spatial.VecAt(src[6:]), normal: spatial.VecAt(src[9:]),
			pressed: src[12], clear: src[13], hint: shape.Hint{Foot: src[14]}, open: src[15] != 0,
		}
		src = src[pairLen:]
	}
	c.frictional, c.rate = false, 0
	for i := range c.pairs {
		c.pairs[i].brace(&c.Points[i].NormalLaw, 0)
	}
	c.stand(rod)
	for i := range c.patches {
		p := &c.patches[i]
		p.near, p.slack = src[0] != 0, src[1]
		p.from = frame{spatial.VecAt(src[2:]), spatial.VecAt(src[5:])}
		p.to = frame{spatial.VecAt(src[8:]), spatial.VecAt(src[11:])}
		src = src[patchLen:]
		for k, last := p.span(); k < last; k++ {
			s, q := &c.Points[k], &c.pairs[k]
			c.at[k] = s.at(rod)
			seen, clear, open, hint := q.seen, q.clear, q.open, q.hint
			q.look(&c.Walls[s.Wall].Shape, s, c.at[k], &hint)
			q.seen, q.clear, q.open = seen, clear, open
		}
	}
	if c.self != nil {
		c.self.clear()
		c.self.brace(0)
		c.self.locate(rod, c.nodes)
	}
	c.settle(rod)
	for i := range c.pairs { // what damping added in the step before
		c.pairs[i].pressed = pairs[i*pairLen+12]
	}
	if c.self != nil {
		c.self.restore(src[:coupleLen*c.mostCouples()])
	}
}
