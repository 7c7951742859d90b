package contact

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// MaxBaseOffset is the largest penetration of the base into a wall, over its radius, that the
// static offset compensates. A base that is deeper bends the rod.
const MaxBaseOffset = 5e-3

// baseContact is the contact of the base with one wall, and its static offset. The pose of the base
// is prescribed, while the equilibrium of the rod on the wall follows from the law of contact,
// which acts above the surface. The difference in height would bend the rod within its first
// element, with a force that grows without bound as the element gets shorter. Where the base is
// within the activation gap of a wall, the static offset therefore lowers the law, so that a rod
// that rests on the wall under its weight is at the height of the base.
type baseContact struct {
	known     bool        // the other fields are valid for the present pose of the wall
	base      HermiteNode // base for which they were computed
	clearance float64     // lower bound of the distance of its surface from the wall, m
	// depth is the penetration of its surface into the wall, m; negative outside, −∞ where no wall
	// is near. Where the base points away from the wall, it is the penetration of the next node of
	// a straight rod, since a rod that stands on a table is not meant to be pressed into it.
	depth float64
}

// updateBaseContacts computes the static offsets of all walls. They depend on the poses of base and
// walls alone.
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

// weightDepths returns, by wall, the distance below the activation gap at which the node next to
// the base carries its weight, m.
func weightDepths(r *rod.Rod, o *Options, points []ContactPoint, patches []patch) []float64 {
	all := make([]float64, len(o.Walls))
	for w := range all {
		p := patches[w] // patch of the first element
		s := &points[p.first]
		load := r.NodeMasses()[1] * o.Gravity / float64(p.last-p.first)
		all[w] = min(math.Sqrt(4*s.ActivationGap*load/s.Stiffness), s.ActivationGap)
	}
	return all
}

// setStaticOffset sets the static offset of wall w to by, m.
func (c *Contacts) setStaticOffset(w int, by float64) {
	if c.staticOffsets[w] == by {
		return
	}
	c.staticOffsets[w] = by
	for k := range c.Points {
		if s := &c.Points[k]; s.Wall == w {
			s.staticOffset = by
		}
	}
}

// BasePenetration returns the largest penetration of the surface of the base into a wall over the
// radius, and the index of that wall; 0 and −1 where the base is in none.
func (c *Contacts) BasePenetration() (depth float64, wall int) {
	wall = -1
	for w := range c.baseContacts {
		if d := c.baseContacts[w].depth / c.baseRadius; d > depth {
			depth, wall = d, w
		}
	}
	return depth, wall
}

// staticOffsetChange returns the change of the static offset of wall w, m, with the twist by (world
// axes) of the base about its own origin. For a base that is parallel to the wall, the one-sided
// derivatives with respect to rotation differ: the result has their mean.
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
