package fleet

import (
	"cmp"
	"fmt"
	"slices"
)

// Share shares robots out among loops: each, the most expensive first, goes to the loop that has
// the least to do. costs are shares of a processor. of has the loop of each robot, load the sum of
// each loop, of which there are no more than robots.
func Share(costs []float64, loops int) (of []int, load []float64) {
	order := make([]int, len(costs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(costs[j], costs[i]) })
	of, load = make([]int, len(costs)), make([]float64, max(1, min(loops, len(costs))))
	number := make([]int, len(load)) // robots of each loop: those that cost nothing are shared out, too
	for _, i := range order {
		least := 0
		for l := range load {
			if c := cmp.Compare(load[l], load[least]); c < 0 || c == 0 && number[l] < number[least] {
				least = l
			}
		}
		of[i] = least
		load[least] += costs[i]
		number[least]++
	}
	return of, load
}

// TooMany says that robots, shared out among loops, are too many for real time here; it is empty if they are not.
func TooMany(of []int, load []float64) string {
	worst := 0
	for l := range load {
		if load[l] > load[worst] {
			worst = l
		}
	}
	if load[worst] <= 1 {
		return ""
	}
	n := 0
	for _, l := range of {
		if l == worst {
			n++
		}
	}
	return fmt.Sprintf("%d robots are too many for real time here: the steps of %d of them, on one of %d loops, want %.0f %% of a processor, at most 100 %% is to be had; "+
		"have fewer robots, longer steps (solver.step_s, rates.control_hz), fewer elements, or more processors", len(of), n, len(load), 100*load[worst])
}
