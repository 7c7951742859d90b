package main

import (
	"slices"
	"testing"
)

func TestReadingOrder(t *testing.T) {
	for _, c := range []struct {
		name   string
		arrows [][]int
		order  []int
		back   int
	}{
		{"nothing", nil, nil, 0},
		{"no arrows", [][]int{{}, {}, {}}, []int{0, 1, 2}, 0},
		{"a chain upside down", [][]int{{}, {0}, {1}}, []int{2, 1, 0}, 0},
		{"a diamond", [][]int{{1, 2}, {3}, {3}, {}}, []int{0, 1, 2, 3}, 0},
		{"a cycle of three has one", [][]int{{1}, {2}, {0}}, []int{0, 1, 2}, 1},
		{"two cycles and an arrow between them", [][]int{{1}, {0}, {3, 0}, {2}}, []int{2, 3, 0, 1}, 2},
		{"a file that all use and that uses one", [][]int{{3}, {3}, {3}, {0}}, []int{1, 2, 0, 3}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			order, back := readingOrder(c.arrows)
			if back != c.back || !slices.Equal(order, c.order) {
				t.Errorf("%v with %d back arrows, want %v with %d", order, back, c.order, c.back)
			}
		})
	}
}

// graphs calls try with every graph of n vertices.
func graphs(n int, try func(arrows [][]int)) {
	var pairs [][2]int
	for a := range n {
		for b := range n {
			if a != b {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	for set := range 1 << len(pairs) {
		arrows := make([][]int, n)
		for i, p := range pairs {
			if set>>i&1 == 1 {
				arrows[p[0]] = append(arrows[p[0]], p[1])
			}
		}
		try(arrows)
	}
}

// permutations are all orders of n vertices.
func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, p := range permutations(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return all
}

// TestFewestBackArrows compares the number of back arrows with the smallest over all orders,
// of every graph of four vertices. The heuristic may leave more, and rarely does.
func TestFewestBackArrows(t *testing.T) {
	const n = 4
	const mostWorse = 0.005 // of the graphs; the heuristic is worse for 5 of 4096
	orders := permutations(n)
	graphCount, worse := 0, 0
	graphs(n, func(arrows [][]int) {
		fewest := n * n
		for _, order := range orders {
			fewest = min(fewest, backArrows(order, arrows))
		}
		order, back := readingOrder(arrows)
		if back != fewest || len(order) != n {
			t.Fatalf("%v: %d back arrows in order %v, want %d", arrows, back, order, fewest)
		}
		graphCount++
		by := improve(greedy([]int{0, 1, 2, 3}, arrows), arrows)
		if slices.Compare(slices.Sorted(slices.Values(by)), []int{0, 1, 2, 3}) != 0 {
			t.Fatalf("%v: the heuristic orders %v", arrows, by)
		}
		if backArrows(by, arrows) > fewest {
			worse++
		}
	})
	t.Logf("the heuristic is worse for %d of %d graphs", worse, graphCount)
	if float64(worse) > mostWorse*float64(graphCount) {
		t.Errorf("the heuristic is worse for %d of %d graphs, at most %g are allowed", worse, graphCount, mostWorse)
	}
}
