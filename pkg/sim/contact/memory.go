package contact

import (
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// pairLen is the number of values of a pair in a saved state.
const pairLen = 12

// StateLen is the number of values that Save writes.
func (c *Contacts) StateLen() int { return pairLen * len(c.pairs) }

// Save writes the state to dst.
func (c *Contacts) Save(dst []float64) {
	for i := range c.pairs {
		p := &c.pairs[i]
		p.displaced.Put(dst)
		p.force.Put(dst[3:])
		p.seen.Put(dst[6:])
		dst[9], dst[10], dst[11] = p.pressed, p.clear, p.hint.Foot
		dst = dst[pairLen:]
	}
}

// Restore makes src, written by Save, the state of the rod where it is.
func (c *Contacts) Restore(src []float64, rod *strain.State) {
	for i := range c.pairs {
		p := &c.pairs[i]
		*p = pair{
			displaced: spatial.VecAt(src), force: spatial.VecAt(src[3:]), seen: spatial.VecAt(src[6:]),
			pressed: src[9], clear: src[10], hint: shape.Hint{Foot: src[11]},
		}
		src = src[pairLen:]
	}
	c.frictional = false
	for i := range c.Stations {
		s, pairs := &c.Stations[i], c.of(i)
		c.at[i], c.room[i] = s.at(rod), infinite
		for k := range pairs {
			p := &pairs[k]
			seen, clear, hint := p.seen, p.clear, p.hint
			c.room[i] = min(c.room[i], p.look(&c.Walls[k].Shape, s, c.at[i], &hint))
			p.seen, p.clear = seen, clear
		}
	}
	c.settle()
}
