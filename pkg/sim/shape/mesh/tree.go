package mesh

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// tree is a hierarchy of boxes about facets.
type tree struct {
	facets []facet
	order  []int32    // facets, those of a leaf side by side
	place  []int32    // of facets in the order
	leaves []Triangle // their corners, in this order
	planes []facetPlane
	nodes  []treeNode
}

// treeNode is a leaf with count facets from first in the order, or has its children at first
// and first + 1.
type treeNode struct {
	lo, hi       spatial.Vec
	first, count int32
}

// maxLeafSize is the number of facets in a leaf.
const maxLeafSize = 4

func newTree(facets []facet) *tree {
	t := &tree{facets: facets, order: make([]int32, len(facets)), nodes: make([]treeNode, 1, len(facets))}
	centers := make([]spatial.Vec, len(facets))
	for i := range facets {
		f := &facets[i]
		t.order[i] = int32(i)
		centers[i] = f.Triangle[0].Add(f.Triangle[1]).Add(f.Triangle[2]).Scale(1.0 / 3)
	}
	t.divide(0, 0, len(facets), centers)
	t.place = make([]int32, len(facets))
	for place, i := range t.order {
		t.place[i] = int32(place)
		t.leaves = append(t.leaves, facets[i].Triangle)
		t.planes = append(t.planes, facetPlaneOf(&facets[i].Triangle))
	}
	return t
}

// divide makes node the root of a tree of order[from:to].
func (t *tree) divide(node, from, to int, centers []spatial.Vec) {
	inf := math.Inf(1)
	lo, hi := spatial.Vec{X: inf, Y: inf, Z: inf}, spatial.Vec{X: -inf, Y: -inf, Z: -inf}
	clo, chi := lo, hi
	for _, i := range t.order[from:to] {
		f := &t.facets[i]
		lo, hi = least(least(lo, f.Triangle[0]), least(f.Triangle[1], f.Triangle[2])), most(most(hi, f.Triangle[0]), most(f.Triangle[1], f.Triangle[2]))
		clo, chi = least(clo, centers[i]), most(chi, centers[i])
	}
	n := &t.nodes[node]
	n.lo, n.hi = lo, hi
	if to-from <= maxLeafSize {
		n.first, n.count = int32(from), int32(to-from)
		return
	}
	size := chi.Sub(clo)
	axis := func(v spatial.Vec) float64 { return v.Z }
	switch {
	case size.X >= size.Y && size.X >= size.Z:
		axis = func(v spatial.Vec) float64 { return v.X }
	case size.Y >= size.Z:
		axis = func(v spatial.Vec) float64 { return v.Y }
	}
	border := (axis(clo) + axis(chi)) / 2
	mid := from
	for i := from; i < to; i++ {
		if axis(centers[t.order[i]]) < border {
			t.order[i], t.order[mid] = t.order[mid], t.order[i]
			mid++
		}
	}
	if mid == from || mid == to || min(mid-from, to-mid) < (to-from)/8 {
		mid = (from + to) / 2 // all in one place, or nearly
	}
	first := len(t.nodes)
	n.first = int32(first)
	t.nodes = append(t.nodes, treeNode{}, treeNode{})
	t.divide(first, from, mid, centers)
	t.divide(first+1, mid, to, centers)
}

// offset returns the vector to x from the nearest point of the box.
func (n *treeNode) offset(x spatial.Vec) spatial.Vec {
	return x.Sub(most(n.lo, least(n.hi, x)))
}

// squared returns the squared distance of x to the box.
func (n *treeNode) squared(x spatial.Vec) (sum float64) {
	if d := n.lo.X - x.X; d > 0 {
		sum = d * d
	} else if d := x.X - n.hi.X; d > 0 {
		sum = d * d
	}
	if d := n.lo.Y - x.Y; d > 0 {
		sum += d * d
	} else if d := x.Y - n.hi.Y; d > 0 {
		sum += d * d
	}
	if d := n.lo.Z - x.Z; d > 0 {
		sum += d * d
	} else if d := x.Z - n.hi.Z; d > 0 {
		sum += d * d
	}
	return sum
}

// nearest returns the point of the facets that is nearest to x. The search is short if the
// facet to begin with is near.
func (t *tree) nearest(x spatial.Vec, begin int32) nearest {
	best := t.facets[begin].nearest(x)
	best.triangle = begin
	type visit struct {
		node    int32
		squared float64
	}
	var stack [128]visit
	depth := 1
	for depth > 0 {
		depth--
		if stack[depth].squared >= best.squared {
			continue
		}
		n := &t.nodes[stack[depth].node]
		if n.count > 0 {
			for i := n.first; i < n.first+n.count; i++ {
				if found := t.leaves[i].nearest(x); found.squared < best.squared {
					best = found
					best.triangle = t.order[i]
				}
			}
			continue
		}
		// the nearer child is looked into first
		near := visit{n.first, t.nodes[n.first].squared(x)}
		far := visit{n.first + 1, t.nodes[n.first+1].squared(x)}
		if far.squared < near.squared {
			near, far = far, near
		}
		if far.squared < best.squared {
			stack[depth] = far
			depth++
		}
		if near.squared < best.squared {
			stack[depth] = near
			depth++
		}
	}
	return best
}
