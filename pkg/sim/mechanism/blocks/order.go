package blocks

import "slices"

// eliminationOrder returns the unknowns in the order of their elimination, by minimum degree, and
// the unknowns to which each is coupled when its turn comes. A constraint is eliminated only after
// one of the unknowns that it couples, which makes its pivot −C − G K⁻¹ Gᵀ negative. Rods are
// eliminated from their ends, which needs no fill-in.
func eliminationOrder(unknowns []Unknown, pairs [][2]int) (order []int, neighbours [][]int) {
	n := len(unknowns)
	graph := make([]map[int]bool, n)
	for i := range graph {
		graph[i] = map[int]bool{}
	}
	for _, p := range pairs {
		if p[0] != p[1] {
			graph[p[0]][p[1]], graph[p[1]][p[0]] = true, true
		}
	}
	ready := make([]bool, n) // to be eliminated
	for i, u := range unknowns {
		ready[i] = !u.Constraint || len(graph[i]) == 0
	}
	done := make([]bool, n)
	for range n {
		next := -1
		for i := range unknowns {
			if !done[i] && ready[i] && (next < 0 || len(graph[i]) < len(graph[next])) {
				next = i
			}
		}
		if next < 0 { // constraints that couple only each other
			next = slices.Index(done, false)
		}
		var near []int
		for i := range graph[next] {
			near = append(near, i)
		}
		slices.Sort(near)
		done[next] = true
		for a, i := range near {
			delete(graph[i], next)
			ready[i] = true
			for _, j := range near[a+1:] {
				graph[i][j], graph[j][i] = true, true
			}
		}
		order, neighbours = append(order, next), append(neighbours, near)
	}
	return order, neighbours
}
