package contact

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// StandDepth is the share of its radius by which the base may be inside a wall that still carries the
// rod at the height of its base. A base that is deeper bends the rod.
const MaxBaseOffset = 5e-3

// stance is how the base is at a wall. The base is held where somebody has put it, and the rod lies
// where the law of contact carries it, which begins above the surface: in between the rod would have to
// bend within its first element, with a force that grows without bound as that gets shorter. So
// where the base is within the reach of a wall the law begins where a rod that lies on it by its weight
// lies at the height of the base.
type baseContact struct {
	known     bool        // of the wall where it is
	base      hermiteNode // as it was looked at
	clearance float64     // of its surface then to the wall, m, or less
	// depth is that of its surface in the wall, m; negative, or −∞, outside. Where the base points out of
	// the wall it is that at the next node of a straight rod: who stands a rod on a table does not press it in.
	depth float64
}

// stand lowers the walls at which the base is. It is a function of the places of base and walls alone.
func (c *Contacts) updateBaseContacts(rod *strain.State) {
	base := hermiteNodeOf(rod, 0)
	for w := range c.baseContacts {
		st := &c.baseContacts[w]
		if st.known && (base == st.base || base.p.Sub(st.base.p).Norm() < st.clearance-c.baseActivationGap) {
			continue
		}
		place, ok := c.Walls[w].Shape.At(base.p, new(shape.Hint))
		*st = baseContact{known: true, base: base, clearance: place.D - c.baseRadius, depth: math.Inf(-1)}
		if ok {
			st.depth = -st.clearance - c.baseElementLength*max(0, place.N.Dot(base.t))
		}
		c.setStaticOffset(w, min(max(0, st.depth+c.baseActivationGap-c.weightDepths[w]), MaxBaseOffset*c.baseRadius))
	}
}

// sunk returns, by wall, how far below the reach of its law the node next to the base carries its weight, m.
func weightDepths(r *rod.Rod, o *Options, stations []ContactPoint, patches []patch) []float64 {
	all := make([]float64, len(o.Walls))
	for w := range all {
		p := patches[w] // of the first element
		s := &stations[p.first]
		load := r.NodeMasses()[1] * o.Gravity / float64(p.last-p.first)
		all[w] = min(math.Sqrt(4*s.ActivationGap*load/s.Stiffness), s.ActivationGap)
	}
	return all
}

// lower makes the law of wall w begin lower by so much.
func (c *Contacts) setStaticOffset(w int, by float64) {
	if c.staticOffsets[w] == by {
		return
	}
	c.staticOffsets[w] = by
	for i := w; i < len(c.patches); i += len(c.Walls) {
		for k := c.patches[i].first; k < c.patches[i].last; k++ {
			c.Points[k].staticOffset = by
		}
	}
}

// BaseDepth returns the largest depth of the surface of the base in a wall over its radius, and which
// wall that is; 0 and −1 where it is in none.
func (c *Contacts) BasePenetration() (depth float64, wall int) {
	wall = -1
	for w := range c.baseContacts {
		if d := c.baseContacts[w].depth / c.baseRadius; d > depth {
			depth, wall = d, w
		}
	}
	return depth, wall
}

// lowering is by how much wall w begins lower as the base moves by a twist (world axes) about itself, m. A base that points along
// the wall turns out of it on one side only: that counts half.
func (c *Contacts) staticOffsetChange(w int, rod *strain.State, by spatial.Twist) float64 {
	const along = 1e-12
	depth := c.baseContacts[w].depth + c.baseActivationGap - c.weightDepths[w]
	if !(depth > 0 && depth < MaxBaseOffset*c.baseRadius) {
		return 0
	}
	base := hermiteNodeOf(rod, 0)
	place, ok := c.Walls[w].Shape.At(base.p, new(shape.Hint))
	if !ok {
		return 0
	}
	sum, out := -place.N.Dot(by.Linear), place.N.Dot(base.t)
	rise := place.W.Apply(by.Linear).Dot(base.t) + place.N.Dot(by.Angular.Cross(base.t))
	switch {
	case out > along:
		sum -= c.baseElementLength * rise
	case out > -along:
		sum -= 0.5 * c.baseElementLength * rise
	}
	return sum
}
