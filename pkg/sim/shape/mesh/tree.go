package mesh

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// tree is a hierarchy of boxes about facets.
type tree struct {
	facets []facet
	order  []int32 // facets, those of a leaf side by side
	nodes  []treeNode
}

// treeNode is a leaf with count facets from first in the order, or has its children at first
// and first + 1.
type treeNode struct {
	lo, hi       spatial.Vec
	first, count int32
}

// mostInLeaf is the number of facets in a leaf.
const mostInLeaf = 4

func newTree(facets []facet) *tree {
	t := &tree{facets: facets, order: make([]int32, len(facets)), nodes: make([]treeNode, 1, len(facets))}
	centers := make([]spatial.Vec, len(facets))
	for i := range facets {
		f := &facets[i]
		t.order[i] = int32(i)
		centers[i] = f.a.Add(f.b).Add(f.c).Scale(1.0 / 3)
	}
	t.divide(0, 0, len(facets), centers)
	return t
}

// divide makes node the root of a tree of order[from:to].
func (t *tree) divide(node, from, to int, centers []spatial.Vec) {
	inf := math.Inf(1)
	lo, hi := spatial.Vec{X: inf, Y: inf, Z: inf}, spatial.Vec{X: -inf, Y: -inf, Z: -inf}
	clo, chi := lo, hi
	for _, i := range t.order[from:to] {
		f := &t.facets[i]
		lo, hi = least(least(lo, f.a), least(f.b, f.c)), most(most(hi, f.a), most(f.b, f.c))
		clo, chi = least(clo, centers[i]), most(chi, centers[i])
	}
	n := &t.nodes[node]
	n.lo, n.hi = lo, hi
	if to-from <= mostInLeaf {
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

// squared returns the squared distance of x to the box.
func (n *treeNode) squared(x spatial.Vec) float64 {
	dx := max(n.lo.X-x.X, 0, x.X-n.hi.X)
	dy := max(n.lo.Y-x.Y, 0, x.Y-n.hi.Y)
	dz := max(n.lo.Z-x.Z, 0, x.Z-n.hi.Z)
	return dx*dx + dy*dy + dz*dz
}

// nearest returns the point of the facets that is nearest to x. The search is short if the
// facet to begin with is near.
func (t *tree) nearest(x spatial.Vec, begin int32) nearest {
	best := t.facets[begin].nearest(x)
	best.triangle = begin
	var stack [128]int32
	depth := 1
	for depth > 0 {
		depth--
		n := &t.nodes[stack[depth]]
		if n.squared(x) >= best.squared {
			continue
		}
		if n.count > 0 {
			for _, i := range t.order[n.first : n.first+n.count] {
				if found := t.facets[i].nearest(x); found.squared < best.squared {
					best = found
					best.triangle = i
				}
			}
			continue
		}
		// the nearer child is looked into first
		near, far := n.first, n.first+1
		if t.nodes[far].squared(x) < t.nodes[near].squared(x) {
			near, far = far, near
		}
		stack[depth], stack[depth+1] = far, near
		depth += 2
	}
	return best
}
