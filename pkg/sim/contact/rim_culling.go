package contact

import (
	"math"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// rimCulling bounds, by rim, how far all nodes may move together before a culled patch of the rim can
// be within alarmDistance of it: most rods are far from most rims, and then none of these patches has
// to be looked at.
type rimCulling struct {
	first   []int         // by rim, index of its first patch, and the number of patches
	limits  []float64     // by rim, m; 0: not known
	nodes   []hermiteNode // of the state for which the limits are
	longest float64       // the longest tangentFactor, m
}

// newRimCulling returns the bounds of the rims, whose patches follow those of the walls, of a rod with
// so many nodes.
func newRimCulling(patches []patch, walls, nodes int) (r rimCulling) {
	last := walls - 1
	for i := range patches {
		if p := &patches[i]; p.surface > last {
			last = p.surface
			r.first, r.limits = append(r.first, i), append(r.limits, 0)
		}
		if patches[i].surface >= walls {
			r.longest = max(r.longest, patches[i].tangentFactor)
		}
	}
	if len(r.limits) > 0 {
		r.nodes = make([]hermiteNode, nodes)
	}
	r.first = append(r.first, len(patches))
	return r
}

// reset discards the bounds.
func (r *rimCulling) reset() { clear(r.limits) }

// update computes the bounds at the nodes of the state, if one is not known.
func (r *rimCulling) update(c *Contacts) {
	known := true
	for i := range r.limits {
		known = known && r.limits[i] > 0
	}
	if known {
		return
	}
	copy(r.nodes, c.prevNodes)
	for i := range r.limits {
		r.limits[i] = infinite
		for k := r.first[i]; k < r.first[i+1]; k++ {
			if p := &c.patches[k]; !p.near {
				travelled := p.travelBetween(&c.prevNodes[p.element], &c.prevNodes[p.element+1])
				r.limits[i] = min(r.limits[i], max(0, p.travelLimit-travelled))
			}
		}
	}
}

// travel returns a bound of the displacement of every point of the rod since the bounds were
// computed, and under the body increments eta of the nodes, node 1 first, m.
func (r *rimCulling) travel(rod *strain.State, eta []spatial.Vec6) float64 {
	displacement2, tangent2 := 0.0, 0.0
	for i := range r.nodes {
		a := &rod.Pose[i]
		displacement2 = max(displacement2, a.P.Sub(r.nodes[i].p).Norm2())
		tangent2 = max(tangent2, a.R.Col3().Sub(r.nodes[i].t).Norm2())
	}
	travel := math.Sqrt(displacement2) + r.longest*math.Sqrt(tangent2)
	displacement2, tangent2 = 0, 0
	for i := range eta {
		displacement2, tangent2 = max(displacement2, eta[i].Linear().Norm2()), max(tangent2, eta[i].Angular().Norm2())
	}
	return travel + math.Sqrt(displacement2) + r.longest*math.Sqrt(tangent2)
}

// leastTravel is the displacement that a patch must be free of contact for to be culled, m. To look at
// a rim costs little more than to look whether a culled patch has come near it.
func (c *Contacts) leastTravel(p *patch) float64 {
	if s := &c.Points[p.first]; s.rim != nil {
		return 2 * s.Radius
	}
	return 0
}
