package main

import (
	"math/bits"
	"slices"
)

// mostExact is the size of the largest component that is ordered exactly.
const mostExact = 18

// readingOrder orders the vertices of a graph so that few arrows run backwards, and counts
// those. Vertices are numbered in the order that decides ties. See the comment of the
// package for the method.
func readingOrder(arrows [][]int) (order []int, back int) {
	for _, c := range components(arrows) {
		if len(c) <= mostExact {
			order = append(order, exact(c, arrows)...)
		} else {
			order = append(order, improve(greedy(c, arrows), arrows)...)
		}
	}
	return order, backArrows(order, arrows)
}

// cyclicArrows counts the arrows between vertices of one component.
func cyclicArrows(arrows [][]int) (n int) {
	for _, c := range components(arrows) {
		for _, v := range c {
			for _, w := range arrows[v] {
				if slices.Contains(c, w) {
					n++
				}
			}
		}
	}
	return n
}

// backArrows counts the arrows from a vertex of the order to one before it.
func backArrows(order []int, arrows [][]int) (n int) {
	place := map[int]int{}
	for i, v := range order {
		place[v] = i
	}
	for _, v := range order {
		for _, w := range arrows[v] {
			if p, inside := place[w]; inside && p < place[v] {
				n++
			}
		}
	}
	return n
}

// components returns the strongly connected components in a topological order: arrows
// between them run forwards. It is Tarjan's algorithm, which finds the last one first.
func components(arrows [][]int) (all [][]int) {
	n := len(arrows)
	number, low := make([]int, n), make([]int, n) // number: 0 where not visited yet
	onStack := make([]bool, n)
	var stack []int
	next := 1
	var visit func(v int)
	visit = func(v int) {
		number[v], low[v] = next, next
		next++
		stack, onStack[v] = append(stack, v), true
		for _, w := range arrows[v] {
			if number[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if onStack[w] {
				low[v] = min(low[v], number[w])
			}
		}
		if low[v] < number[v] {
			return
		}
		i := slices.Index(stack, v)
		c := slices.Clone(stack[i:])
		stack = stack[:i]
		for _, w := range c {
			onStack[w] = false
		}
		slices.Sort(c)
		all = append(all, c)
	}
	for v := n - 1; v >= 0; v-- {
		if number[v] == 0 {
			visit(v)
		}
	}
	slices.Reverse(all)
	return all
}

// exact orders the vertices of a component with the fewest arrows backwards. fewest[set] is
// their number where the vertices of the set come first, in their best order: each that is
// put behind a set adds its arrows into it.
func exact(component []int, arrows [][]int) []int {
	n := len(component)
	out := make([]uint, n) // arrows of each vertex as a set
	for i, v := range component {
		for j, w := range component {
			if i != j && slices.Contains(arrows[v], w) {
				out[i] |= 1 << j
			}
		}
	}
	fewest := make([]int, 1<<n)
	last := make([]int, 1<<n)
	for set := uint(1); set < 1<<n; set++ {
		fewest[set] = n * n
		for i := range n {
			if before := set &^ (1 << i); before != set {
				if back := fewest[before] + bits.OnesCount(out[i]&before); back <= fewest[set] {
					fewest[set], last[set] = back, i
				}
			}
		}
	}
	order := make([]int, n)
	for set, k := uint(1)<<n-1, n-1; k >= 0; k-- {
		order[k] = component[last[set]]
		set &^= 1 << last[set]
	}
	return order
}

// greedy orders the vertices of a component as Eades, Lin and Smyth do.
func greedy(component []int, arrows [][]int) []int {
	left := slices.Clone(component)
	degrees := func(v int) (out, in int) {
		for _, w := range left {
			if w == v {
				continue
			}
			if slices.Contains(arrows[v], w) {
				out++
			}
			if slices.Contains(arrows[w], v) {
				in++
			}
		}
		return out, in
	}
	var first, last []int
	for len(left) > 0 {
		best, most := 0, -len(component)
		sink := -1
		for i, v := range left {
			out, in := degrees(v)
			if out == 0 {
				sink = i
				break
			}
			if in == 0 {
				out = len(component) // a source goes before any other
			}
			if out-in > most {
				best, most = i, out-in
			}
		}
		if sink >= 0 {
			last = append(last, left[sink])
			left = slices.Delete(left, sink, sink+1)
			continue
		}
		first = append(first, left[best])
		left = slices.Delete(left, best, best+1)
	}
	slices.Reverse(last)
	return append(first, last...)
}

// improve moves one vertex at a time to the place where fewest arrows run backwards, until
// no move makes them fewer.
func improve(order []int, arrows [][]int) []int {
	fewest := backArrows(order, arrows)
	for again := true; again; {
		again = false
		for _, v := range slices.Clone(order) {
			from := slices.Index(order, v)
			without := slices.Delete(slices.Clone(order), from, from+1)
			for to := range order {
				moved := slices.Insert(slices.Clone(without), to, v)
				if n := backArrows(moved, arrows); n < fewest {
					order, fewest, again = moved, n, true
				}
			}
		}
	}
	return order
}
