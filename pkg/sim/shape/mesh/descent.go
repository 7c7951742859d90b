package mesh

import (
	"math"
	"sync"

	"sinew/pkg/sim/spatial"
)

// descent finds the nearest facet of each point of a grid. It halves boxes of points down to single points, and
// looks in each half only at those facets that may be the nearest of one of its points, among those of the whole.
//
// Facets are convex, and so are the boxes of the tree. If one is at the distance d from c, in the direction −u, all of it is
// behind the plane through its nearest point with the normal u, so that its distance from c + δ is at least d + u·δ.
// The nearest facet of c, at the distance e in the direction −v, is there at most at |e v + δ| ≤ e + v·δ + δ²/2e.
// In a ball of the radius r about c the other one is not nearer anywhere if d ≥ e + |v − u| r + r²/2e, or d ≥ e + 2 r.
type descent struct {
	tree    *tree
	origin  spatial.Vec // of the grid, m
	spacing float64     // m

	wanted func(lo, hi [3]int) bool                       // whether any of the points from lo to before hi is; nil: all are
	set    func(at [3]int, x spatial.Vec, found *nearest) // called for each point that is wanted

	levels *facetLevels
}

// facetLevels are the facets of boxes within one another.
type facetLevels [maxHalvings][]facetBound

// levelsPool keeps the memory of searches.
var levelsPool = sync.Pool{New: func() any { return &facetLevels{} }}

// maxHalvings is the number of times that a box of points may be halved until no edge has two points.
const maxHalvings = 4

// facetBound is a lower bound of the distance of a facet: that of the plane that separates it from a center.
type facetBound struct {
	distance float64     // from the center, m
	away     spatial.Vec // unit normal, from the facet to the center; 0 at the distance 0
	place    int32       // of the facet in the order of the tree
}

func newFacetBound(place int32, offset spatial.Vec) facetBound {
	b := facetBound{place: place, distance: offset.Norm()}
	if b.distance > 0 {
		b.away = offset.Scale(1 / b.distance)
	}
	return b
}

// ball is a ball about points of the grid, with the nearest facet of its center.
type ball struct {
	center  spatial.Vec
	radius  float64
	nearest facetBound
	reach   float64 // no facet is nearest to a point of the ball that is farther from its center
	bend    float64 // nor farther than this where it is in the direction of the nearest
}

// setNearest sets the nearest facet.
func (b *ball) setNearest(f facetBound) {
	const roundOff = 1e-9 // part of a distance that counts as equal
	e := f.distance * (1 + roundOff)
	b.nearest, b.reach, b.bend = f, e+2*b.radius, e+b.radius*b.radius/(2*e)
}

// mayBeNearest reports whether a convex body may be nearest to a point of the ball, if its distance from the center
// moved by δ is at least distance + away·δ.
func (b *ball) mayBeNearest(distance float64, away spatial.Vec) bool {
	if distance <= b.bend {
		return true
	}
	beyond := distance - b.bend
	return distance <= b.reach && beyond*beyond <= b.radius*b.radius*b.nearest.away.Sub(away).Norm2()
}

// at returns the place of a point of the grid.
func (d *descent) at(p [3]int) spatial.Vec {
	return d.origin.AddScaled(d.spacing, spatial.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])})
}

// ball returns the ball about the points from lo to before hi.
func (d *descent) ball(lo, hi [3]int) ball {
	half := spatial.Vec{X: float64(hi[0] - 1 - lo[0]), Y: float64(hi[1] - 1 - lo[1]), Z: float64(hi[2] - 1 - lo[2])}.Scale(d.spacing / 2)
	return ball{center: d.at(lo).Add(half), radius: half.Norm()}
}

// search finds the nearest facets of the points from lo to before hi. It is short if the facet to begin with is near.
func (d *descent) search(lo, hi [3]int, begin int32) {
	d.levels = levelsPool.Get().(*facetLevels)
	defer levelsPool.Put(d.levels)
	t, b := d.tree, d.ball(lo, hi)
	n := t.nearest(b.center, begin)
	place := t.place[n.triangle]
	b.setNearest(newFacetBound(place, t.planes[place].offset(b.center)))
	all := d.levels[0][:0]
	var stack [128]int32
	depth := 1
	for depth > 0 {
		depth--
		node := &t.nodes[stack[depth]]
		if o := node.offset(b.center); o != (spatial.Vec{}) {
			length := o.Norm()
			if !b.mayBeNearest(length, o.Scale(1/length)) {
				continue
			}
		}
		if node.count == 0 {
			stack[depth], stack[depth+1] = node.first, node.first+1
			depth += 2
			continue
		}
		for i := node.first; i < node.first+node.count; i++ {
			if f := newFacetBound(i, t.planes[i].offset(b.center)); b.mayBeNearest(f.distance, f.away) {
				all = append(all, f)
			}
		}
	}
	d.levels[0] = all
	d.divide(0, lo, hi, &b)
}

// divide searches the halves of a box along each of its edges, among the facets of its level.
func (d *descent) divide(level int, lo, hi [3]int, whole *ball) {
	var middle [3]int
	for k := range middle {
		middle[k] = (lo[k] + hi[k] + 1) / 2
	}
	for octant := range 8 {
		from, to := lo, hi
		for k := range from {
			if octant>>k&1 == 0 {
				to[k] = middle[k]
			} else {
				from[k] = middle[k]
			}
		}
		switch {
		case from[0] == to[0] || from[1] == to[1] || from[2] == to[2] || d.wanted != nil && !d.wanted(from, to):
		case to[0]-from[0] == 1 && to[1]-from[1] == 1 && to[2]-from[2] == 1:
			d.searchPoint(level, from, whole)
		default:
			part := d.ball(from, to)
			d.restrict(level, whole, &part)
			d.divide(level+1, from, to, &part)
		}
	}
}

// restrict selects those of the facets of a level that may be nearest to a point of a part of its ball, for the next level.
func (d *descent) restrict(level int, whole, part *ball) {
	t, move := d.tree, part.center.Sub(whole.center)
	part.setNearest(newFacetBound(whole.nearest.place, t.planes[whole.nearest.place].offset(part.center)))
	all := d.levels[level+1][:0]
	for i := range d.levels[level] {
		f := &d.levels[level][i]
		if !part.mayBeNearest(f.distance+f.away.Dot(move), f.away) {
			continue
		}
		g := newFacetBound(f.place, t.planes[f.place].offset(part.center))
		if g.distance < part.nearest.distance {
			part.setNearest(g)
		}
		all = append(all, g)
	}
	kept := all[:0]
	for i := range all {
		if part.mayBeNearest(all[i].distance, all[i].away) {
			kept = append(kept, all[i])
		}
	}
	d.levels[level+1] = kept
}

// searchPoint finds the nearest facet of a point of a ball among those of a level.
func (d *descent) searchPoint(level int, at [3]int, whole *ball) {
	t, x := d.tree, d.at(at)
	move := x.Sub(whole.center)
	best := whole.nearest.place
	squared := t.planes[best].offset(x).Norm2()
	distance := math.Sqrt(squared)
	for i := range d.levels[level] {
		f := &d.levels[level][i]
		if f.distance+f.away.Dot(move) >= distance {
			continue
		}
		if s := t.planes[f.place].squared(x, squared); s < squared {
			best, squared, distance = f.place, s, math.Sqrt(s)
		}
	}
	found := t.leaves[best].nearest(x)
	found.triangle = t.order[best]
	d.set(at, x, &found)
}
